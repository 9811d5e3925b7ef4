"""The answers of choice, short answer and true/false questions in GIFT, and their pitfalls."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal

from quiz_widgets.formats import moodle_grades
from quiz_widgets.formats.base import Notices, decimal
from quiz_widgets.formats.gift import signs

_WEIGHT = re.compile(r"\s*%([-+]?[\d.,]+)%")
_SHARP = re.compile(r"(?<![A-Za-z0-9])[CFJ](?=#[\s.,;:!?]|#$)")
_MEANT = re.compile(r"(?:(?<=^)|(?<=[\s~]))=(?=[^\s=])|(?:^|(?<=\n))[ \t]*=(?!=)")


@dataclass(frozen=True, slots=True)
class Answer:
    """One answer: its sign (``=`` or ``~``), text, feedback, weight in percent if one is written, and line."""

    sign: str
    text: str
    feedback: str
    weight: Decimal | None
    line: int


@dataclass(frozen=True, slots=True)
class Place:
    """Where answers stand: the question's name, its first line, and all of its text up to the answers."""

    notices: Notices
    name: str
    line: int

    def say(self, line: int, rule: str, message: str, hint: str, *, error: bool = False) -> None:
        """Note something about the question."""
        self.notices.add(line, self.name, rule, message, hint, severity="error" if error else "warning")


def cut(text: str, place: Place, lines: tuple[str, int], *, choice: bool = False) -> list[Answer]:
    """The answers in the text between braces. `lines` are the block's text and the offset of the answers in it.

    Of a `choice` Moodle reads no weight after ``=``.
    """

    def line(offset: int) -> int:
        return place.line + lines[0].count("\n", 0, lines[1] + offset)

    def say(ends: int, rule: str, message: str, hint: str) -> None:
        place.say(line(0) + ends, rule, message, hint)

    text = signs.formula_signs(text, say)
    text = _twice(text, place, line)
    text = _code(text, place, line)
    found = list(re.finditer(r"[=~]", text))
    made: list[Answer] = []
    for index, sign in enumerate(found):
        end = found[index + 1].start() if index + 1 < len(found) else len(text)
        body = text[sign.end() : end]
        made += _answer(sign[0], body, place, line(sign.start()), choice=choice)
    return made


def _twice(text: str, place: Place, line: Callable[[int], int]) -> str:
    """``~=`` as the ``=`` that is meant."""
    for found in re.finditer(r"~(?==)", text):
        message = "`~=`: Moodle reads an extra empty option, then the right one"
        place.say(line(found.start()), "gift-tilde-equals", message, "write `=`; it is read so")
    return re.sub(r"~(?==)", " ", text)


def _code(text: str, place: Place, line: Callable[[int], int]) -> str:
    """Answers with ``=`` of code protected, where Moodle's reading makes nonsense and another makes sense."""
    starts = list(re.finditer(r"[=~]", text))
    empty = [sign for sign in starts if sign[0] == "=" and re.match(r"\s*(?:[=~]|$)", text[sign.end() :])]
    rights = sum(sign[0] == "=" for sign in starts)
    if not empty and not (rights > 1 and "~" in text):
        return text
    meant = [found.end() - 1 for found in _MEANT.finditer(text)]
    if len(meant) != 1 and not empty:
        return text
    others = [sign for sign in starts if sign[0] == "=" and sign.start() not in meant]
    if not others or (not meant and "~" not in text):
        return text
    message = f"`=` within an answer: Moodle makes {len(starts)} options of these {len(starts) - len(others)}"
    hint = "write `\\=`; what begins no answer is read as text"
    place.say(line(others[0].start()), "gift-equals", message, hint, error=True)
    kept = {sign.start() for sign in others}
    return "".join(signs.protect(char) if at in kept else char for at, char in enumerate(text))


def _answer(sign: str, body: str, place: Place, line: int, *, choice: bool) -> list[Answer]:
    weight = None
    found = _WEIGHT.match(body)
    if found:
        weight, body = decimal(found[1]), body[found.end() :]
        if weight is None or not -100 <= weight <= 100:
            place.say(line, "gift-weight", f"`{found[0].strip()}` is no share of the points", "−100 to 100", error=True)
            weight = None
        elif not moodle_grades.known(weight):
            message = f"`%{found[1]}%` is not in Moodle's list of grades: it would stop the import"
            place.say(line, "gift-weight", message, "such as 10, 20, 25, 33.33333, 50, 75, 100")
        if sign == "=" and choice and weight is not None:
            message = f"`=%{found[1]}%`: after `=` Moodle reads no weight, and shows it in the option's text"
            place.say(line, "gift-equals-weight", message, f"write `=` or `~%{found[1]}%`; it is read as a weight")
    text, feedback = _parted(body, place, line)
    if not text.strip(signs.DROPPED + " \t\n"):
        if feedback.strip() and not choice:
            return [Answer(sign, "", feedback, weight, line)]
        if sign == "=" or feedback.strip() or found:
            place.say(
                line, "gift-empty", "an empty answer: Moodle keeps it, here it is left out", "write it, or remove it"
            )
        else:
            place.say(line, "gift-empty", f"nothing follows `{sign}`: Moodle makes an empty option", "remove the sign")
        return []
    return [Answer(sign, text, feedback, weight, line)]


def _parted(body: str, place: Place, line: int) -> tuple[str, str]:
    """Text and feedback, parted at the first ``#``."""
    sharp = _SHARP.search(body)
    if sharp and body.find("#") == sharp.end():
        language = body[sharp.start() : sharp.end() + 1]
        message = f"`{language}`: Moodle takes what follows for feedback"
        if body.find("#", sharp.end() + 1) > 0 or not re.match(r"#\s*\S", body[sharp.end() :]):
            place.say(line, "gift-sharp", message, f"write `{language[0]}\\#`; it is read as the name")
            body = body[: sharp.end()] + signs.protect("#") + body[sharp.end() + 1 :]
        else:
            hint = f"for the name write `{language[0]}\\#`; what follows is read as feedback"
            place.say(line, "gift-sharp", message, hint, error=True)
    text, _, feedback = body.partition("#")
    return text, feedback
