"""The answers of each type of question in QTI 1.2, by Canvas' names of the types."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Sequence
from decimal import Decimal

from quiz_widgets.authoring.fields import ID
from quiz_widgets.formats import answers, pins
from quiz_widgets.formats.draft import (
    DraftAnswer,
    DraftCredit,
    DraftItem,
    DraftOption,
    DraftTarget,
)
from quiz_widgets.formats.markdown import to_plain
from quiz_widgets.formats.qti_12 import numbers
from quiz_widgets.formats.qti_12.conditions import Condition
from quiz_widgets.formats.qti_12.item import RIGHT, Question, share
from quiz_widgets.formats.xml_tree import Element
from quiz_widgets.model import Pin

_HASH = re.compile(r"[gi]?[0-9a-f-]{16,}|[0-9-]+")


def own_id(ident: str) -> str:
    """Our id in a name; empty where it is none, or a number or hash, which tell nothing."""
    return ident if ID.fullmatch(ident) and not _HASH.fullmatch(ident) else ""


def _labels(response: Element) -> list[Element]:
    return list(response.all("response_label"))


def _worth(question: Question, response: str) -> dict[str, Decimal]:
    """The points of each value of a response that alone earns some."""
    worth: dict[str, Decimal] = {}
    for condition in question.scored:
        points = condition.points or Decimal(0)
        for one in condition.equal:
            if one.response == response:
                worth[one.value] = worth.get(one.value, Decimal(0)) + points if condition.adds else points
    return worth


def _options(question: Question, response: Element, right: set[str], weights: dict[str, Decimal]) -> list[DraftOption]:
    labels, ident = _labels(response), response.attributes.get("ident", "")
    places = _places(question, response, labels)
    if unknown := right - {label.attributes.get("ident", "") for label in labels}:
        message = f"the key `{min(unknown)[:40]}` is no option of it"
        question.say(response.line, "qti-key", message, "mend the key", error=True)
    return [
        DraftOption(
            text=question.text(label),
            id=own_id(name),
            correct=name in right,
            weight=weights.get(name),
            rationale=question.told(ident, name),
            pin=pin,
        )
        for label, pin in zip(labels, places, strict=True)
        for name in [label.attributes.get("ident", "")]
    ]


def _places(question: Question, response: Element, labels: Sequence[Element]) -> list[Pin | None]:
    """The pins of options: those that a shuffle leaves where they are."""
    render = next(response.all("render_choice"), None)
    if render is None or render.attributes.get("shuffle", "").lower() != "yes" or not labels:
        return [None] * len(labels)
    found, stray = pins.from_fixed([label.attributes.get("rshuffle", "Yes").lower() == "no" for label in labels])
    if stray:
        message = "an option in the middle is fixed there: only the first and the last ones can be pinned here"
        question.say(response.line, "qti-fixed", message, "move it to the top or to the end")
    return found


def single(question: Question) -> DraftItem:
    """One right option: that which earns most."""
    response = question.responses[0]
    worth = _worth(question, response.attributes.get("ident", ""))
    best = max(worth.values(), default=Decimal(0))
    right = {name for name, points in worth.items() if points == best > 0}
    weights = {name: part for name, points in worth.items() if (part := share(points, best)) not in {0, 100}}
    options = _options(question, response, right, weights)
    marked = {value for condition in question.scored if condition.marked for value in condition.values}
    if marked and not marked & right:
        names = dict(zip((label.attributes.get("ident", "") for label in _labels(response)), options, strict=True))
        texts = [to_plain(names[name].text)[:40] for name in (*sorted(marked), *sorted(right)) if name in names]
        message = f"`{texts[0]}` is marked as correct, and `{texts[-1]}` earns more: the latter is read as right"
        question.say(response.line, "qti-marked", message, "is the key right? correct one of them")
    keys = [index for index, option in enumerate(options) if option.correct]
    if len(keys) == 1 and not options[keys[0]].rationale:
        options[keys[0]] = dataclasses.replace(options[keys[0]], rationale=question.take(RIGHT))
    return DraftItem(kind="single", stem="", options=tuple(options))


def truth(question: Question) -> DraftItem:
    """True or false: two options that do not move."""
    made = single(question)
    words = [to_plain(option.text).strip().lower() for option in made.options]
    if words != ["true", "false"]:
        return made
    places: tuple[Pin, Pin] = ("first", "last")
    options = (
        dataclasses.replace(option, id=word, pin=pin)
        for option, word, pin in zip(made.options, words, places, strict=True)
    )
    return dataclasses.replace(made, options=tuple(options))


def several(question: Question) -> DraftItem:
    """Several right options: those that must be chosen together, or that each earn a part."""
    response = question.responses[0]
    ident = response.attributes.get("ident", "")
    whole = [condition for condition in question.scored if not condition.adds and (condition.points or 0) > 0]
    if whole and not any(condition.adds for condition in question.scored):
        if len(whole) > 1:
            question.say(
                whole[1].line, "qti-several", "several sets of options earn points there: the first is the key"
            )
        right = set(whole[0].values)
        # Canvas gives the share of right options less that of wrong ones, though the file says all or nothing.
        credit: DraftCredit = "partial" if question.canvas else "exact"
        options = _options(question, response, right, {})
        return DraftItem(kind="multiple", stem="", options=tuple(options), credit=credit)
    worth = _worth(question, ident)
    right = {name for name, points in worth.items() if points > 0}
    best = sum((worth[name] for name in right), Decimal(0))
    weights = {label.attributes.get("ident", ""): Decimal(0) for label in _labels(response)}
    weights |= {name: share(points, best) for name, points in worth.items()}
    options = _options(question, response, right, weights)
    return DraftItem(kind="multiple", stem="", options=tuple(options), credit="partial")


def short(question: Question) -> DraftItem:
    """Texts that are accepted."""
    ident = question.responses[0].attributes.get("ident", "")
    worth = _worth(question, ident)
    best = max(worth.values(), default=Decimal(0)) or Decimal(1)
    known = dict.fromkeys(worth)
    known |= dict.fromkeys(one.value for condition in question.conditions for one in condition.equal)
    accept = []
    for text in known:
        why = question.told(ident, text)
        credit = share(worth.get(text, Decimal(0)), best) / 100
        if text and (credit > 0 or why):
            accept.append(DraftAnswer(text=answers.literal(text), credit=max(credit, Decimal(0)), rationale=why))
    cased = {one.cased for condition in question.scored for one in condition.equal}
    if len(cased) > 1:
        question.say(
            question.element.line, "qti-case", "capital letters count for some answers: here they count for all"
        )
    made = DraftItem(kind="text", stem="", accept=tuple(accept), match_case=True in cased)
    return dataclasses.replace(made, explanation=question.take(RIGHT))


def match(question: Question) -> DraftItem:
    """Rows that each belong to one of the same targets."""
    targets: dict[str, DraftTarget] = {}
    options: list[DraftOption] = []
    worths: set[Decimal] = set()
    for response in question.responses:
        ident = response.attributes.get("ident", "")
        for label in _labels(response):
            name = label.attributes.get("ident", "")
            if name not in targets and (text := question.text(label)):
                targets[name] = DraftTarget(id=name, text=text)
        text = question.text(response)
        if not text:
            question.notices.add(
                response.line, question.name, "empty-row", "a row without text is left out", severity="note"
            )
            continue
        worth = {name: points for name, points in _worth(question, ident).items() if points > 0}
        worths |= set(worth.values())
        key = max(worth, key=lambda name: worth[name], default="")
        if key not in targets:
            question.say(response.line, "qti-key", f"`{to_plain(text)[:40]}` has no key", "mend the key", error=True)
        why = question.take(*(name for one in question.conditions for name in one.feedback if _misses(one, ident, key)))
        options.append(DraftOption(text=text, target=key, rationale=why))
    if len(worths) > 1:
        question.say(question.element.line, "weights", "rows earn different shares of the points: here each the same")
    return DraftItem(kind="match", stem="", options=tuple(options), targets=tuple(targets.values()), credit="partial")


def _misses(condition: Condition, response: str, key: str) -> bool:
    """Whether a condition holds where the row is not matched with its key."""
    return [(one.response, one.value) for one in condition.unequal] == [(response, key)] and not condition.equal


def order(question: Question) -> DraftItem:
    """Steps in the order in which the condition names them."""
    response = question.responses[0]
    labels = {label.attributes.get("ident", ""): label for label in _labels(response)}
    key = next((condition.values for condition in question.scored), [])
    missing = [name for name in labels if name not in key]
    if missing:
        question.say(response.line, "qti-key", f"the right order does not name `{missing[0][:40]}`", error=True)
    names = [name for name in (*key, *missing) if name in labels]
    options = tuple(DraftOption(text=question.text(labels[name]), id=own_id(name)) for name in names)
    return DraftItem(kind="order", stem="", options=options)


READERS: dict[str, Callable[[Question], DraftItem]] = {
    "multiple_choice_question": single,
    "true_false_question": truth,
    "multiple_answers_question": several,
    "short_answer_question": short,
    "numerical_question": numbers.read,
    "matching_question": match,
    "ordering_question": order,
}
"""What reads each type."""
