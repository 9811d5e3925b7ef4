"""``quiz-widgets preview``: a page that shows a quiz while its author writes it."""

from __future__ import annotations

import argparse
import os
from pathlib import Path
from typing import TYPE_CHECKING

from quiz_widgets.cli.common import UsageError, add_evidence, include_evidence, require
from quiz_widgets.locales import reports
from quiz_widgets.locales.reports import AnyOf, say

if TYPE_CHECKING:
    from quiz_widgets.cli.common import Commands

_ON_A_HUB = "JUPYTERHUB_SERVICE_PREFIX"


def add(commands: Commands) -> None:
    """Add the subcommand ``preview``."""
    command = commands.add_parser(
        "preview",
        help="show a quiz in the browser while you write it",
        description="Serve a page on this machine that shows every question of a quiz in all its languages, light and "
        "dark, with its problems, and follows each save.",
        allow_abbrev=False,
    )
    command.add_argument("path", type=Path, metavar="PATH", help="a quiz.yaml or the folder that holds it")
    command.add_argument("--port", type=int, default=0, help="the port of the page (default: a free one)")
    add_evidence(command)
    command.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Carry it out."""
    if os.environ.get(_ON_A_HUB):
        raise UsageError(say("preview_hub"))
    path = _quiz_file(options.path)
    if options.evidence:
        include_evidence(path)
    from quiz_widgets.studio.server import Preview

    try:
        preview = Preview(path, reports.reader(), options.port)
    except (OSError, OverflowError) as error:
        reason = getattr(error, "strerror", None) or error
        raise UsageError(say("preview_port", port=options.port, reason=reason)) from None
    print(say("preview_at", url=preview.url), flush=True)
    try:
        preview.serve()
    except KeyboardInterrupt:
        print()  # the terminal shows ^C on the line
    return 0


def _quiz_file(path: Path) -> Path:
    """The file to show. It may lie anywhere, but one that is named must be there when the preview begins."""
    require(path)
    if not path.is_dir():
        return path.resolve()
    file = path / "quiz.yaml"
    if file.is_file():
        return file.resolve()
    found = sorted(path.glob("*/quiz.yaml"))
    if found:
        raise UsageError(say("preview_many", path=path, names=AnyOf(tuple(found))))
    raise UsageError(say("preview_none", path=path))
