"""The rule about options that differ only in case, spaces or punctuation."""

from __future__ import annotations

import re
import unicodedata

from quiz_widgets.authoring.rules.base import warning
from quiz_widgets.authoring.rules.context import QuizContext
from quiz_widgets.authoring.rules.prose import VERBATIM

ALIKE = warning(
    "alike-options",
    "Two options that differ only in case, spaces or punctuation, after Unicode's NFKC; code and maths are compared as "
    "they stand.",
    "Nobody reads that closely, and a screen reader says the same for both. Often it is one option, pasted twice.",
)
RULES = (ALIKE,)
_BETWEEN_DIGITS = re.compile(r"(?<=\d)([.,])(?=\d)")
_OTHERS = re.compile(r"[^\w\s+*/=<>%$€£^~#@&|\\-]|_")


def loosely(source: str) -> str:
    """A text without what a hasty reader overlooks. Code and maths stay as they are."""
    parts = VERBATIM.split(source)
    found = VERBATIM.findall(source)
    verbatim = [match[0] if isinstance(match, tuple) else match for match in found]
    prose = [_folded(part) for part in parts]
    joined = [prose[0]]
    for kept, after in zip(verbatim, prose[1:], strict=True):
        joined += [kept, after]
    return " ".join(" ".join(joined).split())


def _folded(text: str) -> str:
    folded = unicodedata.normalize("NFKC", text).casefold()
    kept = _BETWEEN_DIGITS.sub(lambda sign: chr(0xE000 + ord(sign[1])), folded)  # 0.5 is not 05
    return _OTHERS.sub("", kept.replace(chr(0xE000 + ord(".")), "\x00").replace(chr(0xE000 + ord(",")), "\x01"))


def check_quiz(context: QuizContext) -> None:
    """Report the later one of two options that a hasty reader takes for the same."""
    for entry in context.items:
        seen: dict[str, tuple[str, str]] = {}
        for option, fields in entry.options():
            form = option.text.forms[option.text.source_locale]
            text = loosely(form.source)
            if not text:
                continue
            if text in seen and seen[text][1] != " ".join(form.plain.split()):
                message = f"only case, spaces or punctuation tell it from the option `{seen[text][0]}`"
                context.report(ALIKE, fields.place("text"), fields.at("text"), message, "say it differently")
            seen.setdefault(text, (option.id, " ".join(form.plain.split())))
