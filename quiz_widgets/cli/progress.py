"""``quiz-widgets progress``: the learner's attempts and scores."""

from __future__ import annotations

import argparse
import sys
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from quiz_widgets.cli.common import folder, list_problems
from quiz_widgets.locales.reports import Number, counted, say

if TYPE_CHECKING:
    from quiz_widgets.cli.common import Commands


def add(commands: Commands) -> None:
    """Add the subcommand ``progress``."""
    command = commands.add_parser("progress", help="list your attempts and scores", allow_abbrev=False)
    command.add_argument(
        "--home", type=folder, metavar="FOLDER", help="the data folder (default: QUIZ_WIDGETS_HOME or yours)"
    )
    command.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Carry it out."""
    from quiz_widgets.progress.history import history

    attempts = history(options.home)
    for attempt in attempts:
        list_problems(attempt.problems, file=sys.stderr)
        started = _local_time(attempt.started)
        told = say(
            "attempt_open" if attempt.open else "attempt_closed",
            quiz=attempt.quiz,
            number=attempt.number,
            started=started,
            answered=attempt.answered,
            correct=attempt.correct,
            first_try=attempt.first_try,
            score=Number(f"{attempt.score:g}"),
            max=Number(f"{attempt.max_score:g}"),
        )
        print(told)
    quizzes = {attempt.quiz for attempt in attempts}
    print(say("kept", attempts=counted("attempts", len(attempts)), quizzes=counted("quizzes", len(quizzes))))
    return 0


def _local_time(milliseconds: int) -> str:
    """A time of a record as this machine's clock shows it; bare where no calendar has the day: a clock was wrong."""
    try:
        return datetime.fromtimestamp(milliseconds / 1000, UTC).astimezone().strftime("%Y-%m-%d %H:%M")
    except (ValueError, OverflowError, OSError):
        return f"{milliseconds} ms"
