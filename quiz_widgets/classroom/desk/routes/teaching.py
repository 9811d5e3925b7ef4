"""Routes that need the right to teach a course: publishing a version of a quiz."""

from __future__ import annotations

from sqlalchemy import Connection
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from quiz_widgets.classroom.desk import publishing, rosters, strict
from quiz_widgets.classroom.desk.database.rows import Row
from quiz_widgets.classroom.desk.identity.who import Who
from quiz_widgets.classroom.desk.refusals import unknown
from quiz_widgets.classroom.desk.routes.asking import answer, body, desk_of, who


async def publish(request: Request) -> JSONResponse:
    """POST courses/{course}/quizzes/{quiz}/versions: a compiled quiz becomes a version, and the same one no second."""
    desk, asker = desk_of(request), await who(request, "teach")
    course, slug = request.path_params["course"], request.path_params["quiz"]
    sent = strict.fields(await body(request, 2 * publishing.LARGEST), compiled=str)
    now = desk.clock()

    def work(connection: Connection) -> Row:
        teacher(connection, course, asker)
        return publishing.publish(connection, course, slug, sent["compiled"], asker.name, now)

    made = await desk.writer.run(work)
    return answer({"version": made["id"], "number": made["number"], "hash": made["hash"]}, 201)


def teacher(connection: Connection, course: str, asker: Who) -> Row:
    """The membership of somebody who teaches this course; for all others the course is unknown."""
    member = rosters.member(connection, course, asker.name)
    if member["role"] not in rosters.TEACHING or asker.course not in (None, course):
        raise unknown("course")
    return member


ROUTES = (Route("/courses/{course}/quizzes/{quiz}/versions", publish, methods=["POST"]),)
