"""nbgrader-jupyterquiz: questions as Markdown lists between ``#### Quiz`` and ``#### End Quiz``, also in notebooks.

Format: "Quiz syntax" in the documentation of nbgrader-jupyterquiz. A question is ``* (SC) "text"`` at the margin, an
answer ``+ "right" (feedback)`` or ``- "wrong"`` two columns in; texts and feedback are those of jupyterquiz.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from quiz_widgets.formats.base import MAX_ITEMS, Format, Notices, Source
from quiz_widgets.formats.draft import DraftItem, DraftQuiz, Imported
from quiz_widgets.formats.json_items import Number
from quiz_widgets.formats.jupyterquiz.reader import Reader

_BEGIN, _END = "#### Quiz", "#### End Quiz"
_TYPES = {"SC": "multiple_choice", "MC": "many_choice", "NM": "numeric"}
_QUESTION = {"(": "type", '"': "question", "```": "code", "[": "precision", "<": "answer_cols", "{": "points"}
_CHOICE = {"(": "feedback", '"': "answer", "```": "code"}
_NUMBER = {"(": "feedback", "<": "value", "[": "range"}
_CLOSES = {"(": ")", "[": "]", "{": "}", "<": ">", '"': '"', "```": "```"}
_PLAIN = re.compile(r"\s*([+-]?\d[\d.eE+-]*)\s*")


def recognise(source: Source) -> float:
    """Sure where a quiz begins and one of its questions."""
    start = source.start(200_000)
    return 0.97 if _BEGIN in start and re.search(r"\* ?\((?:SC|MC|NM)\)", start) else 0.0


def read(source: Source) -> Imported:
    """The questions of all quizzes in a file."""
    notices = Notices(source.name)
    reader = Reader(notices)
    items: list[DraftItem] = []
    texts = list(_cells(source.text(notices), notices))
    for number, (first, text) in enumerate(texts):
        source.tell(number, len(texts))
        for lines in (found for region in _regions(text, first, notices) for found in _questions(region, notices)):
            line = lines[0][0]
            if len(items) == MAX_ITEMS:
                message = f"more than {MAX_ITEMS} questions: the rest is not read"
                notices.add(line, "", "many", message, "split the file", severity="error")
                return Imported((DraftQuiz(items=tuple(items)),), notices.done())
            entry = _Parser(notices).question(lines)
            item = reader.item(entry, line) if entry is not None else None
            if item is not None:
                items.append(item)
    if not items:
        notices.add(1, "", "empty", "no question can be read", "is it in this format?", severity="error")
        return Imported((), notices.done())
    return Imported((DraftQuiz(items=tuple(items)),), notices.done())


def _cells(text: str, notices: Notices) -> Iterator[tuple[int, str]]:
    """The texts with the line on which each begins: the file, or a notebook's Markdown cells (line 0)."""
    if not text.lstrip().startswith("{"):
        yield 1, text
        return
    try:
        cells = json.loads(text)["cells"]
    except (ValueError, RecursionError, KeyError, TypeError):
        notices.add(1, "", "json", "this is no notebook", "open it and save it again", severity="error")
        return
    for cell in cells if isinstance(cells, list) else []:
        if isinstance(cell, dict) and cell.get("cell_type") == "markdown":
            source = cell.get("source", "")
            lines = source if isinstance(source, list) else [source]
            yield 0, "".join(line for line in lines if isinstance(line, str))


_Lines = list[tuple[int, list[str]]]
"""The line of a question and those of its answers: where each begins, and its parts."""


def _regions(text: str, first: int, notices: Notices) -> Iterator[list[tuple[int, str]]]:
    """The lines of each quiz, with their numbers."""
    inside, lines = False, list[tuple[int, str]]()
    for number, raw in enumerate(text.split("\n"), start=first):
        bare, line = raw.strip(), number if first else 0
        if bare.startswith((_END, _BEGIN)):
            if bare.startswith(_BEGIN) == inside:
                message = "a quiz begins inside another" if inside else "a quiz ends that did not begin"
                notices.add(line, "", "nbgrader-region", f"{message}: nbgrader stops there", severity="error")
            yield lines
            inside, lines = bare.startswith(_BEGIN), []
        elif inside:
            lines.append((line, raw))
    if inside:
        notices.add(first, "", "nbgrader-region", f"`{_END}` is missing: nbgrader stops there", severity="error")
    yield lines


