"""The page of a quiz's times: its settings, its versions, who still has time, and the exceptions made."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from sqlalchemy import Connection
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from quiz_widgets.classroom import clocks
from quiz_widgets.classroom.desk import rosters, schedules, standing
from quiz_widgets.classroom.desk.database.rows import Row
from quiz_widgets.classroom.desk.pages import excepting, fields, schedule_fields, showing, visits
from quiz_widgets.classroom.desk.pages.fields import Entered
from quiz_widgets.classroom.desk.pages.schedule_fields import NoTime
from quiz_widgets.classroom.desk.pages.visits import Visit, visit
from quiz_widgets.classroom.desk.refusals import Refused
from quiz_widgets.classroom.desk.routes.asking import desk_of
from quiz_widgets.classroom.desk.routes.teaching import instructor, teacher

_DONE = ("schedule.saved", "schedule.made", "schedule.taken_back")


@dataclass(frozen=True, slots=True)
class Tried:
    """What somebody entered into one of the page's forms, what is wrong with it, and whom it would be for."""

    settings: Entered = field(default_factory=dict)
    exception: Entered = field(default_factory=dict)
    refused: Refused | None = None
    unclear: clocks.Unclear | None = None
    concerned: tuple[Mapping[str, Any], ...] | None = None


async def schedule(request: Request) -> Response:
    """GET courses/{course}/quizzes/{quiz}: its times, and what follows from them."""
    return await _page(request, await visit(request), Tried())


async def settings(request: Request) -> Response:
    """POST courses/{course}/quizzes/{quiz}: change the settings."""
    seen, sent = await visit(request), await fields.entered(request)
    desk, now = desk_of(request), desk_of(request).clock()

    def work(connection: Connection) -> None:
        found = _quiz(connection, request, seen, change=True)
        now_seen = schedule_fields.seen(found)
        if sent.get("seen", now_seen) != now_seen:
            raise Refused("changed", "somebody changed these settings meanwhile; look at them again")
        schedules.change(connection, found, schedule_fields.changes(found, sent), seen.who.name, now)

    try:
        await desk.writer.run(work)
    except Refused as refused:
        kept = {} if refused.code == "changed" else sent  # else what somebody else has set would be undone unseen
        return await _again(request, seen, refused, Tried(settings=kept))
    return visits.back(request, _path(request), "schedule.saved")


async def make_exception(request: Request) -> Response:
    """POST …/exceptions: look whom an exception would be for, or make it."""
    seen, sent = await visit(request), await fields.entered(request)
    desk, now = desk_of(request), desk_of(request).clock()

    def work(connection: Connection) -> tuple[Mapping[str, Any], ...]:
        found = _quiz(connection, request, seen, change=True)
        whom, given = excepting.read(connection, found, sent)
        if sent.get("act") == "make":
            schedules.except_(connection, found, whom, given, seen.who.name, now)
            return ()
        made = schedules.proposed(connection, found, whom, given, seen.who.name, now)
        versions = {one["id"]: one["number"] for one in standing.versions(connection, found, now)}
        return tuple(_apart(found, one, versions) for one in standing.concerned(connection, found, made))

    run: Callable[..., Any] = desk.writer.run if sent.get("act") == "make" else desk.read
    try:
        concerned = await run(work)
    except Refused as refused:
        return await _again(request, seen, refused, Tried(exception=sent))
    if sent.get("act") == "make":
        return visits.back(request, _path(request), "schedule.made")
    return await _page(request, seen, Tried(exception=sent, concerned=concerned))


async def take_back(request: Request) -> Response:
    """POST …/exceptions/taken-back: whoever an exception was for has the quiz's own times again."""
    seen, sent = await visit(request), await fields.entered(request)
    desk, now = desk_of(request), desk_of(request).clock()

    def work(connection: Connection) -> None:
        found = _quiz(connection, request, seen, change=True)
        schedules.take_back(connection, found, sent.get("exception", ""), seen.who.name, now)

    await desk.writer.run(work)
    return visits.back(request, _path(request), "schedule.taken_back")


