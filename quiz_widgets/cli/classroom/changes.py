"""``classroom set``, ``except``, ``move``, ``regrade``, ``override``: what is decided after a quiz was published."""

from __future__ import annotations

import argparse
from decimal import Decimal, InvalidOperation
from typing import TYPE_CHECKING

from quiz_widgets.cli.classroom import place, times
from quiz_widgets.cli.common import UsageError

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from quiz_widgets.classroom.desk.database.rows import Row
    from quiz_widgets.cli.common import Commands


def add(commands: Commands) -> None:
    """Add these subcommands."""
    command = commands.add_parser(
        "set", help="make a quiz that nobody has opened a poll or an exam", allow_abbrev=False
    )
    command.add_argument("name", metavar="C/QUIZ", help="the quiz")
    command.add_argument(
        "--kind", required=True, choices=("exam", "poll"), help="poll: its instructor opens one question at a time"
    )
    place.add_option(command)
    command.set_defaults(act=_set)

    command = commands.add_parser("except", help="make an exception for a learner or a section", allow_abbrev=False)
    command.add_argument("name", metavar="C/QUIZ", help="the quiz")
    whom = command.add_mutually_exclusive_group(required=True)
    whom.add_argument("--learner", metavar="NAME", help="a learner's name at the Hub")
    whom.add_argument("--section", metavar="S", help="everybody in this section, whoever joins it later too")
    whom.add_argument("--take-back", metavar="ID", help="the id of an exception that no longer holds")
    times.add_options(command)
    command.add_argument("--time-factor", metavar="F", default="1", help="1.5: half as long again for the time limit")
    command.add_argument("--extra-attempts", type=int, default=0, metavar="N", help="so many more")
    command.add_argument("--version", type=int, metavar="N", help="another version, for a make-up")
    command.add_argument("--excused", action="store_true", help="need not take it")
    command.add_argument("--reason", default="", help="for the course's records")
    place.add_option(command)
    command.set_defaults(act=_except)

    command = commands.add_parser(
        "move", help="move all deadlines of a course that are still to come", allow_abbrev=False
    )
    command.add_argument("course", metavar="C", help="the course")
    command.add_argument("minutes", type=int, metavar="MINUTES", help="so many later; a negative number: earlier")
    place.add_option(command)
    command.set_defaults(act=_move)

    command = commands.add_parser(
        "regrade", help="change the key of an item, and score everybody again", allow_abbrev=False
    )
    command.add_argument("name", metavar="C/QUIZ", help="the quiz")
    command.add_argument("item", metavar="ITEM", help="the item's id")
    command.add_argument(
        "--kind", required=True, choices=("key", "also", "full", "drop"),
        help="another key, also accept, full points for everybody, or the item counts for nobody",
    )  # fmt: skip
    command.add_argument(
        "--response", action="append", default=[], metavar="R",
        help="what is right: ids of options with commas between them, or what is typed; may be given more than once",
    )  # fmt: skip
    command.add_argument("--version", type=int, metavar="N", help="the version (default: the newest)")
    command.add_argument("--reason", required=True, help="why; learners may ask")
    place.add_option(command)
    command.set_defaults(act=_regrade)

    command = commands.add_parser("override", help="set a learner's points by hand", allow_abbrev=False)
    command.add_argument("name", metavar="C/QUIZ", help="the quiz")
    command.add_argument("learner", metavar="NAME", help="the learner's name at the Hub")
    command.add_argument("points", metavar="POINTS", help="a number; `none` takes it back")
    command.add_argument("--reason", required=True, help="why; learners may ask")
    place.add_option(command)
    command.set_defaults(act=_override)


def _set(options: argparse.Namespace) -> int:
    from quiz_widgets.classroom.desk import attempts
    from quiz_widgets.classroom.desk.clock import now
    from quiz_widgets.classroom.desk.library import Library
    from quiz_widgets.classroom.desk.polls import kinds

    with place.writing(options) as connection:
        found = place.quiz(connection, options.name)
        if options.kind == "poll":
            kinds.require_fit(Library().quiz(connection, attempts.newest(connection, found["id"])))
        kinds.change(connection, found, options.kind, place.me(), now())
    print(f"{options.name}: {'a poll' if options.kind == 'poll' else 'an exam'} from now on")
    return 0


def _except(options: argparse.Namespace) -> int:
    from quiz_widgets.classroom.desk import rosters, schedules
    from quiz_widgets.classroom.desk.clock import now

    with place.writing(options) as connection:
        found = place.quiz(connection, options.name)
        if options.take_back is not None:
            schedules.take_back(connection, found, options.take_back, place.me(), now())
            print(f"{options.name}: the exception is taken back")
            return 0
        whom: dict[str, object] = {"section": options.section}
        if options.learner is not None:
            whom = {"person": rosters.member(connection, found["course"], options.learner)["person"]}
        given: dict[str, object] = {
            **times.given(options, found["zone"]),
            "time_factor": options.time_factor,
            "extra_runs": options.extra_attempts,
            "excused": options.excused,
            "reason": options.reason,
        }
        if options.version is not None:
            given["version"] = _version(connection, found, options.version)
        made = schedules.except_(connection, found, whom, given, place.me(), now())
    print(f"{options.name}: exception {made}")
    return 0


def _version(connection: Connection, found: Row, number: int) -> str:
    from sqlalchemy import select

    from quiz_widgets.classroom.desk.database.tables import version

    asked = select(version.c.id).where(version.c.quiz == found["id"], version.c.number == number)
    chosen = connection.execute(asked).scalar()
    if chosen is None:
        raise UsageError(f"--version {number}: there is no such version of {found['slug']}")
    return str(chosen)


def _move(options: argparse.Namespace) -> int:
    from quiz_widgets.classroom.desk import schedules
    from quiz_widgets.classroom.desk.clock import now

    with place.writing(options) as connection:
        place.course(connection, options.course)
        moved = schedules.move(connection, options.course, options.minutes, place.me(), now())
    print(f"{options.course}: {moved} quizzes moved by {options.minutes} minutes")
    return 0


def _regrade(options: argparse.Namespace) -> int:
    from quiz_widgets.classroom.desk import regrading
    from quiz_widgets.classroom.desk.clock import now
    from quiz_widgets.classroom.desk.library import Library

    with place.writing(options) as connection:
        found, library = place.quiz(connection, options.name), Library()
        typed = regrading.is_typed(connection, library, found, options.item, options.version)
        change = regrading.Change(
            item=options.item,
            kind=options.kind,
            responses=[[one] if typed else [part.strip() for part in one.split(",")] for one in options.response],
            reason=options.reason,
            version=options.version,
        )
        again = regrading.change_key(connection, library, found, change, place.me(), now())
    print(f"{options.name}: {again} finished attempts are scored again by the desk")
    return 0


def _override(options: argparse.Namespace) -> int:
    from quiz_widgets.classroom.desk import gradebook, rosters
    from quiz_widgets.classroom.desk.clock import now
    from quiz_widgets.classroom.desk.library import Library

    try:
        points = None if options.points == "none" else Decimal(options.points)
    except InvalidOperation:
        points = Decimal("NaN")
    if points is not None and not points.is_finite():
        raise UsageError(f"{options.points!r} is no number of points; give one, or none")
    with place.writing(options) as connection:
        found = place.quiz(connection, options.name)
        who = rosters.member(connection, found["course"], options.learner)
        gradebook.override(connection, Library(), found, who, points, reason=options.reason, by=place.me(), now=now())
    print(f"{options.name}: {options.learner} has {'what was earned' if points is None else points}")
    return 0
