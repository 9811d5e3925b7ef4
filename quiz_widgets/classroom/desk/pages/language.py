"""Choosing the language of the pages: kept in this browser, for the desk's pages alone."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from quiz_widgets import locales
from quiz_widgets.classroom.desk.identity import browser
from quiz_widgets.classroom.desk.pages import fields, showing, visits
from quiz_widgets.classroom.desk.pages.visits import visit
from quiz_widgets.classroom.desk.refusals import Refused
from quiz_widgets.classroom.desk.routes.asking import desk_of

_KEPT_S = 365 * 86_400


async def choose(request: Request) -> Response:
    """POST language: from now on in that language; back to the page that was open."""
    await visit(request)
    sent = await fields.entered(request)
    chosen = sent.get("language", "")
    if chosen not in locales.available():
        raise Refused("bad_request", f"the languages are {', '.join(locales.available())}", status=422)
    prefix = desk_of(request).settings.prefix
    reply = RedirectResponse(browser.own_path(sent.get("to", prefix), prefix), 303, showing.HEADERS)
    visits.set_cookie(request, reply, showing.LANGUAGE, chosen, _KEPT_S)
    return reply


ROUTES = (Route("/language", visits.shown(choose), methods=["POST"]),)
