"""The first page, one course with its quizzes, publishing a bundle, showing the keys."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, func, select
from starlette.datastructures import UploadFile
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from quiz_widgets.classroom.desk import publishing, revealing, rosters, schedules
from quiz_widgets.classroom.desk.database.rows import Row, rows
from quiz_widgets.classroom.desk.database.tables import course, membership, person, quiz, version
from quiz_widgets.classroom.desk.pages import fields, schedule_fields, showing, visits
from quiz_widgets.classroom.desk.pages.visits import visit
from quiz_widgets.classroom.desk.refusals import Refused
from quiz_widgets.classroom.desk.routes.asking import desk_of
from quiz_widgets.classroom.desk.routes.teaching import teacher

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
    done = visits.done(request, _DONE)
    return showing.page(request, "course.html", visit=seen, course=about, quizzes=quizzes, done=done, here="quizzes")


async def publish(request: Request) -> Response:
    """POST courses/{course}/publish: a bundle that `classroom publish -o` wrote becomes a version."""
    seen = await visit(request, publishing.LARGEST + fields.AROUND, f"a bundle may have {publishing.LARGEST} bytes")
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
        poll = form.get("poll") == "yes"
        publishing.publish(connection, name, slug.strip(), text, seen.who.name, now, poll=poll)
        if opens := str(form.get("opens") or ""):  # in one transaction: nobody opens it before
            found = rosters.quiz_of(connection, name, slug.strip())
            changes = {"opens": schedule_fields.time(opens, found["zone"], {})}
            schedules.change(connection, found, changes, seen.who.name, now)

    await desk.writer.run(work)
    return visits.back(request, f"courses/{name}", "published")


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
    return visits.back(request, f"courses/{name}", "revealed")


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
    Route("/courses/{course}", visits.shown(one_course), methods=["GET"]),
    Route("/courses/{course}/publish", visits.shown(publish), methods=["POST"]),
    Route("/courses/{course}/quizzes/{quiz}/reveal", visits.shown(reveal), methods=["POST"]),
)
