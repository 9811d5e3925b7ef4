"""A course's gradebook as it stands: learners in a fixed order, one at a time, each with a mark at every quiz.

Only active learners are in it. A quiz that was not taken is no zero: its mark has no score, and counts in what the
total is out of only once it is over for that learner. An excused quiz counts in neither.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal
from zoneinfo import ZoneInfo

from sqlalchemy import Connection, func, select

from quiz_widgets.classroom.desk import attempts, rosters, windows
from quiz_widgets.classroom.desk.database.rows import Row, first, rows
from quiz_widgets.classroom.desk.database.tables import (
    course,
    exception,
    key_change,
    membership,
    outcome,
    person,
    quiz,
    score,
    submission,
)
from quiz_widgets.classroom.desk.drawing import Drawing
from quiz_widgets.classroom.desk.library import Library
from quiz_widgets.classroom.desk.refusals import unknown

State = Literal["scored", "excused", "missing", "open"]


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
class Mark:
    """What a learner has at one quiz; `missing`: not taken and over, `open`: not taken yet.

    `score` is what counts, after `penalty`. Both are `None` where there is no score, and where it is excused.
    """

    state: State
    most: Decimal
    score: Decimal | None = None
    penalty: Decimal | None = None
    attempt: str | None = None


@dataclass(frozen=True, slots=True)
class Line:
    """One learner's marks, in the order of the columns; `total` points of `out_of`."""

    learner: Learner
    marks: tuple[Mark, ...]
    total: Decimal
    out_of: Decimal


@dataclass(frozen=True, slots=True)
class Book:
    """The course with its columns and learners, whose marks `lines` reads."""

    course: str
    title: str
    zone: ZoneInfo
    now: int
    columns: tuple[Column, ...]
    learners: tuple[Learner, ...]
    late_join: int | None
    exceptions: Mapping[str, Sequence[Row]]


def read(connection: Connection, library: Library, course_id: str, now: int) -> Book:
    """The gradebook without its marks; ``unknown`` for a course that there is not."""
    about = first(connection, select(course).where(course.c.id == course_id))
    if about is None:
        raise unknown("course")
    slugs = connection.execute(select(quiz.c.slug).where(quiz.c.course == course_id)).scalars().all()
    found = [rosters.quiz_of(connection, course_id, slug) for slug in slugs]
    found.sort(key=lambda one: (one["created"], one["slug"]))
    columns = tuple(_column(connection, library, one) for one in found)
    made: dict[str, list[Row]] = {}
    for one in rows(connection, select(exception).where(exception.c.quiz.in_([column.id for column in columns]))):
        made.setdefault(one["quiz"], []).append(one)
    return Book(
        course=course_id,
        title=about["title"],
        zone=ZoneInfo(about["zone"]),
        now=now,
        columns=columns,
        learners=_learners(connection, course_id),
        late_join=about["late_join"],
        exceptions=made,
    )


def lines(connection: Connection, book: Book) -> Iterator[Line]:
    """The marks, learner by learner: one query each, so that no more than one learner's are in memory."""
    for learner in book.learners:
        had = {
            one["quiz"]: one
            for one in rows(
                connection,
                select(score).where(score.c.person == learner.id).where(score.c.quiz.in_(_ids(book))),
            )
        }
        marks = tuple(_mark(book, column, learner, had.get(column.id)) for column in book.columns)
        counted = [mark for mark in marks if mark.state in ("scored", "missing")]
        yield Line(
            learner=learner,
            marks=marks,
            total=sum((mark.score for mark in counted if mark.score is not None), Decimal(0)),
            out_of=sum((mark.most for mark in counted), Decimal(0)),
        )


def arrivals(connection: Connection, line: Line) -> dict[str, int]:
    """When the last answer that counts arrived, by the attempt whose score counts; nothing for an empty one."""
    counted = [mark.attempt for mark in line.marks if mark.attempt is not None]
    found = connection.execute(
        select(outcome.c.attempt, func.max(submission.c.received))
        .join(submission, submission.c.sequence == outcome.c.submission)
        .where(outcome.c.attempt.in_(counted))
        .group_by(outcome.c.attempt)
    )
    return {run: int(last) for run, last in found}


def _ids(book: Book) -> list[str]:
    return [column.id for column in book.columns]


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


def _column(connection: Connection, library: Library, found: Row) -> Column:
    newest = attempts.newest(connection, found["id"])
    dropped = set(
        connection.execute(
            select(key_change.c.item).where(key_change.c.version == newest, key_change.c.kind == "drop")
        ).scalars()
    )
    items = Drawing(found["secret"], "").items(library.quiz(connection, newest))
    most = sum((item.points for item in items if item.id not in dropped), Decimal(0))
    return Column(found["id"], found["slug"], found["title"], found["due"], most, found)


def _mark(book: Book, column: Column, learner: Learner, had: Row | None) -> Mark:
    mine = [
        one
        for one in book.exceptions.get(column.id, ())
        if one["person"] == learner.id or (one["section"] is not None and one["section"] == learner.section)
    ]
    if mine and _window(book, column, learner, mine).excused:
        return Mark("excused", column.most)
    if had is None:
        over = _window(book, column, learner, mine).after(book.now)
        return Mark("missing" if over else "open", column.most)
    earned, lost = Decimal(had["score"]), Decimal(had["late_penalty"])
    return Mark("scored", Decimal(had["max_score"]), earned, lost, had["attempt"])


def _window(book: Book, column: Column, learner: Learner, mine: Sequence[Row]) -> windows.Window:
    late = windows.late_start(column.settings["opens"], learner.since, book.late_join)
    return windows.window(column.settings, mine, late)
