"""``quiz-widgets classroom``: setting up the desk, courses, publishing, and care for what is kept.

These commands are for whoever runs a desk, and speak English.
"""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from quiz_widgets.cli.classroom import care, changes, courses, grades, lti, publishing, serving
from quiz_widgets.cli.common import FOUND, UsageError

if TYPE_CHECKING:
    from quiz_widgets.cli.common import Commands

__all__ = ["add", "run"]


def add(commands: Commands) -> None:
    """Add the subcommand ``classroom`` with its own subcommands."""
    command = commands.add_parser(
        "classroom",
        help="graded quizzes for classes: run the desk, make courses, publish",
        description="The desk grades quizzes of classes on JupyterHub. Start with `classroom init FOLDER`.",
        allow_abbrev=False,
    )
    inner = command.add_subparsers(dest="classroom_command", metavar="COMMAND", required=True)
    for part in (serving, courses, publishing, changes, grades, lti, care):
        part.add(inner)
    command.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Carry it out; what the desk needs and is not installed is named with the line that installs it."""
    try:
        import quiz_widgets.classroom.desk.desk  # noqa: F401 - is everything here?
    except ImportError as error:
        raise UsageError(f"{error.name} is missing: pip install 'quiz_widgets[classroom]'") from None
    from sqlalchemy.exc import SQLAlchemyError

    from quiz_widgets.classroom.desk.database.engine import DatabaseError
    from quiz_widgets.classroom.desk.refusals import Refused
    from quiz_widgets.classroom.desk.settings import SettingsError

    try:
        code: int = options.act(options)
    except (SettingsError, DatabaseError) as error:
        raise UsageError(error) from None
    except SQLAlchemyError as error:
        raise UsageError(f"the database cannot be used: {_told(error)}") from None
    except Refused as refused:
        print(f"quiz-widgets: {refused.message}", file=sys.stderr)
        return FOUND
    return code


def _told(error: Exception) -> str:
    """What the driver says, in one line: SQLAlchemy's own words add the statement, and what was to be written."""
    return " ".join(str(getattr(error, "orig", None) or error).split())
