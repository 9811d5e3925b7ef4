"""The key of number items: value, tolerance, unit, known slips and drawn parameters."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import Literal

from quiz_widgets.authoring import claims, draws, placeholders
from quiz_widgets.authoring.fields import DECIMAL, NO_TEXT, Fields
from quiz_widgets.authoring.tree import Node, Scalar, Sequence
from quiz_widgets.model import Slip, Text, Tolerance, Variant


@dataclass(frozen=True, slots=True)
class Number:
    """What a number item holds beside the fields of every item."""

    value: Decimal | None = None
    tolerance: Tolerance | None = None
    unit: Text | None = None
    slips: tuple[Slip, ...] = ()
    draw: dict[str, tuple[str, ...]] | None = None
    variants: tuple[Variant, ...] = ()


def read(fields: Fields) -> Number:
    """The number that the item's fields describe, with its variants if it is drawn; faults are reported."""
    before = len(fields.sink.problems)
    draw = _draw(fields)
    value = fields.decimal("value")
    if draw is None and not fields.has("value"):
        message = "`value` is missing: nobody could answer"
        fields.sink.add(fields.node, fields.path, "value", message, "write `value: …`, or `draw:` with `evidence`")
    if draw is not None and fields.has("value"):
        fields.error("value", "value", "a drawn item takes its value from the evidence", "remove `value`")
    if draw is not None and not fields.has("evidence"):
        message = "drawn numbers need `evidence` that computes the value"
        fields.sink.add(fields.key("draw"), fields.at("draw"), "draw", message, "name it, or write a `value`")
    tolerance = _tolerance(fields)
    unit = fields.text("unit", block=False)
    slips = _slips(fields, value, tolerance, draw)
    digits = _digits(fields, draw)
    if draw is None:
        placeholders.check_undrawn(fields)
    # With other faults about, what is drawn would be a consequence of them.
    drawn = draw is not None and not any(new.severity == "error" for new in fields.sink.problems[before:])
    variants = draws.read(fields, draw, draws.Key(tolerance, slips, digits)) if drawn and draw is not None else ()
    return Number(value, tolerance, unit, slips, draw, variants)


def _digits(fields: Fields, draw: dict[str, tuple[str, ...]] | None) -> int:
    """To how many significant figures drawn numbers are rounded."""
    if not fields.has("digits"):
        return draws.DIGITS
    if draw is None:
        fields.sink.add(
            fields.key("digits"), fields.at("digits"), "digits", "`digits` without `draw`", "write the rounded `value`"
        )
    digits = fields.decimal("digits")
    if digits is None:
        return draws.DIGITS
    if digits not in range(1, draws.DIGITS + 1):
        fields.error("digits", "digits", f"{digits} digits", f"a whole number from 1 to {draws.DIGITS}")
        return draws.DIGITS
    return int(digits)


def _tolerance(fields: Fields) -> Tolerance | None:
    hint = "write `{absolute: 0.5}` in the value's unit, or `{relative: 0.01}` for 1 %"
    if isinstance(fields.node.entries.get("tolerance"), Scalar):
        fields.error("tolerance", "tolerance", "a bare tolerance: absolute or relative?", hint)
        return None
    inner = fields.mapping("tolerance")
    if inner is None:
        return None
    inner.only(("absolute", "relative"))
    kinds: tuple[Literal["absolute", "relative"], ...] = ("absolute", "relative")
    named = [name for name in kinds if inner.has(name)]
    if len(named) != 1:
        fields.error("tolerance", "tolerance", f"{len(named)} kinds of tolerance", hint)
        return None
    amount = inner.decimal(named[0])
    if amount is None:
        return None
    if amount < 0 or (named[0] == "relative" and amount >= 1):
        inner.error(named[0], "tolerance", f"a tolerance of {amount}", "not negative, and below 1 when relative")
        return None
    return Tolerance(named[0], amount)


def _right(number: Decimal, value: Decimal, tolerance: Tolerance | None) -> bool:
    return tolerance.allows(number, value) if tolerance else number == value


def _slips(
    fields: Fields, value: Decimal | None, tolerance: Tolerance | None, draw: dict[str, tuple[str, ...]] | None
) -> tuple[Slip, ...]:
    slips: list[Slip] = []
    for slip_fields in fields.mappings("slips"):
        slip_fields.only(("id", "value", "rationale"))
        slip_fields.require("id", "rationale", *(("value",) if draw is None else ()))
        slip = Slip(
            id=slip_fields.id("id") or "",
            rationale=slip_fields.text("rationale") or NO_TEXT,
            value=slip_fields.decimal("value"),
        )
        if draw is not None and slip_fields.has("value"):
            message = "the evidence computes the slips of a drawn item, too"
            hint = f"remove `value`; its fact is `{slip.id.replace('-', '_')}`"
            slip_fields.error("value", "slip", message, hint)
        if slip.value is not None and value is not None and _right(slip.value, value, tolerance):
            message = f"{slip.value} is within the tolerance: it counts as right"
            slip_fields.error("value", "slip", message, "correct the slip, or narrow the tolerance")
        for earlier in slips:
            if slip.id and earlier.id == slip.id:
                slip_fields.error("id", "slip", f"another slip is called `{slip.id}`", "rename one")
            if slip.value is not None and earlier.value == slip.value:
                slip_fields.error(
                    "value", "slip", f"the slip `{earlier.id}` has the value {slip.value} too", "keep one"
                )
        slips.append(slip)
    return tuple(slips)


def _draw(fields: Fields) -> dict[str, tuple[str, ...]] | None:
    inner = fields.mapping("draw")
    if inner is None:
        return None
    drawn: dict[str, tuple[str, ...]] = {}
    for name, node in inner.node.entries.items():
        if not claims.NAME.fullmatch(name):
            hint = "parameters are named by the evidence: a-z, 0-9 and `_`"
            inner.sink.add(inner.key(name), inner.path, "draw", f"`{name}` is no name of a parameter", hint)
        texts = tuple(entry.text for entry in _numbers(node))
        if texts:
            if len(set(texts)) != len(texts):
                inner.error(name, "draw", "a value is here twice", "write each once")
            drawn[name] = texts
        else:
            inner.error(name, "draw", "a list of numbers is expected", f"write `{name}: [1.5, 7, 13]`")
    if not inner.node.entries:
        fields.error("draw", "draw", "nothing to draw from", "write `{name: [value, value]}`")
    return drawn


def _numbers(node: Node) -> tuple[Scalar, ...]:
    """The entries of a list of numbers; none when it is anything else."""
    entries = node.items if isinstance(node, Sequence) else ()
    found = tuple(entry for entry in entries if isinstance(entry, Scalar) and DECIMAL.fullmatch(entry.text))
    return found if len(found) == len(entries) else ()
