"""``quiz-widgets check``: every problem of quizzes and guides at once."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from quiz_widgets.cli.common import FOUND, UsageError, list_problems, require
from quiz_widgets.locales import reports
from quiz_widgets.locales.forms import local_percent
from quiz_widgets.locales.reports import counted, say

if TYPE_CHECKING:  # each command imports only what it needs
    from quiz_widgets import evidence
    from quiz_widgets.cli.common import Commands
    from quiz_widgets.model import Quiz


def add(commands: Commands) -> None:
    """Add the subcommand ``check``."""
    command = commands.add_parser(
        "check", help="check quizzes and guides; list every problem at once", allow_abbrev=False
    )
    command.add_argument(
        "paths", nargs="+", type=Path, metavar="PATH", help="a quiz.yaml or a folder with quizzes in it"
    )
    command.add_argument("--evidence", action="store_true", help="also compute the evidence, and prove every key")
    command.add_argument("--record", action="store_true", help="with --evidence: keep the results beside the quizzes")
    command.add_argument("--locales", action="store_true", help="also check interface words, and count translations")
    command.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Carry it out."""
    from quiz_widgets import authoring
    from quiz_widgets.authoring import wording
    from quiz_widgets.evidence import records

    if options.record and not options.evidence:
        raise UsageError(say("record_alone"))
    for path in options.paths:
        require(path)
    report = authoring.check(options.paths)
    words = wording.check() if options.locales else []
    proof = _prove(report.found, record=options.record) if options.evidence else None
    kept = [problem for file, quiz in report.found for problem in records.problems(quiz, file.parent)]
    problems = sorted((*report.problems, *kept, *words))
    list_problems(problems)
    errors = sum(problem.severity == "error" for problem in problems)
    found = {"quizzes": report.quizzes, "items": report.items, "problems": errors}
    print(say("checked", **{name: counted(name, count) for name, count in found.items()}))
    if proof is not None:
        print(proof.last_line(reports.reader()))
    stale = sum(locale.stale for locale in report.coverage.values()) if options.locales else 0
    if options.locales:
        language = reports.reader()
        shares = tuple(
            f"{name} {local_percent(str(locale.percent), language)}" for name, locale in report.coverage.items()
        )
        print(say("locales", shares=shares or reports.message("none"), stale=stale))
    return FOUND if errors or stale or (proof is not None and proof.contradicted) else 0


def _prove(found: Sequence[tuple[Path, Quiz]], *, record: bool) -> evidence.Report:
    """Compute the evidence of all quizzes, say what came of each item, and keep the results if asked to."""
    from quiz_widgets import evidence
    from quiz_widgets.evidence import records

    modules = sorted({module for file, _ in found for module in records.course_modules(file.parent)})
    proof = evidence.run([quiz for _, quiz in found], modules=modules)
    for line in proof.lines(reports.reader())[:-1]:
        print(line)
    if record:
        for file, quiz in found:
            print(records.write(file.parent, [item for item in proof.items if item.quiz == quiz.id]))
    return proof
