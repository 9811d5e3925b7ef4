"""The audit log: who changed what, when, and what it was before. Never a key, a token or a response."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from sqlalchemy import Connection, insert

from quiz_widgets.classroom.desk.database.tables import audit


@dataclass(frozen=True, slots=True)
class Told:
    """What one line of the log tells: what was done, to which thing, and what it was before and after."""

    what: str
    thing: str
    before: str | None = None
    after: str | None = None


def note(
    connection: Connection,
    at: int,
    who: str,
    course: str | None,
    what: str,
    thing: str,
    *,
    before: str | None = None,
    after: str | None = None,
) -> None:
    """Write one line of the log, within the transaction of what it tells about."""
    connection.execute(
        insert(audit).values(at=at, who=who, course=course, what=what, object=thing, before=before, after=after)
    )


def note_all(connection: Connection, at: int, who: str, course: str | None, lines: Iterable[Told]) -> None:
    """Write many lines at once."""
    made = [
        {
            "at": at,
            "who": who,
            "course": course,
            "what": one.what,
            "object": one.thing,
            "before": one.before,
            "after": one.after,
        }
        for one in lines
    ]
    if made:
        connection.execute(insert(audit), made)
