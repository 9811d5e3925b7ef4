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
from typing import Any

from sqlalchemy import Connection, select

from quiz_widgets.classroom.desk.analysis.items import Cell, Options, Report, Sheet, analyse
from quiz_widgets.classroom.desk.database.rows import Row, rows
from quiz_widgets.classroom.desk.database.tables import attempt, key_change, membership, outcome, submission, version
from quiz_widgets.classroom.desk.library import Library
from quiz_widgets.classroom.desk.refusals import unknown
from quiz_widgets.model import Item


@dataclass(frozen=True, slots=True)
class Group:
    """The report on one version's first attempts, or on its later ones."""

    version: int
    first: bool
    report: Report


def reports(connection: Connection, library: Library, found: Row) -> list[Group]:
    """A report for each version of a quiz that was taken, the newest version first, its first attempts first."""
    return [report(connection, library, found, number, first=first) for number, first in taken(connection, found)]


def taken(connection: Connection, found: Row) -> list[tuple[int, bool]]:
    """The versions that were taken, and whether in first attempts or in later ones; in the order of `reports`."""
    is_first = (attempt.c.number == 1).label("is_first")
    asked = (
        _counted(select(version.c.number, is_first), found)
        .join(version, version.c.id == attempt.c.version)
        .where(version.c.quiz == found["id"], outcome.c.submission.is_not(None))
        .distinct()
    )
    had = {(number, bool(first)) for number, first in connection.execute(asked)}
    return sorted(had, reverse=True)


def report(connection: Connection, library: Library, found: Row, number: int, *, first: bool) -> Group:
    """The report on the first or the later attempts at the version of that number; ``unknown`` without such one."""
    here = (version.c.quiz == found["id"]) & (version.c.number == number)
    version_id = connection.execute(select(version.c.id).where(here)).scalar()
    if version_id is None:
        raise unknown("version")
    sheets = _sheets(connection, found, version_id, first=first)
    return Group(number, first, analyse(sheets, _options(connection, library, version_id)))


def _counted(asked: Any, found: Row) -> Any:
    """That of scored attempts of learners, with their outcomes."""
    return (
        asked.select_from(attempt)
        .join(membership, (membership.c.person == attempt.c.person) & (membership.c.course == found["course"]))
        .join(outcome, outcome.c.attempt == attempt.c.id)
        .where(attempt.c.scored, membership.c.role == "learner")
    )


def _sheets(connection: Connection, found: Row, version_id: str, *, first: bool) -> list[Sheet]:
    asked = (
        _counted(
            select(
                attempt.c.id, outcome.c.item, outcome.c.score, outcome.c.max_score, submission.c.response,
                submission.c.seconds,
            ),
            found,
        )
        .outerjoin(submission, submission.c.sequence == outcome.c.submission)
        .where(attempt.c.version == version_id, (attempt.c.number == 1) if first else (attempt.c.number > 1))
    )  # fmt: skip
    runs: dict[str, dict[str, Cell]] = {}
    points = cache(lambda text: Fraction(Decimal(text)))  # few texts, many rows
    chosen = cache(lambda text: tuple(json.loads(text)))
    for run, item, score, most, response, ms in connection.execute(asked):
        told = None if response is None else chosen(response)
        runs.setdefault(run, {})[item] = Cell(told, points(score), points(most), ms)
    return [sheet for sheet in runs.values() if any(cell.chosen is not None for cell in sheet.values())]


def _options(connection: Connection, library: Library, version_id: str) -> dict[str, Options]:
    changes = rows(connection, select(key_change).where(key_change.c.version == version_id))
    changes.sort(key=lambda one: (one["made"], one["id"]))
    return {
        item.id: options(item, [one for one in changes if one["item"] == item.id])
        for item in library.quiz(connection, version_id).items
    }


def options(item: Item, changes: Iterable[Row]) -> Options:
    """What can be chosen, and what of it is right after these changes of the key; nothing where answers are typed.

    Of a `match` each pair of prompt and target is an option. An `order` has none: every answer names all its parts.
    """
    if item.kind in ("single", "multiple"):
        ids = tuple(option.id for option in item.options)
    elif item.kind == "match":
        ids = tuple(f"{option.id}:{target.id}" for option in item.options for target in item.targets)
    else:
        return Options()
    right = frozenset(item.key)
    for change in changes:
        accepted = [frozenset(one) for one in json.loads(change["body"])]
        if change["kind"] == "key" and accepted:
            right = accepted[0]
        elif change["kind"] == "also" and item.kind == "single":
            right = right.union(*accepted)
    return Options(ids, right)
