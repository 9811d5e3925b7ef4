"""Opening and finishing attempts: at most as many as a learner has, one open at a time, none outside the window."""

from __future__ import annotations

import secrets

from sqlalchemy import Connection, and_, bindparam, func, insert, select, update
from sqlalchemy.exc import IntegrityError

from quiz_widgets.classroom.desk import revealing, rosters
from quiz_widgets.classroom.desk.database.rows import Row, first, rows
from quiz_widgets.classroom.desk.database.tables import attempt, quiz, version
from quiz_widgets.classroom.desk.polls import kinds
from quiz_widgets.classroom.desk.refusals import Refused, unknown
from quiz_widgets.classroom.desk.windows import Window

_MINE = (  # made once, see `rosters`
    select(attempt)
    .where(attempt.c.quiz == bindparam("of_quiz"), attempt.c.person == bindparam("who"))
    .order_by(attempt.c.number)
)


def mine(connection: Connection, quiz_id: str, person_id: str) -> list[Row]:
    """A learner's attempts at a quiz, the first one first."""
    return rows(connection, _MINE, {"of_quiz": quiz_id, "who": person_id})


def is_open(one: Row, grace: int, now: int) -> bool:
    """Whether the attempt still takes answers that arrive now."""
    return one["finished"] is None and (one["closes"] is None or now <= one["closes"] + grace)


def open_one(connection: Connection, found: Row, who: Row, now: int) -> Row:
    """The learner's open attempt, or a new one; `Refused` outside the window and when no attempt is left."""
    window = rosters.window_of(connection, found, who)
    had = mine(connection, found["id"], who["person"])
    if had and is_open(had[-1], window.grace, now):
        return had[-1]
    _may_open(found, window, len(had), now)
    version_id = window.version or newest(connection, found["id"])
    if revealing.is_revealed(connection, found, version_id, now):
        raise Refused("revealed", "the answers of this version are shown already; it takes another one for you")
    opened = {
        "id": secrets.token_hex(16),
        "quiz": found["id"],
        "version": version_id,
        "person": who["person"],
        "number": len(had) + 1,
        "opened": now,
    }
    opened["due"], opened["closes"] = window.limits(now)
    try:
        with connection.begin_nested():
            connection.execute(insert(attempt).values(opened))
    except IntegrityError:  # another worker was first with this number: that attempt is the open one
        return mine(connection, found["id"], who["person"])[-1]
    return mine(connection, found["id"], who["person"])[-1]


def _may_open(found: Row, window: Window, had: int, now: int) -> None:
    if kinds.ended(found):  # whoever joined late has no more time: there is nothing left to vote on
        raise Refused("closed", "this poll is over")
    if window.before(now):
        raise Refused("not_open", "this quiz is not open yet")
    if window.after(now):
        raise Refused("closed", "this quiz is closed")
    if had >= window.runs:
        raise Refused("no_attempts_left", "all attempts at this quiz are used")


def newest(connection: Connection, quiz_id: str) -> str:
    """The id of a quiz's newest version, which new attempts get."""
    found = connection.execute(
        select(version.c.id).where(version.c.quiz == quiz_id).order_by(version.c.number.desc()).limit(1)
    ).scalar()
    if found is None:
        raise unknown("quiz")
    return str(found)


def finish(connection: Connection, attempt_id: str, person_id: str, now: int) -> Row:
    """Finish the learner's own attempt; a second time changes nothing. ``unknown`` for anybody else's."""
    connection.execute(
        update(attempt)
        .where(attempt.c.id == attempt_id, attempt.c.person == person_id, attempt.c.finished.is_(None))
        .values(finished=now, finished_by="learner")
    )
    return one(connection, attempt_id, person_id)


def one(connection: Connection, attempt_id: str, person_id: str) -> Row:
    """The learner's own attempt; ``unknown`` for anybody else's."""
    found = first(connection, select(attempt).where(attempt.c.id == attempt_id, attempt.c.person == person_id))
    if found is None:
        raise unknown("attempt")
    return found


def waiting(connection: Connection, now: int) -> bool:
    """Whether an attempt's time is over, or one is to be scored: most seconds there is none, and nothing is written."""
    grace = select(quiz.c.grace).where(quiz.c.id == attempt.c.quiz).scalar_subquery()
    over = and_(attempt.c.finished.is_(None), attempt.c.closes.is_not(None), attempt.c.closes + grace < now)
    unscored = and_(attempt.c.finished.is_not(None), attempt.c.scored.is_(False))
    return any(
        connection.execute(select(attempt.c.id).where(which).limit(1)).first() is not None for which in (over, unscored)
    )


def finish_overdue(connection: Connection, now: int) -> int:
    """Finish every attempt whose time is over, the grace included; how many there were."""
    grace = select(quiz.c.grace).where(quiz.c.id == attempt.c.quiz).scalar_subquery()
    done = connection.execute(
        update(attempt)
        .where(attempt.c.finished.is_(None), attempt.c.closes.is_not(None), attempt.c.closes + grace < now)
        .values(finished=func.coalesce(attempt.c.closes, now), finished_by="desk")
    )
    return done.rowcount
