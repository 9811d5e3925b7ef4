"""A poll's pages: what its instructor presses, what the class sees on the wall, and what their script asks for."""

from __future__ import annotations

from typing import Any

from markupsafe import Markup
from sqlalchemy import Connection, select
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from quiz_widgets.classroom.desk import attempts, rosters
from quiz_widgets.classroom.desk.database.rows import Row, rows
from quiz_widgets.classroom.desk.database.tables import course
from quiz_widgets.classroom.desk.pages import saying, showing, visits
from quiz_widgets.classroom.desk.pages.visits import Visit, visit
from quiz_widgets.classroom.desk.polls import board, kinds, steps
from quiz_widgets.classroom.desk.refusals import Refused
from quiz_widgets.classroom.desk.routes.asking import desk_of
from quiz_widgets.classroom.desk.routes.teaching import instructor, teacher
from quiz_widgets.locales import bidi
from quiz_widgets.model import Item, Text
from quiz_widgets.payload import fill_numbers

_DONE = ("poll.stale", "poll.made")


async def control(request: Request) -> Response:
    """GET courses/{course}/quizzes/{quiz}/poll: where the poll stands, and the steps that are allowed now."""
    seen = await visit(request)
    desk = desk_of(request)

    def work(connection: Connection) -> tuple[Row, Row, board.Board | None, bool]:
        about, found, member = _asked(connection, request, seen)
        made = board.read(connection, desk.library, found) if found["kind"] == "poll" else None
        return about, found, made, member["role"] == "instructor"

    about, found, made, may_change = await desk.read(work)
    return showing.page(
        request,
        "poll.html",
        script="poll.js" if made else "",
        visit=seen,
        word=seen.word,
        course=about,
        quiz=found,
        board=made,
        may_change=may_change,
        done=visits.done(request, _DONE),
        here="poll",
        html=_html(request),
    )


async def step(request: Request) -> Response:
    """POST …/poll: take a step, from a page that showed the poll at ``sequence``."""
    seen, form = await visit(request), await request.form()
    desk = desk_of(request)
    what, item, sequence = (str(form.get(name, "")) for name in ("step", "item", "sequence"))
    if not (sequence.isascii() and sequence.isdigit() and len(sequence) < 10):
        raise Refused("bad_request", "`sequence` is the number that the page was made with", status=422)

    def work(connection: Connection) -> None:
        _, found, _ = _asked(connection, request, seen)
        steps.take(connection, desk.library, found, what, item or None, int(sequence), seen.who.name, desk.clock)

    try:
        await desk.writer.run(work)
    except Refused as refused:
        if refused.code != steps.STALE:
            raise
        return visits.back(request, _path(request), "poll.stale")
    desk.polls.look()
    return visits.back(request, _path(request), "poll.taken")


async def kind(request: Request) -> Response:
    """POST …/poll/kind: make a quiz that nobody has opened a poll."""
    seen = await visit(request)
    desk, now = desk_of(request), desk_of(request).clock()

    def work(connection: Connection) -> None:
        instructor(connection, request.path_params["course"], seen.who)
        _, found, _ = _asked(connection, request, seen)
        kinds.require_fit(desk.library.quiz(connection, attempts.newest(connection, found["id"])))
        kinds.change(connection, found, "poll", seen.who.name, now)

    await desk.writer.run(work)
    return visits.back(request, _path(request), "poll.made")


async def screen(request: Request) -> Response:
    """GET …/poll/screen: for the wall. No names; no key and no votes but their number before the reveal."""
    seen = await visit(request)
    desk = desk_of(request)

    def work(connection: Connection) -> tuple[Row, board.Board]:
        _, found, _ = _asked(connection, request, seen)
        kinds.require_poll(found)
        return found, board.read(connection, desk.library, found, screen=True)

    found, made = await desk.read(work)
    return showing.page(
        request, "poll_screen.html", script="poll.js", word=seen.word, quiz=found, board=made, html=_html(request)
    )


async def state(request: Request) -> Response:
    """GET …/poll/state: for the pages' script: the sequence, and the counter in the reader's words."""
    seen = await visit(request)
    desk = desk_of(request)

    def work(connection: Connection) -> tuple[Any, int, int]:
        _, found, _ = _asked(connection, request, seen)
        kinds.require_poll(found)
        return board.counter(connection, found)

    told, voted, present = await desk.read(work)
    say = saying.in_language(showing.language(request))
    shown = {"sequence": told["sequence"], "counter": say("poll.counter", voted=voted, count=present)}
    return JSONResponse(shown, headers=showing.HEADERS)


def _asked(connection: Connection, request: Request, seen: Visit) -> tuple[Row, Row, Row]:
    """The course, the quiz and the membership of whoever asks."""
    name, slug = request.path_params["course"], request.path_params["quiz"]
    member = teacher(connection, name, seen.who)
    [about] = rows(connection, select(course).where(course.c.id == name))
    return about, rosters.quiz_of(connection, name, slug), member


def _path(request: Request) -> str:
    return f"courses/{request.path_params['course']}/quizzes/{request.path_params['quiz']}/poll"


def _html(request: Request) -> Any:
    """What shows a text of an item: the HTML that its author's text became, in the reader's language where there is."""
    locale = showing.language(request)

    def html(text: Text, item: Item) -> Markup:
        shown, direction = text.resolve(locale), text.direction(locale)
        numbers = dict(item.variants[0].numbers) if item.variants else {}
        if text is item.evidence_text and item.recorded is not None:
            numbers = dict(item.recorded.facts)
        made = text.rendered(locale).html
        made = fill_numbers(bidi.isolated_html(made) if direction == "rtl" else made, numbers, shown)
        safe = Markup(made)  # noqa: S704 - `markup` alone makes it, and lets nothing through that is not on its list
        return Markup('<div class="text" lang="{}" dir="{}">{}</div>').format(shown, direction, safe)

    return html


_POLL = "/courses/{course}/quizzes/{quiz}/poll"
ROUTES = (
    Route(_POLL, visits.shown(control), methods=["GET"]),
    Route(_POLL, visits.shown(step), methods=["POST"]),
    Route(f"{_POLL}/kind", visits.shown(kind), methods=["POST"]),
    Route(f"{_POLL}/screen", visits.shown(screen), methods=["GET"]),
    Route(f"{_POLL}/state", visits.shown(state), methods=["GET"]),
)
