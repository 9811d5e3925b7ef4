"""Changing when a quiz opens, is due and closes, and making exceptions for a learner or a section."""

from __future__ import annotations

import json
import secrets
from collections.abc import Mapping
from decimal import Decimal, InvalidOperation

from sqlalchemy import Connection, delete, insert, select, update

from quiz_widgets.classroom.desk import audits, rosters
from quiz_widgets.classroom.desk.database.rows import Row, first, rows
from quiz_widgets.classroom.desk.database.tables import attempt, exception, quiz
from quiz_widgets.classroom.desk.refusals import Refused, unknown

SETTINGS = (
    "title", "opens", "due", "closes", "grace", "runs", "time_limit", "policy", "late_share", "reveal", "revealed",
)  # fmt: skip
_MOST_RUNS = 100


def change(connection: Connection, found: Row, changes: Mapping[str, object], by: str, now: int) -> None:
    """Change a quiz's settings; open attempts get the new times. `Refused` when the result makes no sense."""
    if unfit := changes.keys() - set(SETTINGS):
        raise Refused("bad_request", f"no settings of a quiz: {', '.join(sorted(unfit))}", status=422)
    result = {**found, **changes}
    _fit(result)
    before = {name: found[name] for name in changes if found[name] != result[name]}
    if not before:
        return
    after = {name: result[name] for name in before}
    connection.execute(update(quiz).where(quiz.c.id == found["id"]).values(after))
    audits.note(
        connection,
        now,
        by,
        found["course"],
        "schedule",
        found["slug"],
        before=json.dumps(before),
        after=json.dumps(after),
    )
    follow(connection, {**found, **after})


def move(connection: Connection, course_id: str, minutes: int, by: str, now: int) -> int:
    """Move all due and closing times of a course that are still to come, exceptions' too; how many quizzes moved."""
    shift = minutes * 60_000
    moved = 0
    for found in rows(connection, select(quiz).where(quiz.c.course == course_id)):
        ahead = {
            name: found[name] + shift for name in ("due", "closes") if found[name] is not None and found[name] > now
        }
        if ahead:
            moved += 1
            change(connection, rosters.quiz_of(connection, course_id, found["slug"]), ahead, by, now)
        for one in rows(connection, select(exception).where(exception.c.quiz == found["id"])):
            later = {name: one[name] + shift for name in ("due", "closes") if one[name] is not None and one[name] > now}
            if later:
                connection.execute(update(exception).where(exception.c.id == one["id"]).values(later))
        follow(connection, rosters.quiz_of(connection, course_id, found["slug"]))
    return moved


def except_(
    connection: Connection, found: Row, whom: Mapping[str, object], given: Mapping[str, object], by: str, now: int
) -> str:
    """Make an exception for a person or a section (`whom`: ``person`` or ``section``); its id."""
    made = {
        "id": secrets.token_hex(16),
        "quiz": found["id"],
        "person": None,
        "section": None,
        "time_factor": "1",
        "extra_runs": 0,
        "excused": False,
        "reason": "",
        **whom,
        **given,
        "made_by": by,
        "made": now,
    }
    if (made["person"] is None) == (made["section"] is None):
        raise Refused("bad_request", "an exception is for one learner or for one section", status=422)
    _factor(made["time_factor"])
    if not 0 <= int(str(made["extra_runs"])) <= _MOST_RUNS:
        raise Refused("bad_request", f"0 to {_MOST_RUNS} extra attempts", status=422)
    connection.execute(insert(exception).values(made))
    audits.note(connection, now, by, found["course"], "exception", str(made["id"]), after=json.dumps({**whom, **given}))
    follow(connection, found)
    return str(made["id"])


def take_back(connection: Connection, found: Row, exception_id: str, by: str, now: int) -> None:
    """Take an exception back: the learners it was for have the quiz's own times again."""
    one = first(connection, select(exception).where(exception.c.id == exception_id, exception.c.quiz == found["id"]))
    if one is None:
        raise unknown("exception")
    connection.execute(delete(exception).where(exception.c.id == exception_id))
    told = json.dumps({name: value for name, value in one.items() if value is not None})
    audits.note(connection, now, by, found["course"], "exception taken back", exception_id, before=told)
    follow(connection, found)


def follow(connection: Connection, found: Row) -> None:
    """Give open attempts at a quiz the times that hold now; those that are finished keep theirs."""
    windows = rosters.windows_of(connection, found)
    for one in rows(connection, select(attempt).where(attempt.c.quiz == found["id"], attempt.c.finished.is_(None))):
        window = windows.get(one["person"])
        if window is None:
            continue
        due, closes = window.limits(one["opened"])
        if (due, closes) != (one["due"], one["closes"]):
            connection.execute(update(attempt).where(attempt.c.id == one["id"]).values(due=due, closes=closes))


def _fit(result: Mapping[str, object]) -> None:
    opens, due, closes = (result[name] for name in ("opens", "due", "closes"))
    times = [time for time in (opens, due, closes) if time is not None]
    if not all(isinstance(time, int) and 0 <= time < 2**53 for time in times):
        raise Refused("bad_request", "a time is milliseconds since 1970", status=422)
    if times != sorted(times, key=lambda time: int(str(time))):
        raise Refused("bad_request", "a quiz opens before it is due, and is due before it closes", status=422)
    if not 1 <= int(str(result["runs"])) <= _MOST_RUNS:
        raise Refused("bad_request", f"1 to {_MOST_RUNS} attempts", status=422)
    limit = result["time_limit"]
    if limit is not None and not 60_000 <= int(str(limit)) <= 7 * 86_400_000:
        raise Refused("bad_request", "a time limit is a minute to a week", status=422)


def _factor(text: object) -> None:
    try:
        found = Decimal(str(text))
    except InvalidOperation:
        found = Decimal(0)
    if not Decimal("0.5") <= found <= Decimal(10):
        raise Refused("bad_request", "a time factor is 0.5 to 10", status=422)
