"""Counting a poll's votes: how many have voted while it is open, and who took what once it is closed.

The last recorded vote of a learner in a round counts. Those who teach may vote to try a poll; they are not counted.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from threading import Lock
from time import monotonic
from typing import Any

from sqlalchemy import ColumnElement, Connection, Select, func, select

from quiz_widgets.classroom.desk.database.rows import Row
from quiz_widgets.classroom.desk.database.tables import attempt, membership, submission
from quiz_widgets.model import Item

KEPT_S = 5.0  # how long a process goes without counting again: a hall asks for the same counts at once
Histograms = Mapping[tuple[str, int], "Histogram"]


@dataclass(frozen=True, slots=True)
class Histogram:
    """One round's votes on an item: how many voted, and how often each response was given."""

    voters: int
    responses: Mapping[tuple[str, ...], int]

    def of_options(self, item: Item) -> dict[str, int]:
        """How many took each option, by the author's ids; nothing for an item that has none to choose."""
        if item.kind not in ("single", "multiple"):
            return {}
        taken = {option.id: 0 for option in item.options}
        for response, count in self.responses.items():
            for name in set(response) & taken.keys():
                taken[name] += count
        return taken


NONE = Histogram(0, {})


def present(connection: Connection, found: Row) -> int:
    """How many learners have the poll open: all who can vote."""
    return int(connection.execute(_of_learners(found, func.count(attempt.c.id))).scalar_one())


def voted(connection: Connection, found: Row, item: str, number: int) -> int:
    """How many learners have voted in that round."""
    asked = _of_learners(found, func.count(submission.c.attempt.distinct()))
    asked = asked.join(submission, submission.c.attempt == attempt.c.id)
    here = (submission.c.item == item) & (submission.c.round == number) & (submission.c.status == "recorded")
    return int(connection.execute(asked.where(here)).scalar_one())


def counted(connection: Connection, found: Row, items: Collection[str]) -> dict[tuple[str, int], Histogram]:
    """The votes on these items by item and round; a round without votes is missing."""
    asked = (
        select(submission.c.item, submission.c.round, submission.c.response, func.count())
        .where(submission.c.sequence.in_(last(found, items)))
        .group_by(submission.c.item, submission.c.round, submission.c.response)
        .order_by(submission.c.item, submission.c.round, submission.c.response)
    )
    responses: dict[tuple[str, int], dict[tuple[str, ...], int]] = {}
    for item, number, response, count in connection.execute(asked):
        responses.setdefault((item, number), {})[tuple(json.loads(response))] = count
    return {place: Histogram(sum(found.values()), found) for place, found in responses.items()}


def last(found: Row, items: Collection[str]) -> Select[Any]:
    """The sequences of each learner's last recorded vote on these items, round by round."""
    return (
        _of_learners(found, func.max(submission.c.sequence))
        .join(submission, submission.c.attempt == attempt.c.id)
        .where(submission.c.item.in_(sorted(items)), submission.c.status == "recorded")
        .group_by(submission.c.attempt, submission.c.item, submission.c.round)
    )


def _of_learners(found: Row, what: ColumnElement[Any]) -> Select[Any]:
    here = (membership.c.person == attempt.c.person) & (membership.c.course == found["course"])
    asked: Select[Any] = select(what).select_from(attempt).join(membership, here)
    return asked.where(attempt.c.quiz == found["id"], membership.c.role == "learner")


class Kept:
    """The counts of revealed items that this process has just read, so that a hall that asks at once counts once."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, frozenset[str]], tuple[float, Histograms]] = {}
        self._lock = Lock()

    def counted(self, connection: Connection, found: Row, items: frozenset[str]) -> Histograms:
        """The votes on these items, which are revealed."""
        place = (found["id"], items)
        with self._lock:  # others wait for the count that is being made
            known = self._known.get(place)
            if known is not None and monotonic() - known[0] < KEPT_S:
                return known[1]
            made = counted(connection, found, items) if items else {}
            self._known = {at: one for at, one in self._known.items() if monotonic() - one[0] < KEPT_S}
            self._known[place] = (monotonic(), made)
            return made
