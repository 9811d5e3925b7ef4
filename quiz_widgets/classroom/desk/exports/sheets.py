"""The gradebook as CSV: wide and long for people, and as Canvas, Moodle and nbgrader have it.

All are made line by line while they are read, and a line needs one learner's rows in memory.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from decimal import ROUND_HALF_UP, Decimal
from functools import cache

from sqlalchemy import Connection, select

from quiz_widgets.classroom.desk.database.rows import Row, rows
from quiz_widgets.classroom.desk.database.tables import attempt, outcome, submission, version
from quiz_widgets.classroom.desk.exports import book as books
from quiz_widgets.classroom.desk.exports import cells
from quiz_widgets.classroom.desk.exports.book import Book, Column, Learner, Line, Mark
from quiz_widgets.classroom.desk.exports.cells import Value
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


def gradebook(connection: Connection, library: Library, course: str, form: str, now: int) -> Iterator[str]:
    """The lines of a course's gradebook in one of `FORMATS`; read within the connection's transaction."""
    made = books.read(connection, library, course, now)
    write = {"wide": _wide, "long": _long, "canvas": _canvas, "moodle": _moodle, "nbgrader": _nbgrader}[form]
    return cells.lines(write(connection, made, library))


def _wide(connection: Connection, book: Book, _library: Library) -> Iterator[Sequence[Value]]:
    yield (*WIDE, *_titles(book, (*WIDE, "total", "out_of")), "total", "out_of")
    for line in books.lines(connection, book):
        marks: list[Value] = ["excused" if mark.state == "excused" else mark.score for mark in line.marks]
        yield (*_who(line.learner), *marks, *((line.total, line.out_of) if line.out_of else (None, None)))


def _long(connection: Connection, book: Book, library: Library) -> Iterator[Sequence[Value]]:
    yield LONG

    @cache  # a course has more versions than the library keeps
    def numbers(version_id: str) -> frozenset[str]:
        return frozenset(item.id for item in library.quiz(connection, version_id).items if item.kind == "number")

    slugs = {column.id: (place, column.slug) for place, column in enumerate(book.columns)}
    for learner in book.learners:
        for one in sorted(_answers(connection, learner, slugs), key=lambda row: _place(row, slugs)):
            yield (
                *_who(learner),
                slugs[one["quiz"]][1],
                one["version_number"],
                one["number"],
                one["item"],
                _answer(one["response"], is_number=one["item"] in numbers(one["version"])),
                Decimal(one["score"]),
                Decimal(one["max_score"]),
                cells.moment(one["received"], book.zone),
            )


def _canvas(connection: Connection, book: Book, _library: Library) -> Iterator[Sequence[Value]]:
    titles = _titles(book, CANVAS)
    named = [
        column.slug if _CANVAS_READS.search(title) else title
        for column, title in zip(book.columns, titles, strict=True)
    ]
    yield (*CANVAS, *named)
    yield ("    Points Possible", None, None, None, None, *(column.most for column in book.columns))
    for line in books.lines(connection, book):
        who = line.learner
        marks: list[Value] = [
            "EX" if mark.state == "excused" else _scaled(mark, column)
            for mark, column in zip(line.marks, book.columns, strict=True)
        ]
        yield (who.display_name or who.name, None, who.number, who.name, who.section, *marks)


def _moodle(connection: Connection, book: Book, _library: Library) -> Iterator[Sequence[Value]]:
    yield (*MOODLE, *_titles(book, MOODLE))
    for line in books.lines(connection, book):
        who = line.learner
        marks = [_scaled(mark, column) for mark, column in zip(line.marks, book.columns, strict=True)]
        yield (who.number, who.name, who.display_name, who.email, *marks)


def _nbgrader(connection: Connection, book: Book, _library: Library) -> Iterator[Sequence[Value]]:
    yield NBGRADER
    for line in books.lines(connection, book):
        last = books.arrivals(connection, line)
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


def _answers(connection: Connection, learner: Learner, slugs: Iterable[str]) -> list[Row]:
    return rows(
        connection,
        select(
            attempt.c.quiz, attempt.c.version, attempt.c.number, version.c.number.label("version_number"),
            outcome.c.item, outcome.c.score, outcome.c.max_score, submission.c.response, submission.c.received,
        )
        .join(version, version.c.id == attempt.c.version)
        .join(outcome, outcome.c.attempt == attempt.c.id)
        .outerjoin(submission, submission.c.sequence == outcome.c.submission)
        .where(attempt.c.person == learner.id, attempt.c.quiz.in_(list(slugs))),
    )  # fmt: skip


def _place(row: Row, slugs: dict[str, tuple[int, str]]) -> tuple[int, int, str]:
    return slugs[row["quiz"]][0], row["number"], row["item"]


def _answer(response: str | None, *, is_number: bool) -> Value:
    if response is None:
        return None
    parts = json.loads(response)
    if is_number and len(parts) == 1:
        return cells.number(parts[0])
    return ", ".join(parts)
