"""``classroom course create``, ``roster``, ``schedule`` and ``token``: on the desk's own machine."""

from __future__ import annotations

import argparse
import os
import sys
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from quiz_widgets.cli.classroom import place
from quiz_widgets.cli.common import FOUND, UsageError, require

if TYPE_CHECKING:
    from quiz_widgets.cli.common import Commands

HOUR_MS = 3_600_000


def add(commands: Commands) -> None:
    """Add these subcommands."""
    parent = commands.add_parser("course", help="make a course", allow_abbrev=False)
    inner = parent.add_subparsers(dest="course_command", metavar="COMMAND", required=True)
    command = inner.add_parser("create", help="make a course with its first instructor", allow_abbrev=False)
    command.add_argument("course", metavar="C", help="its name, as in load_quiz('C/quiz')")
    command.add_argument("--tz", required=True, metavar="ZONE", help="its time zone, such as Europe/Istanbul")
    command.add_argument("--instructor", required=True, metavar="NAME", help="an instructor's name at the Hub")
    command.add_argument("--title", help="its title (default: its name)")
    place.add_option(command)
    command.set_defaults(act=_create)

    command = commands.add_parser("roster", help="enrol everybody in a CSV file", allow_abbrev=False)
    command.add_argument("course", metavar="C", help="the course")
    command.add_argument("file", type=Path, metavar="FILE", help="CSV; of its columns only `name` has to be there")
    place.add_option(command)
    command.set_defaults(act=_roster)

    command = commands.add_parser("schedule", help="say when a quiz opens, is due and closes", allow_abbrev=False)
    command.add_argument("name", metavar="C/QUIZ", help="a quiz that is published")
    for name in ("opens", "due", "closes"):
        command.add_argument(
            f"--{name}", metavar="TIME", help="in the course's zone: 2027-01-31T10:00; `none` for none"
        )
    command.add_argument("--runs", type=int, metavar="N", help="attempts that a learner may open")
    command.add_argument("--time-limit", type=int, metavar="MINUTES", help="for one attempt; 0 for none")
    command.add_argument("--reveal", choices=("closed", "manual"), help="when keys are shown")
    place.add_option(command)
    command.set_defaults(act=_schedule)

    command = commands.add_parser("token", help="give a token that publishes to a course", allow_abbrev=False)
    command.add_argument("course", metavar="C", help="the course")
    command.add_argument("name", metavar="NAME", help="one of its instructors")
    command.add_argument("--hours", type=float, default=8.0, metavar="N", help="how long it is good (default: 8)")
    command.add_argument("--to", required=True, type=Path, metavar="FILE", help="where it is written, for you alone")
    place.add_option(command)
    command.set_defaults(act=_token)


def _create(options: argparse.Namespace) -> int:
    from quiz_widgets.classroom.desk import courses
    from quiz_widgets.classroom.desk.clock import now

    with place.writing(options) as connection:
        title = options.title or options.course
        courses.create(connection, options.course, title, options.tz, options.instructor, place.me(), now())
    print(f"{options.course}: made, in {options.tz}, with {options.instructor} as instructor")
    return 0


def _roster(options: argparse.Namespace) -> int:
    from quiz_widgets.classroom.desk import courses
    from quiz_widgets.classroom.desk.clock import now

    require(options.file)
    lines, faults = courses.roster(options.file.read_text(encoding="utf-8-sig"))
    for fault in faults:
        print(f"{options.file}: {fault}", file=sys.stderr)
    if faults:
        print("nobody was enrolled", file=sys.stderr)
        return FOUND
    with place.writing(options) as connection:
        for line in lines:
            courses.enrol(connection, options.course, line, place.me(), now())
    print(f"{options.course}: {len(lines)} enrolled")
    return 0


def _schedule(options: argparse.Namespace) -> int:
    from quiz_widgets.classroom.desk import rosters, schedules
    from quiz_widgets.classroom.desk.clock import now
    from quiz_widgets.classroom.names import parse

    name = parse(options.name)
    if name is None:
        raise UsageError(f"{options.name} is no name of a graded quiz: give COURSE/QUIZ")
    with place.writing(options) as connection:
        found = rosters.quiz_of(connection, name.course, name.quiz)
        changes: dict[str, object] = {
            what: _time(getattr(options, what), what, found["zone"])
            for what in ("opens", "due", "closes")
            if getattr(options, what) is not None
        }
        if options.runs is not None:
            changes["runs"] = options.runs
        if options.time_limit is not None:
            changes["time_limit"] = options.time_limit * 60_000 or None
        if options.reveal is not None:
            changes["reveal"] = options.reveal
        schedules.change(connection, found, changes, place.me(), now())
    print(f"{options.name}: scheduled")
    return 0


def _time(text: str, what: str, zone: str) -> int | None:
    if text == "none":
        return None
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        raise UsageError(f"--{what}: {text!r} is no time; write 2027-01-31T10:00, or none") from None
    if found.tzinfo is None:
        found = found.replace(tzinfo=ZoneInfo(zone))
    return int(found.timestamp() * 1000)


def _token(options: argparse.Namespace) -> int:
    from quiz_widgets.classroom.desk import rosters
    from quiz_widgets.classroom.desk.clock import now
    from quiz_widgets.classroom.desk.identity import tokens

    if not 0 < options.hours <= 24 * 30:
        raise UsageError(f"--hours {options.hours:g}: more than 0, at most {24 * 30}")
    with place.writing(options) as connection:
        member = rosters.member(connection, options.course, options.name)
        if member["role"] not in rosters.TEACHING:
            raise UsageError(f"{options.name} does not teach {options.course}")
        lifetime = int(options.hours * HOUR_MS)
        made = tokens.give(connection, options.name, "teach", now(), lifetime=lifetime, course=options.course)
        try:
            handle = os.open(options.to, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        except FileExistsError:
            raise UsageError(f"{options.to} is there already; name a new file") from None
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(f"{made}\n")
    print(f"{options.to}: a token for {options.course}, good for {options.hours:g} hours")
    return 0