def _questions(region: list[tuple[int, str]], notices: Notices) -> Iterator[_Lines]:
    """Each question of a quiz: its own line and those of its answers, each with what continues it."""
    fenced, lines = False, _Lines()
    for line, raw in region:
        bare = raw.lstrip()
        depth = len(raw) - len(bare)
        if not fenced and depth == 0 and bare.startswith("* "):
            if lines:
                yield lines
            lines = [(line, [raw])]
        elif lines and not fenced and depth == 2 and bare.startswith(("+", "-")):
            lines.append((line, [raw]))
        elif lines and (fenced or not bare or depth > (0 if len(lines) == 1 else 2)):
            lines[-1][1].append(raw)
        else:
            if bare:
                message = f"`{bare[:40]}` is no question and no answer: it is passed over"
                hint = "questions begin at the margin with `* `, answers with two spaces and `+` or `-`"
                notices.add(line, "", "nbgrader-line", message, hint)
            continue
        fenced ^= raw.count("```") % 2 == 1
    if lines:
        yield lines


@dataclass(slots=True)
class _Parser:
    """Cuts lines into fields between marks."""

    notices: Notices
    line: int = 0
    name: str = ""

    def error(self, message: str, hint: str = "") -> None:
        self.notices.add(self.line, self.name, "nbgrader-syntax", message, hint, severity="error")

    def question(self, lines: _Lines) -> dict[str, Any] | None:
        """The question as jupyterquiz has it."""
        self.line = lines[0][0]
        found = self.fields("\n".join(lines[0][1]).lstrip(" *"), _QUESTION)
        self.name = " ".join(found.get("question", "").split())[:40]
        kind = found.get("type", "")
        if kind not in _TYPES:
            self.error(f"the type `({kind[:12]})` is left out", "SC, MC or NM")
            return None
        made: dict[str, Any] = {**found, "type": _TYPES[kind]}
        for name in ("precision", "answer_cols", "points"):
            if name in made:
                made[name] = Number(made[name].strip())
        made["answers"] = []
        for line, parts in lines[1:]:
            self.line = line
            made["answers"].append(self.answer("\n".join(parts).strip(), kind))
        self.line = lines[0][0]
        right = sum(answer["correct"] for answer in made["answers"])
        if kind == "SC" and right != 1:
            self.error(f"(SC) with {right} right answers: nbgrader refuses the notebook", "(MC) may have several")
        return made

    def answer(self, text: str, kind: str) -> dict[str, Any]:
        made: dict[str, Any] = {"correct": text.startswith("+")}
        made |= self.fields(text.lstrip("+- "), _NUMBER if kind == "NM" else _CHOICE)
        if kind == "NM":
            if "value" in made:
                made["value"] = self.number(made["value"])
            elif "range" in made:
                made["range"] = [self.number(part) for part in made["range"].split(",", maxsplit=1)]
                made.setdefault("feedback", "")
            else:
                made["type"] = "default"
        return made

    def number(self, text: str) -> str:
        found = _PLAIN.fullmatch(text)
        return Number(found[1]) if found else text

    def fields(self, text: str, marks: dict[str, str]) -> dict[str, str]:
        """The fields of a line by name; what is none of them is noted."""
        made: dict[str, str] = {}
        while text := text.strip():
            opens = next((mark for mark in marks if text.startswith(mark)), "")
            if not opens:
                self.error(f"`{text[:30]}` is in no field: nbgrader stops there", 'texts stand in "…", feedback in (…)')
                return made
            content, rest = _content(text, opens)
            if rest is None:
                self.error(f"`{opens}` is never closed: nbgrader stops there", f"add `{_CLOSES[opens]}`")
                rest = ""
            if marks[opens] in made:
                self.error(f"two fields in `{opens}`: the second one is left out", "write them as one")
            made.setdefault(marks[opens], content)
            text = rest
        if code := made.get("code"):
            made["code"] = code.replace("\\n", "\n").strip("\n")
        return made


def _content(text: str, opens: str) -> tuple[str, str | None]:
    """What stands between a mark and its end, and what follows; `None` when there is no end."""
    closes, at, depth, made = _CLOSES[opens], len(opens), 1, list[str]()
    while at < len(text):
        if len(opens) == 1 and text[at] == "\\" and text[at + 1 : at + 2] in {opens, closes, "\\"}:
            made.append(text[at + 1])
            at += 2
        elif text.startswith(closes, at):
            depth -= 1
            if not depth:
                return "".join(made), text[at + len(closes) :]
            made.append(closes)
            at += len(closes)
        else:
            depth += text[at] == opens
            made.append(text[at])
            at += 1
    return "".join(made), None


FORMAT = Format(id="nbgrader-jupyterquiz", title="nbgrader-jupyterquiz", suffix=".md", recognise=recognise, read=read)
