"""What a learner may know of a quiz at any time: names, times, their attempts. Never a question, never a score."""

from __future__ import annotations

import json

from sqlalchemy import Connection, bindparam, select

from quiz_widgets.classroom import wire
from quiz_widgets.classroom.desk import attempts, revealing, rosters
from quiz_widgets.classroom.desk.database.rows import Row, rows
from quiz_widgets.classroom.desk.database.tables import submission
from quiz_widgets.classroom.desk.polls import kinds, steps
from quiz_widgets.classroom.desk.receipts import Seals
from quiz_widgets.classroom.desk.responses import shown
from quiz_widgets.classroom.desk.runs import Run
from quiz_widgets.classroom.desk.windows import Window

_SENT = (  # made once, see `rosters`
    select(*(submission.c[name] for name in ("id", "item", "received", "status", "response", "round")))
    .where(submission.c.attempt == bindparam("run"))
    .order_by(submission.c.sequence)
)


def quiz_state(connection: Connection, found: Row, who: Row, now: int, ticket: str) -> wire.QuizState:
    """The state of a quiz for one member of its course."""
    window = rosters.window_of(connection, found, who)
    had = attempts.mine(connection, found["id"], who["person"])
    made: wire.QuizState = {
        "course": found["course"],
        "quiz": found["slug"],
        "title": found["title"],
        "course_title": found["course_title"],
        "zone": found["zone"],
        "who": who["hub_name"],
        "now": now,
        "phase": _phase(found, window, had, now),
        "opens": window.opens,
        "due": window.due,
        "closes": window.closes,
        "time_limit": window.time_limit,
        "runs": window.runs,
        "used": len(had),
        "excused": window.excused,
        "revealed": bool(had) and revealing.is_revealed(connection, found, had[-1]["version"], now),
        "attempts": [attempt_state(one) for one in had],
        "ticket": ticket,
    }
    if found["kind"] == "poll":
        made["poll"] = steps.state(connection, found["id"])
    return made


def attempt_state(one: Row) -> wire.AttemptState:
    """One attempt as its learner sees it."""
    return {
        "id": one["id"],
        "number": one["number"],
        "opened": one["opened"],
        "due": one["due"],
        "closes": one["closes"],
        "finished": one["finished"],
    }


def saved(connection: Connection, run: Run, seals: Seals) -> list[wire.Saved]:
    """Everything that the desk has of an attempt, in the order in which it arrived."""
    made: list[wire.Saved] = []
    for row in rows(connection, _SENT, {"run": run.id}):
        item = run.item(row["item"])
        if item is None:
            continue
        receipt = wire.Receipt(
            submission=row["id"], attempt=run.id, item=row["item"], received=row["received"], status=row["status"]
        )
        response = shown(item, run.drawing, json.loads(row["response"]))
        one = wire.Saved(receipt=seals.sealed(receipt, run.person), response=response)
        if row["round"]:
            one["round"] = row["round"]
        made.append(one)
    return made


def _phase(found: Row, window: Window, had: list[Row], now: int) -> wire.Phase:
    if kinds.ended(found):
        return "closed"
    if had and attempts.is_open(had[-1], window.grace, now):
        return "open"
    if window.before(now):
        return "before"
    return "closed" if window.after(now) else "open"
