"""Enrolling people in a course and dropping them: one, or a whole roster in a handful of statements.

Who says that somebody is a member is kept beside the membership: the roster, or a group of the Hub. A roster's word is
the stronger one, in both directions. A course always keeps an active instructor.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, Literal, TypeVar

from sqlalchemy import Connection, bindparam, insert, select, update

from quiz_widgets.classroom.desk import audits, rosters, schedules
from quiz_widgets.classroom.desk.audits import Told
from quiz_widgets.classroom.desk.database.rows import Row, first, rows
from quiz_widgets.classroom.desk.database.tables import course, membership, person, quiz
from quiz_widgets.classroom.desk.refusals import Refused

ROLES = ("learner", "assistant", "instructor")
Source = Literal["roster", "hub_group"]
_ABOUT = {
    "display_name": "display_name",
    "student_number": "student_number",
    "email": "email",
    "lti_sub": "lti_subject",
}
_IDENTIFYING = ("student_number", "email", "lti_sub")  # by which grades find their way
_AT_ONCE = 500  # names in one statement
_Value = TypeVar("_Value")


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a roster: the Hub name, and what else the course knows of that person.

    `None` leaves what is known as it is, an empty text removes it. `at`: on which line of a file it stands.
    """

    name: str
    display_name: str | None = None
    student_number: str | None = None
    section: str | None = None
    role: str = "learner"
    email: str | None = None
    lti_sub: str | None = None
    at: int | None = field(default=None, compare=False)


def enrol(connection: Connection, course_id: str, line: Line, by: str, now: int, *, source: Source = "roster") -> str:
    """Enrol somebody, or change how they are enrolled; the person's id. Whoever was dropped comes back."""
    [found] = enrol_all(connection, course_id, [line], by, now, source=source)
    return found


def enrol_all(
    connection: Connection, course_id: str, lines: Sequence[Line], by: str, now: int, *, source: Source = "roster"
) -> list[str]:
    """Enrol everybody of a roster; the people's ids. `Refused` where the course would be left without instructor."""
    here = _held(connection, course_id)
    if faults := subject_faults(connection, course_id, lines):
        raise Refused("taken", faults[0], status=422)
    people = _people(connection, [line.name for line in lines])
    new_people: list[Row] = []
    changed_people: list[Row] = []
    notes: list[Told] = []
    for line in lines:
        about = {column: value or None for name, column in _ABOUT.items() if (value := getattr(line, name)) is not None}
        known = people.get(line.name)
        if known is None:
            people[line.name] = {"id": secrets.token_hex(16), "hub_name": line.name, "created": now}
            new_people.append({**dict.fromkeys(_ABOUT.values()), **people[line.name], **about})
        elif different := [column for column, value in about.items() if known[column] != value]:
            changed_people.append(
                {**{column: known[column] for column in _ABOUT.values()}, **about, "_id": known["id"]}
            )
            notes.append(Told("person", known["id"], after=json.dumps(sorted(different))))  # which, not what
    _write(connection, insert(person), new_people)
    _write(connection, update(person).where(person.c.id == bindparam("_id")), changed_people)

    ids = [str(people[line.name]["id"]) for line in lines]
    members = _members(connection, course_id, ids)
    new_members: list[Row] = []
    changed_members: list[Row] = []
    for line, who in zip(lines, ids, strict=True):
        is_now = {"role": line.role, "section": line.section or None, "active": True, "source": source}
        former = members.get(who)
        if former is None:
            # When somebody joined a group of the Hub is not known: nobody gets more time by asking late.
            since = now if source == "roster" else here["created"]
            new_members.append({"course": course_id, "person": who, "since": since, **is_now})
        elif any(former[name] != value for name, value in is_now.items()):
            changed_members.append({"_person": who, **is_now})
        else:
            continue
        notes.append(Told("enrol", who, before=None if former is None else told(former), after=told(is_now)))
    _write(connection, insert(membership), new_members)
    _write(connection, _update_member(course_id), changed_members)
    audits.note_all(connection, now, by, course_id, notes)
    if any(members[one["_person"]]["role"] == "instructor" for one in changed_members):
        _require_instructor(connection, course_id)
    if changed_members:
        follow(connection, course_id, now)  # into another section, with its exceptions
    return ids


def drop(connection: Connection, course_id: str, name: str, by: str, now: int) -> None:
    """End somebody's membership. What they did stays, and they can be enrolled again.

    Whoever was in the course through a group of the Hub does not come back through it.
    """
    found = first(
        connection,
        select(membership.c.person)
        .join(person, person.c.id == membership.c.person)
        .where(person.c.hub_name == name, membership.c.course == course_id, membership.c.active),
    )
    if found is None:
        raise Refused("unknown", f"there is no `{name}` in `{course_id}`", status=404)
    drop_all(connection, course_id, [found["person"]], by, now)


