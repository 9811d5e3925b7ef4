"""Plain CSV (or a spreadsheet) with a heading: a question on each row, its options in columns, the right ones named.

There is no published format, so the heading's words decide: `question`, `option 1` (`A`, `answer 2`, `choice c`),
`correct`, `explanation`, `feedback 1`, `points`, `hint`, `category`, `tags`, `id`, `type`. Without columns for options
the right answer is typed.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from decimal import Decimal

from quiz_widgets.authoring.fields import ID
from quiz_widgets.formats import answers, tables
from quiz_widgets.formats.base import MAX_ITEMS, Format, Notices, Source, decimal
from quiz_widgets.formats.draft import DraftAnswer, DraftItem, DraftKind, DraftOption, DraftQuiz, Imported
from quiz_widgets.formats.markdown import from_plain
from quiz_widgets.formats.tables import Row

_NAMES = {
    "question": ("question", "stem", "prompt", "question text", "soru", "السؤال"),
    "right": ("correct", "correct answer", "correct answers", "correct option", "answer", "key", "solution",
              "right answer", "right", "doğru", "doğru cevap", "cevap", "الإجابة", "الإجابة الصحيحة"),
    "explanation": ("explanation", "general feedback", "feedback", "comment", "rationale", "açıklama", "الشرح"),
    "points": ("points", "marks", "score", "puan", "الدرجة"),
    "hint": ("hint", "tip", "ipucu", "تلميح"),
    "category": ("category", "topic", "konu", "الموضوع"),
    "tags": ("tags", "tag", "etiketler", "وسوم"),
    "id": ("id", "name", "question id"),
    "type": ("type", "question type", "kind"),
}  # fmt: skip
_OPTION = re.compile(
    r"(?:(?:option|choice|answer|distractor|seçenek|خيار|الخيار)[ _.-]*)?([a-h]|[1-9]|أ|ب|ج|د)", re.IGNORECASE
)
_FEEDBACK = re.compile(r"(?:feedback|rationale)[ _.-]*([a-h]|[1-9])", re.IGNORECASE)
_LETTERS = "abcdefgh"
_ARABIC = "أبجد"


@dataclass(slots=True)
class _Columns:
    """Which column holds what."""

    named: dict[str, int] = field(default_factory=dict)
    options: list[int] = field(default_factory=list)
    feedback: dict[int, int] = field(default_factory=dict)
    unknown: list[int] = field(default_factory=list)


def _place(sign: str) -> int:
    """The place of an option from 1, by its letter or number."""
    if sign in _ARABIC:
        return _ARABIC.index(sign) + 1
    return int(sign) if sign.isdigit() else _LETTERS.index(sign.lower()) + 1


def _columns(heading: Row) -> _Columns | None:
    """The columns of a heading; `None` when it is none."""
    found = _Columns()
    for at, cell in enumerate(heading.cells):
        words = " ".join(re.sub(r"[_-]+", " ", cell).lower().split())
        name = next((name for name, known in _NAMES.items() if words in known), "")
        if name and name not in found.named:
            found.named[name] = at
        elif told := _FEEDBACK.fullmatch(words):
            found.feedback[_place(told[1])] = at
        elif _OPTION.fullmatch(words):
            found.options.append(at)
        elif words:
            found.unknown.append(at)
    return found if {"question", "right"} <= set(found.named) else None


def _found(source: Source, notices: Notices) -> tuple[list[Row], _Columns] | None:
    for rows in tables.tables(source, notices):
        columns = _columns(rows[0]) if rows else None
        if columns is not None:
            return rows, columns
    return None


def recognise(source: Source) -> float:
    """Sure where the first row names a question, options and the right ones."""
    if tables.is_spreadsheet(source):
        found = _found(source, Notices(""))
        columns = found[1] if found else None
    else:
        start = source.start().strip("\n").partition("\n")[0]
        made = (tables.separated(start, sign) for sign in tables.SEPARATORS)
        columns = next((known for rows in made if rows and (known := _columns(rows[0]))), None)
    return 0.0 if columns is None else 0.9 if columns.options else 0.6


def read(source: Source) -> Imported:
    """The questions of a file."""
    notices = Notices(source.name)
    found = _found(source, notices)
    if found is None:
        message = "the first row names no columns `question` and `correct`"
        hint = "begin the file with: question,option 1,option 2,correct,explanation"
        notices.add(1, "", "csv-heading", message, hint, severity="error")
        return Imported((), notices.done())
    rows, columns = found
    if columns.unknown:
        shown = ", ".join(f"`{rows[0].cells[at][:30]}`" for at in columns.unknown[:8])
        message = f"columns of unknown names are left out: {shown}"
        notices.add(rows[0].line, "", "csv-column", message, "docs: Formats of other systems lists the names")
    items: list[DraftItem] = []
    for number, row in enumerate(rows[1:]):
        source.tell(number, len(rows))
        if number == MAX_ITEMS:
            message = f"more than {MAX_ITEMS} questions: the rest is not read"
            notices.add(row.line, "", "many", message, "split the file", severity="error")
            break
        items.append(_Reader(row, columns, notices).item())
    if not items:
        notices.add(1, "", "empty", "no question stands below the heading", "", severity="error")
        return Imported((), notices.done())
    return Imported((DraftQuiz(items=tuple(items)),), notices.done())


class _Reader:
    """Reads one row."""

    def __init__(self, row: Row, columns: _Columns, notices: Notices) -> None:
        self.row = row
        self.columns = columns
        self.notices = notices
        self.name = " ".join(self.cell("question").split())[:40]

    def cell(self, name: str) -> str:
        return self.row.cell(self.columns.named.get(name, -1))

    def say(self, rule: str, message: str, hint: str = "", *, error: bool = False) -> None:
        self.notices.add(self.row.line, self.name, rule, message, hint, severity="error" if error else "warning")

    def item(self) -> DraftItem:
        written = [self.row.cell(at) for at in self.columns.options]
        kind: DraftKind = "text"
        options: tuple[DraftOption, ...] = ()
        accept: tuple[DraftAnswer, ...] = ()
        value, right = None, self.cell("right")
        if any(written):
            key = self.key(right, written)
            kind = "multiple" if len(key) > 1 or "multi" in self.cell("type").lower() else "single"
            options = tuple(
                DraftOption(text=from_plain(text), correct=place in key, rationale=self.feedback(place))
                for place, text in enumerate(written, start=1)
                if text
            )
        else:
            value = decimal(right)
            kind = "text" if value is None else "number"
            texts = [part.strip() for part in right.split("|") if part.strip()] if value is None else []
            accept = tuple(DraftAnswer(text=answers.literal(text)) for text in texts)
        points = decimal(self.cell("points") or "1")
        if points is None:
            self.say("points", f"`{self.cell('points')[:20]}` points: 1 is taken")
        named, hint = self.cell("id"), self.cell("hint")
        return DraftItem(
            kind=kind,
            stem=from_plain(self.cell("question")),
            id=named if ID.fullmatch(named) else "",
            name=named,
            options=options,
            accept=accept,
            value=value,
            points=Decimal(1) if points is None else points,
            hints=(from_plain(hint),) if hint else (),
            explanation=from_plain(self.cell("explanation")),
            category=self.cell("category"),
            tags=tuple(tag.strip() for tag in re.split(r"[,;|]", self.cell("tags")) if tag.strip()),
            place=self.notices.place(self.row.line),
        )

    def feedback(self, place: int) -> str:
        at = self.columns.feedback.get(place)
        return from_plain(self.row.cell(at)) if at is not None else ""

    def key(self, cell: str, written: list[str]) -> set[int]:
        """The places of the right options, from their letters, numbers or texts."""
        there = {place for place, text in enumerate(written, start=1) if text}
        known = {place: written[place - 1].casefold() for place in there}
        whole = {place for place, text in known.items() if text == cell.casefold()}
        parts = {part.strip().casefold() for part in re.split(r"[,;|&]", cell) if part.strip()}
        texts = whole or {place for place, text in known.items() if text in parts}
        if not whole and not parts <= set(known.values()):
            texts = set()
        signs = {part.rstrip(".)") for part in parts}
        places = {_place(sign) for sign in signs if re.fullmatch(r"[a-h1-9]|[أبجد]", sign)}
        if len(places) < len(signs) or not places <= there:
            places = set()
        if texts and places and texts != places:
            message = f"`{cell[:30]}` is the text of an option and the place of another: the text is taken"
            self.say("csv-key", message, "name options by their letters")
        if found := texts or places:
            return found
        message = f"the right option `{cell[:30]}` is none of the {len(there)} options"
        hint = "count from 1" if "0" in signs else "write its letter, number or text; several with a comma"
        self.say("csv-key", message, hint, error=True)
        return set()


FORMAT = Format(id="csv", title="CSV", suffix=".csv", recognise=recognise, read=read)
