"""The page of a course's people: who is in it, enrolling, changing and dropping them, and taking in a roster."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode

from sqlalchemy import Connection
from starlette.datastructures import UploadFile
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from quiz_widgets.classroom.desk import courses, enrolling, people, rosters
from quiz_widgets.classroom.desk.database.rows import Row
from quiz_widgets.classroom.desk.enrolling import ROLES, Line
from quiz_widgets.classroom.desk.pages import fields, showing, visits
from quiz_widgets.classroom.desk.pages.fields import Entered
from quiz_widgets.classroom.desk.pages.visits import Visit, visit
from quiz_widgets.classroom.desk.refusals import Refused
from quiz_widgets.classroom.desk.routes.asking import desk_of
from quiz_widgets.classroom.desk.routes.teaching import instructor, teacher

AT_ONCE = 200  # people on one page
MOST_FAULTS = 100  # shown of a roster
_BYTES = 4 * courses.LARGEST_ROSTER  # UTF-8
_DONE = ("people.enrolled", "people.dropped", "people.taken")
_NOBODY = "none"
_BLANK = {**dict.fromkeys(courses.COLUMNS, ""), "role": "learner"}
_COLUMNS = {"lti_subject": "lti_sub", "hub_name": "name"}  # in the database, and in forms and files


@dataclass(frozen=True, slots=True)
class Tried:
    """What somebody entered into a form and why it was not done; the faults of a roster; whose change is at hand."""

    line: Entered = field(default_factory=dict)
    refused: Refused | None = None
    faults: Sequence[str] = ()
    changing: str = ""


async def show(request: Request) -> Response:
    """GET courses/{course}/people?text=&section=&page=&change=: those who fit, and the forms."""
    return await _page(request, await visit(request), Tried(changing=request.query_params.get("change", "")))


async def enrol(request: Request) -> Response:
    """POST courses/{course}/people: enrol somebody, or change the one whom the field `change` names."""
    seen, sent = await visit(request), await fields.entered(request)
    desk, now, name = desk_of(request), desk_of(request).clock(), request.path_params["course"]
    changing = sent.get("change", "")

    def work(connection: Connection) -> None:
        instructor(connection, name, seen.who)
        known = people.member(connection, name, changing)["hub_name"] if changing else sent.get("name", "")
        line = _line(known, sent, empty="" if changing else None)
        if wrong := [*courses.faults_of(line), *enrolling.shared_faults(connection, name, [line], seen.who.name)]:
            raise Refused("bad_request", "; ".join(wrong), status=422)
        enrolling.enrol(connection, name, line, seen.who.name, now)

    try:
        await desk.writer.run(work)
    except Refused as refused:
        return await _again(request, seen, refused, Tried(line=sent, refused=refused, changing=changing))
    return visits.back(request, f"courses/{name}/people", "people.enrolled")


async def drop(request: Request) -> Response:
    """POST courses/{course}/people/{person}/drop: end somebody's membership."""
    seen = await visit(request)
    desk, now, name = desk_of(request), desk_of(request).clock(), request.path_params["course"]
    who = request.path_params["person"]

    def work(connection: Connection) -> None:
        instructor(connection, name, seen.who)
        people.member(connection, name, who)
        enrolling.drop_all(connection, name, [who], seen.who.name, now)

    try:
        await desk.writer.run(work)
    except Refused as refused:
        return await _again(request, seen, refused, Tried(refused=refused, changing=who))
    return visits.back(request, f"courses/{name}/people", "people.dropped")


async def roster(request: Request) -> Response:
    """POST courses/{course}/roster: enrol everybody in a CSV file, or say line by line why nobody was."""
    seen = await visit(request, _BYTES + fields.AROUND, f"a roster may have {_BYTES} bytes")
    form = await request.form()
    desk, now, name = desk_of(request), desk_of(request).clock(), request.path_params["course"]
    file = form.get("roster")
    if not isinstance(file, UploadFile):
        raise Refused("bad_request", "choose a file", status=422)
    data = await file.read()

    def parse(connection: Connection) -> tuple[list[Line], list[str]]:
        instructor(connection, name, seen.who)
        try:
            return courses.roster(data.decode("utf-8-sig"))
        except UnicodeDecodeError as error:
            return [], [f"the file is no UTF-8 text (byte {error.start}); save it as CSV UTF-8"]

    lines, faults = await desk.read(parse)

    def work(connection: Connection) -> list[str]:
        instructor(connection, name, seen.who)
        wrong = enrolling.subject_faults(connection, name, lines)
        if wrong := wrong + enrolling.shared_faults(connection, name, lines, seen.who.name):
            return wrong
        people.take_roster(connection, name, lines, seen.who.name, now, drop_others=form.get("drop") == "yes")
        return []

    try:
        faults = faults or await desk.writer.run(work)
    except Refused as refused:
        return await _again(request, seen, refused, Tried(refused=refused))
    if faults:
        return await _page(request, seen, Tried(faults=faults), 422)
    return visits.back(request, f"courses/{name}/people", "people.taken")


