"""Grading: from an item and a response to points. Pure; exact decimal arithmetic, no floats.

`tests/cases/grading.json` holds the golden cases that this module and the page's script both pass.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from decimal import ROUND_HALF_UP, Context, Decimal, localcontext
from fractions import Fraction
from itertools import pairwise

from quiz_widgets.locales import patterns, typed
from quiz_widgets.locales.numbers import canonical_number
from quiz_widgets.model import Accept, Item, Kind, Outcome, Response

__all__ = ["accepted", "canonical_number", "expected_value", "grade"]

SCORE_STEP = Decimal("0.0001")  # a third of a point is 0.3333
_DECIMAL = re.compile(r"-?[0-9]{1,200}(?:\.[0-9]{1,200})?")


def grade(item: Item, response: Response) -> Outcome:
    """What the response earns. A response that the item cannot have (unknown ids, no number) earns nothing."""
    points = Fraction(item.points) * _SHARES[item.kind](item, response)
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


def _option_share(item: Item, response: Response) -> Fraction:
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


def accepted(item: Item, response: Response) -> Accept | None:
    """The first accepted text that a `text` item's response is, in any of the item's locales; `None` when it is none.

    Any locale: a learner may read a question in one language and know the word in another, and a score must not
    depend on the language that is shown.
    """
    if len(response.chosen) != 1 or not 0 < len(response.chosen[0]) <= typed.MAX_LENGTH:
        return None
    for known in item.accept:
        for locale, form in known.text.forms.items():
            written = typed.normalised(response.chosen[0], locale, match_case=item.match_case)
            alternatives = patterns.parts(form.source, locale, match_case=item.match_case)
            if written and any(patterns.fits(alternative, written) for alternative in alternatives):
                return known
    return None


def _text_share(item: Item, response: Response) -> Fraction:
    """As in Moodle's short answer: the first accepted text that fits decides (question/type/shortanswer)."""
    known = accepted(item, response)
    return Fraction(known.credit) if known else Fraction(0)


def _order_share(item: Item, response: Response) -> Fraction:
    """All in place, or as in Moodle's ordering, "relative to the next item, excluding last": right neighbours of n - 1.

    Source: qtype_ordering, GRADING_RELATIVE_NEXT_EXCLUDE_LAST.
    """
    key, chosen = item.key, response.chosen
    if sorted(chosen) != sorted(key):
        return Fraction(0)
    if item.credit == "exact" or len(key) < 2:
        return Fraction(chosen == key)
    pairs = set(pairwise(key))
    return Fraction(len(pairs.intersection(pairwise(chosen))), len(key) - 1)


def _match_share(item: Item, response: Response) -> Fraction:
    """All pairs, or as in Moodle's matching: right pairs of all prompts (qtype_match, `grade_response`)."""
    prompts = [pair.partition(":")[0] for pair in response.chosen]
    known = {f"{option.id}:{target.id}" for option in item.options for target in item.targets}
    if len(set(prompts)) != len(prompts) or not known.issuperset(response.chosen) or not item.options:
        return Fraction(0)
    right = Fraction(len(set(item.key).intersection(response.chosen)), len(item.options))
    return right if item.credit == "partial" else Fraction(right == 1)


_SHARES: dict[Kind, Callable[[Item, Response], Fraction]] = {
    "single": _option_share,
    "multiple": _option_share,
    "number": _number_share,
    "text": _text_share,
    "order": _order_share,
    "match": _match_share,
}
