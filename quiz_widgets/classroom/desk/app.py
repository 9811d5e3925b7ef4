"""The desk as an ASGI application: its routes, what every reply has in common, and how it begins and ends."""

from __future__ import annotations

import contextlib
import logging
import os
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Mount, Route

from quiz_widgets.classroom import wire
from quiz_widgets.classroom.desk import settings
from quiz_widgets.classroom.desk.desk import Desk, running
from quiz_widgets.classroom.desk.lti import routes as lti
from quiz_widgets.classroom.desk.meters import Metered
from quiz_widgets.classroom.desk.pages import routes as pages
from quiz_widgets.classroom.desk.refusals import Refused, Unavailable
from quiz_widgets.classroom.desk.routes import learning, running_it, teaching
from quiz_widgets.classroom.desk.routes.asking import desk_of, json_reply

log = logging.getLogger("quiz_widgets.desk")


def application() -> Starlette:
    """The desk with the settings of this process's environment, as uvicorn starts it (``--factory``)."""
    found = settings.read(os.environ)
    return make(running(found), found.prefix)


def make(begun: AbstractAsyncContextManager[Desk], prefix: str = "/") -> Starlette:
    """The application around a desk that begins and ends with it."""

    @contextlib.asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        async with begun as desk:
            app.state.desk = desk
            yield

    # Not mounted: each mount looks through its routes anew, and answers come in bursts.
    programs = [
        Route(f"/{wire.API}{one.path}", one.endpoint, methods=one.methods)
        for one in (*learning.ROUTES, *teaching.ROUTES)
    ]
    inner = [*programs, *running_it.ROUTES, *lti.ROUTES, *pages.ROUTES]
    routes = inner if prefix == "/" else [Mount(prefix.rstrip("/"), routes=inner)]
    handlers: Any = {Refused: _refused, Unavailable: _unavailable, HTTPException: _http, Exception: _failed}
    return Starlette(routes=routes, exception_handlers=handlers, lifespan=lifespan, middleware=[Middleware(Metered)])


async def _refused(request: Request, error: Any) -> Response:
    desk_of(request).meters.refusals[error.code] += 1
    return _error(error.code, error.message, error.status, retry=False)


async def _unavailable(request: Request, error: Any) -> Response:
    desk_of(request).meters.refusals["unavailable"] += 1
    reply = _error("unavailable", error.message, 503, retry=True)
    reply.headers["Retry-After"] = str(error.after)
    return reply


async def _http(_request: Request, error: Any) -> Response:
    return _error("unknown" if error.status_code == 404 else "http", error.detail, error.status_code, retry=False)


async def _failed(request: Request, error: Exception) -> Response:
    # The path may hold names; headers, and with them tokens, are never logged.
    log.error("%s %s failed", request.method, request.url.path, exc_info=error)
    return _error("failed", "the desk failed at this; it is in its log", 500, retry=True)


def _error(code: str, message: str, status: int, *, retry: bool) -> Response:
    reply: wire.ErrorReply = {"error": code, "message": message, "retry": retry}
    return json_reply(reply, status)
