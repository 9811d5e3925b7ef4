"""The answers to a quiz as item analysis wants them: by version, and first attempts apart from later ones.

Counted are scored attempts of learners with at least one answer, with the points that they have now, after corrections
of keys. Who was dropped from the course since is counted too: they did answer.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import cache

from sqlalchemy import Connection, select

from quiz_widgets.classroom.desk.analysis.items import Cell, Choices, Report, Sheet, analyse
from quiz_widgets.classroom.desk.database.rows import Row, rows
from quiz_widgets.classroom.desk.database.tables import attempt, key_change, membership, outcome, submission, version
from quiz_widgets.classroom.desk.library import Library
from quiz_widgets.model import Item


@dataclass(frozen=True, slots=True)
class Group:
    """The report on one version's first attempts, or on its later ones."""

    version: int
    first: bool
    report: Report


def reports(connection: Connection, library: Library, found: Row) -> list[Group]:
    """A report for each version of a quiz that was taken, the newest version first, its first attempts first."""
    versions = rows(connection, select(version).where(version.c.quiz == found["id"]).order_by(version.c.number.desc()))
    made = []
    for one in versions:
        choices = _choices(connection, library, one["id"])
        sheets = _sheets(connection, found, one["id"])
        for is_first in (True, False):
            group = [sheet for number, sheet in sheets if (number == 1) is is_first]
            if group:
                made.append(Group(one["number"], is_first, analyse(group, choices)))
    return made


def _sheets(connection: Connection, found: Row, version_id: str) -> list[tuple[int, Sheet]]:
    asked = (
        select(
            attempt.c.id, attempt.c.number, outcome.c.item, outcome.c.score, outcome.c.max_score,
            submission.c.response, submission.c.seconds,
        )
        .join(membership, (membership.c.person == attempt.c.person) & (membership.c.course == found["course"]))
        .join(outcome, outcome.c.attempt == attempt.c.id)
        .outerjoin(submission, submission.c.sequence == outcome.c.submission)
        .where(attempt.c.version == version_id, attempt.c.scored, membership.c.role == "learner")
    )  # fmt: skip
    runs: dict[str, tuple[int, dict[str, Cell]]] = {}
    points = cache(lambda text: Fraction(Decimal(text)))  # few texts, many rows
    for run, number, item, score, most, response, ms in connection.execute(asked):
        chosen = None if response is None else tuple(json.loads(response))
        runs.setdefault(run, (number, {}))[1][item] = Cell(chosen, points(score), points(most), ms)
    return [
        (number, sheet) for number, sheet in runs.values() if any(cell.chosen is not None for cell in sheet.values())
    ]


def _choices(connection: Connection, library: Library, version_id: str) -> dict[str, Choices]:
    changes = rows(connection, select(key_change).where(key_change.c.version == version_id))
    changes.sort(key=lambda one: (one["made"], one["id"]))
    return {
        item.id: choices(item, [one for one in changes if one["item"] == item.id])
        for item in library.quiz(connection, version_id).items
    }


def choices(item: Item, changes: Iterable[Row]) -> Choices:
    """What can be chosen, and what of it is right after these changes of the key; nothing where answers are typed.

    Of a `match` each pair of prompt and target is an option. An `order` has none: every answer names all its parts.
    """
    if item.kind in ("single", "multiple"):
        options = tuple(option.id for option in item.options)
    elif item.kind == "match":
        options = tuple(f"{option.id}:{target.id}" for option in item.options for target in item.targets)
    else:
        return Choices()
    right = frozenset(item.key)
    for change in changes:
        accepted = [frozenset(one) for one in json.loads(change["body"])]
        if change["kind"] == "key" and accepted:
            right = accepted[0]
        elif change["kind"] == "also" and item.kind == "single":
            right = right.union(*accepted)
    return Choices(options, right)
