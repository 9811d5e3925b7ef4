"""A course's gradebook without its marks: the quizzes that are its columns, and the learners in a fixed order.

Only active learners are in it. It takes as many statements for a large course as for a small one.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from zoneinfo import ZoneInfo

from sqlalchemy import Connection, select

from quiz_widgets.classroom.desk.database.class_tables import poll_round
from quiz_widgets.classroom.desk.database.rows import Row, first, rows
from quiz_widgets.classroom.desk.database.tables import (
    course,
    exception,
    key_change,
    membership,
    person,
    quiz,
    version,
)
from quiz_widgets.classroom.desk.drawing import Drawing
from quiz_widgets.classroom.desk.library import Library
from quiz_widgets.classroom.desk.refusals import unknown


@dataclass(frozen=True, slots=True)
class Learner:
    """Who it is: the person's id, and what the roster says."""

    id: str
    name: str
    number: str | None
    display_name: str | None
    email: str | None
    section: str | None
    since: int


@dataclass(frozen=True, slots=True)
class Column:
    """One quiz. `most`: the points of its newest version, which others may differ from."""

    id: str
    slug: str
    title: str
    due: int | None
    most: Decimal
    settings: Row


@dataclass(frozen=True, slots=True)
class Exceptions:
    """Those made at one quiz, by the learner's id and by the section."""

    people: dict[str, list[Row]] = field(default_factory=dict)
    sections: dict[str, list[Row]] = field(default_factory=dict)

    def of(self, learner: Learner) -> Sequence[Row]:
        """Those that hold for that learner."""
        section = [] if learner.section is None else self.sections.get(learner.section, [])
        return [*section, *self.people.get(learner.id, [])]


@dataclass(frozen=True, slots=True)
class Book:
    """The course with its columns and learners, whose marks `marks.lines` reads."""

    course: str
    title: str
    zone: ZoneInfo
    now: int
    columns: tuple[Column, ...]
    learners: tuple[Learner, ...]
    late_join: int | None
    exceptions: Mapping[str, Exceptions]


def read(
    connection: Connection, library: Library, course_id: str, now: int, quizzes: Collection[str] | None = None
) -> Book:
    """The gradebook of these quizzes, or of all; ``unknown`` for a course and for a quiz that there is not."""
    about = first(connection, select(course).where(course.c.id == course_id))
    if about is None:
        raise unknown("course")
    found = rows(connection, select(quiz).where(quiz.c.course == course_id))
    if quizzes is not None:
        found = [one for one in found if one["slug"] in quizzes]
        if len(found) < len(set(quizzes)):
            raise unknown("quiz")
    found.sort(key=lambda one: (one["created"], one["slug"]))
    return Book(
        course=course_id,
        title=about["title"],
        zone=ZoneInfo(about["zone"]),
        now=now,
        columns=_columns(connection, library, about, found),
        learners=_learners(connection, course_id),
        late_join=about["late_join"],
        exceptions=_exceptions(connection, course_id),
    )


def _exceptions(connection: Connection, course_id: str) -> dict[str, Exceptions]:
    made: dict[str, Exceptions] = {}
    asked = select(exception).join(quiz, quiz.c.id == exception.c.quiz).where(quiz.c.course == course_id)
    for one in rows(connection, asked):
        here = made.setdefault(one["quiz"], Exceptions())
        if one["person"] is not None:
            here.people.setdefault(one["person"], []).append(one)
        else:
            here.sections.setdefault(one["section"], []).append(one)
    return made


def _learners(connection: Connection, course_id: str) -> tuple[Learner, ...]:
    found = rows(
        connection,
        select(person, membership.c.section, membership.c.since)
        .join(membership, membership.c.person == person.c.id)
        .where(membership.c.course == course_id, membership.c.active, membership.c.role == "learner"),
    )
    made = [
        Learner(
            id=one["id"],
            name=one["hub_name"] or "",
            number=one["student_number"],
            display_name=one["display_name"],
            email=one["email"],
            section=one["section"],
            since=one["since"],
        )
        for one in found
    ]
    # Sorted here: databases sort texts by the rules of their language, each by its own.
    return tuple(sorted(made, key=lambda one: (one.number or "", one.name, one.id)))


def _columns(connection: Connection, library: Library, about: Row, found: Sequence[Row]) -> tuple[Column, ...]:
    newest = _newest(connection, about["id"])
    points = library.points(connection, [newest[one["id"]] for one in found if one["id"] in newest])
    dropped = _dropped(connection, about["id"])
    asked = _asked(connection, about["id"]) if any(one["kind"] == "poll" for one in found) else {}
    made = []
    for one in found:
        if one["id"] not in newest:
            raise unknown("quiz")
        latest = newest[one["id"]]
        of_items = points.get(latest)
        if of_items is None:  # some are drawn; one draw stands for all
            drawn = Drawing(about["secret"], "").items(library.quiz(connection, latest))
            of_items = {item.id: item.points for item in drawn}
        counted = of_items.keys() - dropped.get(latest, set())
        if one["kind"] == "poll":
            counted &= asked.get(one["id"], set())
        most = sum((of_items[item] for item in counted), Decimal(0))
        made.append(Column(one["id"], one["slug"], one["title"], one["due"], most, one))
    return tuple(made)


def _newest(connection: Connection, course_id: str) -> dict[str, str]:
    """The id of each quiz's newest version."""
    asked = select(version.c.quiz, version.c.id).join(quiz, quiz.c.id == version.c.quiz)
    ordered = asked.where(quiz.c.course == course_id).order_by(version.c.number)
    return {row.quiz: row.id for row in connection.execute(ordered)}


def _dropped(connection: Connection, course_id: str) -> dict[str, set[str]]:
    """The items that count for nobody, by version: what was dropped counts again with another key or full points."""
    made: dict[str, set[str]] = {}
    asked = (
        select(key_change.c.version, key_change.c.item, key_change.c.kind)
        .join(version, version.c.id == key_change.c.version)
        .join(quiz, quiz.c.id == version.c.quiz)
        .where(quiz.c.course == course_id, key_change.c.kind.in_(("key", "full", "drop")))
        .order_by(key_change.c.made, key_change.c.id)
    )
    for latest, item, kind in connection.execute(asked):
        if kind == "drop":
            made.setdefault(latest, set()).add(item)
        else:
            made.get(latest, set()).discard(item)
    return made


def _asked(connection: Connection, course_id: str) -> dict[str, set[str]]:
    """The items of each poll that were opened: of the others nobody could win any points."""
    made: dict[str, set[str]] = {}
    asked = select(poll_round.c.quiz, poll_round.c.item).join(quiz, quiz.c.id == poll_round.c.quiz)
    for poll, item in connection.execute(asked.where(quiz.c.course == course_id)):
        made.setdefault(poll, set()).add(item)
    return made
