"""Who visits a page, and whether their own browser wants it: the checks before anything else, and refusals in words."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Iterable
from dataclasses import dataclass

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from quiz_widgets.classroom.desk import strict
from quiz_widgets.classroom.desk.identity import browser
from quiz_widgets.classroom.desk.identity.browser import Login, Session
from quiz_widgets.classroom.desk.identity.who import Who
from quiz_widgets.classroom.desk.pages import showing
from quiz_widgets.classroom.desk.refusals import Refused, Unavailable
from quiz_widgets.classroom.desk.routes.asking import desk_of, is_within, require_names
from quiz_widgets.classroom.desk.routes.joining import join

WORD = "x-quiz-desk-word"  # the header in which a page's own script shows the word
_FIELDS = 40  # of a form
_LARGEST = 1024 * 1024  # bytes of a form without a file
Endpoint = Callable[[Request], Awaitable[Response]]


@dataclass(frozen=True, slots=True)
class Visit:
    """Somebody who teaches, and the word that their forms carry."""

    session: Session
    who: Who
    word: str


class LogIn(Exception):
    """Nobody is known in this browser: send it to the Hub."""


def shown(endpoint: Endpoint) -> Endpoint:
    """The endpoint with refusals as pages, and with a login where one is missing."""

    async def guarded(request: Request) -> Response:
        try:
            return await endpoint(request)
        except LogIn:
            if request.method == "GET":
                return to_hub(request)
            return showing.page(request, "message.html", 403, about="form", detail="")
        except Refused as refused:
            about = "unknown" if refused.status == 404 else "refused"
            about = refused.code if refused.code in ("form", "https", "not_yours", "login", "no_hub") else about
            detail = refused.message if about == "refused" else ""
            return showing.page(request, "message.html", refused.status, about=about, detail=detail)
        except Unavailable as error:
            reply = showing.page(request, "message.html", 503, about="away", detail="")
            reply.headers["Retry-After"] = str(error.after)
            return reply
        finally:
            await request.close()  # an uploaded file goes

    return guarded


async def visit(request: Request, largest: int = _LARGEST, too_large: str = "") -> Visit:
    """The instructor whose browser asks. `Refused` for a learner, and for what a script or another site sends.

    A form has at most `largest` bytes; `too_large` says so in words of its own. More is refused unread.
    """
    require_names(request)
    desk = desk_of(request)
    if desk.teachers is None:
        raise Refused("no_hub", "this desk has no Hub", status=404)
    session = desk.cookies.session(request.cookies.get(browser.SESSION), desk.clock())
    if session is None:
        raise LogIn
    if request.method != "GET":
        _require_small(request, largest, too_large or f"a form has at most {largest} bytes")
    await _meant(request, session)
    who = await desk.teachers.who(session.token)
    if who is None or who.name != session.name:
        raise Refused("not_yours", "for instructors", status=403)
    await join(desk, who, request.path_params.get("course"))
    _require_fit(request.query_params.multi_items())
    return Visit(session, who, desk.cookies.form_word(session))


async def _meant(request: Request, session: Session) -> None:
    """Refuse what the instructor did not ask for themselves.

    Notebooks of the same Hub may run scripts of others, and their requests carry this cookie: so a request is either a
    browser going to a page, or carries the word that only a page of this session has: a form as a field, a page's own
    script in a header.
    """
    cookies = desk_of(request).cookies
    if request.method == "GET":
        if (shown := request.headers.get(WORD)) is not None:
            if not cookies.is_form_word(session, shown):
                raise Refused("form", "the word is not of this session", status=403)
            return
        if request.headers.get("sec-fetch-mode") != "navigate" or request.headers.get("sec-fetch-dest") != "document":
            raise Refused("https", "only a browser that goes to this page gets it", status=403)
        return
    try:
        form = await request.form(max_files=1, max_fields=_FIELDS)
    except UnicodeError:  # the sender chooses the encoding of a field, and some of Python's fail in their own way
        raise Refused("bad_request", "the form is not written in UTF-8", status=422) from None
    given = form.get("word")
    if not isinstance(given, str) or not cookies.is_form_word(session, given):
        raise Refused("form", "the form is not of this session", status=403)
    _require_fit(form.multi_items())


def _require_small(request: Request, largest: int, message: str) -> None:
    # Without a length that is kept to, a body could go on for ever.
    declared = request.headers.get("content-length", "")
    if "transfer-encoding" in request.headers or not is_within(declared, largest):
        raise Refused("too_large", message, status=413)


def _require_fit(fields: Iterable[tuple[str, object]]) -> None:
    """`Refused` for names and texts that could neither be kept nor shown again."""
    for name, value in fields:
        if not strict.is_fit(name):
            raise Refused("bad_request", "the name of a field has a character that cannot be kept", status=422)
        if isinstance(value, str) and not strict.is_fit(value):
            raise Refused("bad_request", f"`{name}` has a character that cannot be kept", status=422)


def to_hub(request: Request) -> RedirectResponse:
    """Begin a login: remember it in a cookie and go to the Hub."""
    desk = desk_of(request)
    prefix = desk.settings.prefix
    login, address = browser.begin(desk.settings, browser.own_path(request.url.path, prefix), desk.clock())
    reply = RedirectResponse(address, 302, showing.HEADERS)
    keep(request, reply, login, name_of(login.state))
    return reply


def back(request: Request, path: str, done: str) -> RedirectResponse:
    """After something was done: to one of the desk's pages, which says so."""
    return RedirectResponse(f"{desk_of(request).settings.prefix}{path}?done={done}", 303, showing.HEADERS)


def done(request: Request, known: Collection[str]) -> str | None:
    """What the address says was done, if it is one of those that the page has words for."""
    said = request.query_params.get("done")
    return said if said in known else None


def name_of(state: str) -> str:
    """The cookie of one login."""
    return browser.LOGIN + "".join(sign for sign in state[:8] if sign.isalnum())


def keep(request: Request, reply: Response, value: Login | Session, name: str) -> None:
    """Set a cookie that holds a login or a session, sealed."""
    desk = desk_of(request)
    set_cookie(request, reply, name, desk.cookies.sealed(value), (value.until - desk.clock()) // 1000)


def set_cookie(request: Request, reply: Response, name: str, value: str, seconds: int) -> None:
    """Set a cookie that scripts cannot read, that stays on the desk's path and, over https, on https."""
    secure = request.headers.get("x-forwarded-proto", request.url.scheme).split(",")[0].strip() == "https"
    reply.set_cookie(
        name,
        value,
        max_age=seconds,
        path=desk_of(request).settings.prefix,
        secure=secure,
        httponly=True,
        samesite="lax",
    )


def forget(request: Request, reply: Response, name: str) -> None:
    """End a cookie."""
    reply.delete_cookie(name, path=desk_of(request).settings.prefix, httponly=True, samesite="lax")
