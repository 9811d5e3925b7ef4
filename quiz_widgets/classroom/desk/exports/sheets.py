"""The gradebook as CSV: wide and long for people, and as Canvas, Moodle and nbgrader have it.

All are made line by line while they are read, and a line needs one learner's rows in memory.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from decimal import ROUND_HALF_UP, Decimal
from functools import cache
from operator import itemgetter

from sqlalchemy import Connection, select

from quiz_widgets.classroom.desk.database.tables import attempt, outcome, submission, version
from quiz_widgets.classroom.desk.exports import book as books
from quiz_widgets.classroom.desk.exports import cells, marks
from quiz_widgets.classroom.desk.exports.book import Book, Column, Learner
from quiz_widgets.classroom.desk.exports.cells import Value
from quiz_widgets.classroom.desk.exports.marks import Line, Mark
from quiz_widgets.classroom.desk.library import Library

FORMATS = ("wide", "long", "canvas", "moodle", "nbgrader")
WIDE = ("student_number", "name", "display_name", "section")
LONG = (
    *WIDE, "quiz", "version", "attempt", "item", "answer", "points", "max_points", "received",
)  # fmt: skip
CANVAS = ("Student", "ID", "SIS User ID", "SIS Login ID", "Section")
MOODLE = ("ID number", "Username", "Full name", "Email address")
NBGRADER = (
    "assignment", "duedate", "timestamp", "student_id", "last_name", "first_name", "email", "raw_score",
    "late_submission_penalty", "score", "max_score", "student_number",
)  # fmt: skip
_STEP = Decimal("0.0001")
# Canvas' importer takes digits in brackets at the end for an assignment's id, and skips its own columns by these words.
_CANVAS_READS = re.compile(r"\(\d+\)\s*$|(Current|Final) (Score|Points|Grade)|Override (Score|Grade|Status)")


def gradebook(
    connection: Connection,
    library: Library,
    course: str,
    form: str,
    now: int,
    quizzes: Collection[str] | None = None,
) -> Iterator[str]:
    """The lines of a course's gradebook in one of `FORMATS`, of these quizzes or of all.

    Read within the connection's transaction.
    """
    made = books.read(connection, library, course, now, quizzes)
    write = {"wide": _wide, "long": _long, "canvas": _canvas, "moodle": _moodle, "nbgrader": _nbgrader}[form]
    return cells.lines(write(connection, made, library))


def _wide(connection: Connection, book: Book, _library: Library) -> Iterator[Sequence[Value]]:
    yield (*WIDE, *_titles(book, (*WIDE, "total", "out_of")), "total", "out_of")
    for line in marks.lines(connection, book):
        had: list[Value] = ["excused" if mark.state == "excused" else mark.score for mark in line.marks]
        yield (*_who(line.learner), *had, *((line.total, line.out_of) if line.out_of else (None, None)))


def _long(connection: Connection, book: Book, library: Library) -> Iterator[Sequence[Value]]:
    yield LONG

    @cache  # a course has more versions than the library keeps
    def numbers(version_id: str) -> frozenset[str]:
        return frozenset(item.id for item in library.quiz(connection, version_id).items if item.kind == "number")

    number = cache(Decimal)  # few texts, many rows
    slugs = {column.id: (place, column.slug) for place, column in enumerate(book.columns)}
    for learner in book.learners:
        who = _who(learner)
        for (_, run, item), slug, version_number, version_id, points, most, response, received in sorted(
            _responses(connection, learner, slugs), key=itemgetter(0)
        ):
            yield (
                *who,
                slug,
                version_number,
                run,
                item,
                _response(response, is_number=item in numbers(version_id)),
                number(points),
                number(most),
                cells.moment(received, book.zone),
            )


def _canvas(connection: Connection, book: Book, _library: Library) -> Iterator[Sequence[Value]]:
    titles = _titles(book, CANVAS)
    named = [
        column.slug if _CANVAS_READS.search(title) else title
        for column, title in zip(book.columns, titles, strict=True)
    ]
    yield (*CANVAS, *named)
    yield ("    Points Possible", None, None, None, None, *(column.most for column in book.columns))
    for line in marks.lines(connection, book):
        who = line.learner
        had: list[Value] = [
            "EX" if mark.state == "excused" else _scaled(mark, column)
            for mark, column in zip(line.marks, book.columns, strict=True)
        ]
        yield (who.display_name or who.name, None, who.number, who.name, who.section, *had)


def _moodle(connection: Connection, book: Book, _library: Library) -> Iterator[Sequence[Value]]:
    yield (*MOODLE, *_titles(book, MOODLE))
    for line in marks.lines(connection, book):
        who = line.learner
        had = [_scaled(mark, column) for mark, column in zip(line.marks, book.columns, strict=True)]
        yield (who.number, who.name, who.display_name, who.email, *had)


def _nbgrader(connection: Connection, book: Book, _library: Library) -> Iterator[Sequence[Value]]:
    yield NBGRADER
    for group in marks.batches(marks.lines(connection, book)):
        last = marks.arrivals(connection, book, group)
        for line in group:
            for mark, column in zip(line.marks, book.columns, strict=True):
                yield _nbgrader_row(book, line, mark, column, last)


def _nbgrader_row(book: Book, line: Line, mark: Mark, column: Column, last: dict[str, int]) -> Sequence[Value]:
    who = line.learner
    raw = None if mark.score is None or mark.penalty is None else mark.score + mark.penalty
    return (
        column.slug,
        cells.moment(column.due, book.zone),
        cells.moment(last.get(mark.attempt or ""), book.zone),
        who.name,
        who.display_name,
        None,
        who.email,
        raw,
        mark.penalty,
        mark.score,
        None if mark.state == "excused" else mark.most,
        who.number,
    )


def _who(learner: Learner) -> tuple[Value, ...]:
    return learner.number, learner.name, learner.display_name, learner.section


def _titles(book: Book, taken: Iterable[str]) -> list[str]:
    """A heading for each quiz: its title, with its name behind where the title alone is no heading of its own."""
    titles = [column.title.strip() for column in book.columns]
    used = set(taken)
    return [
        title if title and title not in used and titles.count(title) == 1 else f"{title} [{column.slug}]".strip()
        for title, column in zip(titles, book.columns, strict=True)
    ]


def _scaled(mark: Mark, column: Column) -> Decimal | None:
    """The score out of the column's points: other systems have one maximum for all, drawn or older versions may not."""
    if mark.score is None or mark.most == column.most or not mark.most:
        return mark.score
    return (mark.score * column.most / mark.most).quantize(_STEP, ROUND_HALF_UP)


def _responses(
    connection: Connection, learner: Learner, slugs: Mapping[str, tuple[int, str]]
) -> Iterator[tuple[tuple[int, int, str], str, int, str, str, str, str | None, int | None]]:
    """Each outcome of a learner's attempts at these quizzes, with its place among them in front."""
    asked = (
        select(
            attempt.c.quiz, attempt.c.version, attempt.c.number, version.c.number.label("version_number"),
            outcome.c.item, outcome.c.score, outcome.c.max_score, submission.c.response, submission.c.received,
        )
        .join(version, version.c.id == attempt.c.version)
        .join(outcome, outcome.c.attempt == attempt.c.id)
        .outerjoin(submission, submission.c.sequence == outcome.c.submission)
        .where(attempt.c.person == learner.id, attempt.c.quiz.in_(list(slugs)))
    )  # fmt: skip
    for which, version_id, run, version_number, item, *told in connection.execute(asked):
        place, slug = slugs[which]
        points, most, response, received = told
        yield (place, run, item), slug, version_number, version_id, points, most, response, received


def _response(response: str | None, *, is_number: bool) -> Value:
    if response is None:
        return None
    parts = json.loads(response)
    if is_number and len(parts) == 1:
        return cells.number(parts[0])
    return ", ".join(parts)