async def _again(request: Request, seen: Visit, refused: Refused, tried: Tried) -> Response:
    """The page with what was entered and what is wrong with it; what is not for this visitor is refused as ever."""
    if refused.status not in fields.ENTERED_WRONG:
        raise refused
    unclear = refused.unclear if isinstance(refused, NoTime) else None
    return await _page(request, seen, replace(tried, refused=refused, unclear=unclear), refused.status)


async def _page(request: Request, seen: Visit, tried: Tried, status: int = 200) -> Response:
    desk, now = desk_of(request), desk_of(request).clock()

    def work(connection: Connection) -> dict[str, Any]:
        found = _quiz(connection, request, seen)
        role = rosters.member(connection, found["course"], seen.who.name)["role"]
        return {
            "course": {"id": found["course"], "title": found["course_title"], "zone": found["zone"]},
            "quiz": found,
            "may_change": role == "instructor",
            "seen": schedule_fields.seen(found),
            "settings": {**schedule_fields.shown(found), "which": "", **tried.settings},
            "exception": {**excepting.EMPTY, **tried.exception},
            **_stands(connection, found, now),
        }

    shown = await desk.read(work)
    unclear = tried.unclear
    return showing.page(
        request,
        "schedule.html",
        status,
        visit=seen,
        here="schedule",
        tried=tried,
        asks_which=clocks.changes(shown["course"]["zone"], now) or (unclear is not None and unclear.fault == "twice"),
        done=visits.done(request, _DONE),
        **shown,
    )


def _stands(connection: Connection, found: Row, now: int) -> dict[str, Any]:
    versions = standing.versions(connection, found, now)
    numbers = {one["id"]: one["number"] for one in versions}
    learners = rosters.learners_of(connection, found["course"])
    names = {one["person"]: one["display_name"] or one["hub_name"] for one in learners}
    return {
        "states": standing.states(connection, found, now),
        "versions": [
            one | {name: showing.moment(one[name], found["zone"]) for name in ("published", "last")} for one in versions
        ],
        "revealed": showing.moment(found["revealed"], found["zone"]),
        "apart": [_apart(found, one, numbers) for one in standing.apart(connection, found)],
        "exceptions": [excepting.told(one, found["zone"], names) for one in standing.exceptions(connection, found)],
        "learners": learners,
        "sections": sorted({one["section"] for one in learners if one["section"]}),
    }


def _apart(found: Row, one: standing.Apart, versions: Mapping[str, int]) -> Mapping[str, Any]:
    """A learner's window as the page shows it: each part as it was and as it is."""
    shown = [
        {
            **{name: showing.moment(getattr(window, name), found["zone"]) for name in ("opens", "due")},
            "closes": showing.moment(window.last, found["zone"]),
            "runs": window.runs,
            "minutes": None if window.time_limit is None else schedule_fields.minutes(window.time_limit),
            "version": versions.get(window.version or ""),
            "excused": window.excused,
        }
        for window in (one.before, one.after)
    ]
    return {"who": one.who, "before": shown[0], "after": shown[1]}


def _quiz(connection: Connection, request: Request, seen: Visit, *, change: bool = False) -> Row:
    name = request.path_params["course"]
    (instructor if change else teacher)(connection, name, seen.who)
    return rosters.quiz_of(connection, name, request.path_params["quiz"])


def _path(request: Request) -> str:
    return f"courses/{request.path_params['course']}/quizzes/{request.path_params['quiz']}"


_QUIZ = "/courses/{course}/quizzes/{quiz}"
ROUTES = (
    Route(_QUIZ, visits.shown(schedule), methods=["GET"]),
    Route(_QUIZ, visits.shown(settings), methods=["POST"]),
    Route(f"{_QUIZ}/exceptions", visits.shown(make_exception), methods=["POST"]),
    Route(f"{_QUIZ}/exceptions/taken-back", visits.shown(take_back), methods=["POST"]),
)
