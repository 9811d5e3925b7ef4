"""The answers of numerical questions in GIFT: values, tolerances and ranges."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal

from quiz_widgets.formats.base import decimal
from quiz_widgets.formats.draft import DraftSlip, DraftTolerance
from quiz_widgets.formats.gift.choices import Answer, Place, cut
from quiz_widgets.formats.gift.texts import Texts


@dataclass(frozen=True, slots=True)
class Number:
    """The key of a number item, as far as one was found, and the feedback of the right answer."""

    value: Decimal | None = None
    tolerance: DraftTolerance | None = None
    slips: tuple[DraftSlip, ...] = ()
    feedback: str = ""


def read(text: str, place: Place, texts: Texts, lines: tuple[str, int]) -> Number:
    """What the text after ``{#`` says."""
    bare = not re.search(r"[=~]", text)
    answers = cut(f"={text}" if bare else text, place, (lines[0], lines[1] - 1 if bare else lines[1]))
    value, tolerance, feedback = None, None, ""
    slips: list[DraftSlip] = []
    for answer in answers:
        number = _range(answer.text)
        if answer.sign == "~" or answer.text.strip() == "*" or number is None:
            _other(answer, place)
        elif value is None and answer.weight in {None, Decimal(100)}:
            value, allowed = number
            tolerance = DraftTolerance("absolute", allowed) if allowed else None
            feedback = texts.markdown(answer.feedback, answer.line)
        elif not answer.weight and not number[1] and answer.feedback.strip():
            slips.append(DraftSlip(value=number[0], rationale=texts.markdown(answer.feedback, answer.line)))
        else:
            weight = 100 if answer.weight is None else answer.weight
            message = f"`{answer.text.strip()}` earns {weight} % there: a number has one right value here"
            place.say(answer.line, "number-second", message, "ask it as a text, or drop it", error=weight == 100)
    return Number(value, tolerance, tuple(slips), feedback)


def _other(answer: Answer, place: Place) -> None:
    if answer.sign == "~" or answer.text.strip() == "*":
        message = "feedback for any other number is not carried"
        place.say(answer.line, "number-other", message, "put it into the explanation")
    else:
        message = f"`{answer.text.strip()[:40]}` is no number"
        hint = "write `3.14`, `3.14:0.01` or `3.1..3.2`"
        place.say(answer.line, "gift-number", message, hint, error=True)


def _range(text: str) -> tuple[Decimal, Decimal] | None:
    """Value and tolerance of ``12``, ``12:0.5`` or ``11.5..12.5``."""
    low, dots, high = text.partition("..")
    if dots:
        first, last = decimal(low), decimal(high)
        if first is None or last is None:
            return None
        return (first + last) / 2, abs(last - first) / 2
    body, colon, allowed = text.partition(":")
    value, around = decimal(body), decimal(allowed) if colon else Decimal(0)
    return (value, abs(around)) if value is not None and around is not None else None
