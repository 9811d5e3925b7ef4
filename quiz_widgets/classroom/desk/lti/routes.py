"""The desk's public keys, which a platform fetches to check what the desk signed. Nobody logs in for it."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from quiz_widgets.classroom.desk.lti import keys
from quiz_widgets.classroom.desk.refusals import unknown
from quiz_widgets.classroom.desk.routes.asking import desk_of
from quiz_widgets.classroom.desk.settings import SettingsError

PATH = "lti/jwks.json"


async def jwks(request: Request) -> JSONResponse:
    """GET lti/jwks.json: public parts of the desk's keys; ``unknown`` while it has none."""
    try:
        found = keys.read(desk_of(request).settings.lti_keys)
    except SettingsError:  # its words name a file of the desk's machine
        raise unknown("page") from None
    return JSONResponse(
        keys.public(found), headers={"Cache-Control": "max-age=300", "X-Content-Type-Options": "nosniff"}
    )


ROUTES = (Route(f"/{PATH}", jwks, methods=["GET"]),)
