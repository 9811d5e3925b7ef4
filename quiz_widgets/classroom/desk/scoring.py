"""From submissions to scores. Everything here can be computed again at any time and comes out the same.

Grading runs after the reply and in no learner's request: what is right changes neither a reply nor its time.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import ROUND_HALF_UP, Decimal

from quiz_widgets import grading
from quiz_widgets.classroom.desk import windows
from quiz_widgets.classroom.desk.database.rows import Row
from quiz_widgets.classroom.desk.drawing import Drawing
from quiz_widgets.locales import typed
from quiz_widgets.model import Item, Outcome, Quiz, Response

_STEP = Decimal("0.0001")
_NONE = Outcome(Decimal(0), Decimal(0))


@dataclass(frozen=True, slots=True)
class Scored:
    """What one item of an attempt earned, and the submission that counts; ``None`` when it was not answered."""

    item: str
    submission: int | None
    outcome: Outcome


def counting(submissions: Iterable[Row]) -> dict[str, Row]:
    """The submission that counts for each item: the last that arrived in time, as the desk wrote them down.

    Not by the clock, which may go back. Of a poll's votes the last one of the highest round.
    """
    found: dict[str, Row] = {}
    for row in sorted(submissions, key=lambda row: (row["round"], row["sequence"])):
        if row["status"] == "recorded":
            found[row["item"]] = row
    return found


def score_attempt(
    quiz: Quiz,
    drawing: Drawing,
    submissions: Iterable[Row],
    changes: Iterable[Row],
    asked: Collection[str] | None = None,
) -> tuple[Scored, ...]:
    """The outcome of every item that the attempt showed; a dropped item has none of its points to win.

    `asked` names the items of a poll that were opened: of the others nobody could win any.
    """
    counted = counting(submissions)
    rules = _rules(changes)
    made = []
    for item in drawing.items(quiz):
        row = counted.get(item.id)
        response = None if row is None else Response(tuple(json.loads(row["response"])), drawing.variant(item))
        outcome = rules.get(item.id, _plain)(item, response) if asked is None or item.id in asked else _NONE
        made.append(Scored(item.id, None if row is None else row["sequence"], outcome))
    return tuple(made)


Rule = Callable[[Item, Response | None], Outcome]


def rule(item_id: str, changes: Iterable[Row]) -> Rule:
    """How responses to that item are graded, by its key and the changes made to it."""
    return _rules(changes).get(item_id, _plain)


def _plain(item: Item, response: Response | None) -> Outcome:
    return Outcome(Decimal(0), item.points) if response is None else grading.grade(item, response)


def _rules(changes: Iterable[Row]) -> Mapping[str, Rule]:
    """How each item with changes of its key is graded; later changes stand on earlier ones."""
    rules: dict[str, Rule] = {}
    for change in sorted(changes, key=lambda one: (one["made"], one["id"])):
        before = rules.get(change["item"], _plain)
        rules[change["item"]] = _rule(change["kind"], json.loads(change["body"]), before)
    return rules


def _rule(kind: str, body: list[list[str]], before: Rule) -> Rule:
    if kind == "drop":
        return lambda _item, _response: _NONE
    if kind == "full":
        return lambda item, _response: Outcome(item.points, item.points)

    def accepted(item: Item, response: Response | None) -> bool:
        return response is not None and any(_same(item, response.chosen, one) for one in body)

    def also(item: Item, response: Response | None) -> Outcome:
        return Outcome(item.points, item.points) if accepted(item, response) else before(item, response)

    def only(item: Item, response: Response | None) -> Outcome:
        if item.kind in ("single", "multiple"):  # with its credit, as if the author had written this key
            keyed = replace(item, options=tuple(replace(one, correct=one.id in body[0]) for one in item.options))
            return _plain(keyed, response)
        return Outcome(item.points if accepted(item, response) else Decimal(0), item.points)

    return also if kind == "also" else only


def _same(item: Item, chosen: Sequence[str], other: Sequence[str]) -> bool:
    """Whether two responses say the same: the sequence counts in an order only, 3.50 is 3.5, typed words by locale."""
    if item.kind == "order":
        return tuple(chosen) == tuple(other)
    if item.kind == "number":
        return [Decimal(part) for part in chosen] == [Decimal(part) for part in other]
    if item.kind == "text":
        return any(_typed(item, chosen, locale) == _typed(item, other, locale) for locale in item.stem.forms)
    return frozenset(chosen) == frozenset(other)


def _typed(item: Item, chosen: Sequence[str], locale: str) -> list[str]:
    return [typed.normalised(part, locale, match_case=item.match_case) for part in chosen]


@dataclass(frozen=True, slots=True)
class Run:
    """One finished attempt, summed up."""

    attempt: str
    number: int
    score: Decimal
    max_score: Decimal
    penalty: Decimal


def sum_up(
    attempt: Row, total: Decimal, best: Decimal, late_share: Decimal, last_arrival: int | None, grace: int
) -> Run:
    """An attempt's points out of `best`, and what it loses for its last answer's arriving after the due time."""
    days = 0 if last_arrival is None else windows.late_days(last_arrival, attempt["due"], grace)
    penalty = (total * min(Decimal(1), late_share * days)).quantize(_STEP, ROUND_HALF_UP)
    return Run(attempt["id"], attempt["number"], total, best, penalty)


def counted_run(runs: Iterable[Run], policy: str) -> Run | None:
    """The attempt whose score counts: the last, the first, or the best (the earlier of equals)."""
    found = sorted(runs, key=lambda run: run.number)
    if not found:
        return None
    if policy == "best":
        return max(found, key=lambda run: (run.score - run.penalty, -run.number))
    return found[0] if policy == "first" else found[-1]
