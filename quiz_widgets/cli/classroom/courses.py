"""``classroom course`` and its commands, ``roster``, ``schedule`` and ``token``: on the desk's own machine."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from quiz_widgets.cli.classroom import place, times
from quiz_widgets.cli.common import FOUND, UsageError

if TYPE_CHECKING:
    from quiz_widgets.cli.common import Commands

HOUR_MS = 3_600_000
MOST_LATE = 366


def add(commands: Commands) -> None:
    """Add these subcommands."""
    parent = commands.add_parser("course", help="make and change courses", allow_abbrev=False)
    inner = parent.add_subparsers(dest="course_command", metavar="COMMAND", required=True)
    command = inner.add_parser("create", help="make a course with its first instructor", allow_abbrev=False)
    command.add_argument("course", metavar="C", help="its name, as in load_quiz('C/quiz')")
    command.add_argument("--tz", required=True, metavar="ZONE", help="its time zone, such as Europe/Istanbul")
    command.add_argument("--instructor", required=True, metavar="NAME", help="an instructor's name at the Hub")
    command.add_argument("--title", help="its title (default: its name)")
    place.add_option(command)
    command.set_defaults(act=_create)

    command = inner.add_parser("set", help="change a course", allow_abbrev=False)
    command.add_argument("course", metavar="C", help="the course")
    command.add_argument("--title", help="its title")
    command.add_argument(
        "--late-join", type=float, metavar="DAYS",
        help="whoever joins after a quiz opened has it so much later as they joined, at most so many days; 0 for never",
    )  # fmt: skip
    command.add_argument("--retain-until", metavar="TIME", help="what is left of erased learners is kept until then")
    place.add_option(command)
    command.set_defaults(act=_set)

    command = inner.add_parser("group", help="let a group of the Hub be in a course", allow_abbrev=False)
    command.add_argument("course", metavar="C", help="the course")
    command.add_argument("group", nargs="?", metavar="GROUP", help="its name at the Hub; without it: list the groups")
    command.add_argument(
        "--role", choices=("learner", "assistant", "instructor"), help="what its members are (default: learner)"
    )
    command.add_argument("--section", metavar="S", help="the section that its members are in")
    command.add_argument("--remove", action="store_true", help="the group is no longer in the course")
    place.add_option(command)
    command.set_defaults(act=_group)

    command = commands.add_parser("roster", help="enrol everybody in a CSV file", allow_abbrev=False)
    command.add_argument("course", metavar="C", help="the course")
    command.add_argument("file", type=Path, metavar="FILE", help="CSV; of its columns only `name` has to be there")
    command.add_argument(
        "--drop-others", action="store_true", help="drop learners of earlier rosters whom this one does not name"
    )
    place.add_option(command)
    command.set_defaults(act=_roster)

    command = commands.add_parser("schedule", help="say when a quiz opens, is due and closes", allow_abbrev=False)
    command.add_argument("name", metavar="C/QUIZ", help="a quiz that is published")
    times.add_options(command)
    command.add_argument("--runs", type=int, metavar="N", help="attempts that a learner may open")
    command.add_argument("--time-limit", type=int, metavar="MINUTES", help="for one attempt; 0 for none")
    command.add_argument("--grace", type=int, metavar="SECONDS", help="after closing, in which answers count (60)")
    command.add_argument("--policy", choices=("last", "best", "first"), help="which attempt's points count")
    command.add_argument("--late-share", metavar="S", help="share of points lost for each day after due, such as 0.1")
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


def _set(options: argparse.Namespace) -> int:
    from quiz_widgets.classroom.desk import courses
    from quiz_widgets.classroom.desk.clock import now

    changes: dict[str, object] = {}
    with place.writing(options) as connection:
        found = place.course(connection, options.course)
        if options.title is not None:
            changes["title"] = options.title
        if options.late_join is not None:
            if not 0 <= options.late_join <= MOST_LATE:
                raise UsageError(f"--late-join {options.late_join:g}: 0 to {MOST_LATE} days")
            changes["late_join"] = int(options.late_join * 24 * HOUR_MS) or None
        if options.retain_until is not None:
            changes["retained_until"] = times.read(options.retain_until, "retain-until", found["zone"])
        courses.change(connection, found, changes, place.me(), now())
    print(f"{options.course}: changed")
    return 0


def _group(options: argparse.Namespace) -> int:
    from quiz_widgets.classroom.desk import groups
    from quiz_widgets.classroom.desk.clock import now

    chosen = options.role is not None or options.section is not None
    if (options.remove and (chosen or options.group is None)) or (chosen and options.group is None):
        raise UsageError("name the GROUP that --role and --section are for, or that --remove takes out")
    with place.writing(options) as connection:
        place.course(connection, options.course)
        if options.group is None:
            for one in groups.mapped(connection, options.course):
                print(f"{one['hub_group']}\t{one['role']}\t{one['section'] or '-'}")
        elif options.remove:
            groups.remove(connection, options.course, options.group, place.me(), now())
            print(f"{options.course}: {options.group} is out")
        else:
            role = options.role or "learner"
            groups.put(connection, options.course, options.group, role, options.section, place.me(), now())
            print(f"{options.course}: who is in {options.group} is {role}")
    return 0


def _roster(options: argparse.Namespace) -> int:
    from quiz_widgets.classroom.desk import courses, enrolling, people
    from quiz_widgets.classroom.desk.clock import now

    lines, faults = courses.roster(place.text_of(options.file))
    with place.writing(options) as connection:
        if not faults:
            faults = enrolling.subject_faults(connection, options.course, lines)
        if not faults:
            taken = people.take_roster(
                connection, options.course, lines, place.me(), now(), drop_others=options.drop_others
            )
    for fault in faults:
        print(f"{options.file}: {fault}", file=sys.stderr)
    if faults:
        print("nobody was enrolled", file=sys.stderr)
        return FOUND
    print(f"{options.course}: {taken.enrolled} enrolled" + (f", {taken.dropped} dropped" * options.drop_others))
    return 0


def _schedule(options: argparse.Namespace) -> int:
    from quiz_widgets.classroom.desk import schedules
    from quiz_widgets.classroom.desk.clock import now

    with place.writing(options) as connection:
        found = place.quiz(connection, options.name)
        changes: dict[str, object] = times.given(options, found["zone"])
        if options.time_limit is not None:
            changes["time_limit"] = options.time_limit * 60_000 or None
        if options.grace is not None:
            changes["grace"] = options.grace * 1000
        for setting in ("runs", "policy", "late_share", "reveal"):
            if getattr(options, setting) is not None:
                changes[setting] = getattr(options, setting)
        schedules.change(connection, found, changes, place.me(), now())
    print(f"{options.name}: scheduled")
    return 0


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
        place.new_file(options.to, f"{made}\n")
    print(f"{options.to}: a token for {options.course}, good for {options.hours:g} hours")
    return 0
