"""Making and changing courses, and reading rosters from CSV files."""

from __future__ import annotations

import csv
import io
import json
import secrets
from collections.abc import Iterator, Mapping
from zoneinfo import ZoneInfo, available_timezones

from sqlalchemy import Connection, insert, select, update

from quiz_widgets.classroom.clocks import LATEST, MAX_YEAR
from quiz_widgets.classroom.desk import audits, enrolling
from quiz_widgets.classroom.desk.database.rows import Row, first
from quiz_widgets.classroom.desk.database.tables import course
from quiz_widgets.classroom.desk.enrolling import ROLES, Line, drop, enrol
from quiz_widgets.classroom.desk.refusals import Refused, unknown
from quiz_widgets.classroom.names import ALLOWED, SLUG

__all__ = ["COLUMNS", "LARGEST_ROSTER", "Line", "change", "create", "drop", "enrol", "faults_of", "one", "roster"]

COLUMNS = ("name", "display_name", "student_number", "section", "role", "email", "lti_sub")
LARGEST_ROSTER = 2 * 1024 * 1024  # characters; ten thousand learners take half a million
MOST_PEOPLE = 20_000
MOST_LATE = 366 * 86_400_000
_LONGEST = 256
_LONGEST_SECTION = 64


def create(connection: Connection, course_id: str, title: str, zone: str, instructor: str, by: str, now: int) -> None:
    """A new course with its first instructor. `Refused` for a bad name, an unknown time zone, and a used name."""
    if not SLUG.fullmatch(course_id):
        raise Refused("bad_name", f"`{course_id}` is no name of a course; allowed are {ALLOWED}", status=422)
    if zone not in available_timezones():
        raise Refused("bad_zone", f"`{zone}` is no time zone; give one such as Europe/Istanbul or UTC", status=422)
    _fit({"title": title})
    if first(connection, select(course.c.id).where(course.c.id == course_id)) is not None:
        raise Refused("taken", f"there is a course `{course_id}` already")
    ZoneInfo(zone)
    connection.execute(
        insert(course).values(id=course_id, title=title, zone=zone, secret=secrets.token_hex(32), created=now)
    )
    audits.note(connection, now, by, course_id, "create course", course_id)
    enrol(connection, course_id, Line(instructor, role="instructor"), by, now)


def one(connection: Connection, course_id: str) -> Row:
    """The course; else ``unknown``."""
    found = first(connection, select(course).where(course.c.id == course_id))
    if found is None:
        raise unknown("course")
    return found


def change(connection: Connection, found: Row, changes: Mapping[str, object], by: str, now: int) -> None:
    """Change a course: ``title``, ``late_join``, ``retained_until``. Open attempts get the times that then hold."""
    _fit(changes)
    before = {name: found[name] for name in changes if found[name] != changes[name]}
    if not before:
        return
    after = {name: changes[name] for name in before}
    connection.execute(update(course).where(course.c.id == found["id"]).values(after))
    audits.note(
        connection, now, by, found["id"], "course", found["id"], before=json.dumps(before), after=json.dumps(after)
    )
    enrolling.follow(connection, found["id"], now)


def _fit(changes: Mapping[str, object]) -> None:
    title, late, until = (changes.get(name) for name in ("title", "late_join", "retained_until"))
    if "title" in changes and not (isinstance(title, str) and title.strip() and _is_plain(title, _LONGEST)):
        raise Refused("bad_request", f"a title is 1 to {_LONGEST} characters that can be printed", status=422)
    if late is not None and not 0 < int(str(late)) <= MOST_LATE:
        raise Refused(
            "bad_request", f"late joiners' times are moved by at most {MOST_LATE // 86_400_000} days", status=422
        )
    if until is not None and not 0 <= int(str(until)) <= LATEST:
        raise Refused("bad_request", f"a time is milliseconds since 1970, up to the year {MAX_YEAR}", status=422)


def roster(text: str) -> tuple[list[Line], list[str]]:
    """The lines of a roster, and what is wrong with it, line by line.

    CSV with a header; of the columns only ``name``, the Hub's name of the person, has to be there.
    """
    if len(text) > LARGEST_ROSTER:
        return [], [f"the roster has {len(text)} characters; at most {LARGEST_ROSTER} are read"]
    text = text.removeprefix("\ufeff")
    reader = csv.DictReader(io.StringIO(text, newline=""), strict=True, delimiter=_separator(text))
    lines: list[Line] = []
    faults: list[str] = []
    seen: dict[str, int] = {}
    try:
        header = [name.strip().lower() for name in reader.fieldnames or ()]
        reader.fieldnames = header
        if "name" not in header:
            return [], [f"line 1: the column `name` is missing; columns are {', '.join(COLUMNS)}"]
        if unknown := [name for name in header if name not in COLUMNS]:
            faults.append(f"line 1: unknown columns {', '.join(unknown)}; allowed are {', '.join(COLUMNS)}")
        if twice := sorted({name for name in header if header.count(name) > 1}):
            faults.append(f"line 1: {', '.join(twice)} stands there twice")
        for row in reader:
            if not any(str(value or "").strip() for value in row.values()):
                continue
            if len(lines) == MOST_PEOPLE:
                return lines, [*faults, f"line {reader.line_num}: at most {MOST_PEOPLE} people are read"]
            found, wrong = _line(row, reader.line_num)
            faults += [f"line {reader.line_num}: {fault}" for fault in wrong]
            if found.name in seen:
                faults.append(f"line {reader.line_num}: `{found.name}` stands on line {seen[found.name]} too")
            seen.setdefault(found.name, reader.line_num)
            lines.append(found)
    except csv.Error as error:
        faults.append(f"after line {reader.line_num}: {error}")
    return lines, faults


def _separator(text: str) -> str:
    """What stands between values: spreadsheets write `;` where the comma is the decimal sign, and some a tab."""
    header = text.partition("\n")[0]
    return next((sign for sign in (",", ";", "\t") if sign in header), ",")


def _line(row: dict[str, str], at: int) -> tuple[Line, list[str]]:
    given = {name: (row.get(name) or "").strip() or None for name in COLUMNS}
    line = Line(
        name=given["name"] or "",
        display_name=given["display_name"],
        student_number=given["student_number"],
        section=given["section"],
        role=(given["role"] or "learner").lower(),
        email=given["email"],
        lti_sub=given["lti_sub"],
        at=at,
    )
    more = ["there are more values than columns"] if None in row else []
    return line, [*faults_of(line), *more]


def faults_of(line: Line) -> Iterator[str]:
    """What is wrong with one line, by the names of its columns."""
    if not line.name:
        yield "`name` is empty"
    if line.role not in ROLES:
        yield f"`{line.role}` is no role; allowed are {', '.join(ROLES)}"
    for name in COLUMNS:
        longest = _LONGEST_SECTION if name == "section" else _LONGEST
        if not _is_plain(getattr(line, name) or "", longest):
            yield f"`{name}` is longer than {longest} characters, or holds some that cannot be printed"


def _is_plain(text: str, longest: int) -> bool:
    return len(text) <= longest and text.isprintable()
