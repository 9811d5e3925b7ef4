"""Drawn numbers: the variants of a number item, computed once, when it is compiled.

The item's evidence computes the fact ``value``, which is graded, and one fact for each slip, named like it with
``_`` for ``-``. Every number is rounded once, and that one is shown and graded.
"""

from __future__ import annotations

import inspect
import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING

from quiz_widgets.authoring import placeholders
from quiz_widgets.authoring.fields import Fields, listed
from quiz_widgets.locales.numbers import canonical
from quiz_widgets.model import Slip, Tolerance, Variant
from quiz_widgets.ordering import hash32

if TYPE_CHECKING:
    from quiz_widgets.demos.registry import Evidence

VARIANTS = 32  # in a compiled file
MAX_COMBINATIONS = 4096
LARGEST = 10**25
DIGITS = 12  # enough for every number that is meant, too few for the noise of binary fractions
_RULE = "draw"


@dataclass(frozen=True, slots=True)
class Key:
    """What makes a computed variant right or wrong."""

    tolerance: Tolerance | None
    slips: tuple[Slip, ...]
    digits: int = DIGITS

    def tells_apart(self, numbers: Sequence[Decimal]) -> bool:
        """Whether no number (the value first, then the slips) is taken for another."""
        tolerance = self.tolerance or Tolerance("absolute", Decimal(0))
        pairs = itertools.permutations(numbers, 2)
        return not any(tolerance.allows(one, other) for one, other in pairs)


def read(fields: Fields, draw: Mapping[str, tuple[str, ...]], key: Key) -> tuple[Variant, ...]:
    """Up to `VARIANTS` variants in an order that follows from the item's id and the drawn values alone."""
    evidence = _evidence(fields, draw)
    if evidence is None:
        return ()
    combinations = _combinations(fields, draw)
    if not combinations:
        return ()
    item = str(getattr(fields.node.entries.get("id"), "text", ""))
    combinations.sort(key=lambda drawn: hash32(f"{item}/{_named(drawn)}"))
    used = {name for _, node in placeholders.texts(fields) for name in placeholders.names(node.text)}
    made: list[Variant] = []
    checked = False
    for drawn in combinations:
        facts = _facts(fields, evidence, drawn, key.digits)
        if facts is None:
            return ()
        if not checked:
            _one_meaning(fields, facts, drawn)
            placeholders.check(fields, facts.keys() | drawn.keys())
            checked = True
        if not _complete(fields, facts, key):
            return ()
        slips = {slip.id: facts[slip.id.replace("-", "_")] for slip in key.slips}
        if key.tells_apart([facts["value"], *slips.values()]):
            numbers = {name: canonical(number) for name, number in {**facts, **drawn}.items() if name in used}
            made.append(Variant(facts["value"], slips, numbers))
        if len(made) == VARIANTS:
            break
    if not made:
        message = "nothing is left to draw: in every combination a slip counts as right, or as another slip"
        fields.sink.add(fields.key("draw"), fields.at("draw"), _RULE, message, "change the values or the tolerance")
    return tuple(made)


def rounded(value: float, digits: int) -> Decimal | None:
    """The number with at most `digits` significant figures; whole numbers keep all theirs.

    `None` for what nobody could type: no finite number, or one of more than 25 digits.
    """
    if not abs(value) < LARGEST:
        return None
    number = Decimal(repr(value) if isinstance(value, float) else value)
    places = max(0, digits - 1 - number.adjusted()) if number else 0
    return Decimal(canonical(round(number, places)))


def _evidence(fields: Fields, draw: Mapping[str, tuple[str, ...]]) -> Evidence | None:
    from quiz_widgets.demos import registry

    name = fields.word("evidence") or ""
    if name not in registry.names():
        return None  # `rules.evidence` knows whether the course registers it, and says what to do
    evidence = registry.get(name)
    if missing := evidence.missing():
        message = f"`{name}` cannot be computed without {' and '.join(missing)}"
        fields.error("evidence", _RULE, message, f"pip install {' '.join(missing)}")
        return None
    allowed = tuple(inspect.signature(evidence.compute).parameters)
    inner = fields.mapping("draw")
    unknown = [parameter for parameter in draw if parameter not in allowed]
    for parameter in unknown if inner is not None else ():
        message = f"`{name}` has no parameter `{parameter}`"
        hint = f"it takes {listed(allowed)}" if allowed else "it takes none"
        inner.sink.add(inner.key(parameter), inner.path, _RULE, message, hint)  # type: ignore[union-attr]
    return None if unknown else evidence


def _combinations(fields: Fields, draw: Mapping[str, tuple[str, ...]]) -> list[dict[str, Decimal]]:
    """Every combination of the drawn values, each once; none when there are too many."""
    count = math.prod(len(values) for values in draw.values())
    if count > MAX_COMBINATIONS:
        fields.error("draw", _RULE, f"{count} combinations", f"at most {MAX_COMBINATIONS}: list fewer values")
        return []
    every = itertools.product(*([(name, Decimal(text)) for text in draw[name]] for name in sorted(draw)))
    return list({_named(drawn): drawn for drawn in map(dict, every)}.values())


def _named(drawn: Mapping[str, Decimal]) -> str:
    return ", ".join(f"{name} = {canonical(value)}" for name, value in drawn.items())


def _facts(fields: Fields, evidence: Evidence, drawn: Mapping[str, Decimal], digits: int) -> dict[str, Decimal] | None:
    """The computed numbers, rounded; `None` (reported) when the evidence fails."""
    parameters = {name: int(value) if value == int(value) else float(value) for name, value in drawn.items()}
    try:
        facts = evidence.compute(**parameters).facts
    except Exception as error:  # noqa: BLE001 - whatever a course's own function raises belongs to its author
        message = f"`{evidence.name}` fails with {_named(drawn)}: {type(error).__name__}: {error}"
        fields.error("evidence", _RULE, message, "correct the function, or draw other values")
        return None
    return dict(_numbers({name: fact.value for name, fact in facts.items()}, digits))


def _numbers(facts: Mapping[str, bool | float | str], digits: int) -> Iterator[tuple[str, Decimal]]:
    for name, value in facts.items():
        if not isinstance(value, bool | str) and (number := rounded(value, digits)) is not None:
            yield name, number


def _one_meaning(fields: Fields, facts: Mapping[str, Decimal], drawn: Mapping[str, Decimal]) -> None:
    """Report parameters that have the name of a fact: a text could mean either."""
    for name in drawn:
        if name in facts:
            message = f"`{name}` is a parameter and a fact of the evidence: texts could mean either"
            fields.error("draw", _RULE, message, "rename one of them in the evidence")


def _complete(fields: Fields, facts: Mapping[str, Decimal], key: Key) -> bool:
    """Whether the evidence gives a number for the value and for every slip; reported when it does not."""
    missing = [name for name in ("value", *(slip.id.replace("-", "_") for slip in key.slips)) if name not in facts]
    if missing:
        message = f"the evidence gives no number {listed(missing)}"
        fields.error("evidence", _RULE, message, f"it gives {listed(sorted(facts))}")
    return not missing