def drop_all(
    connection: Connection, course_id: str, people: Sequence[str], by: str, now: int, *, source: Source = "roster"
) -> None:
    """End the memberships of these people, by their ids; `source` says so. `Refused` for the last instructor."""
    _held(connection, course_id)
    active = [former for former in _members(connection, course_id, people).values() if former["active"]]
    _write(
        connection,
        _update_member(course_id),
        [
            {
                "_person": former["person"],
                "active": False,
                "source": source,
                **{k: former[k] for k in ("role", "section")},
            }
            for former in active
        ],
    )
    audits.note_all(connection, now, by, course_id, [Told("drop", one["person"], before=told(one)) for one in active])
    if any(former["role"] == "instructor" for former in active):
        _require_instructor(connection, course_id)


def subject_faults(connection: Connection, course_id: str, lines: Sequence[Line]) -> list[str]:
    """Where two people would have one id at the learning platform: grades would go to the wrong one."""
    replaced = {line.name for line in lines if line.lti_sub is not None}
    wanted = [line for line in lines if line.lti_sub]
    holders = {
        subject: hub_name
        for chunk in _chunks({line.lti_sub for line in wanted})
        for hub_name, subject in connection.execute(
            select(person.c.hub_name, person.c.lti_subject)
            .join(membership, membership.c.person == person.c.id)
            .where(membership.c.course == course_id, membership.c.active, person.c.lti_subject.in_(chunk))
        )
        if hub_name not in replaced
    }
    faults = []
    for line in wanted:
        holder = holders.setdefault(str(line.lti_sub), line.name)
        if holder != line.name:
            where = "" if line.at is None else f"line {line.at}: "
            faults.append(f"{where}`lti_sub` {line.lti_sub} is that of `{holder}` too")
    return faults


def shared_faults(connection: Connection, course_id: str, lines: Sequence[Line], by: str) -> list[str]:
    """Where an instructor would change by what a course of others tells whose grades are whose."""
    active = select(membership.c.course).where(membership.c.active)
    mine = active.join(person, person.c.id == membership.c.person).where(person.c.hub_name == by)
    taught = mine.where(membership.c.role == "instructor")
    elsewhere = (membership.c.course != course_id) & membership.c.course.not_in(taught)
    others = active.with_only_columns(membership.c.person).where(elsewhere)
    known = {
        one["hub_name"]: one
        for chunk in _chunks(line.name for line in lines)
        for one in rows(connection, select(person).where(person.c.hub_name.in_(chunk), person.c.id.in_(others)))
    }
    return [
        f"{'' if line.at is None else f'line {line.at}: '}another course knows `{line.name}` by another `{name}`; "
        "whoever runs the desk can change it"
        for line in lines
        if line.name in known
        for name in _IDENTIFYING
        if (was := known[line.name][_ABOUT[name]]) and getattr(line, name) not in (None, was)
    ]


def follow(connection: Connection, course_id: str, now: int) -> None:
    """Give the open attempts at all quizzes of a course the times that hold now."""
    for slug in connection.execute(select(quiz.c.slug).where(quiz.c.course == course_id)).scalars().all():
        schedules.follow(connection, rosters.quiz_of(connection, course_id, slug), now)


def told(row: Row) -> str:
    """A membership as the audit log has it."""
    return json.dumps({name: row[name] for name in ("role", "section", "active", "source")})


def _held(connection: Connection, course_id: str) -> Row:
    """The course, held until the transaction ends: of two that drop the last two instructors one comes second."""
    found = first(connection, select(course).where(course.c.id == course_id).with_for_update())
    if found is None:
        raise Refused("unknown", f"there is no course `{course_id}`", status=404)
    return found


def _people(connection: Connection, names: Iterable[str]) -> dict[str, Row]:
    return {
        one["hub_name"]: one
        for chunk in _chunks(names)
        for one in rows(connection, select(person).where(person.c.hub_name.in_(chunk)))
    }


def _members(connection: Connection, course_id: str, people: Iterable[str]) -> dict[str, Row]:
    return {
        one["person"]: one
        for chunk in _chunks(people)
        for one in rows(
            connection, select(membership).where(membership.c.course == course_id, membership.c.person.in_(chunk))
        )
    }


def _update_member(course_id: str) -> Any:
    here = (membership.c.course == course_id) & (membership.c.person == bindparam("_person"))
    return update(membership).where(here)


def _write(connection: Connection, statement: Any, values: Sequence[Row]) -> None:
    if values:
        connection.execute(statement, values)


def _chunks(values: Iterable[_Value]) -> Iterator[list[_Value]]:
    left = iter(values)
    while chunk := list(islice(left, _AT_ONCE)):
        yield chunk


def _require_instructor(connection: Connection, course_id: str) -> None:
    left = (membership.c.course == course_id) & membership.c.active & (membership.c.role == "instructor")
    if first(connection, select(membership.c.person).where(left).limit(1)) is None:
        raise Refused("last_instructor", "a course keeps at least one instructor: enrol another one first")
