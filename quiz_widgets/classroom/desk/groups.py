"""Groups of the Hub that make members of a course: looked at when somebody asks, by what the Hub then says of them.

A roster's word is the stronger one: whom it enrols or drops no group moves. A kernel runs what a notebook holds, which
may be somebody else's: so through a kernel a group makes learners, and only a browser's session makes more of anybody.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, Connection, Select, delete, insert, select, update

from quiz_widgets.classroom.desk import audits, enrolling
from quiz_widgets.classroom.desk.database.outside_tables import course_group
from quiz_widgets.classroom.desk.database.rows import Row, first, rows
from quiz_widgets.classroom.desk.database.tables import membership, person
from quiz_widgets.classroom.desk.enrolling import ROLES, Line
from quiz_widgets.classroom.desk.identity.who import Who
from quiz_widgets.classroom.desk.refusals import Refused, unknown

LONGEST = 255
LONGEST_SECTION = 64
BY = "groups of the Hub"  # who the audit log says it was


@dataclass(frozen=True, slots=True)
class Move:
    """What has to change: `place` is the mapped group that says so, with its role and section; `None`: out."""

    course: str
    person: str | None
    place: Row | None


def mapped(connection: Connection, course_id: str) -> list[Row]:
    """The groups that make members of this course, by name."""
    chosen = select(course_group).where(course_group.c.course == course_id)
    return rows(connection, chosen.order_by(course_group.c.hub_group))


def put(connection: Connection, course_id: str, group: str, role: str, section: str | None, by: str, now: int) -> None:
    """From now on that group of the Hub is in this course, with that role and section."""
    if not group or len(group) > LONGEST or not group.isprintable():
        raise Refused("bad_request", f"a group's name is 1 to {LONGEST} characters that can be printed", status=422)
    if role not in ROLES:
        raise Refused("bad_request", f"`{role}` is no role; allowed are {', '.join(ROLES)}", status=422)
    if section is not None and (len(section) > LONGEST_SECTION or not section.isprintable()):
        raise Refused("bad_request", f"a section has at most {LONGEST_SECTION} characters", status=422)
    here = (course_group.c.course == course_id) & (course_group.c.hub_group == group)
    former = first(connection, select(course_group).where(here))
    is_now = {"role": role, "section": section or None}
    if former is None:
        connection.execute(insert(course_group).values(course=course_id, hub_group=group, **is_now))
    elif any(former[name] != value for name, value in is_now.items()):
        connection.execute(update(course_group).where(here).values(is_now))
    else:
        return
    before = None if former is None else _told(former)
    audits.note(connection, now, by, course_id, "group", group, before=before, after=_told(is_now))


def remove(connection: Connection, course_id: str, group: str, by: str, now: int) -> None:
    """That group is no longer in the course; who was in it through this group alone is out when they next ask."""
    here = (course_group.c.course == course_id) & (course_group.c.hub_group == group)
    former = first(connection, select(course_group).where(here))
    if former is None:
        raise unknown("group")
    connection.execute(delete(course_group).where(here))
    audits.note(connection, now, by, course_id, "group", group, before=_told(former))


def moves(connection: Connection, who: Who, course_id: str | None = None) -> list[Move]:
    """What the Hub's word on somebody changes in one course, or in all. Nothing where the Hub did not say."""
    if who.groups is None:
        return []
    mappings = rows(connection, _in(select(course_group), course_group.c.course, course_id))
    named = (
        select(membership, person.c.id.label("who"))
        .join(person, person.c.id == membership.c.person)
        .where(person.c.hub_name == who.name)
    )
    found = {one["course"]: one for one in rows(connection, _in(named, membership.c.course, course_id))}
    courses = {one["course"] for one in mappings} | {
        name for name, one in found.items() if one["source"] == "hub_group" and one["active"]
    }
    made = (
        _move(name, [one for one in mappings if one["course"] == name], found.get(name), who)
        for name in sorted(courses)  # in one order, so that two workers never wait for each other
    )
    return [one for one in made if one is not None]


def follow(connection: Connection, who: Who, now: int, course_id: str | None = None) -> None:
    """Carry out `moves`. A course's last instructor stays."""
    for move in moves(connection, who, course_id):
        try:
            with connection.begin_nested():
                _carry_out(connection, move, who, now)
        except Refused as refused:
            if refused.code != "last_instructor":
                raise


def _move(course_id: str, mappings: list[Row], former: Row | None, who: Who) -> Move | None:
    if former is not None and former["source"] == "roster":
        return None
    is_in = former is not None and former["active"]
    has = str(former["role"]) if former is not None and is_in else "learner"
    theirs = [one for one in mappings if one["hub_group"] in (who.groups or ())]
    place = _first(theirs)
    if place is not None and who.source != "browser" and _rank(place["role"]) > _rank(has):
        if is_in:
            return None
        place = _first(one for one in theirs if one["role"] == "learner")
    if place is None:
        return Move(course_id, former["person"], None) if former is not None and is_in else None
    if is_in and former is not None and all(former[name] == place[name] for name in ("role", "section")):
        return None
    return Move(course_id, None if former is None else former["person"], place)


def _first(places: Iterable[Row]) -> Row | None:
    """The group with the most rights; of several the first by name."""
    return min(places, key=lambda one: (-_rank(one["role"]), one["hub_group"]), default=None)


def _carry_out(connection: Connection, move: Move, who: Who, now: int) -> None:
    if move.place is None:
        enrolling.drop_all(connection, move.course, [str(move.person)], BY, now, source="hub_group")
        return
    line = Line(who.name, role=move.place["role"], section=move.place["section"])
    enrolling.enrol(connection, move.course, line, f"{BY}: {move.place['hub_group']}", now, source="hub_group")


def _rank(role: str) -> int:
    return ROLES.index(role)


def _in(chosen: Select[Any], column: ColumnElement[str], course_id: str | None) -> Select[Any]:
    return chosen if course_id is None else chosen.where(column == course_id)


def _told(row: Row) -> str:
    return json.dumps({"role": row["role"], "section": row["section"]})
