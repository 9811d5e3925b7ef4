"""The life of a row of the outbox: released once keys are shown, claimed by one worker, settled by what came back.

A claim is written down before anything is sent, and ends by itself: a worker that is killed loses nothing. What it may
have sent goes out again with the same time and value, which changes nothing at the platform.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from sqlalchemy import Connection, and_, exists, or_, select, text, update

from quiz_widgets.classroom.desk import revealing
from quiz_widgets.classroom.desk.database.engine import is_sqlite
from quiz_widgets.classroom.desk.database.outside_tables import lti_line, lti_platform, outbox
from quiz_widgets.classroom.desk.database.rows import Row, first, rows
from quiz_widgets.classroom.desk.database.tables import course, membership, person, quiz
from quiz_widgets.classroom.desk.lti import failures, queueing

CLAIM_MS = 180_000  # longer than everything that is done with one row takes
LOOK_AGAIN_MS = 600_000  # for who is missing in the roster
MOST_TRIES = 12
AT_ONCE = 64  # learners who are missing, in one transaction: others wait for the writer
NO_SUBJECT = "the roster has no `lti_sub` of this platform for this learner"
NO_LEARNER = "no longer a learner of this course"
Busy = Literal["busy"]  # another worker claims at this moment
_LOCK = 0x71756978  # claims come one after the other, and none of them waits


@dataclass(frozen=True, slots=True)
class Claimed:
    """A row that this worker is to send; `unsure`: an earlier try may have arrived."""

    row: Row
    platform: Row
    line: Row
    subject: str
    unsure: bool


def release(connection: Connection, now: int) -> int:
    """Let rows go whose keys are shown by now; how many."""
    asked = (
        select(outbox.c.waits_for, quiz, course.c.late_join)
        .join(quiz, quiz.c.id == outbox.c.quiz)
        .join(course, course.c.id == quiz.c.course)
        .where(outbox.c.state == "waiting", outbox.c.waits_for.is_not(None))
        .distinct()
    )
    shown = [one for one in rows(connection, asked) if revealing.is_revealed(connection, one, one["waits_for"], now)]
    gone = 0
    for one in shown:
        here = and_(outbox.c.quiz == one["id"], outbox.c.waits_for == one["waits_for"])
        gone += connection.execute(update(outbox).where(here).values(waits_for=None)).rowcount
    return gone


def waiting(connection: Connection, now: int) -> tuple[bool, bool]:
    """Whether a row may be sent now, and whether one waits for keys: most times neither, and nothing is written."""
    held = select(outbox.c.id).where(outbox.c.state == "waiting", outbox.c.waits_for.is_not(None)).limit(1)
    sendable, kept = (connection.execute(asked).first() for asked in (_sendable(now).limit(1), held))
    return sendable is not None, kept is not None


def claim(connection: Connection, now: int, course_id: str | None = None) -> Claimed | Busy | None:
    """A row that is to be sent now, for this worker alone; `None` when there is none."""
    if (
        not is_sqlite(connection)
        and not connection.execute(text("select pg_try_advisory_xact_lock(:key)"), {"key": _LOCK}).scalar_one()
    ):
        return "busy"
    asked = _sendable(now).order_by(outbox.c.next_try, outbox.c.stamp, outbox.c.id).limit(1)
    if course_id is not None:
        asked = asked.where(outbox.c.course == course_id)
    if not is_sqlite(connection):
        asked = asked.with_for_update(skip_locked=True, of=outbox)
    for _ in range(AT_ONCE):
        row = first(connection, asked)
        if row is None:
            return None
        platform = rows(connection, select(lti_platform).where(lti_platform.c.course == row["course"]))[0]
        line = rows(connection, select(lti_line).where(lti_line.c.quiz == row["quiz"]))[0]
        subject, missing = _subject(connection, row, platform)
        if subject is not None:
            connection.execute(_of(row).values(claimed=now + CLAIM_MS))
            return Claimed(row, platform, line, subject, row["claimed"] is not None)
        connection.execute(_of(row).values(next_try=now + LOOK_AGAIN_MS, last_error=missing))
    return None


def claim_line(connection: Connection, quiz_id: str, now: int) -> bool:
    """Whether this worker may find or make the quiz's line item: two would make two."""
    free = and_(lti_line.c.url.is_(None), or_(lti_line.c.claimed.is_(None), lti_line.c.claimed <= now))
    done = connection.execute(update(lti_line).where(lti_line.c.quiz == quiz_id, free).values(claimed=now + CLAIM_MS))
    return done.rowcount == 1


def found_line(connection: Connection, line: Row, url: str | None) -> None:
    """Write down where the line item is; `None`: it could not be found out, or is no longer there.

    Settings that changed meanwhile have it looked for again.
    """
    same = and_(lti_line.c.label == line["label"], lti_line.c.max_score == line["max_score"])
    here = lti_line.c.quiz == line["quiz"]
    connection.execute(update(lti_line).where(here).values(claimed=None))
    connection.execute(update(lti_line).where(here, same).values(url=url))


