"""``classroom gradebook``, ``analysis`` and ``finalise``: grades and what they say, written to files."""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from quiz_widgets.cli.classroom import place
from quiz_widgets.cli.common import FOUND

if TYPE_CHECKING:
    from quiz_widgets.cli.common import Commands

FORMATS = ("wide", "long", "canvas", "moodle", "nbgrader")


def add(commands: Commands) -> None:
    """Add these subcommands."""
    command = commands.add_parser("gradebook", help="write a course's grades as CSV", allow_abbrev=False)
    command.add_argument("course", metavar="C", help="the course")
    command.add_argument("--format", choices=FORMATS, default="wide", help="the columns (default: wide)")
    command.add_argument("--quiz", action="append", metavar="QUIZ", help="only this quiz; may be given again")
    _output(command)
    command.set_defaults(act=_gradebook)

    command = commands.add_parser("analysis", help="write as CSV which questions of a quiz worked", allow_abbrev=False)
    command.add_argument("name", metavar="C/QUIZ", help="the quiz")
    _output(command)
    command.set_defaults(act=_analysis)

    command = commands.add_parser(
        "finalise", help="write a course's final gradebook, with its hash", allow_abbrev=False
    )
    command.add_argument("course", metavar="C", help="the course")
    which = command.add_mutually_exclusive_group(required=True)
    which.add_argument("-o", dest="output", type=Path, metavar="FILE", help="a new JSON file, for you alone")
    which.add_argument("--check", type=Path, metavar="FILE", help="see whether this final gradebook is unchanged")
    place.add_option(command)
    command.set_defaults(act=_finalise)


def _output(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "-o", dest="output", required=True, type=Path, metavar="FILE", help="a new CSV file, for you alone"
    )
    place.add_option(command)


def _gradebook(options: argparse.Namespace) -> int:
    from quiz_widgets.classroom.desk.clock import now
    from quiz_widgets.classroom.desk.database.engine import one_state
    from quiz_widgets.classroom.desk.exports import sheets
    from quiz_widgets.classroom.desk.library import Library

    with place.database(options) as engine, one_state(engine) as connection:
        lines = sheets.gradebook(connection, Library(), options.course, options.format, now(), options.quiz)
        written = _write(options.output, lines)
    print(f"{options.output}: {written - 1} rows")
    return 0


def _analysis(options: argparse.Namespace) -> int:
    from quiz_widgets.classroom.desk.analysis import reading, table
    from quiz_widgets.classroom.desk.database.engine import one_state
    from quiz_widgets.classroom.desk.exports import cells
    from quiz_widgets.classroom.desk.library import Library

    with place.database(options) as engine, one_state(engine) as connection:
        found = place.quiz(connection, options.name)
        groups = reading.reports(connection, Library(), found)
        written = _write(options.output, cells.lines(table.table(found["slug"], groups)))
    print(f"{options.output}: {written - 1} rows")
    return 0


def _finalise(options: argparse.Namespace) -> int:
    from quiz_widgets.classroom.desk.clock import now
    from quiz_widgets.classroom.desk.database.engine import one_state, writing
    from quiz_widgets.classroom.desk.exports import frozen, kept
    from quiz_widgets.classroom.desk.library import Library

    if options.check is not None:
        return _check(options)
    with place.database(options) as engine:
        at = now()
        with one_state(engine) as connection:
            text = frozen.make(connection, Library(), options.course, place.me(), at)
        _write(options.output, [text])
        try:
            made = kept.packed(text)
            with writing(engine) as connection:  # for a moment: learners' answers wait meanwhile
                kept.keep(connection, options.course, made, place.me(), at)
        except BaseException:
            options.output.unlink()
            raise
    found = frozen.verify(text)
    print(f"{options.output}: {len(found['learners'])} learners, SHA-256 {found['sha256']}")
    return 0


def _check(options: argparse.Namespace) -> int:
    from quiz_widgets.classroom.desk.database.engine import reading
    from quiz_widgets.classroom.desk.exports import frozen

    found = frozen.verify(place.text_of(options.check))
    with place.database(options) as engine, reading(engine) as connection:
        known = found.get("course") == options.course and frozen.is_known(connection, found)
    if not known:
        print(f"{options.check}: unchanged, but this desk's log knows no such gradebook of {options.course}")
        return FOUND
    print(f"{options.check}: unchanged since {found['finalised']}")
    return 0


def _write(file: Path, lines: Iterable[str]) -> int:
    """Write the lines to a new file for this account alone; how many they were. No half of a file is left behind."""
    place.new_file(file, "")
    written = 0
    try:
        with file.open("w", encoding="utf-8", newline="") as opened:
            for line in lines:
                opened.write(line)
                written += 1
    except BaseException:
        file.unlink()
        raise
    return written
