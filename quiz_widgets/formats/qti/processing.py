"""What a QTI item's response processing does, as far as it is one of the usual forms; the rest is a program, and said.

The usual forms: a standard template, comparing with the right response, mapping the response to points, and feedback
that is shown always, for the right or any other response, or for a certain one.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Literal

from quiz_widgets.formats.base import decimal
from quiz_widgets.formats.draft import DraftTolerance
from quiz_widgets.formats.xml_tree import Element

Test = Literal["always", "right", "wrong", "other"] | tuple[str]
"""When something is set: a tuple holds the one response for which it is."""
_KNOWN = frozenset(
    (
        *("responseCondition", "responseIf", "responseElseIf", "responseElse", "setOutcomeValue", "baseValue"),
        *("variable", "correct", "match", "equal", "stringMatch", "mapResponse", "isNull", "not"),
    )
)
_SCORES = frozenset({"SCORE", "RAWSCORE"})


@dataclass(slots=True)
class Processing:
    """What it does.

    `maps`: points come from the mapping. `shown`: when an identifier of feedback is shown. `strange`: what of it is a
    program, by name.
    """

    maps: bool = False
    right: Decimal | None = None
    tolerance: DraftTolerance | None = None
    uneven: bool = False
    shown: dict[str, Test] = field(default_factory=dict)
    by_response: set[str] = field(default_factory=set)
    strange: set[str] = field(default_factory=set)


def read(element: Element | None, response: str) -> Processing:
    """The processing of the item whose response variable has this identifier."""
    found = Processing()
    if element is None:
        return found
    template = element.attributes.get("template", "").rpartition("/")[2].lower()
    if template:
        found.maps = template.startswith(("map_response", "cc2_map_response"))
        if not found.maps and not template.startswith(("match_correct", "cc2_match")):
            found.strange.add(template[:40])
        return found
    found.strange = {part.name for part in _all(element)} - _KNOWN
    found.maps = any(part.name == "mapResponse" for part in _all(element))
    for part in element.children():
        if part.name == "setOutcomeValue":
            _set(part, "always", found, response)
        elif part.name == "responseCondition":
            _condition(part, found, response)
    return found


def _all(element: Element) -> Iterator[Element]:
    for part in element.children():
        yield part
        yield from _all(part)


def _condition(condition: Element, found: Processing, response: str) -> None:
    tests: list[Test] = []
    for branch in condition.children():
        parts = list(branch.children())
        test: Test = _else(tests)
        if branch.name != "responseElse" and parts:
            test = _test(parts.pop(0), found, response)
        tests.append(test)
        for part in parts:
            if part.name == "setOutcomeValue":
                _set(part, test, found, response)
            elif part.name == "responseCondition":
                _condition(part, found, response)


def _else(tests: list[Test]) -> Test:
    if tests == ["right"]:
        return "wrong"
    return "other"


def _test(element: Element, found: Processing, response: str) -> Test:
    """What a condition asks of the response."""
    parts = list(element.children())
    names = {part.name for part in parts}
    about = [part for part in parts if part.name == "variable" and part.attributes.get("identifier") == response]
    if element.name in {"match", "equal", "stringMatch"} and about and len(parts) == 2:
        if "correct" in names:
            if element.name == "equal":
                _tolerance(element, found)
            return "right"
        value = next((part for part in parts if part.name == "baseValue"), None)
        if value is not None:
            return (value.text().strip(),)
    if element.name == "not" and len(parts) == 1 and _test(parts[0], found, response) == "right":
        return "wrong"
    return "other"


def _tolerance(element: Element, found: Processing) -> None:
    mode = element.attributes.get("toleranceMode", "exact")
    amounts = [decimal(part) for part in element.attributes.get("tolerance", "").split()[:2]]
    known = [abs(amount) for amount in amounts if amount is not None]
    if mode == "exact" or not known:
        return
    found.uneven = len(set(known)) > 1 or len(known) < len(amounts)
    amount = min(known)
    if mode == "relative":
        found.tolerance = DraftTolerance("relative", amount / 100)
    else:
        found.tolerance = DraftTolerance("absolute", amount)


def _set(element: Element, test: Test, found: Processing, response: str) -> None:
    """An outcome that is set: the score, or what feedback is shown."""
    outcome = element.attributes.get("identifier", "")
    value, variable = element.child("baseValue"), element.child("variable")
    if outcome in _SCORES:
        points = decimal(value.text()) if value is not None else None
        if test == "right":
            found.right = points
        elif value is not None and points:
            found.strange.add(f"points for {test[0][:40]}" if isinstance(test, tuple) else "points")
    elif variable is not None and variable.attributes.get("identifier") == response:
        found.by_response.add(outcome)
    elif value is not None and (name := value.text().strip()):
        before = found.shown.get(name)
        found.shown[name] = test if before is None or before == test else "other"
