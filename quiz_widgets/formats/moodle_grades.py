"""Moodle's shares of the points, in GIFT and in its XML: which there are, and what our credit is in them."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from quiz_widgets.formats.base import Notices
from quiz_widgets.formats.draft import DraftCredit, DraftItem, DraftOption
from quiz_widgets.locales.numbers import canonical

_GRADES = "0 5 10 11.11111 12.5 14.28571 16.66667 20 25 30 33.33333 40 50 60 66.66667 70 75 80 83.33333 90 100"
GRADES = tuple(Decimal(grade) for grade in _GRADES.split())
"""The shares of the points that Moodle knows, in percent; of an import with another one it stops."""
NEAR = Decimal("0.001")


def known(percent: Decimal) -> bool:
    """Whether Moodle knows the share."""
    return min(abs(abs(percent) - grade) for grade in GRADES) <= NEAR


def credit(options: Sequence[DraftOption]) -> DraftCredit:
    """The credit that options with weights come nearest to: where a wrong one costs everything, all or nothing."""
    lost = [option.weight for option in options if not option.correct]
    return "exact" if lost and all(weight is not None and weight <= -100 for weight in lost) else "partial"


def shares(item: DraftItem, notices: Notices) -> tuple[Decimal, Decimal]:
    """The weights of right and wrong options of a `multiple` item; what is another rule there is noted."""
    rights = sum(option.correct for option in item.options)
    wrongs = len(item.options) - rights
    right = _nearest(Decimal(100) / max(rights, 1), item.id, notices)
    if item.credit == "exact":
        message = "all or nothing is not exported: there a part of the right options earns a part of the points"
        notices.add(0, item.id, "lost", message)
        return right, Decimal(-100)
    return right, -_nearest(Decimal(100) / max(wrongs, 1), item.id, notices)


def _nearest(percent: Decimal, item: str, notices: Notices) -> Decimal:
    nearest = min(GRADES, key=lambda grade: abs(grade - percent))
    if abs(nearest - percent) > NEAR:
        message = f"a share of {round(percent, 2)} % becomes {nearest} %: Moodle knows no other near it"
        notices.add(0, item, "lost", message)
    return nearest


def absolute(item: DraftItem) -> Decimal:
    """The tolerance of a `number` item in the value's unit."""
    if item.tolerance is None or item.value is None:
        return Decimal(0)
    amount = item.tolerance.amount
    return amount * abs(item.value) if item.tolerance.kind == "relative" else amount


def say_tolerance(item: DraftItem, notices: Notices) -> None:
    """Note that a tolerance in per cent of the value is written in the value's unit."""
    if item.tolerance is not None and item.tolerance.kind == "relative":
        percent, written = canonical(item.tolerance.amount * 100), canonical(absolute(item))
        message = f"the tolerance of {percent} % is written as {written}"
        notices.add(0, item.id, "tolerance", message, severity="note")
