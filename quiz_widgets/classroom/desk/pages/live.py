"""A class at work: the page, which shows the state without a script too, and the stream that its script follows."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from functools import partial
from time import monotonic
from typing import Any

from sqlalchemy import Connection, select
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from quiz_widgets.classroom.desk import rosters
from quiz_widgets.classroom.desk.database.rows import Row, rows
from quiz_widgets.classroom.desk.database.tables import course
from quiz_widgets.classroom.desk.desk import Desk
from quiz_widgets.classroom.desk.live.watch import Watched, told
from quiz_widgets.classroom.desk.pages import saying, showing, visits
from quiz_widgets.classroom.desk.pages.visits import Visit, visit
from quiz_widgets.classroom.desk.refusals import Unavailable
from quiz_widgets.classroom.desk.routes.asking import desk_of
from quiz_widgets.classroom.desk.routes.teaching import teacher

LONGEST_S = 300.0  # of one stream; the page then asks for the next, with whatever login its browser has by then
CHECKED_S = 4.0  # how often the Hub's word on a stream's owner is looked at; it is at most ten seconds old
_HEADERS = showing.HEADERS | {"X-Accel-Buffering": "no"}  # nginx would hold back events until they fill a buffer
_WORDS = (
    "learner_number", "not_opened", "excused", "at_work", "handed_in", "time_over", "none", "progress", "held",
    "seconds_ago", "minutes_ago", "hours_ago", "summary", "following", "polling", "away", "ended", "show_names",
    "hide_names",
)  # fmt: skip


async def page(request: Request) -> Response:
    """GET and POST courses/{course}/quizzes/{quiz}/live: the class as it is now; with names after a POST."""
    seen, about, found = await _asked(request)
    desk = desk_of(request)
    view = await desk.watch.view(found)
    locale = showing.language(request)
    values: dict[str, Any] = {
        "visit": seen,
        "course": about,
        "quiz": found,
        "here": "live",
        "view": view,
        "names": request.method == "POST",
        "now": desk.clock(),
        "at": showing.moment(view.at, about["zone"]),
        "words": {word: saying.words("live")[word][locale] for word in _WORDS},
    }
    # A table of a thousand lines takes a while; in a thread, others are answered meanwhile.
    make = partial(showing.page, request, "live.html", script="live.js", **values)
    return await asyncio.get_running_loop().run_in_executor(desk.readers, make)


async def state(request: Request) -> Response:
    """GET …/live/state: all of it as JSON, for a page whose stream does not come through."""
    _, _, found = await _asked(request)
    view = await desk_of(request).watch.view(found)
    return Response(view.whole, media_type="application/json", headers=showing.HEADERS)


async def stream(request: Request) -> Response:
    """GET …/live/stream: the state, and then each change, until the login or the role ends."""
    seen, _, found = await _asked(request)
    watch = desk_of(request).watch
    watch.require_room(seen.who.name)  # here and at the first view it can be said; once a stream has begun it only ends
    await watch.view(found)
    return StreamingResponse(_events(desk_of(request), seen, found), media_type="text/event-stream", headers=_HEADERS)


async def _asked(request: Request) -> tuple[Visit, Row, Row]:
    """Somebody who teaches the course, the course and the quiz; ``unknown`` for all others."""
    seen = await visit(request)
    name, slug = request.path_params["course"], request.path_params["quiz"]

    def work(connection: Connection) -> tuple[Row, Row]:
        teacher(connection, name, seen.who)
        [about] = rows(connection, select(course).where(course.c.id == name))
        return about, rosters.quiz_of(connection, name, slug)

    return seen, *await desk_of(request).read(work)


async def _events(desk: Desk, seen: Visit, found: Row) -> AsyncIterator[bytes]:
    end, checked, known = monotonic() + LONGEST_S, monotonic(), 0
    with contextlib.suppress(Unavailable):
        async with desk.watch.stream(found, seen.who.name) as watched:
            yield told(watched.view, known)
            known = watched.view.sequence
            while monotonic() < end:
                view = await watched.next()
                if monotonic() - checked >= CHECKED_S:
                    checked = monotonic()
                    if not await _is_teacher(desk, seen):
                        return
                if not _may_see(desk, seen, watched):
                    return
                yield told(view, known)
                known = view.sequence


def _may_see(desk: Desk, seen: Visit, watched: Watched) -> bool:
    return seen.who.name in watched.board.teaching and desk.clock() < seen.session.until


async def _is_teacher(desk: Desk, seen: Visit) -> bool:
    """Whether the Hub still says that this browser's owner teaches. When it cannot be asked, the stream ends too."""
    try:
        who = None if desk.teachers is None else await desk.teachers.who(seen.session.token)
    except Unavailable:
        return False
    return who is not None and who.name == seen.who.name


_LIVE = "/courses/{course}/quizzes/{quiz}/live"
ROUTES = (
    Route(_LIVE, visits.shown(page), methods=["GET", "POST"]),
    Route(f"{_LIVE}/stream", visits.shown(stream), methods=["GET"]),
    Route(f"{_LIVE}/state", visits.shown(state), methods=["GET"]),
)
