"""Numbers of jupyterquiz: values, ranges ``[a, b)`` and a precision in digits, as one value and a tolerance.

The script rounds what is typed to the precision and compares it with the value rounded likewise, so that a precision
is a tolerance around the rounded value.
"""

from __future__ import annotations

import math
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from quiz_widgets.formats.base import decimal
from quiz_widgets.formats.draft import DraftItem, DraftSlip, DraftTolerance
from quiz_widgets.formats.json_items import Number
from quiz_widgets.locales.numbers import canonical

if TYPE_CHECKING:
    from quiz_widgets.formats.jupyterquiz.reader import Question

_DIGITS = range(1, 16)


def is_number(value: Any) -> bool:
    """Whether a field holds a number that can be computed with."""
    return isinstance(value, Number) and decimal(value) is not None


def number(question: Question, given: list[dict[str, Any]]) -> DraftItem:
    """A `numeric` question: one right value; others are known mistakes where they have feedback."""
    value, tolerance, explanation = None, None, ""
    slips: list[DraftSlip] = []
    precision = question.fields.get("precision")
    digits = int(precision) if isinstance(precision, Number) and precision.isdigit() and len(precision) < 3 else 0
    if precision is not None and digits not in _DIGITS:
        question.say(
            "jupyterquiz-precision",
            f"the precision `{str(precision)[:20]}` is not 1 to 15 digits: left out; the script fails at 0",
        )
        digits = 0
    for answer in given:
        rationale = question.text(answer.get("feedback"))
        if answer.get("type") == "default":
            question.say("number-other", f"feedback for any other number is not carried: {rationale[:80]}")
            continue
        found = _meant(question, answer, digits)
        if found is None:
            continue
        middle, allowed = found
        right = question.right(answer)
        question.doubt(rationale, canonical(middle), right=right)
        if right and value is None:
            value, explanation = middle, rationale
            tolerance = DraftTolerance("absolute", allowed) if allowed else None
        elif not right and "value" in answer and rationale:
            slips.append(DraftSlip(value=middle, rationale=rationale))
        else:
            kind = "right" if right else "wrong"
            shown = canonical(middle) + (f" ± {canonical(allowed)}" if allowed else "")
            message = f"the answer {shown} ({kind}) is not carried: {rationale[:80] or 'it has no feedback'}"
            question.say("number-second", message, "a number has one right value here, and single known mistakes")
    if value is not None:
        allowed = tolerance.amount if tolerance is not None else Decimal(0)
        for slip in [slip for slip in slips if abs(slip.value - value) <= allowed]:
            slips.remove(slip)
            message = f"{canonical(slip.value)} is within what counts as right here: its feedback is not carried"
            question.say("jupyterquiz-within", message, "there the answer that is listed first decides")
    if value is None:
        question.say("jupyterquiz-no-key", "no value is right: the script takes every number as wrong", error=True)
    return DraftItem(
        kind="number", stem="", value=value, tolerance=tolerance, slips=tuple(slips), explanation=explanation
    )


def _meant(question: Question, answer: dict[str, Any], digits: int) -> tuple[Decimal, Decimal] | None:
    """The middle of what an answer stands for, and how far off it may be."""
    if "value" in answer:
        value = decimal(answer["value"]) if isinstance(answer["value"], str) else None
        if value is None:
            question.say("jupyterquiz-number", f"`{str(answer['value'])[:30]}` is no number: left out", error=True)
            return None
        return _rounded(question, value, digits, right=answer.get("correct") is True)
    ends = answer.get("range")
    low, high = (
        (decimal(end) if isinstance(end, str) else None for end in (*ends, None, None)[:2])
        if isinstance(ends, list)
        else (None, None)
    )
    if low is None or high is None or low >= high:
        question.say("jupyterquiz-number", f"the range `{_shown(ends)}` is left out", "write [low, high]", error=True)
        return None
    if "feedback" not in answer:
        message = "a range without feedback stops the script: nothing is said of the answer there"
        question.say("jupyterquiz-range", message, "give it feedback")
    top = Decimal(repr(math.nextafter(float(high), -math.inf)))
    if len(canonical(top)) + 4 < len(canonical(high)):
        high = top  # as `writer` writes an end that counts: the next number above it
    elif answer.get("correct") is True:
        message = f"{canonical(high)} itself is outside the range there, and inside here"
        question.note("jupyterquiz-range", message)
    return (low + high) / 2, (high - low) / 2


def _shown(value: Any) -> str:
    return (", ".join(map(str, value)) if isinstance(value, list) else str(value))[:40]


def _rounded(question: Question, value: Decimal, digits: int, *, right: bool) -> tuple[Decimal, Decimal]:
    if not digits or not value:
        return value, Decimal(0)
    step = Decimal(1).scaleb(value.adjusted() - digits + 1)
    rounded = (value / step).to_integral_value() * step
    if right:
        message = f"a precision of {digits} digits became {canonical(rounded)} ± {canonical(step / 2)}"
        question.note("jupyterquiz-precision", message)
    return rounded, step / 2 if right else Decimal(0)
