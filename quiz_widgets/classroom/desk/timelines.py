"""What the desk knows of one learner in one course, quiz by quiz and in the order in which it happened. Reads only."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Literal

from sqlalchemy import Connection, and_, or_, select

from quiz_widgets.classroom.desk import rosters
from quiz_widgets.classroom.desk.database.class_tables import contact
from quiz_widgets.classroom.desk.database.rows import Row, first, rows
from quiz_widgets.classroom.desk.database.tables import (
    attempt,
    exception,
    outcome,
    override,
    quiz,
    score,
    submission,
    version,
)
from quiz_widgets.classroom.desk.drawing import Drawing
from quiz_widgets.classroom.desk.library import Library
from quiz_widgets.classroom.desk.windows import Window
from quiz_widgets.model import Item

What = Literal["opened", "submitted", "finished", "exception", "points", "points_back", "contact"]
_ORDER: tuple[What, ...] = ("exception", "opened", "submitted", "finished", "points", "points_back", "contact")


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened: `about` is the row that tells of it. `item` and `variant` are those of a submission."""

    at: int
    what: What
    about: Row
    item: Item | None = None
    variant: int | None = None
    response: tuple[str, ...] = ()
    outcome: Row | None = None


@dataclass(frozen=True, slots=True)
class OfQuiz:
    """One quiz of the course, as it went for the learner. `by_hand`: the points that were set by hand, if they hold."""

    quiz: Row
    window: Window
    score: Row | None
    by_hand: str | None
    events: tuple[Event, ...]
    unanswered: int


def read(connection: Connection, library: Library, course_id: str, who: Row) -> list[OfQuiz]:
    """All quizzes of the course for a member of it (`rosters.somebody`), in the order in which they were made."""
    slugs = connection.execute(select(quiz.c.slug).where(quiz.c.course == course_id)).scalars().all()
    found = [rosters.quiz_of(connection, course_id, slug) for slug in slugs]
    found.sort(key=lambda one: (one["created"], one["slug"]))
    return [_of_quiz(connection, library, one, who) for one in found]


def _of_quiz(connection: Connection, library: Library, found: Row, who: Row) -> OfQuiz:
    runs = rows(
        connection,
        select(attempt, version.c.number.label("version_number"))
        .join(version, version.c.id == attempt.c.version)
        .where(attempt.c.quiz == found["id"], attempt.c.person == who["person"])
        .order_by(attempt.c.number),
    )
    events: list[Event] = []
    unanswered = 0
    for run in runs:
        told, missing = _of_attempt(connection, library, found, run)
        events += told
        unanswered += missing
    changes = rows(
        connection,
        select(override)
        .where(override.c.quiz == found["id"], override.c.person == who["person"])
        .order_by(override.c.made),
    )
    events += [Event(one["made"], "points_back" if one["score"] is None else "points", one) for one in changes]
    events += [Event(one["made"], "exception", one) for one in _exceptions(connection, found, who)]
    heard = select(contact).where(contact.c.quiz == found["id"], contact.c.person == who["person"])
    if (last := first(connection, heard)) is not None:
        events.append(Event(last["at"], "contact", last))
    # What happened in one and the same millisecond stands as it can only have been; answers as the desk kept them.
    events.sort(key=lambda one: (one.at, _ORDER.index(one.what), one.about.get("sequence", 0)))
    return OfQuiz(
        quiz=found,
        window=rosters.window_of(connection, found, who),
        score=first(connection, select(score).where(score.c.quiz == found["id"], score.c.person == who["person"])),
        by_hand=changes[-1]["score"] if changes else None,
        events=tuple(events),
        unanswered=unanswered,
    )


def _of_attempt(connection: Connection, library: Library, found: Row, run: Row) -> tuple[list[Event], int]:
    whole = library.quiz(connection, run["version"])
    drawing = Drawing(found["secret"], run["id"])
    drawn = {item.id: item for item in drawing.items(whole)}
    earned = {
        one["submission"]: one
        for one in rows(connection, select(outcome).where(outcome.c.attempt == run["id"]))
        if one["submission"] is not None
    }
    kept = rows(connection, select(submission).where(submission.c.attempt == run["id"]))
    events = [Event(run["opened"], "opened", run)]
    for one in kept:
        item = drawn.get(one["item"])
        events.append(
            Event(
                at=one["received"],
                what="submitted",
                about=one | {"attempt_number": run["number"]},
                item=item,
                variant=None if item is None else drawing.variant(item),
                response=tuple(json.loads(one["response"])),
                outcome=earned.get(one["sequence"]),
            )
        )
    if run["finished"] is not None:
        events.append(Event(run["finished"], "finished", run))
    return events, len(drawn.keys() - {one["item"] for one in kept})


def _exceptions(connection: Connection, found: Row, who: Row) -> list[Row]:
    section = and_(exception.c.section.is_not(None), exception.c.section == who["section"])
    asked = (
        select(exception, version.c.number)
        .outerjoin(version, version.c.id == exception.c.version)
        .where(exception.c.quiz == found["id"], or_(exception.c.person == who["person"], section))
    )
    return rows(connection, asked)
