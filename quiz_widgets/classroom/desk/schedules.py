"""Changing when a quiz opens, is due and closes, and making exceptions for a learner or a section."""

from __future__ import annotations

import json
import math
import secrets
from collections.abc import Mapping
from decimal import Decimal, InvalidOperation

from sqlalchemy import Connection, delete, insert, or_, select, update

from quiz_widgets.classroom.clocks import LATEST, MAX_YEAR
from quiz_widgets.classroom.desk import attempts, audits, revealing, rosters
from quiz_widgets.classroom.desk.database.rows import Row, first, rows
from quiz_widgets.classroom.desk.database.tables import attempt, exception, quiz
from quiz_widgets.classroom.desk.lti import queueing
from quiz_widgets.classroom.desk.polls import kinds
from quiz_widgets.classroom.desk.refusals import Refused, unknown

SETTINGS = (
    "title", "opens", "due", "closes", "grace", "runs", "time_limit", "policy", "late_share", "reveal", "revealed",
)  # fmt: skip
_TIMES = ("opens", "due", "closes")
POLICIES = ("last", "best", "first")
REVEALS = ("closed", "manual")
LONGEST_REASON = 2000
_MOST_RUNS = 100
_MOST_GRACE = 86_400_000
_LONGEST_SHARE = 16
_LONGEST_FACTOR = 8


def change(connection: Connection, found: Row, changes: Mapping[str, object], by: str, now: int) -> None:
    """Change a quiz's settings; open attempts get the new times. `Refused` when the result makes no sense."""
    if unfit := changes.keys() - set(SETTINGS):
        raise Refused("bad_request", f"no settings of a quiz: {', '.join(sorted(unfit))}", status=422)
    result = {**found, **changes}
    _fit(result)
    before = {name: found[name] for name in changes if found[name] != result[name]}
    if not before:
        return
    if found["kind"] == "poll" and (fixed := sorted(before.keys() & kinds.FIXED)):
        raise Refused("poll", f"a poll has no {', '.join(fixed)}: it is what its instructor opens and ends", status=422)
    if before.keys() & {"due", "closes"} and _last(result) > max(now, _last(found)):
        _require_secret(connection, found, attempts.newest(connection, found["id"]), now)
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
    follow(connection, {**found, **after}, now)


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
                _in_order({**one, **later})
                connection.execute(update(exception).where(exception.c.id == one["id"]).values(later))
        follow(connection, rosters.quiz_of(connection, course_id, found["slug"]), now)
    return moved


