"""The page of a course's settings: its title, late joiners, how long it is kept, all deadlines, groups of the Hub."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import Any
from zoneinfo import ZoneInfo

from sqlalchemy import Connection, or_, select
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from quiz_widgets.classroom.clocks import MAX_YEAR, MIN_YEAR
from quiz_widgets.classroom.desk import courses, groups, rosters, schedules
from quiz_widgets.classroom.desk.database.rows import Row, rows
from quiz_widgets.classroom.desk.database.tables import exception, quiz
from quiz_widgets.classroom.desk.enrolling import ROLES
from quiz_widgets.classroom.desk.exports.cells import plain
from quiz_widgets.classroom.desk.pages import fields, showing, visits
from quiz_widgets.classroom.desk.pages.fields import Entered
from quiz_widgets.classroom.desk.pages.visits import Visit, visit
from quiz_widgets.classroom.desk.refusals import Refused
from quiz_widgets.classroom.desk.routes.asking import desk_of
from quiz_widgets.classroom.desk.routes.teaching import instructor, teacher

_DAY = 86_400_000
_MOST_MINUTES = 366 * 24 * 60
_DONE = ("settings.saved", "settings.moved", "settings.mapped", "settings.removed")
_BLANK = {"minutes": "", "direction": "later", "group": "", "role": "learner", "section": ""}


@dataclass(frozen=True, slots=True)
class Tried:
    """What somebody entered into one of the page's forms, and why it was not done."""

    sent: Entered = field(default_factory=dict)
    refused: Refused | None = None


async def settings(request: Request) -> Response:
    """GET courses/{course}/settings."""
    return await _page(request, await visit(request), Tried())


async def save(request: Request) -> Response:
    """POST courses/{course}/settings: title, late joiners, retention."""

    def work(connection: Connection, found: Row, sent: Entered, by: str, now: int) -> None:
        _unchanged(sent, _seen(found))
        courses.change(connection, found, _changes(found, sent), by, now)

    return await _done(request, work, "settings.saved")


async def move(request: Request) -> Response:
    """POST courses/{course}/move: all deadlines that are still to come, by so many minutes."""

    def work(connection: Connection, found: Row, sent: Entered, by: str, now: int) -> None:
        _unchanged(sent, _seen_times(connection, found))  # a form that is sent twice moves once
        minutes = fields.whole(sent.get("minutes", ""), "by how many minutes")
        if not 0 < minutes <= _MOST_MINUTES or sent.get("direction") not in ("later", "earlier"):
            raise Refused("bad_request", f"1 to {_MOST_MINUTES} minutes, later or earlier", status=422)
        schedules.move(connection, found["id"], minutes if sent["direction"] == "later" else -minutes, by, now)

    return await _done(request, work, "settings.moved")


async def map_group(request: Request) -> Response:
    """POST courses/{course}/groups: whoever is in that group of the Hub is in the course."""

    def work(connection: Connection, found: Row, sent: Entered, by: str, now: int) -> None:
        group, role, section = (sent.get(name, "") for name in ("group", "role", "section"))
        groups.put(connection, found["id"], group, role, section, by, now)

    return await _done(request, work, "settings.mapped")


async def remove_group(request: Request) -> Response:
    """POST courses/{course}/groups/remove: that group is in the course no longer."""

    def work(connection: Connection, found: Row, sent: Entered, by: str, now: int) -> None:
        groups.remove(connection, found["id"], sent.get("group", ""), by, now)

    return await _done(request, work, "settings.removed")


async def _done(request: Request, work: Callable[[Connection, Row, Entered, str, int], None], done: str) -> Response:
    """Do what a form asks for, as the instructor who sent it; else the page with the form and what is wrong with it."""
    seen, sent = await visit(request), await fields.entered(request)
    desk, now, name = desk_of(request), desk_of(request).clock(), request.path_params["course"]

    def inside(connection: Connection) -> None:
        instructor(connection, name, seen.who)
        work(connection, courses.one(connection, name), sent, seen.who.name, now)

    try:
        await desk.writer.run(inside)
    except Refused as refused:
        if refused.status not in fields.ENTERED_WRONG:
            raise
        kept = {} if refused.code == "changed" else sent  # else what somebody else has set would be undone unseen
        return await _page(request, seen, Tried(kept, refused), refused.status)
    return visits.back(request, f"courses/{name}/settings", done)