def sent(connection: Connection, claimed: Claimed, now: int) -> None:
    """The platform has it."""
    connection.execute(_of(claimed.row).values(state="sent", sent=now, claimed=None, last_error=None))
    connection.execute(
        update(lti_platform)
        .where(lti_platform.c.course == claimed.row["course"])
        .where(or_(lti_platform.c.rests > 0, lti_platform.c.trouble.is_not(None)))
        .values(rests=0, rests_until=None, trouble=None)
    )


def failed(connection: Connection, claimed: Claimed, word: str) -> None:
    """The platform does not take it as it is."""
    state = "replaced" if _has_newer(connection, claimed.row) else "failed"
    connection.execute(_of(claimed.row).values(state=state, claimed=None, last_error=word))


def later(connection: Connection, claimed: Claimed, error: failures.Later, now: int) -> None:
    """Try again: this row after a while, and the platform's other rows too, which rest meanwhile."""
    row, platform = claimed.row, claimed.platform
    tries = row["tries"] + (0 if error.whole else 1)
    values: dict[str, Any] = {
        "tries": tries,
        "last_error": error.word,
        "claimed": now if error.unsure or claimed.unsure else None,
    }
    if _has_newer(connection, row):
        values["state"] = "replaced"
    elif tries >= MOST_TRIES:
        values |= {"state": "failed", "last_error": f"given up after {tries} tries: {error.word}"}
    elif not error.whole:
        values["next_try"] = now + failures.backoff(tries, error.after)
    connection.execute(_of(row).values(values))
    until = now + failures.backoff(platform["rests"], error.after)
    rests = {"rests": platform["rests"] + 1, "rests_until": until, "trouble": error.word}
    connection.execute(update(lti_platform).where(lti_platform.c.course == row["course"]).values(rests))
    if error.whole:  # the course's other quizzes come first, in case only this one's line item is at fault
        behind = and_(outbox.c.quiz == row["quiz"], outbox.c.state == "waiting", outbox.c.next_try <= until)
        connection.execute(update(outbox).where(behind).values(next_try=until + 1))


def put_back(connection: Connection, claimed: Claimed, next_try: int) -> None:
    """Nothing was sent: let it be claimed again."""
    kept = claimed.row["claimed"] if claimed.unsure else None
    state = "replaced" if _has_newer(connection, claimed.row) else "waiting"
    connection.execute(_of(claimed.row).values(state=state, claimed=kept, next_try=next_try))


def _of(row: Row) -> Any:
    return update(outbox).where(outbox.c.id == row["id"], outbox.c.state == "waiting")


def _has_newer(connection: Connection, row: Row) -> bool:
    """Whether a later score of the same learner is queued, which then goes instead."""
    same = (outbox.c.kind == row["kind"]) & (outbox.c.quiz == row["quiz"]) & (outbox.c.person == row["person"])
    found = first(connection, select(outbox.c.id).where(same, outbox.c.stamp > row["stamp"]).limit(1))
    return found is not None


def _sendable(now: int) -> Any:
    """Rows that may go now: free, due, of a platform that answers, and the only one of its learner on the way."""
    other = outbox.alias()
    on_the_way = exists().where(
        other.c.kind == outbox.c.kind,
        other.c.quiz == outbox.c.quiz,
        other.c.person == outbox.c.person,
        other.c.id != outbox.c.id,
        other.c.state == "waiting",
        other.c.claimed > now,
    )
    return (
        select(outbox)
        .join(lti_platform, lti_platform.c.course == outbox.c.course)
        .join(lti_line, lti_line.c.quiz == outbox.c.quiz)
        .where(
            outbox.c.kind == queueing.KIND,
            outbox.c.state == "waiting",
            outbox.c.waits_for.is_(None),
            outbox.c.next_try <= now,
            or_(outbox.c.claimed.is_(None), outbox.c.claimed <= now),
            lti_platform.c.active,
            or_(lti_platform.c.rests_until.is_(None), lti_platform.c.rests_until <= now),
            lti_line.c.active,
            ~on_the_way,
        )
    )


def _subject(connection: Connection, row: Row, platform: Row) -> tuple[str | None, str]:
    """Who the learner is at the platform; or why they cannot be named."""
    found = first(
        connection,
        select(person.c.lti_issuer, person.c.lti_subject)
        .join(membership, membership.c.person == person.c.id)
        .where(
            person.c.id == row["person"],
            membership.c.course == row["course"],
            membership.c.active,
            membership.c.role == "learner",
        ),
    )
    if found is None:
        return None, NO_LEARNER
    if not found["lti_subject"] or found["lti_issuer"] not in (None, platform["issuer"]):
        return None, NO_SUBJECT
    return str(found["lti_subject"]), ""
