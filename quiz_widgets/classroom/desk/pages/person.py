"""The page of one member of a course: what the desk has of them, their receipts, and points by hand."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from typing import Any
from zoneinfo import ZoneInfo

from sqlalchemy import Connection, select
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from quiz_widgets.classroom.desk import gradebook, rosters, timelines, verifying
from quiz_widgets.classroom.desk.database.rows import Row, rows
from quiz_widgets.classroom.desk.database.tables import course
from quiz_widgets.classroom.desk.exports.cells import plain
from quiz_widgets.classroom.desk.pages import excepting, fields, showing, visits, wording
from quiz_widgets.classroom.desk.pages.fields import Entered
from quiz_widgets.classroom.desk.pages.visits import Visit, visit
from quiz_widgets.classroom.desk.refusals import Refused
from quiz_widgets.classroom.desk.routes.asking import desk_of
from quiz_widgets.classroom.desk.routes.teaching import instructor, teacher
from quiz_widgets.classroom.desk.timelines import Event, OfQuiz
from quiz_widgets.locales import forms

_DONE = ("person.points_set", "person.points_taken_back")


@dataclass(frozen=True, slots=True)
class Tried:
    """What somebody entered, and what came of it: a refusal, or the verdict on a receipt."""

    points: Entered = field(default_factory=dict)
    receipt: str = ""
    refused: Refused | None = None
    verdict: str = ""


async def person(request: Request) -> Response:
    """GET courses/{course}/people/{person}: everything that happened, quiz by quiz."""
    return await _page(request, await visit(request), Tried())


async def set_points(request: Request) -> Response:
    """POST …/points: set a learner's points at a quiz by hand."""
    return await _override(request, take_back=False)


async def take_points_back(request: Request) -> Response:
    """POST …/points/taken-back: what the attempts earn counts again."""
    return await _override(request, take_back=True)


async def verify(request: Request) -> Response:
    """POST …/receipt: whether the desk gave this person that receipt."""
    seen, text = await visit(request), (await fields.entered(request)).get("receipt", "")
    desk = desk_of(request)

    def work(connection: Connection) -> str:
        who = _person(connection, request, seen)
        return verifying.verify(connection, desk.seals, who["person"], verifying.receipt(text))

    try:
        verdict = await desk.read(work)
    except Refused as refused:
        if refused.status not in fields.ENTERED_WRONG:
            raise
        return await _page(request, seen, Tried(receipt=text, verdict="unreadable"), refused.status)
    return await _page(request, seen, Tried(receipt=text, verdict=verdict))


async def _override(request: Request, *, take_back: bool) -> Response:
    seen, sent = await visit(request), await fields.entered(request)
    desk, now = desk_of(request), desk_of(request).clock()

    def work(connection: Connection) -> None:
        instructor(connection, request.path_params["course"], seen.who)
        who = _person(connection, request, seen)
        if who["role"] != "learner" or not who["active"]:
            raise Refused("not_a_learner", "only learners who are in the course have points", status=422)
        found = rosters.quiz_of(connection, request.path_params["course"], sent.get("quiz", ""))
        points = None if take_back else fields.number(sent.get("points", ""), "what you set")
        if take_back and gradebook.by_hand(connection, found["id"], who["person"]) is None:
            raise Refused("nothing_set", "no points are set by hand at this quiz", status=409)
        reason = sent.get("reason", "")
        gradebook.override(connection, desk.library, found, who, points, reason=reason, by=seen.who.name, now=now)

    try:
        await desk.writer.run(work)
    except Refused as refused:
        if refused.status not in fields.ENTERED_WRONG:
            raise
        return await _page(request, seen, Tried(points=sent, refused=refused), refused.status)
    done = "person.points_taken_back" if take_back else "person.points_set"
    return visits.back(request, f"courses/{request.path_params['course']}/people/{request.path_params['person']}", done)


async def _page(request: Request, seen: Visit, tried: Tried, status: int = 200) -> Response:
    desk = desk_of(request)
    locale = showing.language(request)

    def work(connection: Connection) -> dict[str, Any]:
        who = _person(connection, request, seen)
        [about] = rows(connection, select(course).where(course.c.id == request.path_params["course"]))
        role = rosters.member(connection, about["id"], seen.who.name)["role"]
        told = timelines.read(connection, desk.library, about["id"], who)
        return {
            "course": about,
            "who": who,
            "may_change": role == "instructor" and who["role"] == "learner" and who["active"],
            "since": showing.moment(who["since"], about["zone"]),
            "quizzes": [_shown(one, about["zone"], locale) for one in told],
        }

    shown = await desk.read(work)
    return showing.page(
        request,
        "person.html",
        status,
        visit=seen,
        here="people",
        tried=tried,
        entered={"quiz": "", "points": "", "reason": "", **tried.points},
        done=visits.done(request, _DONE),
        **shown,
    )


def _person(connection: Connection, request: Request, seen: Visit) -> Row:
    name = request.path_params["course"]
    teacher(connection, name, seen.who)
    return rosters.somebody(connection, name, request.path_params["person"])


def _shown(told: OfQuiz, zone: str, locale: str) -> dict[str, Any]:
    """One quiz as the page shows it: numbers as the language writes them, times with seconds."""
    window, score = told.window, told.score
    return {
        "slug": told.quiz["slug"],
        "title": told.quiz["title"],
        "opens": showing.moment(window.opens, zone),
        "due": showing.moment(window.due, zone),
        "closes": showing.moment(window.last, zone),
        "excused": window.excused,
        "score": None
        if score is None
        else {name: _number(score[name], locale) for name in ("score", "max_score", "late_penalty")},
        "by_hand": None if told.by_hand is None else _number(told.by_hand, locale),
        "unanswered": told.unanswered,
        "events": [_event(one, zone, locale) for one in told.events],
    }


def _event(event: Event, zone: str, locale: str) -> dict[str, Any]:
    about = event.about
    made: dict[str, Any] = {"what": event.what, "at": _moment(event.at, zone), "about": about, "points": None}
    if event.what == "submitted":
        made["stem"] = None if event.item is None else wording.stem(event.item, locale, event.variant)
        made["response"] = wording.response(event.item, event.response, locale)
        made["sent"] = None if about["sent"] is None else _moment(about["sent"], zone)
        if event.outcome is not None:
            made["points"] = [_number(event.outcome[name], locale) for name in ("score", "max_score")]
    elif event.what == "opened":
        made |= {name: showing.moment(about[name], zone) for name in ("due", "closes")}
    elif event.what == "exception":
        made["about"] = excepting.told(about, zone, {})
    elif event.what == "points":
        made["points"] = _number(about["score"], locale)
    return made


def _moment(ms: int, zone: str) -> dict[str, str]:
    at = datetime.fromtimestamp(ms // 1000, ZoneInfo(zone))
    return {"read": at.strftime("%Y-%m-%d %H:%M:%S"), "exact": at.isoformat()}


def _number(text: str, locale: str) -> str:
    return forms.local_number(plain(Decimal(text)), locale)


_PERSON = "/courses/{course}/people/{person}"
ROUTES = (
    Route(_PERSON, visits.shown(person), methods=["GET"]),
    Route(f"{_PERSON}/points", visits.shown(set_points), methods=["POST"]),
    Route(f"{_PERSON}/points/taken-back", visits.shown(take_points_back), methods=["POST"]),
    Route(f"{_PERSON}/receipt", visits.shown(verify), methods=["POST"]),
)
