"""The rule about options that begin with a letter or a number of their own."""

from __future__ import annotations

import re

from quiz_widgets.authoring.rules.base import warning
from quiz_widgets.authoring.rules.context import QuizContext

PREFIX = warning(
    "letter-prefix",
    "An option whose text begins with its letter or number, such as `A) …`.",
    "Options are shuffled, and would stand as C, A, B. The page puts its own signs before them.",
    fixed=True,
)
RULES = (PREFIX,)
_SERIES = ("abcdefgh", "12345678", "أبجدهوزح", "ابجدهوزح")
SURE = re.compile(r"\(?(?P<sign>[A-Ha-h1-8أابجدهوزح])\)[ \t]+(?=\S)")
_LIKELY = re.compile(r"(?P<sign>[A-Ha-h1-8أابجدهوزح])[ \t]?[.:\-–][ \t]+(?=\S)")


def prefix(text: str, *, likely: bool) -> re.Match[str] | None:
    """The prefix of a text; `likely` also takes `A. …` and `A: …`, which may begin a sentence."""
    return SURE.match(text) or (_LIKELY.match(text) if likely else None)


def check_quiz(context: QuizContext) -> None:
    """Report prefixes: `A)` wherever it stands, `A.` where the options of an item go on with `B.`."""
    for entry in context.items:
        options = list(entry.options())
        sources = [option.text.forms[option.text.source_locale].source for option, _ in options]
        found = [prefix(source, likely=True) for source in sources]
        series = _in_order([match["sign"].lower() if match else "" for match in found])
        for (_, fields), match in zip(options, found, strict=True):
            lettered = match is not None and match.re is SURE and not match["sign"].isdigit()
            if match is not None and (series or lettered):
                message = f"the text begins with `{match[0].strip()}`"
                context.report(PREFIX, fields.place("text"), fields.at("text"), message, "remove it")


def _in_order(signs: list[str]) -> bool:
    """Whether the first signs go up one by one, which no coincidence does."""
    return len(signs) > 1 and any(series.startswith("".join(signs[:2])) for series in _SERIES) and all(signs[:2])
