"""``quiz-widgets check``: every problem of quizzes and guides at once."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from contextlib import redirect_stdout
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from quiz_widgets.cli import listings
from quiz_widgets.cli.common import FOUND, UsageError, require
from quiz_widgets.locales import reports
from quiz_widgets.locales.forms import local_percent
from quiz_widgets.locales.reports import counted, say
from quiz_widgets.problems import ContentError, Problem

if TYPE_CHECKING:  # each command imports only what it needs
    from quiz_widgets import evidence
    from quiz_widgets.authoring import Report
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
    command.add_argument("--fix", action="store_true", help="mend what is certain, and show the changes")
    command.add_argument("--dry-run", action="store_true", help="with --fix: show the changes, and write nothing")
    command.add_argument(
        "--format", choices=listings.FORMATS, default="text", help="how problems are listed (default: text)"
    )
    command.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Carry it out. Standard output holds nothing but the document where a program asked for one."""
    if options.record and not options.evidence:
        raise UsageError(say("record_alone"))
    if options.dry_run and not options.fix:
        raise UsageError(say("dry_run_alone"))
    for path in options.paths:
        require(path)
    document = options.format in ("json", "sarif")
    out = sys.stdout
    with redirect_stdout(sys.stderr if document else out):
        try:
            return _check(options, out)
        except ContentError as error:
            if not document:
                raise
            with redirect_stdout(out):
                listings.show(options.format, error.problems, (), {"quizzes": 0, "items": 0})
            return FOUND


def _check(options: argparse.Namespace, out: TextIO) -> int:
    from quiz_widgets import authoring
    from quiz_widgets.authoring import wording
    from quiz_widgets.evidence import modules, records

    failed = modules.include(_folders(options.paths)) if options.evidence else []
    report = authoring.check(options.paths)
    mendable = _fix(report, write=not options.dry_run) if options.fix else False
    if mendable and not options.dry_run:
        report = authoring.check(options.paths)
    words = wording.check() if options.locales else []
    proof = _prove(report.found, record=options.record) if options.evidence and not failed else None
    kept = [problem for file, quiz in report.found for problem in records.problems(quiz, file.parent)]
    # That code was not run is no fault of a course that is only checked; without it nothing can be shown.
    read = [replace(one, severity="note") if one.rule == "undrawn" else one for one in report.problems]
    problems = sorted({*read, *kept, *words, *failed})
    with redirect_stdout(out):
        listings.show(options.format, problems, report.accepted, {"quizzes": report.quizzes, "items": report.items})
    errors = _last_line(report, problems)
    if proof is not None:
        print(proof.last_line(reports.reader()))
    stale = sum(locale.stale for locale in report.coverage.values()) if options.locales else 0
    if options.locales:
        language = reports.reader()
        shares = tuple(
            f"{name} {local_percent(str(locale.percent), language)}" for name, locale in report.coverage.items()
        )
        print(say("locales", shares=shares or reports.message("none"), stale=stale))
    contradicted = proof is not None and proof.contradicted
    return FOUND if errors or stale or contradicted or (mendable and options.dry_run) else 0


def _folders(paths: Sequence[Path]) -> list[Path]:
    """The folders of all quizzes that are checked, whose courses may have evidence of their own."""
    from quiz_widgets.authoring import checker

    return sorted({file.parent for path in paths for file in checker.quiz_files(path)})


def _last_line(report: Report, problems: Sequence[Problem]) -> int:
    """Print what was checked; return the number of errors."""
    severities = [problem.severity for problem in problems]
    found = {
        "quizzes": report.quizzes,
        "items": report.items,
        "problems": severities.count("error"),
        "warnings": severities.count("warning"),
    }
    print(say("checked", **{name: counted(name, count) for name, count in found.items()}))
    return found["problems"]


def _fix(report: Report, *, write: bool) -> bool:
    """Show, and write if asked to, what can be mended; whether there is anything."""
    from quiz_widgets.authoring import fixes

    mended = fixes.mend(report.problems)
    for file in mended:
        print(file.diff(), end="")
        print(say("mended" if write else "mendable", path=file.path, places=counted("places", file.places)))
        if write:
            file.path.write_bytes(file.after)
    return bool(mended)


def _prove(found: Sequence[tuple[Path, Quiz]], *, record: bool) -> evidence.Report:
    """Compute the evidence of all quizzes, say what came of each item, and keep the results if asked to."""
    from quiz_widgets import evidence
    from quiz_widgets.evidence import records

    proof = evidence.run([quiz for _, quiz in found])
    for line in proof.lines(reports.reader())[:-1]:
        print(line)
    if record:
        for file, quiz in found:
            print(records.write(file.parent, [item for item in proof.items if item.quiz == quiz.id]))
    return proof
