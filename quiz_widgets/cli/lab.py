"""``quiz-widgets lab``: the course in JupyterLab."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from quiz_widgets.cli.common import UsageError, folder

if TYPE_CHECKING:
    from quiz_widgets.cli.common import Commands


def add(commands: Commands) -> None:
    """Add the subcommand ``lab``."""
    command = commands.add_parser(
        "lab",
        help="open the course in JupyterLab",
        description="Open the course in JupyterLab. Other arguments, such as --no-browser, go to JupyterLab.",
        allow_abbrev=False,
    )
    command.add_argument("--to", type=folder, metavar="FOLDER", help="copy the course there and open the copy")
    command.add_argument("--locale", default="en", help="the language whose first guide opens (default: en)")
    command.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Carry it out."""
    from quiz_widgets import lab

    try:
        lab.serve(options.extra, to=options.to, locale=options.locale)
    except lab.LabError as error:
        raise UsageError(error) from None
    return 0
