"""The page on which an instructor sends grades: the course's platform, its quizzes there, and what went wrong."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Connection, select
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from quiz_widgets.classroom.desk import rosters
from quiz_widgets.classroom.desk.database.rows import Row, rows
from quiz_widgets.classroom.desk.database.tables import course
from quiz_widgets.classroom.desk.lti import keys, listing, platforms
from quiz_widgets.classroom.desk.lti import routes as lti_routes
from quiz_widgets.classroom.desk.pages import fields, showing, visits
from quiz_widgets.classroom.desk.pages.fields import Entered
from quiz_widgets.classroom.desk.pages.visits import Visit, visit
from quiz_widgets.classroom.desk.refusals import Refused
from quiz_widgets.classroom.desk.routes.asking import desk_of
from quiz_widgets.classroom.desk.routes.teaching import instructor
from quiz_widgets.classroom.desk.settings import SettingsError

_DONE = ("lti.saved", "lti.quiz_saved", "lti.again_done")
_FIELDS = ("issuer", "client", "token_url", "audience", "line_items_url")
_NOTHING: Mapping[str, object] = {**dict.fromkeys(_FIELDS, ""), "active": False, "trouble": None, "rests_until": None}


@dataclass(frozen=True, slots=True)
class Tried:
    """What somebody entered for the platform, or for the quiz of that name, and why it was refused."""

    platform: Mapping[str, object] = field(default_factory=dict)
    quiz: str = ""
    line: Mapping[str, object] = field(default_factory=dict)
    refused: Refused | None = None


async def platform(request: Request) -> Response:
    """GET courses/{course}/lti: the platform, the quizzes, what went wrong."""
    return await _page(request, await visit(request), Tried())


async def change(request: Request) -> Response:
    """POST courses/{course}/lti: set the platform."""
    seen, sent = await visit(request), await fields.entered(request)
    desk, now = desk_of(request), desk_of(request).clock()
    given = {**{name: sent.get(name, "") for name in _FIELDS}, "active": sent.get("active") == "yes"}

    def work(connection: Connection) -> None:
        instructor(connection, _course(request), seen.who)
        platforms.change(connection, _course(request), given, seen.who.name, now)

    try:
        await desk.writer.run(work)
    except Refused as refused:
        return await _again(request, seen, Tried(platform=given, refused=refused), refused)
    return visits.back(request, _path(request), "lti.saved")


async def change_quiz(request: Request) -> Response:
    """POST courses/{course}/lti/quizzes/{quiz}: send its scores there, or stop it."""
    seen, sent = await visit(request), await fields.entered(request)
    desk, now, slug = desk_of(request), desk_of(request).clock(), request.path_params["quiz"]

    def work(connection: Connection) -> None:
        instructor(connection, _course(request), seen.who)
        found = rosters.quiz_of(connection, _course(request), slug)
        points = str(fields.number(sent.get("max_score", ""), "points"))
        platforms.send_quiz(
            connection, found, sent.get("label", ""), points, seen.who.name, now, active=sent.get("active") == "yes"
        )

    try:
        await desk.writer.run(work)
    except Refused as refused:
        line = {**_line(sent), "active": sent.get("active") == "yes"}
        return await _again(request, seen, Tried(quiz=slug, line=line, refused=refused), refused)
    return visits.back(request, _path(request), "lti.quiz_saved")


async def again(request: Request) -> Response:
    """POST courses/{course}/lti/again: try what failed once more."""
    seen, desk = await visit(request), desk_of(request)
    now = desk.clock()

    def work(connection: Connection) -> None:
        instructor(connection, _course(request), seen.who)
        platforms.again(connection, _course(request), seen.who.name, now)

    await desk.writer.run(work)
    return visits.back(request, _path(request), "lti.again_done")


async def dry_run(request: Request) -> Response:
    """GET courses/{course}/lti/dry-run: what would be sent; nothing is."""
    seen = await visit(request)

    def work(connection: Connection) -> tuple[Row, list[listing.Line]]:
        return _about(connection, request, seen), list(listing.dry_run(connection, _course(request)))

    about, lines = await desk_of(request).read(work)
    return showing.page(request, "lti_dry_run.html", visit=seen, course=about, here="grades", lines=lines)


async def _again(request: Request, seen: Visit, tried: Tried, refused: Refused) -> Response:
    if refused.status not in fields.ENTERED_WRONG:
        raise refused
    return await _page(request, seen, tried, refused.status)


async def _page(request: Request, seen: Visit, tried: Tried, status: int = 200) -> Response:
    desk = desk_of(request)

    def work(connection: Connection) -> dict[str, Any]:
        about = _about(connection, request, seen)
        kept = platforms.of(connection, about["id"])
        counts = listing.counts(connection, about["id"])
        quizzes = [
            {
                **one,
                **({"label": one["title"], "active": False} if one["label"] is None else {}),
                "max_score": one["max_score"] or platforms.most(connection, desk.library, one),
                "counts": counts.get(one["id"], dict.fromkeys(listing.STATES, 0)),
                **(tried.line if one["slug"] == tried.quiz else {}),
            }
            for one in listing.quizzes(connection, about["id"])
        ]
        problems = [
            {**one, "next_try": showing.moment(one["next_try"], about["zone"])}
            for one in listing.problems(connection, about["id"])
        ]
        shown = {**(kept or _NOTHING), **tried.platform}
        shown["rests_until"] = showing.moment(shown["rests_until"], about["zone"]) if shown["trouble"] else None
        return {"course": about, "platform": shown, "quizzes": quizzes, "problems": problems}

    found = await desk.read(work)
    return showing.page(
        request,
        "lti.html",
        status,
        visit=seen,
        here="grades",
        tried=tried,
        keys_at=_keys_at(request),
        has_key=_has_key(request),
        done=visits.done(request, _DONE),
        **found,
    )


def _about(connection: Connection, request: Request, seen: Visit) -> Row:
    instructor(connection, _course(request), seen.who)
    [about] = rows(connection, select(course).where(course.c.id == _course(request)))
    return about


def _course(request: Request) -> str:
    return str(request.path_params["course"])


def _path(request: Request) -> str:
    return f"courses/{_course(request)}/lti"


def _line(sent: Entered) -> dict[str, object]:
    return {name: sent.get(name, "") for name in ("label", "max_score")}


def _keys_at(request: Request) -> str:
    """Where the platform fetches the desk's public keys, as this browser reaches the desk."""
    scheme = request.headers.get("x-forwarded-proto", request.url.scheme).split(",")[0].strip()
    return f"{scheme}://{request.url.netloc}{desk_of(request).settings.prefix}{lti_routes.PATH}"


def _has_key(request: Request) -> bool:
    try:
        keys.read(desk_of(request).settings.lti_keys)
    except SettingsError:
        return False
    return True


ROUTES = (
    Route("/courses/{course}/lti", visits.shown(platform), methods=["GET"]),
    Route("/courses/{course}/lti", visits.shown(change), methods=["POST"]),
    Route("/courses/{course}/lti/quizzes/{quiz}", visits.shown(change_quiz), methods=["POST"]),
    Route("/courses/{course}/lti/again", visits.shown(again), methods=["POST"]),
    Route("/courses/{course}/lti/dry-run", visits.shown(dry_run), methods=["GET"]),
)
