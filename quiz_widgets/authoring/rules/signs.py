"""Rules about signs that begin maths or code and are left alone: dollars, backticks, fences, TeX outside of maths."""

from __future__ import annotations

import re

from quiz_widgets.authoring.rules.base import error, warning
from quiz_widgets.authoring.rules.context import QuizContext, Shown
from quiz_widgets.authoring.rules.prose import blanked
from quiz_widgets.markup import tex
from quiz_widgets.problems import Problem

DOLLAR = error(
    "dollar",
    "A dollar that begins no formula, such as `$5`.",
    r"A second dollar later in the text, in a translation or on the same page turns everything between them into "
    r"maths. Write `\$5` for money.",
)
FENCE = error(
    "fence", "A fence of code that is never closed.", "Everything below it, to the end of the text, would be code."
)
BACKTICK = warning("backtick", "A backtick without a partner.", "It was meant to begin or to end code.")
BARE_TEX = warning(
    "bare-tex",
    r"A command of TeX outside of maths, such as `\frac{1}{2}` without dollars.",
    "Readers would see the command instead of the formula.",
)
RULES = (
    error(
        "markup",
        "Markdown or TeX that quizzes do not have: images, headings, tables, HTML, an unknown or unfinished command.",
        "It would break the layout, load something from elsewhere, or be missing in some notebook.",
    ),
    DOLLAR,
    FENCE,
    BACKTICK,
    BARE_TEX,
)
_FENCE = re.compile(r" {0,3}(?P<mark>`{3,}|~{3,})(?P<info>[^`]*)")
_COMMAND = re.compile(r"\\([A-Za-z]+)")
# Words that stand in paths (`C:\in`) as well; other commands are nobody's folder.
_WORDS = frozenset(
    {"in", "to", "text", "left", "right", "end", "begin", "log", "max", "min", "exp", "top", "dim", "det"}
)


def check_quiz(context: QuizContext) -> None:
    """Report such signs in every shown text of every language."""
    for shown in context.texts:
        text = shown.text
        if "`" in text or "~~~" in text:
            opened = _open_fence(text)
            if opened is not None:
                message, hint = "this fence is never closed", "add a line with the same signs after the code"
                context.problems.append(shown.problem(FENCE, opened, message, hint))
                continue
            context.problems += _backticks(shown)
        if "$" in text:
            context.problems += _dollars(shown)
        if "\\" in text:
            context.problems += _commands(shown)


def _open_fence(text: str) -> int | None:
    """Where a fence begins that nothing closes."""
    mark, start, offset = "", 0, 0
    for line in text.split("\n"):
        found = _FENCE.match(line)
        if not mark and found and (found["mark"][0] == "~" or found.end() == len(line)):
            mark, start = found["mark"], offset + found.start("mark")
        elif mark and found and found["mark"].startswith(mark) and not line.strip().strip(mark[0]):
            mark = ""
        offset += len(line) + 1
    return start if mark else None


def _backticks(shown: Shown) -> list[Problem]:
    at = blanked(shown.text).find("`")
    if at < 0:
        return []
    return [shown.problem(BACKTICK, at, "a backtick without a partner", r"close the code, or write \` for the sign")]


def _dollars(shown: Shown) -> list[Problem]:
    at = blanked(shown.text).find("$")
    if at < 0:
        return []
    return [
        shown.problem(DOLLAR, at, "a dollar that begins no formula", r"write `\$` for the sign, or close the formula")
    ]


def _commands(shown: Shown) -> list[Problem]:
    for found in _COMMAND.finditer(blanked(shown.text)):
        if found[1] in tex.COMMANDS and found[1] not in _WORDS:
            message = f"`{found[0]}` outside of maths is shown as it stands"
            return [shown.problem(BARE_TEX, found.start(), message, "put the formula between dollars: `$…$`")]
    return []
