"""The rounds of an item's vote: which there were, and whether a vote belongs to one that was open when it arrived."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from sqlalchemy import Connection, bindparam, select

from quiz_widgets.classroom.desk.database.class_tables import poll_round
from quiz_widgets.classroom.desk.database.engine import is_sqlite
from quiz_widgets.classroom.desk.windows import Status

# Made once, see `rosters`. By number within the same millisecond: an item's first round places it.
_OPENED = (
    select(poll_round.c.item, poll_round.c.number, poll_round.c.closed)
    .where(poll_round.c.quiz == bindparam("of_quiz"))
    .order_by(poll_round.c.opened, poll_round.c.number, poll_round.c.item)
)
Closings = Mapping[tuple[str, str], Mapping[int, int | None]]
"""By quiz and item: the closing time of each round; ``None`` for one that is open."""


def held(connection: Connection, quizzes: Collection[str], items: Collection[str]) -> Closings:
    """The rounds of these items, held so that none is closed by another worker before this transaction is over."""
    asked = select(poll_round).where(poll_round.c.quiz.in_(sorted(quizzes)), poll_round.c.item.in_(sorted(items)))
    asked = asked.order_by(poll_round.c.quiz, poll_round.c.item, poll_round.c.number)
    if not is_sqlite(connection):  # on SQLite the transaction already holds the one lock
        asked = asked.with_for_update(read=True)
    found: dict[tuple[str, str], dict[int, int | None]] = {}
    for row in connection.execute(asked):
        found.setdefault((row.quiz, row.item), {})[row.number] = row.closed
    return found


def status(closings: Mapping[int, int | None], number: int, arrived: int) -> Status | None:
    """Whether a vote of that round counts; `None` where the item was never opened.

    There is no grace: what is said after closing is said with the others' votes in mind. The opening is not compared:
    nobody knows a round before it is opened, and a clock may go back.
    """
    if not closings:
        return None
    closed = closings.get(number, 0)
    return "recorded" if closed is None or arrived < closed else "late"


def opened(connection: Connection, quiz_id: str) -> dict[str, list[tuple[int, int | None]]]:
    """The items that were opened, in the order in which they were, each with the numbers and closings of its rounds."""
    found: dict[str, list[tuple[int, int | None]]] = {}
    for item, number, closed in connection.execute(_OPENED, {"of_quiz": quiz_id}):
        found.setdefault(item, []).append((number, closed))
    return found
