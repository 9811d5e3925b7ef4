"""The conditions of QTI 1.2 that give points and show feedback, as plain values."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from decimal import Decimal

from quiz_widgets.formats.base import decimal
from quiz_widgets.formats.xml_tree import Element

_BOUNDS = frozenset({"vargte", "varlte", "vargt", "varlt"})


@dataclass(frozen=True, slots=True)
class Compared:
    """A response compared with a value. `margin` is what a number may be off, of kind `absolute` or `percent`."""

    response: str
    value: str
    cased: bool = False
    margin: Decimal | None = None
    kind: str = ""


@dataclass(slots=True)
class Condition:
    """What must hold, what it earns (`adds`: on top of others), and what feedback it shows.

    `equal` must be so and `unequal` must not; `bounds` by name. `other`: nothing above held. `marked`: it is called
    the correct answer. `strange`: names of what is not followed.
    """

    line: int
    equal: list[Compared] = field(default_factory=list)
    unequal: list[Compared] = field(default_factory=list)
    bounds: dict[str, Decimal] = field(default_factory=dict)
    other: bool = False
    points: Decimal | None = None
    adds: bool = False
    marked: bool = False
    feedback: list[str] = field(default_factory=list)
    strange: set[str] = field(default_factory=set)

    @property
    def values(self) -> list[str]:
        """The values that must be given, each once."""
        return list(dict.fromkeys(compared.value for compared in self.equal))


def read(item: Element) -> list[Condition]:
    """All conditions of an item, in order."""
    processing = item.child("resprocessing")
    return [_condition(part) for part in processing.children("respcondition")] if processing is not None else []


def _condition(element: Element) -> Condition:
    found = Condition(element.line, marked=element.attributes.get("correctanswer", "").lower() == "yes")
    asked = element.child("conditionvar")
    for part, negated in _tests(asked) if asked is not None else ():
        _test(part, found, negated=negated)
    for part in element.children("setvar"):
        amount = decimal(part.text())
        if part.attributes.get("varname", "SCORE").upper().startswith(("SCORE", "QUE_SCORE", "QUESCORE")):
            found.points = amount
            found.adds = part.attributes.get("action", "Set").lower() == "add"
            if part.attributes.get("action", "Set").lower() not in {"set", "add"}:
                found.strange.add(f"`{part.attributes['action'][:20]}` of points")
    found.feedback = [part.attributes.get("linkrefid", "") for part in element.children("displayfeedback")]
    return found


def _tests(element: Element, *, negated: bool = False) -> Iterator[tuple[Element, bool]]:
    """The comparisons in a condition, and whether each is turned round."""
    for part in element.children():
        if part.name in {"and", "or", "not"}:
            yield from _tests(part, negated=negated != (part.name == "not"))
        else:
            yield part, negated


def _test(part: Element, found: Condition, *, negated: bool) -> None:
    if part.name == "varequal":
        compared = Compared(
            part.attributes.get("respident", ""),
            " ".join(part.text().split()),
            part.attributes.get("case", "").lower() == "yes",
            decimal(part.attributes.get("margin", "")),
            part.attributes.get("margintype", ""),
        )
        (found.unequal if negated else found.equal).append(compared)
    elif part.name in _BOUNDS and not negated:
        amount = decimal(part.text())
        if amount is not None:
            found.bounds[part.name] = amount
    elif part.name in {"other", "unanswered"}:
        found.other = True
    else:
        found.strange.add(part.name)