def proposed(
    connection: Connection, found: Row, whom: Mapping[str, object], given: Mapping[str, object], by: str, now: int
) -> Row:
    """An exception for a person or a section (`whom`: ``person`` or ``section``) as it would be written, checked."""
    made = {
        "id": secrets.token_hex(16),
        "quiz": found["id"],
        **dict.fromkeys(("person", "section", *_TIMES, "version")),
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
    if found["kind"] == "poll" and (
        any(made[name] for name in (*_TIMES, "extra_runs")) or str(made["time_factor"]) != "1"
    ):
        raise Refused(
            "poll", "a poll has no times and one attempt; all that it has for one learner is `excused`", status=422
        )
    _in_order(made)
    _factor(made["time_factor"])
    if not 0 <= int(str(made["extra_runs"])) <= _MOST_RUNS:
        raise Refused("bad_request", f"0 to {_MOST_RUNS} extra attempts", status=422)
    if len(str(made["reason"])) > LONGEST_REASON:
        raise Refused("bad_request", f"a reason has at most {LONGEST_REASON} characters", status=422)
    if not any(made[name] for name in (*_TIMES, "extra_runs", "excused", "version")) and (
        Decimal(str(made["time_factor"])) == 1
    ):
        raise Refused(
            "bad_request", "an exception changes something: a time, attempts, the version, excused", status=422
        )
    if any(made[name] for name in ("due", "closes", "extra_runs")):
        _require_secret(connection, found, str(made.get("version") or attempts.newest(connection, found["id"])), now)
    return made


def except_(
    connection: Connection, found: Row, whom: Mapping[str, object], given: Mapping[str, object], by: str, now: int
) -> str:
    """Make an exception for a person or a section (`whom`: ``person`` or ``section``); its id."""
    made = proposed(connection, found, whom, given, by, now)
    connection.execute(insert(exception).values(made))
    told = {name: value for name, value in {**whom, **given}.items() if name != "reason"}  # it may name somebody
    audits.note(connection, now, by, found["course"], "exception", str(made["id"]), after=json.dumps(told))
    follow(connection, found, now)
    return str(made["id"])


def take_back(connection: Connection, found: Row, exception_id: str, by: str, now: int) -> None:
    """Take an exception back: the learners it was for have the quiz's own times again."""
    one = first(connection, select(exception).where(exception.c.id == exception_id, exception.c.quiz == found["id"]))
    if one is None:
        raise unknown("exception")
    connection.execute(delete(exception).where(exception.c.id == exception_id))
    told = json.dumps({name: value for name, value in one.items() if value is not None and name != "reason"})
    audits.note(connection, now, by, found["course"], "exception taken back", exception_id, before=told)
    follow(connection, found, now)


def follow(connection: Connection, found: Row, now: int) -> None:
    """Give attempts at a quiz the times that hold now, but those that their learner has finished.

    An attempt that the desk closed is open again when it has time again, and its learner has opened no later one.
    """
    windows = rosters.windows_of(connection, found)
    ended = or_(attempt.c.finished.is_(None), attempt.c.finished_by == "desk")
    last = {
        one["person"]: one["id"]
        for one in rows(connection, select(attempt).where(attempt.c.quiz == found["id"]).order_by(attempt.c.number))
    }
    for one in rows(connection, select(attempt).where(attempt.c.quiz == found["id"], ended)):
        window = windows.get(one["person"])
        if window is None:
            continue
        due, closes = window.limits(one["opened"])
        times: dict[str, object] = {"due": due, "closes": closes}
        if one["finished"] is not None:
            if last[one["person"]] != one["id"] or (closes is not None and closes <= now):
                continue
            times |= {"finished": None, "finished_by": None, "scored": False}
        if any(times[name] != one[name] for name in times):
            connection.execute(update(attempt).where(attempt.c.id == one["id"]).values(times))
    queueing.scores_changed(connection, found["id"], now)  # whoever is excused has no score to send


def _require_secret(connection: Connection, found: Row, version_id: str, now: int) -> None:
    """Nobody gets more time for a version whose keys somebody could see: then it takes another version."""
    seen = first(connection, select(attempt.c.id).where(attempt.c.version == version_id).limit(1))
    if seen is not None and revealing.is_revealed(connection, found, version_id, now):
        raise Refused("revealed", "the answers of that version were shown already; it takes another version")


def _last(times: Mapping[str, object]) -> float:
    end = times["due"] if times["closes"] is None else times["closes"]
    return math.inf if end is None else float(str(end))


def _fit(result: Mapping[str, object]) -> None:
    _in_order(result)
    if not 1 <= int(str(result["runs"])) <= _MOST_RUNS:
        raise Refused("bad_request", f"1 to {_MOST_RUNS} attempts", status=422)
    if result["policy"] not in POLICIES or result["reveal"] not in REVEALS:
        raise Refused("bad_request", f"policies: {', '.join(POLICIES)}; reveals: {', '.join(REVEALS)}", status=422)
    if not 0 <= int(str(result["grace"])) <= _MOST_GRACE:
        raise Refused("bad_request", "the grace is at most a day", status=422)
    _share(result["late_share"])
    limit = result["time_limit"]
    if limit is not None and not 60_000 <= int(str(limit)) <= 7 * 86_400_000:
        raise Refused("bad_request", "a time limit is a minute to a week", status=422)


def _in_order(result: Mapping[str, object]) -> None:
    times = [result[name] for name in _TIMES if result[name] is not None]
    if not all(isinstance(time, int) and 0 <= time <= LATEST for time in times):
        raise Refused("bad_request", f"a time is milliseconds since 1970, up to the year {MAX_YEAR}", status=422)
    if times != sorted(times, key=lambda time: int(str(time))):
        raise Refused("bad_request", "a quiz opens before it is due, and is due before it closes", status=422)


def _share(text: object) -> None:
    try:
        found = Decimal(str(text))
    except InvalidOperation:
        found = Decimal(-1)
    if not 0 <= found <= 1 or len(str(text)) > _LONGEST_SHARE:
        raise Refused("bad_request", "the share lost for each late day is 0 to 1, such as 0.1", status=422)


def _factor(text: object) -> None:
    try:
        found = Decimal(str(text))
    except InvalidOperation:
        found = Decimal(0)
    if not Decimal("0.5") <= found <= Decimal(10) or len(str(text)) > _LONGEST_FACTOR:
        raise Refused("bad_request", "a time factor is 0.5 to 10", status=422)
