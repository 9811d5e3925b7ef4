r"""GIFT's signs: what a backslash protects, and signs in formulas and code that Moodle takes for its own.

Escaped signs become stand-ins that no file may hold, so that the rest can be cut at ``{ } = ~ # :`` without looking
back. Line ends stay where they are: a place in the result lies on the same line as in the file.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from quiz_widgets.markup import tex

CONTROL = "~=#{}:"
_FIRST = 0xFDD0  # noncharacters: nobody's text holds them, and readers remove them
_STAND_IN = {sign: chr(_FIRST + index) for index, sign in enumerate(CONTROL + "\\\n")}
_BACK = str.maketrans({stand_in: sign for sign, stand_in in _STAND_IN.items()})
_ESCAPE = re.compile(r"\\(n[A-Za-z]*|[~=#{}:\\])")
_GROUP = r"\{(?:[^{}\n]|\{[^{}\n]*\})*\}"
# A formula with braces of its own: TeX between dollars or in \(…\), on one line.
_SLASH = rf"[\\{_STAND_IN[chr(92)]}]"
_FORMULA = re.compile(
    rf"(\$\$?)(?=\S)((?:[^$\n{{}}]|{_GROUP})+?)(?<=\S)\1|{_SLASH}\(((?:[^\n{{}}]|{_GROUP})+?){_SLASH}\)"
)
_TEX = re.compile(rf"{_SLASH}[A-Za-z]+|[\^_]")
DROPPED = "\ufdef"
"""Stands on a line that Moodle drops, so that lines are counted as in the file."""

Say = Callable[[int, str, str, str], None]
"""Called with (line ends before the place, rule, message, hint)."""


def clean(text: str) -> str:
    """The text without signs that stand-ins use."""
    return re.sub("[\ufdd0-\ufdef]", "", text)


def masked(text: str, say: Say) -> str:
    """The text with stand-ins for escaped signs, and for braces in formulas."""

    def escape(found: re.Match[str]) -> str:
        word = found[1]
        if word[0] != "n":
            return _STAND_IN[word]
        line = text.count("\n", 0, found.start())
        if word in tex.COMMANDS:
            message = f"`\\{word}`: Moodle reads a line break and `{word[1:]}`; read as the TeX command"
            say(line, "gift-newline", message, f"write `\\\\{word}`")
            return f"{_STAND_IN[chr(92)]}{word}"
        before = text[max(0, found.start() - 40) : found.start()]
        if len(word) > 1 and re.search(r"(?:^|[^\w])[A-Za-z]:$|\\[\w .-]+$", before):
            message = f"`\\{word}`: Moodle reads a line break and `{word[1:]}`, and so it is read here"
            say(line, "gift-newline", message, f"in a path write `\\\\{word}`")
        return _STAND_IN["\n"] + word[1:]

    made = _ESCAPE.sub(escape, text)

    def formula(found: re.Match[str]) -> str:
        inner = found[2] or found[3] or ""
        if not re.search(r"[{}]", inner) or not _TEX.search(inner) or re.search(r"\{\s*=|\{[^{}]*[~#]", inner):
            return found[0]
        message = f"braces in the formula `{plain(found[0])[:60]}`: Moodle takes the first for the answers"
        hint = "write `\\{` and `\\}`; they are read as the formula's"
        say(made.count("\n", 0, found.start()), "gift-formula", message, hint)
        return protect(found[0])

    return _FORMULA.sub(formula, made)


def protect(text: str) -> str:
    """The text with stand-ins for all control signs in it: they are meant."""
    return re.sub(f"[{CONTROL}]", lambda sign: _STAND_IN[sign[0]], text)


def formula_signs(text: str, say: Say) -> str:
    """Answers with stand-ins for ``=`` and ``~`` within formulas, at which Moodle would cut."""

    def formula(found: re.Match[str]) -> str:
        inner = found[2] or found[3] or ""
        sign = re.search(r"[=~]", inner)
        if sign is None or "#" in inner or not _TEX.search(inner) or re.search(r"\n|(?<=\s)[=~]\S", inner):
            return found[0]
        message = f"`{sign[0]}` in the formula `{plain(found[0])[:60]}`: Moodle cuts the answer there"
        say(
            text.count("\n", 0, found.start()),
            "gift-formula",
            message,
            f"write `\\{sign[0]}`; it is read as the formula's",
        )
        return protect(found[0])

    return _FORMULA.sub(formula, text)


def plain(text: str) -> str:
    """The text with the signs that stand-ins stand for, without dropped lines."""
    return re.sub(f"{DROPPED}\n|\n?{DROPPED}", "", text).translate(_BACK)


def escaped(text: str) -> str:
    """A text as GIFT writes it."""
    made = re.sub(r"([\\~=#{}:])", r"\\\1", text)
    return made.replace("\n", "\\n")
