"""What platforms are to be told: a row of the outbox for each score that changed, within the transaction that did it.

A row waits until the keys of its version are shown: a platform shows scores to learners. A newer one takes its place.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

from sqlalchemy import Column, ColumnElement, Connection, func, insert, or_, select, update

from quiz_widgets.classroom.desk import rosters
from quiz_widgets.classroom.desk.database.outside_tables import lti_line, lti_platform, outbox
from quiz_widgets.classroom.desk.database.rows import Row, first, rows
from quiz_widgets.classroom.desk.database.tables import attempt, course, outcome, quiz, score, submission, version

KIND = "ags"
STEP_MS = 1_000  # by which times rise at least: Moodle compares whole seconds
_STEP = Decimal("0.0001")
_FEW = 100
WITHDRAWN = json.dumps({"activityProgress": "Initialized", "gradingProgress": "NotReady"}, sort_keys=True)


@dataclass(frozen=True, slots=True)
class Told:
    """What one learner's score is now, as a platform gets it."""

    payload: str
    version: str | None


def scores_changed(connection: Connection, quiz_id: str, now: int, people: Collection[str] | None = None) -> int:
    """Queue what changed since the last row, for these people or for all learners of the quiz; how many rows.

    Nothing happens where the quiz's scores go to no platform. A score that a platform has and that no longer is one
    (excused, taken back) is withdrawn once.
    """
    found = _sent_quiz(connection, quiz_id)
    if found is None:
        return 0
    windows = rosters.windows_of(connection, found)
    learners = set(windows) if people is None else set(people) & set(windows)
    scores = _scores(connection, found, learners)
    former = _former(connection, quiz_id, learners)
    made = []
    for who in sorted(learners):
        wanted = None if windows[who].excused else scores.get(who)
        had = former.get(who, [])
        if wanted is None:
            told = next((one for one in reversed(had) if one["state"] == "sent" or one["claimed"] is not None), None)
            if told is None or told["payload"] == WITHDRAWN:
                _replace(connection, quiz_id, [who], now)
                continue
            wanted = Told(WITHDRAWN, None)
        current = next((one for one in reversed(had) if one["state"] in ("waiting", "sent")), None)
        if current is None or current["payload"] != wanted.payload:
            made.append(_row(found, who, wanted, had, now))
    _replace(connection, quiz_id, [one["person"] for one in made], now)
    if made:
        connection.execute(insert(outbox), made)
    return len(made)


def next_stamp(former: Iterable[Row], now: int) -> int:
    """A time that is later than all that were sent of this person for this quiz, even after a clock went back."""
    last = max((int(one["stamp"]) for one in former), default=None)
    return now if last is None else max(now, last + STEP_MS)


def written(time: int) -> str:
    """A time as AGS has it."""
    return datetime.fromtimestamp(time / 1000, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _sent_quiz(connection: Connection, quiz_id: str) -> Row | None:
    return first(
        connection,
        select(quiz, course.c.late_join, lti_line.c.max_score)
        .join(course, course.c.id == quiz.c.course)
        .join(lti_line, lti_line.c.quiz == quiz.c.id)
        .join(lti_platform, lti_platform.c.course == quiz.c.course)
        .where(quiz.c.id == quiz_id, lti_line.c.active),
    )


def _scores(connection: Connection, found: Row, learners: Collection[str]) -> dict[str, Told]:
    arrived = (
        select(func.max(submission.c.received))
        .join(outcome, outcome.c.submission == submission.c.sequence)
        .where(outcome.c.attempt == score.c.attempt)
        .scalar_subquery()
    )
    asked = (
        select(score, attempt.c.version, attempt.c.finished, arrived.label("arrived"))
        .outerjoin(attempt, attempt.c.id == score.c.attempt)
        .where(score.c.quiz == found["id"], *_of(score.c.person, learners))
    )
    newest = connection.execute(
        select(version.c.id).where(version.c.quiz == found["id"]).order_by(version.c.number.desc()).limit(1)
    ).scalar()
    return {
        one["person"]: Told(_payload(one, Decimal(found["max_score"])), one["version"] or newest)
        for one in rows(connection, asked)
        if one["person"] in learners and Decimal(one["max_score"]) > 0
    }


def _payload(one: Row, most: Decimal) -> str:
    """The score in the line item's own points. When it was handed in is when the last answer that counts arrived."""
    given = (Decimal(one["score"]) * most / Decimal(one["max_score"])).quantize(_STEP, ROUND_HALF_UP)
    made: dict[str, Any] = {
        "scoreGiven": number(max(given, Decimal(0))),
        "scoreMaximum": number(most),
        "activityProgress": "Completed",
        "gradingProgress": "FullyGraded",
    }
    handed_in = one["arrived"] if one["arrived"] is not None else one["finished"]
    if handed_in is not None:
        made["submission"] = {"submittedAt": written(handed_in)}
    else:  # set by hand: nothing was handed in, and Canvas must not call it late
        made["https://canvas.instructure.com/lti/submission"] = {"new_submission": False}
    return json.dumps(made, sort_keys=True)


def number(value: Decimal) -> int | float:
    """Points as JSON writes them."""
    return int(value) if value == value.to_integral_value() else float(value)


def _former(connection: Connection, quiz_id: str, learners: Collection[str]) -> dict[str, list[Row]]:
    """What was queued for each of them, the earliest first."""
    here = (outbox.c.quiz == quiz_id, outbox.c.kind == KIND, *_of(outbox.c.person, learners))
    asked = select(outbox).where(*here).order_by(outbox.c.stamp)
    found: dict[str, list[Row]] = {}
    for one in rows(connection, asked):
        if one["person"] in learners:
            found.setdefault(one["person"], []).append(one)
    return found


def _of(column: Column[str], learners: Collection[str]) -> list[ColumnElement[bool]]:
    """Asks for few people alone; a whole class is read at once."""
    return [column.in_(learners)] if len(learners) <= _FEW else []


def _row(found: Row, who: str, wanted: Told, had: list[Row], now: int) -> dict[str, Any]:
    stamp = next_stamp(had, now)
    return {
        "id": secrets.token_hex(16),
        "kind": KIND,
        "course": found["course"],
        "quiz": found["id"],
        "person": who,
        "unique_key": f"{found['id']}/{who}/{stamp}",
        "payload": wanted.payload,
        "stamp": stamp,
        "waits_for": wanted.version,
        "state": "waiting",
        "tries": 0,
        "next_try": now,
        "made": now,
    }


def _replace(connection: Connection, quiz_id: str, people: Collection[str], now: int) -> None:
    """What waits for these people, or failed, is not sent any more; what a worker has at this moment is left to it."""
    free = or_(outbox.c.claimed.is_(None), outbox.c.claimed <= now)
    if people:
        connection.execute(
            update(outbox)
            .where(outbox.c.quiz == quiz_id, outbox.c.kind == KIND, outbox.c.person.in_(people))
            .where(outbox.c.state.in_(("waiting", "failed")), free)
            .values(state="replaced")
        )
