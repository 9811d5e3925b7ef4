"""A gradebook that is final: everything in one dated file with its own hash, and the hash in the audit log.

The hash is SHA-256 over the file's content in a canonical form (JSON with sorted names, no spaces, UTF-8), so that the
file may be laid out anew without losing it. It tells that nothing was changed since; the audit log tells that the desk
made it.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from typing import Any

from sqlalchemy import Connection, func, select

from quiz_widgets.classroom.desk.database.tables import attempt, audit, quiz
from quiz_widgets.classroom.desk.exports import book as books
from quiz_widgets.classroom.desk.exports import marks
from quiz_widgets.classroom.desk.exports.book import Book
from quiz_widgets.classroom.desk.exports.cells import moment, plain
from quiz_widgets.classroom.desk.exports.marks import Line
from quiz_widgets.classroom.desk.library import Library
from quiz_widgets.classroom.desk.refusals import Refused

FORMAT = "quiz_widgets gradebook 1"
FINALISED = "finalise"
ERASED = "erase in final gradebook"


def make(connection: Connection, library: Library, course: str, by: str, now: int) -> str:
    """The text of a final gradebook; it is final once `kept.keep` has it.

    `Refused` while an attempt is open or waits to be scored: what comes of it would be missing.
    """
    read = books.read(connection, library, course, now)
    if count := waiting(connection, course):
        raise Refused(
            "not_over",
            f"{count} attempts are open or not scored yet; finalise when all are closed and the desk has scored them",
        )
    return sealed(_body(connection, read, by))


def waiting(connection: Connection, course: str) -> int:
    """How many attempts are open or wait to be scored."""
    return int(
        connection.execute(
            select(func.count())
            .select_from(attempt)
            .join(quiz, quiz.c.id == attempt.c.quiz)
            .where(quiz.c.course == course, (attempt.c.finished.is_(None)) | (attempt.c.scored.is_(False)))
        ).scalar_one()
    )


def sealed(body: Mapping[str, Any]) -> str:
    """The text of this content with its hash, a learner a line."""
    told = {name: value for name, value in body.items() if name not in ("learners", "sha256")}
    head = json.dumps({**told, "sha256": digest(body)}, ensure_ascii=False)
    learners = ",\n".join(json.dumps(learner, ensure_ascii=False) for learner in body["learners"])
    return f'{head[:-1]}, "learners": [\n{learners}\n]}}\n'


def verify(text: str) -> dict[str, Any]:
    """What a final gradebook holds. `Refused` for what is none, and for one that was changed since."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict) or found.get("format") != FORMAT:
        raise Refused("bad_file", f"this is no final gradebook; one begins with the format `{FORMAT}`", status=422)
    try:
        counted = digest(found)
    except RecursionError:  # just shallow enough to be read
        counted = ""
    if found.get("sha256") != counted:
        raise Refused("changed", "this gradebook was changed after it was finalised; take another copy of it")
    return found


def is_known(connection: Connection, found: dict[str, Any]) -> bool:
    """Whether this desk finalised that gradebook, as `verify` read it: its hash stands in the audit log."""
    here = (
        audit.c.what.in_((FINALISED, ERASED))
        & (audit.c.course == found.get("course"))
        & (audit.c.after == found["sha256"])
    )
    return connection.execute(select(audit.c.sequence).where(here).limit(1)).first() is not None


def digest(body: Mapping[str, Any]) -> str:
    """The hash over everything but the hash."""
    counted = {name: value for name, value in body.items() if name != "sha256"}
    text = json.dumps(counted, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _body(connection: Connection, book: Book, by: str) -> dict[str, Any]:
    return {
        "format": FORMAT,
        "course": book.course,
        "title": book.title,
        "zone": book.zone.key,
        "finalised": moment(book.now, book.zone),
        "by": by,
        "quizzes": [
            {
                "quiz": column.slug,
                "title": column.title,
                "due": moment(column.due, book.zone),
                "points": plain(column.most),
            }
            for column in book.columns
        ],
        "learners": list(_learners(connection, book)),
    }


def _learners(connection: Connection, book: Book) -> Iterator[dict[str, Any]]:
    for group in marks.batches(marks.lines(connection, book)):
        last = marks.arrivals(connection, book, group)
        for line in group:
            yield {
                "id": line.learner.id,
                "student_number": line.learner.number,
                "name": line.learner.name,
                "display_name": line.learner.display_name,
                "section": line.learner.section,
                "marks": _marks(book, line, last),
                "total": plain(line.total),
                "out_of": plain(line.out_of),
            }


def _marks(book: Book, line: Line, last: Mapping[str, int]) -> list[dict[str, Any]]:
    return [
        {
            "quiz": column.slug,
            "state": mark.state,
            "points": None if mark.score is None else plain(mark.score),
            "out_of": plain(mark.most),
            "late_penalty": None if mark.penalty is None else plain(mark.penalty),
            "received": moment(last.get(mark.attempt or ""), book.zone),
        }
        for mark, column in zip(line.marks, book.columns, strict=True)
    ]
