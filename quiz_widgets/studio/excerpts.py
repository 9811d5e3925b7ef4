"""A problem with the line that it is about, as an author sees it beside what they wrote."""

from __future__ import annotations

import html
import re
from collections.abc import Sequence
from dataclasses import dataclass

from quiz_widgets import locales
from quiz_widgets.locales.reports import message
from quiz_widgets.problems import Problem

_WIDEST = 100  # characters of a line that are shown
_WORD = re.compile(r"\\?[\w-]+|\S")


@dataclass(frozen=True, slots=True)
class Excerpt:
    """A line of a file in three parts: what is before the fault, where it begins, and the rest."""

    before: str
    marked: str
    after: str

    @property
    def pointed(self) -> str:
        """The line with a caret below the place, for a text without colours."""
        return f"{self.before}{self.marked}{self.after}\n{' ' * len(self.before)}^"


def excerpt(lines: Sequence[str], problem: Problem) -> Excerpt | None:
    """The line that a problem names, shortened around its place; `None` where there is none, or nothing on it."""
    if not 0 < problem.line <= len(lines) or not lines[problem.line - 1].strip():
        return None
    line = lines[problem.line - 1].replace("\t", " ").rstrip()
    at = min(max(problem.column - 1, 0), len(line))
    start = max(0, at - _WIDEST // 2)
    found = _WORD.match(line, at)
    end = found.end() if found else at
    before = "…" + line[start:at] if start else line[:at].lstrip(" ")
    after = line[end : start + _WIDEST] + ("…" if len(line) > start + _WIDEST else "")
    return Excerpt(before, line[at:end], after)


def as_text(problems: Sequence[Problem], lines: Sequence[str], locale: str, *, first: int) -> str:
    """Problems of a cell as plain text; the text's first line is line `first` of the cell."""
    parts = [f"{_headline(problems, locale)}:"]
    for problem in problems:
        shown = excerpt(lines, problem)
        parts.append(f"  {_place(problem, locale, first)}: {_weight(problem, locale)}{problem.text}")
        if shown is not None:
            parts += [f"      {line}" for line in shown.pointed.split("\n")]
    return "\n".join(parts)


def as_html(problems: Sequence[Problem], lines: Sequence[str], locale: str, *, first: int) -> str:
    """The same as HTML. What a rule says is English in every language."""
    entries = []
    for problem in problems:
        shown = excerpt(lines, problem)
        where = f"{problem.path}: " if problem.path else ""
        text = code(where + problem.message) + (f"<br><em>{code(problem.hint)}</em>" if problem.hint else "")
        source = ""
        if shown is not None:
            before, marked, after = map(html.escape, (shown.before, shown.marked, shown.after))
            source = f'<pre dir="ltr">{before}<mark>{marked or " "}</mark>{after}</pre>'
        place = f"{html.escape(_place(problem, locale, first))}: {html.escape(_weight(problem, locale))}"
        entries.append(f'<li><strong>{place}</strong><span lang="en" dir="ltr">{text}</span>{source}</li>')
    head = f"<p><strong>{html.escape(_headline(problems, locale))}</strong></p>"
    return f'<div role="note" lang="{locale}" dir="{locales.direction(locale)}">{head}<ul>{"".join(entries)}</ul></div>'


def code(text: str) -> str:
    """Escaped text, with what stands in backticks as code."""
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", html.escape(text))


def _headline(problems: Sequence[Problem], locale: str) -> str:
    return message("cell_problems", count=len(problems)).text(locale)


def _place(problem: Problem, locale: str, first: int) -> str:
    return message("cell_place", line=problem.line + first - 1, column=problem.column).text(locale)


def _weight(problem: Problem, locale: str) -> str:
    return "" if problem.severity == "error" else f"{message(_WEIGHTS[problem.severity]).text(locale)}: "


_WEIGHTS = {"warning": "preview_warning", "note": "preview_note"}
