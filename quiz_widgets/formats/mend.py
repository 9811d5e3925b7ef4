"""Texts that our Markdown cannot show, made so that it can: each change is noted, the words always stay."""

from __future__ import annotations

import re

from quiz_widgets.authoring import scan
from quiz_widgets.authoring.rules.prose import blanked
from quiz_widgets.formats import markdown
from quiz_widgets.formats.html_text import Report

MAX_CHARS = 20_000
"""The longest text that is taken whole: a question has some hundred."""
_FORMULA = re.compile(r"(?<!\\)(\$\$?)(?!\s)((?:[^$\\]|\\.)+?)(?<!\s)\1", re.DOTALL)
_FENCE = re.compile(r"^(\s*(?:[-*] |\d+\. )?`{3,})[^\n`]*$", re.MULTILINE)
_UNPRINTABLE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]")


def _faults(text: str) -> tuple[str, ...]:
    return tuple(fault.message for fault in markdown.forms(text).faults)


def text(source: str, report: Report) -> str:
    """The text as a quiz may hold it."""
    made = visible(source, report)
    if len(made) > MAX_CHARS:
        report("long", f"a text of {len(made)} characters is cut at {MAX_CHARS}", "shorten it; the rest is in the file")
        made = markdown.from_plain(made[:MAX_CHARS])
    made = _dollars(made)
    faults = _faults(made)
    if not faults:
        return made
    made = _FENCE.sub(r"\1", made) if any("unknown language" in fault for fault in faults) else made
    made = _FORMULA.sub(lambda found: _formula(found, report), made)
    made = _dollars(made)
    remaining = _faults(made)
    if not remaining:
        return made
    report("markup", f"{remaining[0]}: the text is kept as it is written, signs and all", "lay it out anew")
    escaped = markdown.from_plain(made)
    return escaped if not _faults(escaped) else markdown.escape(" ".join(made.split()))


def _dollars(source: str) -> str:
    """The text with a backslash before dollars that begin no formula."""
    if "$" not in source:
        return source
    shown = blanked(source)
    return "".join(f"\\{char}" if shown[at] == "$" else char for at, char in enumerate(source))


def line(source: str, report: Report) -> str:
    """The same for a text of one line."""
    return " ".join(text(" ".join(source.split()), report).split())


def _formula(found: re.Match[str], report: Report) -> str:
    faults = _faults(found[0])
    if not faults:
        return found[0]
    report("formula", f"the formula `{found[2][:60]}` is kept as code: {faults[0]}", "write it with supported commands")
    return markdown.inline_code(found[2])


def visible(source: str, report: Report) -> str:
    """The text without signs that nobody sees, which would count as part of an answer or change its direction."""
    made = source.replace("\r\n", "\n").replace("\r", "\n").replace("\u2028", "\n").replace("\u2029", "\n\n")
    made = _UNPRINTABLE.sub("", made.replace("\u0085", "\n")).expandtabs(4)
    removed = len(source.expandtabs(4)) - len(made) if made != source.expandtabs(4) else 0
    while problems := scan.check(tuple(made.split("\n")), ""):
        lines = made.split("\n")
        places = {(problem.line, problem.column) for problem in problems}
        odd = {(problem.line, problem.column) for problem in problems if problem.rule == "indentation"}
        for number, column in sorted(places, reverse=True):
            shown = lines[number - 1]
            space = " " if (number, column) in odd else ""
            lines[number - 1] = shown[: column - 1] + space + shown[column:]
            removed += not space
        made = "\n".join(lines)
    if removed > 0:
        report("invisible", f"{removed} invisible {'sign is' if removed == 1 else 'signs are'} removed", "")
    return made
