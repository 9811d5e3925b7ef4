"""``quiz-widgets translate``: what is missing of a quiz in another language."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from quiz_widgets.cli.common import FOUND, list_problems, require
from quiz_widgets.locales.reports import counted, say
from quiz_widgets.problems import ContentError

if TYPE_CHECKING:
    from quiz_widgets.cli.common import Commands


def add(commands: Commands) -> None:
    """Add the subcommand ``translate``."""
    command = commands.add_parser(
        "translate",
        help="write what is missing of a quiz in another language",
        description="Write PATH's overlay, quiz.LOCALE.yaml: what is there stays, and what is missing is added in the "
        "source's words, for you to translate.",
        allow_abbrev=False,
    )
    command.add_argument("path", type=Path, metavar="PATH", help="a quiz.yaml or the folder that holds it")
    command.add_argument("--to", required=True, metavar="LOCALE", help="the language, such as tr")
    command.add_argument("--accept", action="store_true", help="everything there was compared with the source")
    po_files = command.add_mutually_exclusive_group()
    po_files.add_argument("--po", type=Path, metavar="FILE", help="write a PO file instead of the overlay")
    po_files.add_argument("--from-po", type=Path, metavar="FILE", help="take finished translations from a PO file")
    command.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Carry it out."""
    from quiz_widgets.authoring.overlays import translate

    require(options.path)
    try:
        if options.po:
            options.po.write_bytes(translate.po_text(options.path, options.to))
            print(say("written", path=options.po))
            return 0
        if options.from_po:
            require(options.from_po)
        made = translate.overlay(options.path, options.to, accept=options.accept, po_file=options.from_po)
    except ContentError as error:
        list_problems(error.problems)
        return FOUND
    made.path.write_text(made.text, encoding="utf-8", newline="\n")
    list_problems(made.problems)
    print(say("translated", path=made.path, texts=counted("texts", made.added), stale=made.stale))
    return FOUND if made.problems else 0
