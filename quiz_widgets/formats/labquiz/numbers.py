"""Tolerances and points of LabQuiz: what a number may be off, and what of its marking is kept."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING

from quiz_widgets.authoring import tree
from quiz_widgets.formats.base import decimal
from quiz_widgets.formats.draft import DraftTolerance
from quiz_widgets.locales.numbers import canonical

if TYPE_CHECKING:
    from quiz_widgets.formats.labquiz.reader import Reader

DEFAULT_TOLERANCE = Decimal("0.01")
"""What LabQuiz 1.3 allows where a file says nothing: one per cent of the value."""


def tolerance(reader: Reader, entry: dict[str, tree.Node], value: Decimal) -> DraftTolerance | None:
    """The larger of the two that LabQuiz knows: a share of the value, and an amount."""
    line = entry.get("tolerance", entry.get("proposition", reader.node)).line
    share, amount = (decimal(reader.word(entry, name)) for name in ("tolerance", "tolerance_abs"))
    for name, found in (("tolerance", share), ("tolerance_abs", amount)):
        if name in entry and (found is None or found < 0):
            reader.say(line, "labquiz-tolerance", f"`{name}` is no tolerance: left out", "write 0.05", error=True)
    if share is None:
        share = DEFAULT_TOLERANCE
        if "tolerance" not in entry and value:
            message = "no `tolerance`: LabQuiz allows 1 % of the value, and so it is kept"
            reader.notices.add(line, reader.name, "labquiz-tolerance", message, severity="note")
    elif share >= 1:
        message = f"a tolerance of {canonical(share)} allows {canonical(share * 100)} % of the value there"
        reader.say(line, "labquiz-tolerance", message, "0.05 means 5 %")
    share, amount = max(share, Decimal(0)), max(amount or Decimal(0), Decimal(0))
    if amount >= share * abs(value):
        return DraftTolerance("absolute", amount) if amount else None
    return DraftTolerance("relative", share)


def points(reader: Reader, entry: dict[str, tree.Node], kind: str) -> Decimal:
    """The points of a number; of a single proposition they are not kept."""
    right, wrong = entry.get("correctAnswerPoints"), entry.get("incorrectAnswerPoints")
    found = decimal(reader.word(entry, "correctAnswerPoints")) if right else None
    kept = found if kind == "numeric" and found is not None and found > 0 else Decimal(1)
    lost = [
        (node, f"{name} {reader.word(entry, name)[:12] or '…'}")
        for name, node in (
            ("correctAnswerPoints", right),
            ("incorrectAnswerPoints", wrong),
            ("weights", entry.get("weights")),
        )
        if node is not None and not (name == "correctAnswerPoints" and kind == "numeric" and kept == found)
    ]
    if lost:
        shown = ", ".join(words for _, words in lost)
        message = f"points of a single proposition are not kept: {shown}"
        hint = "a wrong answer takes nothing away here" if wrong is not None else ""
        reader.say(lost[0][0].line, "labquiz-points", message, hint)
    return kept
