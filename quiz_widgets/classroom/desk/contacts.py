"""When each learner's kernel was last heard of, and how many answers it held: remembered, and written once a second.

A kernel says it in a header of each request. That is worth a line in memory, and no part of a submission's transaction:
what is remembered is written in a transaction of its own, for all learners together, and a failure costs nobody more
than an older figure on the live page.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import islice
from typing import NamedTuple

from sqlalchemy import Connection, select
from sqlalchemy.dialects import postgresql, sqlite

from quiz_widgets.classroom.desk.database.class_tables import contact
from quiz_widgets.classroom.desk.database.engine import is_sqlite
from quiz_widgets.classroom.desk.database.tables import person, quiz
from quiz_widgets.classroom.names import Name

EVERY_S = 1.0
AT_ONCE = 5_000  # learners in one writing; the others' turn is a second later
_KEPT = 20_000  # learners remembered until then
_DIGITS = 4  # of a number that is believed: an outbox of ours holds hundreds at most


class Heard(NamedTuple):
    """What a kernel said: when (the desk's clock), and how many answers it holds that the desk has not taken."""

    at: int
    waiting: int


class Contacts:
    """Of one process; used by its event loop alone."""

    def __init__(self) -> None:
        self._heard: dict[tuple[Name, str], Heard] = {}

    def hear(self, name: Name, hub_name: str, told: str | None, at: int, settled: int = 0) -> None:
        """Remember what a kernel told in its header; nothing for what no client of ours sends.

        `settled`: how many of those answers came with the same request and are answered by its reply.
        """
        if told is None or not (told.isascii() and told.isdigit() and len(told) <= _DIGITS):
            return
        key = (name, hub_name)
        if key in self._heard or len(self._heard) < _KEPT:
            self._heard[key] = Heard(at, max(0, int(told) - settled))

    def take(self) -> dict[tuple[Name, str], Heard]:
        """What is to be written now; it is forgotten here."""
        taken = dict(islice(self._heard.items(), AT_ONCE))
        for key in taken:
            del self._heard[key]
        return taken


def write(connection: Connection, heard: Mapping[tuple[Name, str], Heard]) -> None:
    """Write it, in one statement for all; an older word replaces no newer one."""
    people = _people(connection, {who for _, who in heard})
    quizzes = _quizzes(connection, {name.course for name, _ in heard})
    made = [
        {"quiz": quizzes[name], "person": people[who], "at": told.at, "waiting": told.waiting}
        for (name, who), told in heard.items()
        if name in quizzes and who in people
    ]
    if not made:
        return
    # In one order in all workers, so that no two of them wait for each other.
    made.sort(key=lambda row: (row["quiz"], row["person"]))
    dialect = sqlite if is_sqlite(connection) else postgresql
    asked = dialect.insert(contact)
    fresh = asked.excluded
    connection.execute(
        asked.on_conflict_do_update(
            index_elements=["quiz", "person"],
            set_={"at": fresh.at, "waiting": fresh.waiting},
            where=contact.c.at <= fresh.at,
        ),
        made,
    )


def _people(connection: Connection, names: set[str]) -> dict[str, str]:
    asked = select(person.c.hub_name, person.c.id).where(person.c.hub_name.in_(sorted(names)))
    return {name: found for name, found in connection.execute(asked) if name is not None}


def _quizzes(connection: Connection, courses: set[str]) -> dict[Name, str]:
    asked = select(quiz.c.course, quiz.c.slug, quiz.c.id).where(quiz.c.course.in_(sorted(courses)))
    return {Name(course, slug): found for course, slug, found in connection.execute(asked)}
