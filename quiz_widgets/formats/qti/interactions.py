"""What each interaction of QTI 2 and 3 asks, as the answers of a draft."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from decimal import Decimal

from quiz_widgets.formats import answers, pins
from quiz_widgets.formats.base import decimal
from quiz_widgets.formats.draft import DraftAnswer, DraftCredit, DraftItem, DraftOption, DraftSlip, DraftTarget
from quiz_widgets.formats.qti.item import Question, own_id
from quiz_widgets.formats.xml_tree import Element
from quiz_widgets.model import Pin

_NUMBERS = frozenset({"integer", "float"})


def choice(question: Question) -> DraftItem:
    """`choiceInteraction`: one or several right options."""
    response, choices = question.response, list(question.interaction.children("simpleChoice"))
    single = response.cardinality == "single"
    maps = question.processing.maps and response.mapped
    right = set(response.correct) or _by_points(question)
    places, shuffle = _places(question, choices)
    options: list[DraftOption] = []
    for element, pin in zip(choices, places, strict=True):
        identifier = element.attributes.get("identifier", "")
        worth = response.points.get(identifier, Decimal(0))
        share = round(worth * 100 / (response.most or 1), 5) if maps else None
        options.append(
            DraftOption(
                text=question.option(element),
                id=own_id(identifier),
                correct=identifier in right,
                weight=None if share is None or (single and share in {0, 100}) else share,
                rationale=question.take(identifier, *question.shown_for(identifier)),
                pin=pin,
            )
        )
    _key_is_known(question, right, choices)
    if not single:
        credit: DraftCredit = "partial" if maps else "exact"
        return DraftItem(kind="multiple", stem="", options=tuple(options), credit=credit, shuffle=shuffle)
    keys = [index for index, option in enumerate(options) if option.correct]
    if len(keys) == 1 and not options[keys[0]].rationale:
        # What is told for the right response is told for this one.
        options[keys[0]] = dataclasses.replace(options[keys[0]], rationale=question.take(*question.shown("right")))
    return DraftItem(kind="single", stem="", options=tuple(options), shuffle=shuffle)


def _by_points(question: Question) -> set[str]:
    """The right options where the mapping alone tells them."""
    points = question.response.points
    best = max(points.values(), default=Decimal(0))
    single = question.response.cardinality == "single"
    return {key for key, worth in points.items() if worth > 0 and (worth == best or not single)}


def _key_is_known(question: Question, key: set[str], choices: Sequence[Element]) -> None:
    if unknown := key - {element.attributes.get("identifier", "") for element in choices}:
        message = f"the key `{min(unknown)[:40]}` is no option of it"
        question.say(question.interaction.line, "qti-key", message, "mend the key", error=True)


def _places(question: Question, choices: Sequence[Element]) -> tuple[list[Pin | None], bool]:
    """The pins of choices, and whether the others are mixed."""
    interaction = question.interaction
    if interaction.attributes.get("shuffle", "false") != "true":
        message = "its options keep their order there; here they are mixed"
        question.say(interaction.line, "qti-order", message, "pin those that must not move: `pin: last`")
        return [None] * len(choices), False
    found, stray = pins.from_fixed([element.attributes.get("fixed") == "true" for element in choices])
    if stray:
        message = "an option in the middle is fixed there: only the first and the last ones can be pinned here"
        question.say(interaction.line, "qti-fixed", message, "move it to the top or to the end")
    return found, True


def order(question: Question) -> DraftItem:
    """`orderInteraction`: the steps in their order."""
    steps = {element.attributes.get("identifier", ""): element for element in question.interaction.all("simpleChoice")}
    key = [identifier for identifier in dict.fromkeys(question.response.correct) if identifier in steps]
    if missing := [identifier for identifier in steps if identifier not in key]:
        message = f"the right order does not name `{missing[0][:40]}`" if key else "it has no right order"
        question.say(question.interaction.line, "qti-key", message, "mend the key", error=True)
    if question.response.mapped:
        question.say(question.interaction.line, "weights", "points for single steps are not carried: all or nothing")
    elif any(element.attributes.get("fixed") == "true" for element in steps.values()):
        question.say(question.interaction.line, "qti-fixed", "a step is fixed there; here all can be moved")
    options = tuple(
        DraftOption(text=question.option(steps[identifier]), id=own_id(identifier)) for identifier in (*key, *missing)
    )
    return DraftItem(kind="order", stem="", options=options)


def entry(question: Question) -> DraftItem:
    """`textEntryInteraction`: a number or a text."""
    return _number(question) if question.response.type in _NUMBERS else _text(question)


def _number(question: Question) -> DraftItem:
    response, line = question.response, question.interaction.line
    values = list(response.correct) or sorted(_by_points(question))
    numbers = [decimal(value) for value in values]
    for value, number in zip(values, numbers, strict=True):
        if number is None:
            question.say(line, "qti-number", f"`{value[:30]}` is no number", "write 3.14", error=True)
    known = [number for number in numbers if number is not None]
    if len(known) > 1 or len(response.points) > 1:
        shown = ", ".join(dict.fromkeys([*values, *response.points]))[:80]
        question.say(line, "number-second", f"several numbers earn points there ({shown}): the first right one is kept")
    if question.processing.uneven:
        question.say(line, "qti-tolerance", "the tolerance differs above and below: the smaller one is kept")
    slips = tuple(
        DraftSlip(value=number, rationale=why, id=own_id(name))
        for name, test in question.processing.shown.items()
        if isinstance(test, tuple) and (number := decimal(test[0])) is not None and (why := question.take(name))
    )
    return DraftItem(
        kind="number",
        stem="",
        value=known[0] if known else None,
        tolerance=question.processing.tolerance,
        slips=slips,
        explanation=question.take(*question.shown("right")),
    )


def _text(question: Question) -> DraftItem:
    response, line = question.response, question.interaction.line
    points = dict(response.points) if response.mapped and question.processing.maps else {}
    known = dict.fromkeys([*points, *response.correct])
    known |= dict.fromkeys(test[0] for test in question.processing.shown.values() if isinstance(test, tuple))
    best = max(points.values(), default=Decimal(0)) or Decimal(1)
    accept: list[DraftAnswer] = []
    for text in known:
        share = points.get(text, Decimal(text in response.correct and not points)) / best
        if share < 0:
            question.say(line, "text-negative", f"`{text[:40]}` costs points there; here it earns nothing")
        if not text.strip():
            question.say(line, "empty-answer", "an empty answer is left out")
            continue
        names = question.shown_for(text)
        why = question.take(*names)
        if share <= 0 and not why:
            continue
        pattern = answers.literal(text)
        ids = next((own_id(name) for name in names if own_id(name)), "")
        accept.append(DraftAnswer(text=pattern, id=ids, credit=max(share, Decimal(0)), rationale=why))
    cased = bool(response.cased) if points else response.type == "string"
    if points and 0 < len(response.cased) < len(points):
        question.say(line, "qti-case", "capital letters count for some answers there; here they count for all")
    return DraftItem(
        kind="text",
        stem="",
        accept=tuple(accept),
        match_case=cased,
        explanation=question.take(*question.shown("right")),
    )


def match(question: Question) -> DraftItem:
    """`matchInteraction`: choices of the first set belong to those of the second, or the other way round."""
    sets = [list(part.children("simpleAssociableChoice")) for part in question.interaction.children("simpleMatchSet")]
    first, second = [*sets, [], []][:2]
    pairs = [tuple(pair.split()) for pair in (question.response.correct or sorted(_by_points(question)))]
    kept = [(pair[0], pair[1]) for pair in pairs if len(pair) == 2]
    if len({left for left, _ in kept}) < len(kept) and len({right for _, right in kept}) == len(kept):
        first, second = second, first
        kept = [(right, left) for left, right in kept]
    return _pairs(question, first, second, kept)


def associate(question: Question) -> DraftItem:
    """`associateInteraction`: pairs of one set; what stands first in a pair is asked for what stands second."""
    message = "pairs without a direction: the first of each pair is asked for the second"
    question.say(question.interaction.line, "qti-associate", message)
    choices = list(question.interaction.children("simpleAssociableChoice"))
    found = [tuple(pair.split()) for pair in question.response.correct]
    pairs = [(pair[0], pair[1]) for pair in found if len(pair) == 2]
    asked = {left for left, _ in pairs}
    first = [element for element in choices if element.attributes.get("identifier") in asked]
    second = [element for element in choices if element.attributes.get("identifier") not in asked]
    return _pairs(question, first, second, pairs)


def _pairs(
    question: Question, first: Sequence[Element], second: Sequence[Element], pairs: Sequence[tuple[str, str]]
) -> DraftItem:
    line = question.interaction.line
    belongs: dict[str, str] = {}
    for left, right in pairs:
        if belongs.setdefault(left, right) != right:
            message = f"`{left[:40]}` belongs to several there: the first is kept"
            question.say(line, "qti-several", message, "here each row belongs to one", error=True)
    targets = tuple(
        DraftTarget(id=element.attributes.get("identifier", ""), text=question.option(element)) for element in second
    )
    options: list[DraftOption] = []
    for element in first:
        identifier = element.attributes.get("identifier", "")
        text = question.option(element)
        if identifier not in belongs:
            question.say(element.line, "qti-single", f"`{text[:40]}` belongs to nothing there: it is left out")
            continue
        why = question.take(identifier)
        options.append(DraftOption(text=text, id=own_id(identifier), target=belongs[identifier], rationale=why))
    maps = question.processing.maps and question.response.mapped
    if maps and len({question.response.points.get(" ".join(pair)) for pair in pairs}) > 1:
        question.say(line, "weights", "pairs earn different shares of the points there; here each earns the same")
    credit: DraftCredit = "partial" if maps else "exact"
    return DraftItem(kind="match", stem="", options=tuple(options), targets=targets, credit=credit)


READERS: dict[str, Callable[[Question], DraftItem]] = {
    "choiceInteraction": choice,
    "orderInteraction": order,
    "textEntryInteraction": entry,
    "matchInteraction": match,
    "associateInteraction": associate,
}
"""What reads each interaction."""
