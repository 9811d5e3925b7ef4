"""The ``quiz-widgets`` command: each subcommand does one thing and says in words what is wrong.

Exit codes: 0 all is well; 1 something was found (problems in content, stale files); 2 wrong use.
"""

from __future__ import annotations

import argparse
import io
import os
import sys
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from quiz_widgets.locales import reports
from quiz_widgets.locales.forms import local_percent
from quiz_widgets.locales.reports import AnyOf, Number, counted, say
from quiz_widgets.problems import ContentError, Problem

if TYPE_CHECKING:  # each command imports only what it needs
    from quiz_widgets import evidence
    from quiz_widgets.model import Quiz

FOUND, WRONG_USE = 1, 2


class UsageError(Exception):
    """The command cannot be carried out as it was given; the message says what to give instead."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # a terminal may lack the letters of a language or of a path
    parser = _parser()
    known, extra = parser.parse_known_args(arguments)
    if extra and known.run is not _lab:
        parser.error(say("unknown_arguments", arguments=" ".join(extra)))
    known.extra = extra
    try:
        code: int = known.run(known)
        if sys.stdout is not None:  # None where it was closed before the start
            sys.stdout.flush()
    except UsageError as error:
        print(f"quiz-widgets: {error}", file=sys.stderr)
        return WRONG_USE
    except ContentError as error:
        _list(error.problems)
        return FOUND
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # or Python complains while it exits
        return FOUND
    except OSError as error:
        print(f"quiz-widgets: {error.filename or ''}: {error.strerror or error}", file=sys.stderr)
        return FOUND
    return code


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="quiz-widgets",
        description="Quizzes in Jupyter notebooks, beside the guide they test.",
        allow_abbrev=False,
    )
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)

    command = commands.add_parser(
        "lab",
        help="open the course in JupyterLab",
        description="Open the course in JupyterLab. Other arguments, such as --no-browser, go to JupyterLab.",
        allow_abbrev=False,
    )
    command.add_argument("--to", type=_folder, metavar="FOLDER", help="copy the course there and open the copy")
    command.add_argument("--locale", default="en", help="the language whose first guide opens (default: en)")
    command.set_defaults(run=_lab)

    command = commands.add_parser(
        "check", help="check quizzes and guides; list every problem at once", allow_abbrev=False
    )
    command.add_argument(
        "paths", nargs="+", type=Path, metavar="PATH", help="a quiz.yaml or a folder with quizzes in it"
    )
    command.add_argument("--evidence", action="store_true", help="also compute the evidence, and prove every key")
    command.add_argument("--record", action="store_true", help="with --evidence: keep the results beside the quizzes")
    command.add_argument("--locales", action="store_true", help="also check interface words, and count translations")
    command.set_defaults(run=_check)

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
    command.set_defaults(run=_translate)

    command = commands.add_parser(
        "build", help="compile content/ and write the notebooks (in a checkout)", allow_abbrev=False
    )
    command.add_argument("--check", action="store_true", help="write nothing; list what is stale")
    command.set_defaults(run=_build)

    command = commands.add_parser("progress", help="list your attempts and scores", allow_abbrev=False)
    command.add_argument(
        "--home", type=_folder, metavar="FOLDER", help="the data folder (default: QUIZ_WIDGETS_HOME or yours)"
    )
    command.set_defaults(run=_progress)
    return parser


def _lab(options: argparse.Namespace) -> int:
    from quiz_widgets import lab

    try:
        lab.serve(options.extra, to=options.to, locale=options.locale)
    except lab.LabError as error:
        raise UsageError(error) from None
    return 0


def _check(options: argparse.Namespace) -> int:
    from quiz_widgets import authoring
    from quiz_widgets.authoring import wording
    from quiz_widgets.evidence import records

    if options.record and not options.evidence:
        raise UsageError(say("record_alone"))
    for path in options.paths:
        _require(path)
    report = authoring.check(options.paths)
    words = wording.check() if options.locales else []
    proof = _prove(report.found, record=options.record) if options.evidence else None
    kept = [problem for file, quiz in report.found for problem in records.problems(quiz, file.parent)]
    problems = sorted((*report.problems, *kept, *words))
    _list(problems)
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


def _translate(options: argparse.Namespace) -> int:
    from quiz_widgets.authoring.overlays import translate

    _require(options.path)
    try:
        if options.po:
            options.po.write_bytes(translate.po_text(options.path, options.to))
            print(say("written", path=options.po))
            return 0
        if options.from_po:
            _require(options.from_po)
        made = translate.overlay(options.path, options.to, accept=options.accept, po_file=options.from_po)
    except ContentError as error:
        _list(error.problems)
        return FOUND
    made.path.write_text(made.text, encoding="utf-8", newline="\n")
    _list(made.problems)
    print(say("translated", path=made.path, texts=counted("texts", made.added), stale=made.stale))
    return FOUND if made.problems else 0


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


def _build(options: argparse.Namespace) -> int:
    from quiz_widgets import build, lab
    from quiz_widgets.frontend.esm import JoinError

    root = lab.checkout()
    if root is None:
        raise UsageError(say("no_checkout"))
    try:
        files = build.generate(root)
    except ContentError as error:
        _list(error.problems)
        return FOUND
    except JoinError as error:
        print(error)
        return FOUND
    stale = [file for file in files if not file.fresh()]
    for file in stale:
        name = file.path.relative_to(root)
        if options.check:
            print(say("stale" if file.text is not None else "left_over", path=name))
        else:
            file.write()
            print(say("written" if file.text is not None else "removed", path=name))
    if options.check and stale:
        print(say("run_build"))
        return FOUND
    made = counted("files", len(files))
    print(say("generated", files=made, changed=len(stale)) if stale else say("generated_fresh", files=made))
    return 0


def _progress(options: argparse.Namespace) -> int:
    from quiz_widgets.progress.history import history

    attempts = history(options.home)
    for attempt in attempts:
        _list(attempt.problems, file=sys.stderr)
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


def _folder(named: str) -> Path:
    """A folder that an option names; an empty name would silently mean the folder one stands in."""
    if not named:
        raise argparse.ArgumentTypeError("''")
    return Path(named)


def _require(path: Path) -> None:
    """Refuse a path that does not exist, with names that are near it."""
    if path.exists():
        return
    missing = next(part for part in [*reversed(path.parents), path] if not part.exists())
    siblings = sorted(entry.name for entry in missing.parent.iterdir()) if missing.parent.is_dir() else []
    near = [missing.parent / name for name in get_close_matches(missing.name, siblings, n=3)]
    raise UsageError(say("no_path_near", path=path, names=AnyOf(tuple(near))) if near else say("no_path", path=path))


def _list(problems: Iterable[Problem], file: TextIO | None = None) -> None:
    """Print problems one a line. What a rule says is English; how much it weighs is said in the reader's language."""
    for problem in problems:
        if problem.severity == "error":
            print(problem, file=file)
        else:
            print(say(problem.severity, place=problem.place, text=problem.text), file=file)


if __name__ == "__main__":
    sys.exit(main())
