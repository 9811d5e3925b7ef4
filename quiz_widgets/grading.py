"""Grading: from an item and a response to points. Pure; exact decimal arithmetic, no floats.

`tests/cases/grading.json` holds the golden cases that this module and the page's script both pass.
"""

from __future__ import annotations

import re
from decimal import ROUND_HALF_UP, Context, Decimal, localcontext
from fractions import Fraction

from quiz_widgets.locales.numbers import canonical_number
from quiz_widgets.model import Item, Outcome, Response

__all__ = ["canonical_number", "expected_value", "grade"]

SCORE_STEP = Decimal("0.0001")  # a third of a point is 0.3333
_DECIMAL = re.compile(r"-?[0-9]{1,200}(?:\.[0-9]{1,200})?")


def grade(item: Item, response: Response) -> Outcome:
    """What the response earns. A response that the item cannot have (unknown ids, no number) earns nothing."""
    share = _number_share(item, response) if item.kind == "number" else _choice_share(item, response)
    points = Fraction(item.points) * share
    with localcontext(Context(prec=60)):
        score = (Decimal(points.numerator) / Decimal(points.denominator)).quantize(SCORE_STEP, ROUND_HALF_UP)
    return Outcome(score=score, max_score=item.points)


def expected_value(item: Item, variant: int | None) -> Decimal | None:
    """The value that a number item's response is compared with; `None` when there is no such variant."""
    if not item.variants:
        return item.value
    if variant is None or not 0 <= variant < len(item.variants):
        return None
    return item.variants[variant].value


def _choice_share(item: Item, response: Response) -> Fraction:
    chosen, key = set(response.chosen), set(item.key)
    distractors = {option.id for option in item.options} - key
    if chosen - key - distractors:
        return Fraction(0)
    if item.kind == "single" or item.credit == "exact":
        return Fraction(chosen == key)
    right = Fraction(len(chosen & key), len(key))
    wrong = Fraction(len(chosen & distractors), len(distractors)) if distractors else Fraction(0)
    return max(Fraction(0), right - wrong)


def _number_share(item: Item, response: Response) -> Fraction:
    value = expected_value(item, response.variant)
    if value is None or len(response.chosen) != 1 or not _DECIMAL.fullmatch(response.chosen[0]):
        return Fraction(0)
    number = Decimal(response.chosen[0])
    return Fraction(item.tolerance.allows(number, value) if item.tolerance else number == value)
