"""The audit log: who changed what, when, and what it was before. Never a key, a token or a response."""

from __future__ import annotations

from sqlalchemy import Connection, insert

from quiz_widgets.classroom.desk.database.tables import audit


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
