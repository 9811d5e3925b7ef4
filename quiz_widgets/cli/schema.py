"""``quiz-widgets schema``: what editors complete and check a quiz.yaml by."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from quiz_widgets.cli.common import Commands


def add(commands: Commands) -> None:
    """Add the subcommand ``schema``."""
    command = commands.add_parser(
        "schema",
        help="print the JSON Schema of quiz.yaml, for editors",
        description="Print the JSON Schema by which an editor completes and checks a quiz.yaml.",
        allow_abbrev=False,
    )
    command.add_argument("--overlay", action="store_true", help="that of translations, quiz.LOCALE.yaml, instead")
    command.add_argument("--path", action="store_true", help="print where the file lies, instead of the file")
    command.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Carry it out."""
    from quiz_widgets.authoring import schema

    file = schema.file("overlay" if options.overlay else "quiz")
    print(file if options.path else file.read_text(encoding="utf-8"), end="\n" if options.path else "")
    return 0
