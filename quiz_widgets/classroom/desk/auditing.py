"""Reading the audit log of a course: newest first, by who and what, page by page or whole."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from zoneinfo import ZoneInfo

from sqlalchemy import Connection, Select, select

from quiz_widgets.classroom.desk.database.rows import Row, rows
from quiz_widgets.classroom.desk.database.tables import audit, membership, person
from quiz_widgets.classroom.desk.exports import cells

Told = dict[str, Any] | list[Any] | str
COLUMNS = ("sequence", "at", "who", "what", "object", "name", "before", "after")


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which lines: those of somebody, or about something done; `None` for all."""

    who: str | None = None
    what: str | None = None


def newest(
    connection: Connection, course_id: str, wanted: Wanted, *, before: int | None = None, most: int = 50
) -> list[Row]:
    """At most so many lines, newest first; `before` a sequence."""
    chosen = _chosen(course_id, wanted)
    if before is not None:
        chosen = chosen.where(audit.c.sequence < before)
    return rows(connection, chosen.limit(most))


def filters(connection: Connection, course_id: str) -> tuple[list[str], list[str]]:
    """Who has done something in the course, and what was done: the log can be read by both."""
    found = [
        connection.execute(select(column).where(audit.c.course == course_id).distinct()).scalars().all()
        for column in (audit.c.who, audit.c.what)
    ]
    return sorted(found[0], key=str.casefold), sorted(found[1])


def names(connection: Connection, course_id: str) -> dict[str, str]:
    """The names of the course's people by their ids, which the log tells."""
    found = connection.execute(
        select(person.c.id, person.c.display_name, person.c.hub_name)
        .join(membership, membership.c.person == person.c.id)
        .where(membership.c.course == course_id, person.c.hub_name.is_not(None))
    )
    return {who: shown or hub_name for who, shown, hub_name in found}


def told(text: str) -> Told:
    """What a line tells of one state: values by name, names of what was changed, or a text."""
    try:
        found = json.loads(text)
    except ValueError:
        return text
    return found if isinstance(found, dict | list) else text


def table(connection: Connection, course_id: str, zone: str, wanted: Wanted) -> Iterator[str]:
    """The lines as CSV, newest first; times by RFC 3339 in the course's zone, before and after as they are kept."""
    known, here = names(connection, course_id), ZoneInfo(zone)

    def made() -> Iterator[tuple[cells.Value, ...]]:
        yield COLUMNS
        for one in connection.execute(_chosen(course_id, wanted)).mappings():
            at = cells.moment(one["at"], here)
            name = known.get(one["object"])
            yield one["sequence"], at, one["who"], one["what"], one["object"], name, one["before"], one["after"]

    return cells.lines(made())


def _chosen(course_id: str, wanted: Wanted) -> Select[Any]:
    chosen = select(audit).where(audit.c.course == course_id)
    if wanted.who is not None:
        chosen = chosen.where(audit.c.who == wanted.who)
    if wanted.what is not None:
        chosen = chosen.where(audit.c.what == wanted.what)
    return chosen.order_by(audit.c.sequence.desc())
