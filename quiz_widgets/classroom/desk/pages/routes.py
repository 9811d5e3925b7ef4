"""The pages: courses, one course with its quizzes, publishing a bundle, showing the keys, logging in and out."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, func, select
from starlette.datastructures import UploadFile
from starlette.requests import Request
from starlette.responses import FileResponse, RedirectResponse, Response
from starlette.routing import Route

from quiz_widgets.classroom.desk import publishing, revealing, rosters
from quiz_widgets.classroom.desk.database.rows import Row, rows
from quiz_widgets.classroom.desk.database.tables import course, membership, person, quiz, version
from quiz_widgets.classroom.desk.identity import browser
from quiz_widgets.classroom.desk.pages import showing, visits
from quiz_widgets.classroom.desk.pages.visits import visit
from quiz_widgets.classroom.desk.refusals import Refused
from quiz_widgets.classroom.desk.routes.asking import desk_of
from quiz_widgets.classroom.desk.routes.teaching import teacher

_AROUND = 64 * 1024  # bytes that a form has around its file
_DONE = ("published", "revealed")


async def courses(request: Request) -> Response:
    """GET: the courses that this person teaches."""
    seen = await visit(request)
    found = await desk_of(request).read(lambda connection: _courses(connection, seen.who.name))
    return showing.page(request, "courses.html", visit=seen, courses=found)


async def one_course(request: Request) -> Response:
    """GET courses/{course}: its quizzes and times, and what can be done."""
    seen = await visit(request)
    desk, name = desk_of(request), request.path_params["course"]
    now = desk.clock()

    def work(connection: Connection) -> tuple[Row, list[dict[str, Any]]]:
        teacher(connection, name, seen.who)
        [about] = rows(connection, select(course).where(course.c.id == name))
        return about, _quizzes(connection, about, now)

    about, quizzes = await desk.read(work)
    done = request.query_params.get("done")
    done = done if done in _DONE else None
    return showing.page(request, "course.html", visit=seen, course=about, quizzes=quizzes, done=done)


async def publish(request: Request) -> Response:
    """POST courses/{course}/publish: a bundle that `classroom publish -o` wrote becomes a version."""
    declared = request.headers.get("content-length", "")
    if not declared.isdigit() or int(declared) > publishing.LARGEST + _AROUND:
        raise Refused("too_large", f"a bundle may have {publishing.LARGEST} bytes", status=413)
    seen = await visit(request)
    desk, name, form = desk_of(request), request.path_params["course"], await request.form()
    bundle, slug = form.get("bundle"), form.get("slug")
    if not isinstance(bundle, UploadFile) or not isinstance(slug, str):
        raise Refused("bad_request", "choose a bundle, and give the quiz a name", status=422)
    try:
        text = (await bundle.read()).decode("utf-8")
    except UnicodeDecodeError:
        raise Refused("bad_bundle", "the file is no bundle", status=422) from None
    now = desk.clock()

    def work(connection: Connection) -> None:
        teacher(connection, name, seen.who)
        publishing.publish(connection, name, slug.strip(), text, seen.who.name, now)

    await desk.writer.run(work)
    return _back(request, name, "published")


async def reveal(request: Request) -> Response:
    """POST courses/{course}/quizzes/{quiz}/reveal: learners see the keys from now on."""
    seen = await visit(request)
    desk, name, slug = desk_of(request), request.path_params["course"], request.path_params["quiz"]
    anyway = (await request.form()).get("anyway") == "yes"
    now = desk.clock()

    def work(connection: Connection) -> None:
        teacher(connection, name, seen.who)
        found = rosters.quiz_of(connection, name, slug)
        if revealing.still_open(connection, found, now) and not anyway:
            raise Refused("open", "learners can still answer; tick the box to show the keys all the same")
        revealing.reveal(connection, found, seen.who.name, now)

    await desk.writer.run(work)
    return _back(request, name, "revealed")


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


async def style(_request: Request) -> Response:
    """GET style.css."""
    return FileResponse(
        showing.FOLDER / "style.css", media_type="text/css", headers={"X-Content-Type-Options": "nosniff"}
    )


def _back(request: Request, name: str, done: str) -> RedirectResponse:
    return RedirectResponse(f"{desk_of(request).settings.prefix}courses/{name}?done={done}", 303, showing.HEADERS)


def _courses(connection: Connection, name: str) -> list[Row]:
    return rows(
        connection,
        select(course.c.id, course.c.title)
        .join(membership, membership.c.course == course.c.id)
        .join(person, person.c.id == membership.c.person)
        .where(person.c.hub_name == name, membership.c.active, membership.c.role.in_(rosters.TEACHING))
        .order_by(course.c.id),
    )


def _quizzes(connection: Connection, about: Row, now: int) -> list[dict[str, Any]]:
    newest = connection.execute(
        select(quiz.c.slug, func.max(version.c.number))
        .join(version, version.c.quiz == quiz.c.id)
        .where(quiz.c.course == about["id"])
        .group_by(quiz.c.slug)
        .order_by(quiz.c.slug)
    ).all()
    return [
        {"number": number, **_shown(connection, rosters.quiz_of(connection, about["id"], slug), now)}
        for slug, number in newest
    ]


def _shown(connection: Connection, found: Row, now: int) -> dict[str, Any]:
    times = {time: showing.moment(found[time], found["zone"]) for time in ("opens", "due", "closes", "revealed")}
    return {**found, **times, "still_open": revealing.still_open(connection, found, now)}


ROUTES = (
    Route("/", visits.shown(courses), methods=["GET"]),
    Route("/oauth_callback", visits.shown(callback), methods=["GET"]),
    Route("/logout", visits.shown(log_out), methods=["POST"]),
    Route("/style.css", style, methods=["GET"]),
    Route("/courses/{course}", visits.shown(one_course), methods=["GET"]),
    Route("/courses/{course}/publish", visits.shown(publish), methods=["POST"]),
    Route("/courses/{course}/quizzes/{quiz}/reveal", visits.shown(reveal), methods=["POST"]),
)
