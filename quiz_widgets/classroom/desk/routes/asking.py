"""What every route needs: the desk, who asks, and the body they sent."""

from __future__ import annotations

from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from quiz_widgets.classroom.desk import strict
from quiz_widgets.classroom.desk.desk import Desk
from quiz_widgets.classroom.desk.identity import tickets, tokens
from quiz_widgets.classroom.desk.identity.who import Scope, Who
from quiz_widgets.classroom.desk.refusals import Refused, unknown

_DIGITS = 15  # of a number of bytes that is read at all
_LONGEST = 512  # characters of a token; the Hub's have 32


def desk_of(request: Request) -> Desk:
    """The desk that serves this request."""
    found: Desk = request.app.state.desk
    return found


def require_names(request: Request) -> None:
    """``unknown`` for an address with names that no database can hold: asked for them, it would fail."""
    if not all(strict.is_fit(name) for name in request.path_params.values()):
        raise unknown("page")


async def who(request: Request, scope: Scope) -> Who:
    """Who asks, by the token or ticket in the header; `Refused` when nobody known, or they may not.

    A token in the address is refused: addresses are written to logs.
    """
    require_names(request)
    desk = desk_of(request)
    kind, _, text = request.headers.get("authorization", "").partition(" ")
    text = text.strip()
    if kind.lower() not in ("token", "bearer") or not text or len(text) > _LONGEST or not text.isascii():
        raise Refused("who", "say who you are: a token in the Authorization header", status=401)
    found: Who | None
    if text.startswith(tickets.PREFIX):
        found = desk.tickets.who(text, desk.clock())
    elif text.startswith(tokens.PREFIX):
        found = await desk.read(lambda connection: tokens.who(connection, text, desk.clock()))
    else:
        found = None if desk.hub is None else await desk.hub.who(text)
    if found is None:
        raise Refused("who", "this token is not known here, or its time is over", status=401)
    if scope not in found.scopes:
        raise Refused("scope", "this token may not do that", status=403)
    return found


async def body(request: Request, largest: int) -> Any:
    """The JSON that was sent; `Refused` when it is larger, before it is read whole."""
    if not is_within(request.headers.get("content-length", "0"), largest):
        raise Refused("too_large", f"at most {largest} bytes are read", status=413)
    data = bytearray()
    async for part in request.stream():
        data += part
        if len(data) > largest:
            raise Refused("too_large", f"at most {largest} bytes are read", status=413)
    return strict.loads(bytes(data))


def is_within(declared: str, largest: int) -> bool:
    """Whether a header declares a number of bytes that is not above that."""
    return declared.isascii() and declared.isdigit() and len(declared) <= _DIGITS and int(declared) <= largest


def json_reply(value: Any, status: int = 200) -> JSONResponse:
    """A reply that no cache keeps."""
    return JSONResponse(value, status_code=status, headers={"Cache-Control": "no-store"})


def written_reply(text: bytes) -> Response:
    """The same for a value that is written as JSON already."""
    return Response(text, media_type="application/json", headers={"Cache-Control": "no-store"})
