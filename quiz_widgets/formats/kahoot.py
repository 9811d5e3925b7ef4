"""Kahoot's spreadsheet template, as .xlsx or saved as CSV: a question, up to four answers, seconds, the right numbers.

The heading stands on some row below instructions; its words are those of the template ("Question - max 120
characters"). With several right answers Kahoot lets a player choose one of them; here all of them are asked for.
"""

from __future__ import annotations

import re

from quiz_widgets.formats import tables
from quiz_widgets.formats.base import MAX_ITEMS, Format, Notices, Source
from quiz_widgets.formats.draft import DraftItem, DraftOption, DraftQuiz, Imported
from quiz_widgets.formats.markdown import from_plain
from quiz_widgets.formats.tables import Row

_QUESTION = re.compile(r"question\b.*\b(?:max|characters)", re.IGNORECASE)
_ANSWER = re.compile(r"answer (\d)\b", re.IGNORECASE)
_TIME = re.compile(r"time limit", re.IGNORECASE)
_RIGHT = re.compile(r"correct answer", re.IGNORECASE)
_NUMBERS = re.compile(r"\d(?:\s*[,;&/. ]\s*\d)*")
MOST_QUESTION, MOST_ANSWER = 120, 75
"""Signs that Kahoot's template allows."""


def _heading(rows: list[Row]) -> int | None:
    """The index of the row with the template's words."""
    for index, row in enumerate(rows[:40]):
        words = " | ".join(row.cells)
        template = _TIME.search(words) or _QUESTION.search(words)
        if template and _RIGHT.search(words) and _ANSWER.search(words) and "question" in words.lower():
            return index
    return None


def _found(source: Source, notices: Notices) -> tuple[list[Row], int] | None:
    for rows in tables.tables(source, notices):
        heading = _heading(rows)
        if heading is not None:
            return rows, heading
    return None


def recognise(source: Source) -> float:
    """Sure where a row has the template's words."""
    if tables.is_spreadsheet(source):
        return 0.97 if _found(source, Notices("")) else 0.0
    start = source.start(20_000)
    if not (_RIGHT.search(start) and _ANSWER.search(start)):
        return 0.0
    return 0.97 if any(_heading(tables.separated(start, sign)) is not None for sign in tables.SEPARATORS) else 0.0


def read(source: Source) -> Imported:
    """The questions of a file."""
    notices = Notices(source.name)
    found = _found(source, notices)
    if found is None:
        message = "no row has the template's heading: “Question”, “Answer 1”, “Correct answer(s)”"
        notices.add(1, "", "kahoot-heading", message, "begin with Kahoot's own template", severity="error")
        return Imported((), notices.done())
    rows, heading = found
    reader = _Reader(rows[heading], notices)
    items: list[DraftItem] = []
    for number, row in enumerate(rows[heading + 1 :]):
        source.tell(number, len(rows))
        if len(items) == MAX_ITEMS:
            message = f"more than {MAX_ITEMS} questions: the rest is not read"
            notices.add(row.line, "", "many", message, "split the file", severity="error")
            break
        if item := reader.item(row):
            items.append(item)
    if reader.timed:
        message = f"the time limit of {reader.timed} questions is not carried"
        notices.add(0, "", "kahoot-time", message, "a quiz here has no clock for a question", severity="note")
    if not items:
        notices.add(rows[heading].line, "", "empty", "no question stands below the heading", "", severity="error")
        return Imported((), notices.done())
    return Imported((DraftQuiz(items=tuple(items)),), notices.done())


class _Reader:
    """Knows which column holds what."""

    def __init__(self, heading: Row, notices: Notices) -> None:
        self.notices = notices
        self.timed = 0
        self.stem, self.time, self.right = -1, -1, -1
        self.answers: list[int] = []
        for at, words in enumerate(heading.cells):
            if _RIGHT.search(words):
                self.right = at
            elif _TIME.search(words):
                self.time = at
            elif _ANSWER.search(words):
                self.answers.append(at)
            elif self.stem < 0 and (_QUESTION.search(words) or words.strip().lower() == "question"):
                self.stem = at

    def say(self, row: Row, name: str, rule: str, message: str, hint: str = "", *, error: bool = False) -> None:
        self.notices.add(row.line, name, rule, message, hint, severity="error" if error else "warning")

    def item(self, row: Row) -> DraftItem | None:
        stem, written = row.cell(self.stem), [row.cell(at) for at in self.answers]
        if not stem and not any(written):
            return None
        name = " ".join(stem.split())[:40]
        self.timed += bool(row.cell(self.time))
        self.lengths(row, name, stem, written)
        right = self.key(row, name, written)
        options = tuple(
            DraftOption(text=from_plain(text), correct=number in right)
            for number, text in enumerate(written, start=1)
            if text
        )
        several = len(right) > 1
        if several:
            message = f"{len(right)} answers are right: who chooses one of them is right there, here all must be chosen"
            self.say(row, name, "kahoot-several", message, "leave one right, or ask for all of them")
        return DraftItem(
            kind="multiple" if several else "single",
            stem=from_plain(stem),
            options=options,
            place=self.notices.place(row.line),
        )

    def key(self, row: Row, name: str, written: list[str]) -> set[int]:
        cell = row.cell(self.right)
        numbers = {int(digit) for digit in re.findall(r"\d", cell)} if _NUMBERS.fullmatch(cell) else set()
        same = {at for at, text in enumerate(written, start=1) if text and text == cell}
        if same and same != numbers:
            if numbers:
                message = f"the right answer `{cell}` is a number and the text of an answer: Kahoot takes the number"
                self.say(row, name, "kahoot-key", message, "is it the one that is meant?")
            else:
                message = f"the right answer is written as its text, `{cell[:30]}`: Kahoot asks for its number"
                self.say(row, name, "kahoot-key", message, f"write {min(same)}")
                return same
        if missing := sorted(
            number for number in numbers if not 1 <= number <= len(written) or not written[number - 1]
        ):
            message = f"answer {missing[0]} is right and is not there"
            self.say(row, name, "kahoot-key", message, "Kahoot refuses the row", error=True)
        elif not numbers:
            said = f"`{cell[:20]}` is no number of an answer" if cell else "the cell is empty"
            message = f"no answer is right: {said}; Kahoot refuses the row"
            self.say(row, name, "kahoot-key", message, "write 1, or 1,3", error=True)
        return numbers - set(missing)

    def lengths(self, row: Row, name: str, stem: str, written: list[str]) -> None:
        long = [("the question", len(stem), MOST_QUESTION)] if len(stem) > MOST_QUESTION else []
        long += [
            (f"answer {at}", len(text), MOST_ANSWER)
            for at, text in enumerate(written, start=1)
            if len(text) > MOST_ANSWER
        ]
        for what, length, most in long:
            message = f"{what} has {length} signs: Kahoot takes {most}; here all are kept"
            self.notices.add(row.line, name, "kahoot-long", message, severity="note")


FORMAT = Format(id="kahoot", title="Kahoot spreadsheet", suffix=".xlsx", recognise=recognise, read=read)
