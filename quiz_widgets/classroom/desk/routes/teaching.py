"""Routes that need the right to teach a course: publishing a version of a quiz, and changing a key."""

from __future__ import annotations

from sqlalchemy import Connection
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from quiz_widgets.classroom.desk import publishing, regrading, rosters, strict
from quiz_widgets.classroom.desk.database.rows import Row
from quiz_widgets.classroom.desk.identity.who import Who
from quiz_widgets.classroom.desk.refusals import Refused, unknown
from quiz_widgets.classroom.desk.routes.asking import body, desk_of, json_reply, who

LARGEST = 64 * 1024  # bytes of a request that is no quiz


async def publish(request: Request) -> JSONResponse:
    """POST courses/{course}/quizzes/{quiz}/versions: a compiled quiz becomes a version, and the same one no second."""
    desk, asker = desk_of(request), await who(request, "teach")
    course, slug = request.path_params["course"], request.path_params["quiz"]
    sent = strict.fields(await body(request, 2 * publishing.LARGEST), compiled=str, poll_=bool)
    now = desk.clock()

    def work(connection: Connection) -> Row:
        teacher(connection, course, asker)
        poll = sent.get("poll", False)
        return publishing.publish(connection, course, slug, sent["compiled"], asker.name, now, poll=poll)

    made = await desk.writer.run(work)
    return json_reply({"version": made["id"], "number": made["number"], "hash": made["hash"]}, 201)


async def change_key(request: Request) -> JSONResponse:
    """POST …/key-changes: grade an item of a version by another key; every finished attempt is scored again."""
    desk, asker = desk_of(request), await who(request, "teach")
    course, slug = request.path_params["course"], request.path_params["quiz"]
    sent = strict.fields(await body(request, LARGEST), item=str, kind=str, responses=list, reason=str, version_=int)
    if not all(isinstance(one, list) and all(isinstance(part, str) for part in one) for one in sent["responses"]):
        raise Refused("bad_request", "`responses` is a list of lists of texts", status=422)
    made = regrading.Change(
        item=sent["item"],
        kind=sent["kind"],
        responses=sent["responses"],
        reason=sent["reason"],
        version=sent.get("version"),
    )
    now = desk.clock()

    def work(connection: Connection) -> int:
        teacher(connection, course, asker)
        found = rosters.quiz_of(connection, course, slug)
        return regrading.change_key(connection, desk.library, found, made, asker.name, now)

    return json_reply({"scored_again": await desk.writer.run(work)}, 201)


def teacher(connection: Connection, course: str, asker: Who) -> Row:
    """The membership of somebody who teaches this course; for all others the course is unknown."""
    member = rosters.member(connection, course, asker.name)
    if member["role"] not in rosters.TEACHING or asker.course not in (None, course):
        raise unknown("course")
    return member


def instructor(connection: Connection, course: str, asker: Who) -> Row:
    """The membership of an instructor of this course, who may change it; for assistants too such a page is unknown."""
    member = teacher(connection, course, asker)
    if member["role"] != "instructor":
        raise unknown("page")
    return member


_QUIZ = "/courses/{course}/quizzes/{quiz}"
ROUTES = (
    Route(f"{_QUIZ}/versions", publish, methods=["POST"]),
    Route(f"{_QUIZ}/key-changes", change_key, methods=["POST"]),
)
