"""A course's platform, and which of its quizzes are sent there: settings that instructors change."""

from __future__ import annotations

import json
from collections.abc import Mapping
from decimal import Decimal, InvalidOperation

from sqlalchemy import Connection, insert, select, update

from quiz_widgets.classroom.desk import audits, gradebook
from quiz_widgets.classroom.desk.database.outside_tables import lti_line, lti_platform, outbox
from quiz_widgets.classroom.desk.database.rows import Row, first, rows
from quiz_widgets.classroom.desk.database.tables import quiz
from quiz_widgets.classroom.desk.library import Library
from quiz_widgets.classroom.desk.lti import addresses, queueing
from quiz_widgets.classroom.desk.refusals import Refused

ADDRESSES = {"token_url": "token URL", "line_items_url": "line items URL"}
NAMES = {"issuer": "issuer", "client": "client id", "audience": "audience"}
SETTINGS = ("issuer", "client", "token_url", "audience", "line_items_url", "active")
LONGEST = 255
_MOST = Decimal(1_000_000)


def of(connection: Connection, course_id: str) -> Row | None:
    """The course's platform, if it has one."""
    return first(connection, select(lti_platform).where(lti_platform.c.course == course_id))


def lines(connection: Connection, course_id: str) -> dict[str, Row]:
    """The line items of the course's quizzes, by the quiz's id."""
    asked = select(lti_line).join(quiz, quiz.c.id == lti_line.c.quiz).where(quiz.c.course == course_id)
    return {one["quiz"]: one for one in rows(connection, asked)}


def change(
    connection: Connection, course_id: str, given: Mapping[str, object], by: str, now: int, *, loopback: bool = False
) -> None:
    """Set the course's platform: `SETTINGS`, of which those that are there already may be left out.

    `Refused` for what is missing and for addresses that the desk does not call. `loopback`: see `addresses.checked`.
    """
    former = of(connection, course_id)
    made: dict[str, object] = dict.fromkeys(SETTINGS) | {"active": True}
    made |= {name: former[name] for name in SETTINGS} if former is not None else {}
    made |= given
    for name, what in ADDRESSES.items():
        made[name] = addresses.checked(str(made[name] or "").strip(), f"the {what}", loopback=loopback)
    for name, what in NAMES.items():
        made[name] = _name(made[name], what)
    if former is None:
        connection.execute(insert(lti_platform).values(course=course_id, rests=0, **made))
    else:
        rested = {"rests": 0, "rests_until": None, "trouble": None}
        connection.execute(update(lti_platform).where(lti_platform.c.course == course_id).values(made | rested))
    changed = [name for name in SETTINGS if former is None or former[name] != made[name]]
    if not changed:
        return
    known = lines(connection, course_id)
    if {"issuer", "client", "line_items_url"} & set(changed):  # another place has line items of its own
        connection.execute(update(lti_line).where(lti_line.c.quiz.in_(known)).values(url=None))
    audits.note(
        connection,
        now,
        by,
        course_id,
        "platform",
        str(made["issuer"]),
        before=None if former is None else json.dumps({name: former[name] for name in changed}),
        after=json.dumps({name: made[name] for name in changed}),
    )
    for one in known:
        queueing.scores_changed(connection, one, now)


def send_quiz(connection: Connection, found: Row, label: str, most: str, by: str, now: int, *, active: bool) -> None:
    """Send a quiz's scores, or stop it: under which label, and out of how many points. `Refused` for bad ones."""
    label = _name(label, "label") or found["title"][:LONGEST]
    made = {"label": label, "max_score": _points(most), "active": active}
    former = first(connection, select(lti_line).where(lti_line.c.quiz == found["id"]))
    if former is None:
        connection.execute(insert(lti_line).values(quiz=found["id"], **made))
    elif any(former[name] != made[name] for name in made):
        told = {} if former["label"] == label and former["max_score"] == made["max_score"] else {"url": None}
        connection.execute(update(lti_line).where(lti_line.c.quiz == found["id"]).values(made | told))
    else:
        return
    before = None if former is None else json.dumps({name: former[name] for name in made})
    audits.note(connection, now, by, found["course"], "line item", found["slug"], before=before, after=json.dumps(made))
    queueing.scores_changed(connection, found["id"], now)


def again(connection: Connection, course_id: str, by: str, now: int) -> int:
    """Try again what failed and what waits for a while; how many scores failed. Each gets a new time.

    The platform may have a later score than the one that failed: then this one takes its place.
    """
    failed = rows(
        connection,
        select(outbox).where(outbox.c.course == course_id, outbox.c.kind == queueing.KIND, outbox.c.state == "failed"),
    )
    for one in failed:
        same = (outbox.c.kind == one["kind"]) & (outbox.c.quiz == one["quiz"]) & (outbox.c.person == one["person"])
        stamp = queueing.next_stamp(rows(connection, select(outbox.c.stamp).where(same)), now)
        values = {"state": "waiting", "stamp": stamp, "tries": 0, "claimed": None}
        connection.execute(update(outbox).where(outbox.c.id == one["id"]).values(values))
    here = (outbox.c.course == course_id) & (outbox.c.kind == queueing.KIND) & (outbox.c.state == "waiting")
    connection.execute(update(outbox).where(here).values(next_try=now))
    connection.execute(update(lti_platform).where(lti_platform.c.course == course_id).values(rests=0, rests_until=None))
    audits.note(connection, now, by, course_id, "send again", course_id, after=str(len(failed)))
    return len(failed)


def most(connection: Connection, library: Library, found: Row) -> str:
    """The points of the quiz's newest version, which its line item has unless somebody says otherwise."""
    return format(gradebook.most(connection, library, found["id"]).normalize(), "f")


def _name(value: object, what: str) -> str | None:
    text = str(value or "").strip()
    if len(text) > LONGEST or not text.isprintable():
        raise Refused("bad_request", f"the {what} has at most {LONGEST} characters that can be printed", status=422)
    if not text and what in ("issuer", "client id"):
        raise Refused("bad_request", f"give the {what} that the platform shows for the desk", status=422)
    return text or None


def _points(text: str) -> str:
    try:
        found = Decimal(text.strip())
    except InvalidOperation:
        found = Decimal(0)
    if not found.is_finite() or not 0 < found <= _MOST or found != round(found, 4):
        raise Refused("bad_request", f"points are above 0, at most {_MOST}, with at most four decimals", status=422)
    return format(found.normalize(), "f")
