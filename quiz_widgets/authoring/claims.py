"""Claims: what an option asserts about its item's evidence, from ``{fact: operand}`` to `model.Claim`."""

from __future__ import annotations

import re

from quiz_widgets.authoring.fields import Fields, listed
from quiz_widgets.authoring.tree import Mapping, Scalar, Sequence
from quiz_widgets.model import Claim, Fact, Operator

NAME = re.compile(r"[a-z][a-z0-9_]*")
_OPERATORS: tuple[Operator, ...] = ("equals", "at_least", "at_most", "between", "is")
_INTEGER = re.compile(r"[+-]?[0-9]+")
_RULE = "claim"


def read(option: Fields) -> tuple[Claim, ...]:
    """The claims of an option, in order; faults are reported."""
    fields = option.mapping("claim")
    if fields is None:
        return ()
    if not fields.node.entries:
        option.error("claim", _RULE, "the claim is empty", "write `{fact: value}`, or remove the field")
    return tuple(claim for name in fields.node.entries if (claim := _claim(fields, name)) is not None)


def _claim(fields: Fields, name: str) -> Claim | None:
    if not NAME.fullmatch(name):
        hint = "facts are named by the evidence: a-z, 0-9 and `_`"
        fields.sink.add(fields.key(name), fields.path, _RULE, f"`{name}` is no name of a fact", hint)
        return None
    node = fields.node.entries[name]
    if isinstance(node, Scalar):
        if node.style == "plain" and node.text in {"true", "false"}:
            return Claim(name, "is", node.text == "true")
        number = _number(fields, name)
        return None if number is None else Claim(name, "equals", number)
    if isinstance(node, Sequence):
        fields.error(name, _RULE, "a list is no claim", f"write `{name}: {{between: [low, high]}}`")
        return None
    return _compared(Fields(node, fields.at(name), fields.sink), name)


def _compared(fields: Fields, fact: str) -> Claim | None:
    """A claim written as ``{operator: operand}``."""
    operators = [name for name in fields.node.entries if name != "within"]
    if len(operators) != 1 or operators[0] not in _OPERATORS:
        message = f"exactly one comparison is expected, found {listed(operators) or 'none'}"
        fields.sink.add(fields.node, fields.path, _RULE, message, f"allowed are {listed(_OPERATORS)}")
        return None
    operator = operators[0]
    if fields.has("within") and operator != "equals":
        fields.error("within", _RULE, "`within` belongs to `equals`", "use `between` for a range")
        return None
    if operator == "between":
        bounds = _bounds(fields)
        return None if bounds is None else Claim(fact, "between", bounds)
    if operator == "is":
        operand = _fact(fields, "is")
        return None if operand is None else Claim(fact, "is", operand)
    number = _number(fields, operator)
    if number is None:
        return None
    if operator != "equals":
        return Claim(fact, "at_least" if operator == "at_least" else "at_most", number)
    within = _number(fields, "within") if fields.has("within") else 1e-9
    return None if within is None else Claim(fact, "equals", number, float(within))


def _bounds(fields: Fields) -> tuple[float, float] | None:
    node = fields.node.entries["between"]
    if not isinstance(node, Sequence) or len(node.items) != 2:
        fields.error("between", _RULE, "`between` takes two numbers", "write `{between: [low, high]}`")
        return None
    pair = Mapping(node.line, node.column, dict(zip(("low", "high"), node.items, strict=True)))
    inner = Fields(pair, fields.at("between"), fields.sink)
    low, high = _number(inner, "low"), _number(inner, "high")
    if low is None or high is None:
        return None
    if low > high:
        fields.error("between", _RULE, f"no number lies between {low} and {high}", "write the smaller one first")
        return None
    return (float(low), float(high))


def _fact(fields: Fields, name: str) -> Fact | None:
    node = fields.scalar(name)
    if node is None:
        return None
    if node.style == "plain" and node.text in {"true", "false"}:
        return node.text == "true"
    return node.text


def _number(fields: Fields, name: str) -> int | float | None:
    node = fields.node.entries[name]
    if isinstance(node, Scalar) and not node.text.strip():
        fields.error(name, _RULE, "a number is missing", "write it, or `{is: …}` for a text")
        return None
    number = fields.decimal(name, "a text is claimed with `{is: …}`, a number is written 0.5 or 1e-3")
    if number is None:
        return None
    return int(number) if isinstance(node, Scalar) and _INTEGER.fullmatch(node.text.strip()) else float(number)