async def _page(request: Request, seen: Visit, tried: Tried, status: int = 200) -> Response:
    desk, name, now = desk_of(request), request.path_params["course"], desk_of(request).clock()

    def work(connection: Connection) -> dict[str, Any]:
        teacher(connection, name, seen.who)
        found = courses.one(connection, name)
        return {
            "course": found,
            "may_change": rosters.member(connection, name, seen.who.name)["role"] == "instructor",
            "groups": groups.mapped(connection, name),
            "ahead": _ahead(connection, name, now),
            "value": {**_BLANK, **_shown(found), **tried.sent},
            "seen": _seen(found),
            "seen_times": _seen_times(connection, found),
        }

    shown = await desk.read(work)
    done = visits.done(request, _DONE)
    return showing.page(
        request, "settings.html", status, visit=seen, here="settings", roles=ROLES, tried=tried, done=done, **shown
    )


def _shown(found: Row) -> dict[str, str]:
    """The settings as texts: late joiners' time in days, the last day on which what is left is kept."""
    late, until = found["late_join"], found["retained_until"]
    last = "" if until is None else datetime.fromtimestamp((until - 1) / 1000, ZoneInfo(found["zone"])).date()
    return {
        "title": found["title"],
        "late_join": "" if late is None else plain(round(Decimal(late) / _DAY, 4)),
        "until": str(last),
    }


def _changes(found: Row, sent: Entered) -> Mapping[str, object]:
    """What the form changes. What it shows as it was stays to the millisecond, whoever had set it finer."""
    shown = _shown(found)
    given = {name: sent.get(name, was) for name, was in shown.items()}
    changes: dict[str, object] = {"title": given["title"]}
    if given["late_join"] != shown["late_join"]:
        days = fields.number(given["late_join"] or "0", "late joiners' days")
        changes["late_join"] = int(days * _DAY) or None
    if given["until"] != shown["until"]:
        changes["retained_until"] = _end_of(given["until"], found["zone"])
    return changes


def _end_of(text: str, zone: str) -> int | None:
    """The end of a day in that zone, in ms; `None` for an empty text."""
    if not text:
        return None
    try:
        day = date.fromisoformat(text)
    except ValueError:
        day = date.min
    if not MIN_YEAR <= day.year <= MAX_YEAR:
        raise Refused("bad_request", f"a day is written 2027-12-31, in the years {MIN_YEAR} to {MAX_YEAR}", status=422)
    next_day = day + timedelta(days=1)
    return int(datetime(next_day.year, next_day.month, next_day.day, tzinfo=ZoneInfo(zone)).timestamp()) * 1000


def _ahead(connection: Connection, course_id: str, now: int) -> int:
    """How many quizzes have deadlines that are still to come."""
    later = or_(quiz.c.due > now, quiz.c.closes > now)
    return len(rows(connection, select(quiz.c.id).where(quiz.c.course == course_id, later)))


def _unchanged(sent: Entered, now_seen: str) -> None:
    if sent.get("seen", now_seen) != now_seen:
        raise Refused("changed", "somebody changed this meanwhile; look at it again")


def _seen(found: Row) -> str:
    return _digest([found[name] for name in ("title", "late_join", "retained_until")])


def _seen_times(connection: Connection, found: Row) -> str:
    times = [
        rows(connection, select(table.c.id, table.c.due, table.c.closes).where(inside).order_by(table.c.id))
        for table, inside in (
            (quiz, quiz.c.course == found["id"]),
            (exception, exception.c.quiz.in_(select(quiz.c.id).where(quiz.c.course == found["id"]))),
        )
    ]
    return _digest(times)


def _digest(value: object) -> str:
    return hashlib.sha256(json.dumps(value).encode()).hexdigest()[:16]


_COURSE = "/courses/{course}"
ROUTES = (
    Route(f"{_COURSE}/settings", visits.shown(settings), methods=["GET"]),
    Route(f"{_COURSE}/settings", visits.shown(save), methods=["POST"]),
    Route(f"{_COURSE}/move", visits.shown(move), methods=["POST"]),
    Route(f"{_COURSE}/groups", visits.shown(map_group), methods=["POST"]),
    Route(f"{_COURSE}/groups/remove", visits.shown(remove_group), methods=["POST"]),
)
