"""All pages' routes: those of each topic, logging in and out, and what pages are made of."""

from __future__ import annotations

from pathlib import Path

from starlette.requests import Request
from starlette.responses import FileResponse, RedirectResponse, Response
from starlette.routing import Route

from quiz_widgets.classroom.desk.identity import browser
from quiz_widgets.classroom.desk.pages import (
    analysis,
    corrections,
    courses,
    grades,
    language,
    live,
    log,
    people,
    person,
    platform,
    polls,
    schedule,
    settings,
    showing,
    visits,
)
from quiz_widgets.classroom.desk.pages.visits import visit
from quiz_widgets.classroom.desk.refusals import Refused, unknown
from quiz_widgets.classroom.desk.routes.asking import desk_of

_STATIC = Path(__file__).parent / "static"
_KINDS = {".js": "text/javascript", ".css": "text/css"}


async def callback(request: Request) -> Response:
    """GET oauth_callback: the Hub sends the browser back."""
    desk, now = desk_of(request), desk_of(request).clock()
    state, code = request.query_params.get("state", ""), request.query_params.get("code", "")
    login = desk.cookies.login(request.cookies.get(visits.name_of(state)), now)
    if desk.teachers is None or login is None or login.state != state or not code:
        raise Refused("login", "this login was not begun in this browser, or too long ago", status=403)
    session = await browser.finish(desk.client, desk.settings, login, code, now)
    reply = RedirectResponse(browser.own_path(login.after, desk.settings.prefix), 303, showing.HEADERS)
    visits.forget(request, reply, visits.name_of(state))
    visits.keep(request, reply, session, browser.SESSION)
    return reply


async def log_out(request: Request) -> Response:
    """POST logout: forget this browser."""
    await visit(request)
    reply = showing.page(request, "message.html", about="logged_out", detail="")
    visits.forget(request, reply, browser.SESSION)
    return reply


async def static(request: Request) -> Response:
    """GET static/{name}: a script or a style of the pages; they hold nothing of any course."""
    known = {path.name: path for path in _STATIC.iterdir() if path.suffix in _KINDS}
    found = known.get(request.path_params["name"])
    if found is None:
        raise unknown("page")
    headers = {
        "X-Content-Type-Options": "nosniff",
        "Cross-Origin-Resource-Policy": "same-origin",
        "Cache-Control": "no-cache",
    }
    return FileResponse(found, media_type=_KINDS[found.suffix], headers=headers)


ROUTES = (
    *courses.ROUTES,
    *language.ROUTES,
    *people.ROUTES,
    *settings.ROUTES,
    *log.ROUTES,
    *schedule.ROUTES,
    *live.ROUTES,
    *corrections.ROUTES,
    *person.ROUTES,
    *platform.ROUTES,
    *polls.ROUTES,
    *grades.ROUTES,
    *analysis.ROUTES,
    Route("/oauth_callback", visits.shown(callback), methods=["GET"]),
    Route("/logout", visits.shown(log_out), methods=["POST"]),
    Route("/static/{name}", visits.shown(static), methods=["GET"]),
)
