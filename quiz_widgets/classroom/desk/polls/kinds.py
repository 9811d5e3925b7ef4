"""What makes a quiz a poll: no times, one attempt that its instructor ends, and the same items for everybody."""

from __future__ import annotations

from collections.abc import Mapping

from sqlalchemy import Connection, delete, insert, select, update

from quiz_widgets.classroom.desk import audits
from quiz_widgets.classroom.desk.database.class_tables import poll, poll_reveal, poll_round
from quiz_widgets.classroom.desk.database.rows import Row, first
from quiz_widgets.classroom.desk.database.tables import attempt, exception, quiz
from quiz_widgets.classroom.desk.refusals import Refused, unknown
from quiz_widgets.model import Quiz

KINDS = ("exam", "poll")
_POLL: Mapping[str, object] = {
    "opens": None, "due": None, "closes": None, "time_limit": None, "runs": 1, "late_share": "0", "reveal": "manual",
}  # fmt: skip
_EXAM: Mapping[str, object] = {"closes": None, "reveal": "closed"}
FIXED = frozenset(_POLL)
"""The settings of a quiz that a poll does not have: its instructor's steps take their place."""


def change(connection: Connection, found: Row, kind: str, by: str, now: int) -> None:
    """Make a quiz a poll, or an exam again. `Refused` once somebody has opened it."""
    if kind not in KINDS:
        raise Refused("bad_request", f"kinds of a quiz: {', '.join(KINDS)}", status=422)
    if found["kind"] == kind:
        return
    if first(connection, select(attempt.c.id).where(attempt.c.quiz == found["id"]).limit(1)) is not None:
        raise Refused("opened", f"a learner has opened it as {found['kind']}; publish it under another name")
    if first(connection, select(exception.c.id).where(exception.c.quiz == found["id"]).limit(1)) is not None:
        raise Refused("exceptions", "a poll has no times to make exceptions to; take those back first")
    settings = _POLL if kind == "poll" else _EXAM
    connection.execute(update(quiz).where(quiz.c.id == found["id"]).values(kind=kind, revealed=None, **settings))
    for table in (poll_reveal, poll_round, poll):
        connection.execute(delete(table).where(table.c.quiz == found["id"]))
    if kind == "poll":
        connection.execute(insert(poll).values(quiz=found["id"], sequence=0, phase="waiting", round=0, changed=now))
    audits.note(connection, now, by, found["course"], "kind", found["slug"], before=found["kind"], after=kind)


def require_fit(whole: Quiz) -> None:
    """`Refused` for a quiz that cannot be a poll."""
    if whole.pools:
        raise Refused(
            "bad_poll",
            f"everybody votes on the same questions, and of the pool `{whole.pools[0].id}` each attempt draws its own; "
            "publish a quiz without pools as a poll",
            status=422,
        )


def require_poll(found: Row) -> None:
    """``unknown`` for a quiz that is no poll."""
    if found["kind"] != "poll":
        raise unknown("poll")


def ended(found: Row) -> bool:
    """Whether the instructor has ended the poll: that is its closing time."""
    return found["kind"] == "poll" and found["closes"] is not None
