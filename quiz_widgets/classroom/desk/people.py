"""Who is in a course: looked through by section and words, and brought in line with a whole roster."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Select, select

from quiz_widgets.classroom.desk import enrolling
from quiz_widgets.classroom.desk.database.rows import Row, first, rows
from quiz_widgets.classroom.desk.database.tables import membership, person
from quiz_widgets.classroom.desk.enrolling import ROLES, Line
from quiz_widgets.classroom.desk.refusals import Refused, unknown

SEARCHED = ("hub_name", "display_name", "student_number", "email")


@dataclass(frozen=True, slots=True)
class Taken:
    """What came of a roster: how many stand in it, and how many were dropped because they do not."""

    enrolled: int
    dropped: int


def members(connection: Connection, course_id: str) -> list[Row]:
    """Everybody in the course whose name is kept: instructors first, by section and name; who was dropped, last."""
    found = rows(connection, _members(course_id))
    return sorted(found, key=_order)


def member(connection: Connection, course_id: str, person_id: str) -> Row:
    """One of them, by the person's id; else ``unknown``."""
    found = first(connection, _members(course_id).where(person.c.id == person_id))
    if found is None:
        raise unknown("person")
    return found


def matching(found: Sequence[Row], section: str | None, text: str) -> list[Row]:
    """Those in that section (`None`: any) in whose names, numbers and addresses all these words stand."""
    words = plain(text).split()
    return [
        one
        for one in found
        if (section is None or (one["section"] or "") == section)
        and all(any(word in plain(one[name] or "") for name in SEARCHED) for word in words)
    ]


def plain(text: str) -> str:
    """The text as it is searched: without case and without marks on letters, so that `Işık` is found as `isik`."""
    bare = "".join(sign for sign in unicodedata.normalize("NFKD", text) if not unicodedata.combining(sign))
    return bare.replace("ı", "i").casefold()


def take_roster(
    connection: Connection, course_id: str, lines: Sequence[Line], by: str, now: int, *, drop_others: bool = False
) -> Taken:
    """Enrol everybody of a roster. `drop_others`: drop learners whom an earlier roster named and this one does not.

    Instructors, assistants, and whoever is there through a group of the Hub stay.
    """
    if not lines:
        raise Refused("bad_request", "there is nobody in this roster", status=422)
    enrolling.enrol_all(connection, course_id, lines, by, now)
    others: list[str] = []
    if drop_others:
        named = {line.name for line in lines}
        others = [
            one["person"]
            for one in rows(connection, _members(course_id).where(membership.c.active))
            if one["role"] == "learner" and one["source"] == "roster" and one["hub_name"] not in named
        ]
        enrolling.drop_all(connection, course_id, others, by, now)
    return Taken(len(lines), len(others))


def _members(course_id: str) -> Select[Any]:
    about = (person.c[name] for name in (*SEARCHED, "lti_subject"))
    return (
        select(membership, *about)
        .join(person, person.c.id == membership.c.person)
        .where(membership.c.course == course_id, person.c.hub_name.is_not(None))
    )


def _order(one: Row) -> tuple[bool, int, str, str, str]:
    shown = plain(str(one["display_name"] or one["hub_name"]))
    return not one["active"], -ROLES.index(one["role"]), one["section"] or "", shown, one["hub_name"]
