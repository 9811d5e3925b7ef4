"""Final gradebooks as the desk keeps them: listed, given out again, and without the names of those who were erased.

A gradebook from which somebody was erased is another text with another hash. The audit log has the former hash and the
new one, so that both files are known.
"""

from __future__ import annotations

import secrets
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, insert, select, update

from quiz_widgets.classroom.desk import audits
from quiz_widgets.classroom.desk.database.outside_tables import final_gradebook
from quiz_widgets.classroom.desk.database.rows import Row, rows
from quiz_widgets.classroom.desk.database.tables import membership
from quiz_widgets.classroom.desk.exports import frozen
from quiz_widgets.classroom.desk.refusals import unknown

_ABOUT = ("student_number", "name", "display_name", "section")
_TOLD = [final_gradebook.c[name] for name in ("id", "made", "made_by", "sha256", "learners", "erased")]


@dataclass(frozen=True, slots=True)
class Packed:
    """A final gradebook ready to be kept: its hash, how many learners it has, the file deflated."""

    sha256: str
    learners: int
    body: bytes


def packed(text: str) -> Packed:
    """What `frozen.make` made, ready to be kept: seconds of work for a large one, which no writer has to wait for."""
    found = frozen.verify(text)
    return Packed(found["sha256"], len(found["learners"]), _deflated(text))


def keep(connection: Connection, course: str, made: Packed, by: str, now: int) -> str:
    """Keep a final gradebook, and note its hash in the audit log; the id under which it is kept."""
    about = {"id": secrets.token_hex(16), "course": course, "made": now, "made_by": by}
    told = {"sha256": made.sha256, "learners": made.learners, "body": made.body}
    connection.execute(insert(final_gradebook).values(**about, **told))
    audits.note(connection, now, by, course, frozen.FINALISED, course, after=made.sha256)
    return str(about["id"])


def listed(connection: Connection, course: str) -> list[Row]:
    """All of a course but their texts, the newest first."""
    return rows(
        connection,
        select(*_TOLD).where(final_gradebook.c.course == course).order_by(final_gradebook.c.made.desc(), "id"),
    )


def text(connection: Connection, course: str, which: str) -> str:
    """The file; ``unknown`` for another course's."""
    here = (final_gradebook.c.id == which) & (final_gradebook.c.course == course)
    body = connection.execute(select(final_gradebook.c.body).where(here)).scalar()
    if body is None:
        raise unknown("final gradebook")
    return _inflated(body)


def of_person(connection: Connection, person: str) -> list[Row]:
    """What stands of somebody in final gradebooks, with the course and the day."""
    return [
        {"course": body["course"], "finalised": body["finalised"], **entry}
        for _, body in _all(connection, person)
        for entry in body["learners"]
        if entry["id"] == person
    ]


def erase(connection: Connection, person: str, by: str, now: int, *, course: str | None = None) -> int:
    """Take somebody's names out of all final gradebooks, or their whole line out of those of one course; how many."""
    changed = 0
    for row, body in _all(connection, person, course):
        mine = [entry for entry in body["learners"] if entry["id"] == person]
        if not mine or (course is None and not any(entry[name] for entry in mine for name in _ABOUT)):
            continue
        if course is None:
            for entry in mine:
                entry.update(dict.fromkeys(_ABOUT))
        else:
            body["learners"] = [entry for entry in body["learners"] if entry["id"] != person]
        made = frozen.sealed(body)
        after = frozen.digest(body)
        connection.execute(
            update(final_gradebook)
            .where(final_gradebook.c.id == row["id"])
            .values(sha256=after, learners=len(body["learners"]), body=_deflated(made), erased=now)
        )
        audits.note(connection, now, by, row["course"], frozen.ERASED, row["course"], before=row["sha256"], after=after)
        changed += 1
    return changed


def _all(connection: Connection, person: str, course: str | None = None) -> Iterator[tuple[Row, dict[str, Any]]]:
    """Those of somebody's courses, or of one, one after the other: each may be large."""
    courses = select(membership.c.course).where(membership.c.person == person)
    asked = select(final_gradebook.c.id).where(final_gradebook.c.course.in_(courses)).order_by("id")
    if course is not None:
        asked = asked.where(final_gradebook.c.course == course)
    for which in connection.execute(asked).scalars().all():
        [row] = rows(connection, select(final_gradebook).where(final_gradebook.c.id == which))
        yield row, frozen.verify(_inflated(row["body"]))


def _deflated(text: str) -> bytes:
    return zlib.compress(text.encode("utf-8", "surrogatepass"))


def _inflated(body: bytes) -> str:
    return zlib.decompress(body).decode("utf-8", "surrogatepass")
