"""Making courses and enrolling people: by name, or a whole roster from a CSV file."""

from __future__ import annotations

import csv
import io
import json
import secrets
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from zoneinfo import ZoneInfo, available_timezones

from sqlalchemy import Connection, insert, select, update

from quiz_widgets.classroom.desk import audits, rosters, schedules
from quiz_widgets.classroom.desk.database.rows import Row, first
from quiz_widgets.classroom.desk.database.tables import course, membership, person, quiz
from quiz_widgets.classroom.desk.refusals import Refused
from quiz_widgets.classroom.names import ALLOWED, SLUG

ROLES = ("learner", "assistant", "instructor")
COLUMNS = ("name", "display_name", "student_number", "section", "role", "email")
LARGEST_ROSTER = 2 * 1024 * 1024  # characters; ten thousand learners take half a million
_LONGEST = 256


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a roster: the Hub name, and what else the course knows of that person."""

    name: str
    display_name: str | None = None
    student_number: str | None = None
    section: str | None = None
    role: str = "learner"
    email: str | None = None


def create(connection: Connection, course_id: str, title: str, zone: str, instructor: str, by: str, now: int) -> None:
    """A new course with its first instructor. `Refused` for a bad name, an unknown time zone, and a used name."""
    if not SLUG.fullmatch(course_id):
        raise Refused("bad_name", f"`{course_id}` is no name of a course; allowed are {ALLOWED}", status=422)
    if zone not in available_timezones():
        raise Refused("bad_zone", f"`{zone}` is no time zone; give one such as Europe/Istanbul or UTC", status=422)
    if first(connection, select(course.c.id).where(course.c.id == course_id)) is not None:
        raise Refused("taken", f"there is a course `{course_id}` already")
    ZoneInfo(zone)
    connection.execute(
        insert(course).values(id=course_id, title=title, zone=zone, secret=secrets.token_hex(32), created=now)
    )
    audits.note(connection, now, by, course_id, "create course", course_id)
    enrol(connection, course_id, Line(instructor, role="instructor"), by, now)


def enrol(connection: Connection, course_id: str, line: Line, by: str, now: int) -> str:
    """Enrol somebody, or change how they are enrolled; the person's id. Whoever was dropped comes back."""
    if first(connection, select(course.c.id).where(course.c.id == course_id)) is None:
        raise Refused("unknown", f"there is no course `{course_id}`", status=404)
    known = first(connection, select(person).where(person.c.hub_name == line.name))
    about = {
        name: value
        for name in ("display_name", "student_number", "email")
        if (value := getattr(line, name)) is not None
    }
    if known is None:
        known = {"id": secrets.token_hex(16), "hub_name": line.name, "created": now, **about}
        connection.execute(insert(person).values(known))
    elif about:
        connection.execute(update(person).where(person.c.id == known["id"]).values(about))
    here = (membership.c.course == course_id) & (membership.c.person == known["id"])
    former = first(connection, select(membership).where(here))
    now_is = {"role": line.role, "section": line.section, "active": True}
    if former is None:
        connection.execute(insert(membership).values(course=course_id, person=known["id"], since=now, **now_is))
    else:
        connection.execute(update(membership).where(here).values(now_is))
    if former is None or any(former[name] != value for name, value in now_is.items()):
        before = None if former is None else _told(former)
        audits.note(connection, now, by, course_id, "enrol", known["id"], before=before, after=_told(now_is))
    return str(known["id"])


def change(connection: Connection, found: Row, changes: Mapping[str, object], by: str, now: int) -> None:
    """Change a course: ``title``, ``late_join``, ``retained_until``. Open attempts get the times that then hold."""
    before = {name: found[name] for name in changes if found[name] != changes[name]}
    if not before:
        return
    after = {name: changes[name] for name in before}
    connection.execute(update(course).where(course.c.id == found["id"]).values(after))
    audits.note(
        connection, now, by, found["id"], "course", found["id"], before=json.dumps(before), after=json.dumps(after)
    )
    for slug in connection.execute(select(quiz.c.slug).where(quiz.c.course == found["id"])).scalars().all():
        schedules.follow(connection, rosters.quiz_of(connection, found["id"], slug), now)


def drop(connection: Connection, course_id: str, name: str, by: str, now: int) -> None:
    """End somebody's membership. What they did stays, and they can be enrolled again."""
    found = first(
        connection,
        select(membership, person.c.id.label("who"))
        .join(person, person.c.id == membership.c.person)
        .where(person.c.hub_name == name, membership.c.course == course_id, membership.c.active),
    )
    if found is None:
        raise Refused("unknown", f"there is no `{name}` in `{course_id}`", status=404)
    here = (membership.c.course == course_id) & (membership.c.person == found["who"])
    connection.execute(update(membership).where(here).values(active=False))
    audits.note(connection, now, by, course_id, "drop", found["who"], before=_told(found))


def roster(text: str) -> tuple[list[Line], list[str]]:
    """The lines of a roster, and what is wrong with it, line by line.

    CSV with a header; of the columns only ``name``, the Hub's name of the person, has to be there.
    """
    if len(text) > LARGEST_ROSTER:
        return [], [f"the roster has {len(text)} characters; at most {LARGEST_ROSTER} are read"]
    reader = csv.DictReader(io.StringIO(text.removeprefix("\ufeff"), newline=""), strict=True)
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
        for row in reader:
            if not any(str(value or "").strip() for value in row.values()):
                continue
            found, wrong = _line(row)
            faults += [f"line {reader.line_num}: {fault}" for fault in wrong]
            if found.name in seen:
                faults.append(f"line {reader.line_num}: `{found.name}` stands on line {seen[found.name]} too")
            seen.setdefault(found.name, reader.line_num)
            lines.append(found)
    except csv.Error as error:
        faults.append(f"after line {reader.line_num}: {error}")
    return lines, faults


def _line(row: dict[str, str]) -> tuple[Line, list[str]]:
    given = {name: (row.get(name) or "").strip() or None for name in COLUMNS}
    line = Line(
        name=given["name"] or "",
        display_name=given["display_name"],
        student_number=given["student_number"],
        section=given["section"],
        role=(given["role"] or "learner").lower(),
        email=given["email"],
    )
    return line, list(_faults(line, row))


def _faults(line: Line, row: dict[str, str]) -> Iterator[str]:
    if not line.name:
        yield "`name` is empty"
    if line.role not in ROLES:
        yield f"`{line.role}` is no role; allowed are {', '.join(ROLES)}"
    if None in row:
        yield "there are more values than columns"
    for name in COLUMNS:
        value = getattr(line, name) or ""
        if len(value) > _LONGEST or not value.isprintable():
            yield f"`{name}` is longer than {_LONGEST} characters, or holds some that cannot be printed"


def _told(row: Row) -> str:
    return f"{row['role']}, section {row['section'] or '-'}, {'active' if row['active'] else 'dropped'}"
