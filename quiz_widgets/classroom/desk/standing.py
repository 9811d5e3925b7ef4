"""How a quiz stands for its class: who can still answer, whose times are not the quiz's, when keys are shown."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from sqlalchemy import Connection, func, select

from quiz_widgets.classroom.desk import attempts, revealing, rosters, windows
from quiz_widgets.classroom.desk.database.rows import Row, rows
from quiz_widgets.classroom.desk.database.tables import attempt, exception, version
from quiz_widgets.classroom.desk.windows import Window

State = Literal["working", "may_begin", "before", "done", "missed", "excused"]
STATES: tuple[State, ...] = ("working", "may_begin", "before", "done", "missed", "excused")


@dataclass(frozen=True, slots=True)
class Apart:
    """A learner, with the window that they had or would have without an exception, and the one with it."""

    who: Row
    before: Window
    after: Window


def states(connection: Connection, found: Row, now: int) -> Mapping[State, int]:
    """How many active learners are in each state; one with an attempt at hand is `working`, whatever else may be."""
    runs: dict[str, list[Row]] = {}
    for one in rows(connection, select(attempt).where(attempt.c.quiz == found["id"]).order_by(attempt.c.number)):
        runs.setdefault(one["person"], []).append(one)
    newest = attempts.newest(connection, found["id"])
    shown: dict[str, bool] = {}
    counted = dict.fromkeys(STATES, 0)
    for who, window in rosters.windows_of(connection, found).items():
        next_one = window.version or newest
        if next_one not in shown:
            shown[next_one] = revealing.is_revealed(connection, found, next_one, now)
        counted[_state(window, runs.get(who, []), now, shown=shown[next_one])] += 1
    return counted


def apart(connection: Connection, found: Row) -> list[Apart]:
    """The learners whose window is not the quiz's own: by an exception, or because they joined late."""
    own = windows.window(found, ())
    made = rosters.windows_of(connection, found)
    return [
        Apart(who, own, made[who["person"]])
        for who in rosters.learners_of(connection, found["course"])
        if made[who["person"]] != own
    ]


def concerned(connection: Connection, found: Row, proposed: Row) -> list[Apart]:
    """The learners whom an exception that is not made yet is for, with their windows without it and with it."""
    before = rosters.windows_of(connection, found)
    after = rosters.windows_of(connection, found, [proposed])
    return [
        Apart(who, before[who["person"]], after[who["person"]])
        for who in rosters.learners_of(connection, found["course"])
        if proposed["person"] == who["person"] or (proposed["section"] and proposed["section"] == who["section"])
    ]


def versions(connection: Connection, found: Row, now: int) -> list[Row]:
    """The published versions, the newest first: with ``attempts`` at each, ``shown`` (its keys) and ``last``.

    ``last`` is the last time at which an answer on it counts, `None` for no end.
    """
    counts = select(attempt.c.version, func.count().label("runs")).where(attempt.c.quiz == found["id"])
    used = {one["version"]: one["runs"] for one in rows(connection, counts.group_by(attempt.c.version))}
    asked = select(version).where(version.c.quiz == found["id"]).order_by(version.c.number.desc())
    return [
        one
        | {
            "attempts": used.get(one["id"], 0),
            "shown": revealing.is_revealed(connection, found, one["id"], now),
            "last": revealing.last_closing(connection, found, one["id"]),
        }
        for one in rows(connection, asked)
    ]


def exceptions(connection: Connection, found: Row) -> list[Row]:
    """The exceptions made at a quiz, the newest first, with the ``number`` of the version that one names."""
    asked = (
        select(exception, version.c.number)
        .outerjoin(version, version.c.id == exception.c.version)
        .where(exception.c.quiz == found["id"])
        .order_by(exception.c.made.desc(), exception.c.id)
    )
    return rows(connection, asked)


def _state(window: Window, had: list[Row], now: int, *, shown: bool) -> State:
    if window.excused:
        return "excused"
    if had and attempts.is_open(had[-1], window.grace, now):
        return "working"
    if window.before(now):
        return "before"
    if window.after(now) or len(had) >= window.runs or shown:
        return "done" if had else "missed"
    return "may_begin"
