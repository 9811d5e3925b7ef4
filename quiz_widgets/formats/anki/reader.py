"""Anki's notes as drafts: the front is the stem, a short back is the answer."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from quiz_widgets.authoring.fields import ID
from quiz_widgets.formats import answers, html_parse, html_text, markdown, tables
from quiz_widgets.formats.base import MAX_ITEMS, Notices, Source, decimal
from quiz_widgets.formats.draft import DraftAnswer, DraftItem, DraftQuiz, DraftTolerance, Imported
from quiz_widgets.formats.tables import Row

MOST_TYPED = 60
"""Signs of a back that somebody may be asked to type; longer ones are explained, not typed."""
_SEPARATORS = {"comma": ",", "semicolon": ";", "tab": "\t", "space": " ", "pipe": "|", "colon": ":"}
_COLUMN = re.compile(r"(guid|notetype|deck|tags) column")
_GAP = re.compile(r"\{\{c(\d{1,3})::(.{0,500}?)(?:::(.{0,500}?))?\}\}", re.DOTALL)
_RULE = re.compile(r"<hr\b[^<>]*>", re.IGNORECASE)
_SOUND = re.compile(r"\[(?:sound|anki):[^\]\n]{1,200}\]")
_LATEX = (
    (re.compile(r"\[\$\](.{0,2000}?)\[/\$\]", re.DOTALL), r"\\(\1\\)"),
    (re.compile(r"\[\$\$\](.{0,2000}?)\[/\$\$\]", re.DOTALL), r"\\[\1\\]"),
    (re.compile(r"\[latex\](.{0,2000}?)\[/latex\]", re.DOTALL), r"\1"),
)
_NUMBER = re.compile(r"([+\u2212-]?[\d.,]+(?:[eE][+-]?\d+)?)(?: ?± ?([\d.,]+(?:[eE][+-]?\d+)?)(?: (\S.{0,30}))?)?")


@dataclass(slots=True)
class _File:
    """What the lines above the notes say."""

    sign: str = "\t"
    html: bool | None = None
    columns: dict[str, int] = field(default_factory=dict)
    deck: str = ""
    tags: tuple[str, ...] = ()


def read(source: Source) -> Imported:
    """The notes of a file."""
    notices = Notices(source.name)
    text = source.text(notices)
    lines = text.split("\n")
    head = next((at for at, line in enumerate(lines) if not line.startswith("#")), len(lines))
    said = _header(lines[:head], notices)
    rows = tables.separated("\n" * head + "\n".join(lines[head:]), said.sign, notices)
    reader = _Reader(said, notices)
    items: list[DraftItem] = []
    for number, row in enumerate(rows):
        source.tell(number, len(rows))
        if number == MAX_ITEMS:
            message = f"more than {MAX_ITEMS} notes: the rest is not read"
            notices.add(row.line, "", "many", message, "split the file", severity="error")
            break
        if item := reader.item(row):
            items.append(item)
    if not items:
        notices.add(1, "", "empty", "no note has a front and a back", "is it in this format?", severity="error")
        return Imported((), notices.done())
    decks = {item.category for item in items}
    title = decks.pop().rpartition("::")[2] if len(decks) == 1 else ""
    language = reader.languages.pop() if len(reader.languages) == 1 else ""
    return Imported((DraftQuiz(items=tuple(items), title=markdown.escape(title), language=language),), notices.done())


def _header(lines: list[str], notices: Notices) -> _File:
    said = _File()
    for number, line in enumerate(lines, start=1):
        name, colon, value = line[1:].partition(":")
        name, value = name.strip().lower(), value.strip()
        column = _COLUMN.fullmatch(name)
        if name == "separator":
            said.sign = _SEPARATORS.get(value.lower(), value if len(value) == 1 else "\t")
        elif name == "html":
            said.html = value.lower() == "true"
        elif column and value.isdigit() and 1 <= int(value[:4]) <= 100:
            said.columns[column[1]] = int(value[:4]) - 1
        elif name == "deck":
            said.deck = value
        elif name == "tags":
            said.tags = tuple(value.split())
        elif colon and name not in {"columns", "notetype", "if matches"}:
            notices.add(number, "", "anki-header", f"the line `{line[:40]}` says nothing to Anki", severity="note")
    return said


class _Reader:
    def __init__(self, said: _File, notices: Notices) -> None:
        self.said = said
        self.notices = notices
        self.languages: set[str] = set()

    def text(self, field_text: str, row: Row, name: str) -> str:
        """A field as Markdown."""
        for pattern, shown in _LATEX:
            field_text = pattern.sub(shown, field_text)
        if sounds := _SOUND.findall(field_text):
            message = f"sound is left out: {', '.join(sounds)[:80]}"
            self.notices.add(row.line, name, "anki-sound", message, "put a link to it into the text")
            field_text = _SOUND.sub("", field_text)
        if not (self.said.html if self.said.html is not None else html_text.looks_like_html(field_text)):
            return markdown.from_plain(field_text)
        if language := html_text.language(field_text):
            self.languages.add(language)
        return html_text.to_markdown(
            field_text, lambda rule, message, hint: self.notices.add(row.line, name, rule, message, hint)
        )

    def item(self, row: Row) -> DraftItem | None:
        special = self.said.columns
        fields = [cell for at, cell in enumerate(row.cells) if at not in special.values()]
        front, back = (*fields, "", "")[:2]
        name = " ".join(html_parse.parse(front[:500]).all_text().split())[:40]

        def say(rule: str, message: str, hint: str = "") -> None:
            self.notices.add(row.line, name, rule, message, hint, severity="error")

        if extra := [cell for cell in fields[2:] if cell]:
            message = f"{len(extra)} further fields are not carried: {', '.join(extra)[:80]}"
            self.notices.add(row.line, name, "anki-fields", message, "only the first two are read: front and back")
        guid = row.cell(special["guid"]).rpartition("/")[2] if "guid" in special else ""
        tags = (*self.said.tags, *(row.cell(special["tags"]).split() if "tags" in special else ()))
        deck = row.cell(special["deck"]) if "deck" in special else self.said.deck
        gaps = list(_GAP.finditer(front))
        hints: tuple[str, ...] = ()
        if gaps:
            answer, hints = gaps[0][2], (self.text(gaps[0][3], row, name),) if gaps[0][3] else ()
            if len({gap[1] for gap in gaps}) > 1 or len(gaps) > 1:
                say("anki-cloze", f"{len(gaps)} gaps: a question here has one", "make a note of each")
                answer = ""
            front, back = _GAP.sub("____", front), f"{answer}<hr>{back}" if back else answer
        elif not front or not back:
            say("anki-empty", "the front or the back is empty: there is nothing to ask", "fill it")
        answer, *rest = _RULE.split(back, maxsplit=1)
        shown = self.text(answer, row, name)
        made = self.key(shown)
        explanation = self.text(rest[0], row, name) if rest else ""
        if made is None:
            if shown:
                message = f"the back has {len(markdown.to_plain(shown))} signs or several lines: nobody types that"
                say("anki-long", message, "give it options, or shorten the back")
            made, explanation = (
                DraftItem(kind="text", stem=""),
                "\n\n".join(part for part in (shown, explanation) if part),
            )
        return DraftItem(
            kind=made.kind,
            stem=self.text(front, row, name),
            id=guid if ID.fullmatch(guid) else "",
            accept=made.accept,
            value=made.value,
            tolerance=made.tolerance,
            unit=made.unit,
            hints=hints,
            explanation=explanation,
            category=deck,
            tags=tags,
            place=self.notices.place(row.line),
        )

    def key(self, shown: str) -> DraftItem | None:
        """What a back asks for; `None` when nobody would type it."""
        plain = markdown.to_plain(shown)
        if not plain or len(plain) > MOST_TYPED or "\n" in plain:
            return None
        number = _NUMBER.fullmatch(plain)
        value = decimal(number[1]) if number else None
        if number is None or value is None:
            return DraftItem(kind="text", stem="", accept=(DraftAnswer(text=answers.literal(plain)),))
        allowed = decimal(number[2]) if number[2] else None
        return DraftItem(
            kind="number",
            stem="",
            value=value,
            tolerance=DraftTolerance("absolute", allowed) if allowed else None,
            unit=markdown.escape(number[3] or ""),
        )