def _line(name: str, sent: Entered, *, empty: str | None) -> Line:
    """What a form holds. `empty` is what its empty fields mean: that nothing is known, or that it stays as it was."""
    return Line(
        name,
        display_name=sent.get("display_name") or empty,
        student_number=sent.get("student_number") or empty,
        section=sent.get("section") or None,
        role=sent.get("role", "learner"),
        email=sent.get("email") or empty,
        lti_sub=sent.get("lti_sub") or empty,
    )


async def _again(request: Request, seen: Visit, refused: Refused, tried: Tried) -> Response:
    """The page with what was entered and what is wrong with it; what is not for this visitor is refused as ever."""
    if refused.status not in fields.ENTERED_WRONG:
        raise refused
    return await _page(request, seen, tried, refused.status)


async def _page(request: Request, seen: Visit, tried: Tried, status: int = 200) -> Response:
    desk, name, asked = desk_of(request), request.path_params["course"], request.query_params

    def work(connection: Connection) -> dict[str, Any]:
        teacher(connection, name, seen.who)
        about = courses.one(connection, name)
        everybody = people.members(connection, name)
        changing = people.member(connection, name, tried.changing) if tried.changing else None
        return {
            "course": about,
            "may_change": rosters.member(connection, name, seen.who.name)["role"] == "instructor",
            "everybody": len(everybody),
            "sections": sorted({one["section"] for one in everybody if one["section"]}),
            "changing": changing,
            "line": _BLANK | ({} if changing is None else _entered(changing)) | dict(tried.line),
            "blank": _BLANK,
            **_chosen(everybody, asked, about["zone"]),
        }

    shown = await desk.read(work)
    return showing.page(
        request,
        "people.html",
        status,
        visit=seen,
        here="people",
        roles=ROLES,
        tried=tried,
        faults=tried.faults[:MOST_FAULTS],
        columns=", ".join(courses.COLUMNS),
        done=visits.done(request, _DONE),
        **shown,
    )


def _chosen(everybody: list[Row], asked: Mapping[str, str], zone: str) -> dict[str, Any]:
    """Those whom the filter leaves, as much of them as one page holds."""
    text, section = asked.get("text", "")[:200], asked.get("section", "")
    wanted = None if not section else "" if section == _NOBODY else section.removeprefix("=")
    found = people.matching(everybody, wanted, text)
    pages = max(1, -(-len(found) // AT_ONCE))
    at = min(int(given), pages) if (given := asked.get("page", "")).isdecimal() and len(given) < 6 else 1
    at = max(at, 1)
    return {
        "text": text,
        "section": section,
        "count": len(found),
        "found": [
            {**one, "since": showing.moment(one["since"], zone)} for one in found[(at - 1) * AT_ONCE : at * AT_ONCE]
        ],
        "at": at,
        "pages": [(page, urlencode({"text": text, "section": section, "page": page})) for page in range(1, pages + 1)],
    }


def _entered(changing: Row) -> dict[str, str]:
    """What the form shows of somebody before anything is entered."""
    return {_COLUMNS.get(name, name): value or "" for name, value in changing.items()}


_PEOPLE = "/courses/{course}/people"
ROUTES = (
    Route(_PEOPLE, visits.shown(show), methods=["GET"]),
    Route(_PEOPLE, visits.shown(enrol), methods=["POST"]),
    Route(f"{_PEOPLE}/{{person}}/drop", visits.shown(drop), methods=["POST"]),
    Route("/courses/{course}/roster", visits.shown(roster), methods=["POST"]),
)
