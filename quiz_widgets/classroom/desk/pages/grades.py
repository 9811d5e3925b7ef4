"""The page of a course's grades: the gradebook, its files, and final gradebooks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from sqlalchemy import Connection
from starlette.datastructures import UploadFile
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from quiz_widgets.classroom.desk.exports import book as books
from quiz_widgets.classroom.desk.exports import frozen, kept, marks, sheets
from quiz_widgets.classroom.desk.exports.book import Book
from quiz_widgets.classroom.desk.exports.cells import plain
from quiz_widgets.classroom.desk.exports.marks import Line, Mark
from quiz_widgets.classroom.desk.pages import downloads, fields, showing, visits
from quiz_widgets.classroom.desk.pages.visits import Visit, visit
from quiz_widgets.classroom.desk.refusals import Refused
from quiz_widgets.classroom.desk.routes.asking import desk_of
from quiz_widgets.classroom.desk.routes.teaching import instructor, teacher
from quiz_widgets.locales import forms

A_PAGE = 100  # learners
LARGEST = 16 * 1024 * 1024  # bytes of a final gradebook that is checked here; a thousand learners and fifty quizzes
_DONE = ("grades.finalised",)
_REFUSED = {"bad_file": "grades.check_bad_file", "changed": "grades.check_changed"}


async def grades(request: Request) -> Response:
    """GET courses/{course}/grades: the gradebook, a hundred learners a page; names only where they are asked for."""
    return await _page(request, await visit(request))


async def download(request: Request) -> Response:
    """GET courses/{course}/grades.csv: the gradebook in one of its formats, of the chosen quizzes."""
    seen = await visit(request)
    desk, course, now = desk_of(request), request.path_params["course"], desk_of(request).clock()
    form, chosen = request.query_params.get("format", "wide"), request.query_params.getlist("quiz")
    if form not in sheets.FORMATS:
        raise Refused("bad_request", f"`format` is one of {', '.join(sheets.FORMATS)}", status=422)

    def work(connection: Connection) -> Iterator[str]:
        teacher(connection, course, seen.who)
        return sheets.gradebook(connection, desk.library, course, form, now, chosen or None)

    return await downloads.csv(request, f"{course}-{form}.csv", work)


async def finalise(request: Request) -> Response:
    """POST courses/{course}/finalise: the gradebook as it stands now becomes a final one."""
    seen = await visit(request)
    desk, course, now = desk_of(request), request.path_params["course"], desk_of(request).clock()
    if (await request.form()).get("sure") != "yes":
        raise Refused("not_sure", "tick the box to finalise: a final gradebook stays", status=422)

    def make(connection: Connection) -> kept.Packed:
        instructor(connection, course, seen.who)
        return kept.packed(frozen.make(connection, desk.library, course, seen.who.name, now))

    def keep(connection: Connection) -> None:
        instructor(connection, course, seen.who)
        kept.keep(connection, course, made, seen.who.name, now)

    made = await downloads.in_one_state(desk, make)  # seconds for a large course, in which the writer takes answers
    await desk.writer.run(keep)
    return visits.back(request, f"courses/{course}/grades", "grades.finalised")


async def final(request: Request) -> Response:
    """GET courses/{course}/final/{gradebook}: a final gradebook's file."""
    seen = await visit(request)
    course, which = request.path_params["course"], request.path_params["gradebook"]

    def work(connection: Connection) -> list[str]:
        teacher(connection, course, seen.who)
        return [kept.text(connection, course, which)]

    return await downloads.json(request, f"{course}-final-{which[:8]}.json", work)


async def check(request: Request) -> Response:
    """POST courses/{course}/final: say of a file whether it is one of this course's final gradebooks, unchanged."""
    seen = await visit(
        request, LARGEST + fields.AROUND, f"files of up to {LARGEST} bytes are checked here, others by the command"
    )
    form = await request.form()
    sent, course = form.get("file"), request.path_params["course"]
    if not isinstance(sent, UploadFile):
        raise Refused("bad_request", "choose the file of a final gradebook", status=422)
    data = await sent.read()

    def work(connection: Connection) -> Mapping[str, Any]:
        teacher(connection, course, seen.who)
        return _checked(connection, course, data)

    return await _page(request, seen, checked=await desk_of(request).read(work))


def _checked(connection: Connection, course: str, data: bytes) -> Mapping[str, Any]:
    """What is so, as a word of the page, and what the file says of itself where it is one of them."""
    try:
        found = frozen.verify(data.decode("utf-8", "replace"))
    except Refused as refused:
        return {"word": _REFUSED[refused.code], "found": None}
    if found.get("course") != course or not frozen.is_known(connection, found):
        return {"word": "grades.check_unknown", "found": None}
    return {"word": "grades.check_unchanged", "found": found}


async def _page(request: Request, seen: Visit, **more: Any) -> Response:
    desk, course, now = desk_of(request), request.path_params["course"], desk_of(request).clock()
    asked, names = request.query_params.get("page", ""), request.query_params.get("names") == "yes"
    locale = showing.language(request)

    def work(connection: Connection) -> dict[str, Any]:
        role = teacher(connection, course, seen.who)["role"]
        book = books.read(connection, desk.library, course, now)
        pages = max(1, -(-len(book.learners) // A_PAGE))
        page = min(max(int(asked), 1), pages) if asked.isascii() and asked.isdigit() and len(asked) < 6 else 1
        begin = (page - 1) * A_PAGE
        lines = marks.lines(connection, book, book.learners[begin : begin + A_PAGE])
        return {
            "course": {"id": course, "title": book.title, "zone": book.zone.key},
            "columns": _columns(book, locale),
            "rows": [_row(line, begin + place, locale) for place, line in enumerate(lines, 1)],
            "learners": len(book.learners),
            "page": page,
            "pages": pages,
            "may_change": role == "instructor",
            "waiting": frozen.waiting(connection, course),
            "finals": [
                one | {name: showing.moment(one[name], book.zone.key) for name in ("made", "erased")}
                for one in kept.listed(connection, course)
            ],
        }

    shown = await desk.read(work)
    given = {"checked": None, "done": visits.done(request, _DONE), "names": names, "formats": sheets.FORMATS, **more}
    return showing.page(request, "grades.html", visit=seen, here="grades", **shown, **given)


def _columns(book: Book, locale: str) -> list[dict[str, str]]:
    return [
        {"slug": one.slug, "title": one.title, "most": forms.local_number(plain(one.most), locale)}
        for one in book.columns
    ]


def _row(line: Line, place: int, locale: str) -> dict[str, Any]:
    def number(value: Any) -> str:
        return forms.local_number(plain(value), locale)

    def told(mark: Mark) -> str | None:
        """A number, nothing for what was not submitted, `None` for excused."""
        return None if mark.state == "excused" else "" if mark.score is None else number(mark.score)

    totals = (number(line.total), number(line.out_of)) if line.out_of else ("", "")
    return {"learner": line.learner, "place": place, "marks": [told(mark) for mark in line.marks], "totals": totals}


_COURSE = "/courses/{course}"
ROUTES = (
    Route(f"{_COURSE}/grades", visits.shown(grades), methods=["GET"]),
    Route(f"{_COURSE}/grades.csv", visits.shown(download), methods=["GET"]),
    Route(f"{_COURSE}/finalise", visits.shown(finalise), methods=["POST"]),
    Route(f"{_COURSE}/final", visits.shown(check), methods=["POST"]),
    Route(f"{_COURSE}/final/{{gradebook}}", visits.shown(final), methods=["GET"]),
)
