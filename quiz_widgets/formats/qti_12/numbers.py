"""Questions for a number in QTI 1.2: a value with a margin, or a range."""

from __future__ import annotations

from decimal import Decimal

from quiz_widgets.formats.base import decimal
from quiz_widgets.formats.draft import DraftItem, DraftSlip, DraftTolerance
from quiz_widgets.formats.qti_12.conditions import Condition
from quiz_widgets.formats.qti_12.item import RIGHT, Question


def read(question: Question) -> DraftItem:
    """A number with what it may be off; others with feedback are known mistakes."""
    ident = question.responses[0].attributes.get("ident", "")
    value, tolerance, why = None, None, ""
    slips: list[DraftSlip] = []
    for condition in question.conditions:
        if condition.points and value is None:
            value, tolerance = _value(question, condition)
            why = question.told(ident, condition.values[0]) if condition.values else ""
        elif condition.points:
            shown = ", ".join(condition.values)[:40] or "a range"
            question.say(
                condition.line, "number-second", f"`{shown}` earns points too: a number has one right value here"
            )
    for text in dict.fromkeys(one.value for condition in question.conditions for one in condition.equal):
        found = decimal(text)
        if found is not None and found != value and (told := question.told(ident, text)):
            slips.append(DraftSlip(value=found, rationale=told))
    explained = "\n\n".join(part for part in (why, question.take(RIGHT)) if part)
    return DraftItem(
        kind="number", stem="", value=value, tolerance=tolerance, slips=tuple(slips), explanation=explained
    )


def _value(question: Question, condition: Condition) -> tuple[Decimal | None, DraftTolerance | None]:
    """The value and its tolerance, of which the file may say several: a margin is exact, bounds are rounded."""
    low = condition.bounds.get("vargte", condition.bounds.get("vargt"))
    high = condition.bounds.get("varlte", condition.bounds.get("varlt"))
    if condition.bounds.keys() & {"vargt", "varlt"}:
        question.say(condition.line, "qti-bounds", "its bounds do not belong to the range there; here they do")
    first = condition.equal[0] if condition.equal else None
    value = decimal(first.value) if first is not None else None
    if first is not None and value is None:
        question.say(condition.line, "qti-number", f"`{first.value[:30]}` is no number", "write 3.14", error=True)
    if value is not None and first is not None and first.margin is not None and first.kind != "precision":
        percent = first.kind == "percent"
        amount = abs(first.margin) / 100 if percent else abs(first.margin)
        return value, DraftTolerance("relative" if percent else "absolute", amount) if amount else None
    if low is None or high is None:
        if (low is None) != (high is None):
            question.say(
                condition.line, "qti-bounds", "its range has one end only, and is not carried", error=value is None
            )
        return value, None
    if value is None:
        question.say(condition.line, "qti-range", f"any number from {low} to {high} is right: the middle is the value")
        value = (low + high) / 2
    below, above = value - low, high - value
    if below != above:
        question.say(condition.line, "qti-tolerance", "the tolerance differs above and below: the smaller one is kept")
    amount = max(min(below, above), Decimal(0))
    return value, DraftTolerance("absolute", amount) if amount else None
