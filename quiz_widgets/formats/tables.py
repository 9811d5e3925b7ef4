"""Rows of a spreadsheet (.xlsx) or of separated values, each with its line: what Kahoot's template and CSV stand on.

A spreadsheet is a zip with XML in it; the archive and XML readers of all formats bound both, so that no library for
spreadsheets is needed. Formulas are not computed: the value that the file keeps beside them is taken.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from quiz_widgets.formats import archives, xml_tree
from quiz_widgets.formats.base import Notices, Source, decimal
from quiz_widgets.locales.numbers import canonical

SEPARATORS = ",;\t|"
MAX_ROWS = 20_000
MAX_CELLS = 100
"""The most columns that are read; a question has some twenty."""
_REFERENCE = re.compile(r"([A-Z]{1,3})(\d{1,7})")


@dataclass(frozen=True, slots=True)
class Row:
    """One row: the line (of a spreadsheet: the number of the row) and its cells without space around them."""

    line: int
    cells: tuple[str, ...]

    def cell(self, at: int) -> str:
        """The text of a column, empty where there is none."""
        return self.cells[at] if 0 <= at < len(self.cells) else ""


def is_spreadsheet(source: Source) -> bool:
    """Whether the bytes are a zip with a worksheet in it."""
    return source.data[:2] == b"PK" and b"xl/worksheets/" in source.data


def tables(source: Source, notices: Notices) -> Iterator[list[Row]]:
    """The tables that a file may be: the sheets of a spreadsheet, or the text cut at each likely separator.

    Rows without a text are left out. Never raises.
    """
    if source.data[:2] == b"PK":
        yield from _sheets(source, notices)
        return
    text = source.text(notices)
    first = text[:4096]
    likely = sorted((sign for sign in SEPARATORS if sign in first), key=lambda sign: -first.count(sign))
    for sign in likely or [","]:
        if made := separated(text, sign, notices):
            yield made


def separated(text: str, sign: str, notices: Notices | None = None) -> list[Row]:
    """The rows of separated values, quotes read as spreadsheets write them."""
    rows: list[Row] = []
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=sign)
    line, fault = 1, ""
    try:
        for cells in reader:
            if len(rows) == MAX_ROWS:
                fault = f"more than {MAX_ROWS} rows"
                break
            if any(cell.strip() for cell in cells):
                rows.append(Row(line, tuple(cell.strip() for cell in cells)))
            line = reader.line_num + 1
    except csv.Error as error:
        fault = f"{error} (is a quotation mark never closed?)"
    if fault and notices is not None:
        notices.add(line, "", "table", f"{fault}: what follows is not read", "split the file", severity="error")
    return rows


def _sheets(source: Source, notices: Notices) -> Iterator[list[Row]]:
    members = archives.read(source.data, notices).members

    def tree(name: str) -> xml_tree.Element | None:
        content = members.get(name)
        return xml_tree.parse(Source(name, content), notices) if content is not None else None

    strings = tree("xl/sharedStrings.xml")
    shared = [_text(entry) for entry in strings.children("si")] if strings is not None else []
    for name in sorted(members, key=lambda name: (len(name), name)):
        if re.fullmatch(r"xl/worksheets/[^/]+\.xml", name):
            sheet = tree(name)
            data = sheet.child("sheetData") if sheet is not None else None
            if data is not None:
                yield [row for row in _rows(data, shared, notices) if any(row.cells)]


def _rows(data: xml_tree.Element, shared: Sequence[str], notices: Notices) -> Iterator[Row]:
    for number, row in enumerate(data.children("row"), start=1):
        cells: dict[int, str] = {}
        for at, cell in enumerate(row.children("c")):
            place = _REFERENCE.fullmatch(cell.attributes.get("r", ""))
            column = _column(place[1]) if place else at
            if column < MAX_CELLS:
                cells[column] = _value(cell, shared)
            elif _value(cell, shared):
                notices.add(number, "", "table", f"what stands beyond column {MAX_CELLS} is not read")
        named = row.attributes.get("r", "")
        line = int(named) if named.isdigit() and len(named) < 8 else number
        yield Row(line, tuple(cells.get(at, "") for at in range(max(cells, default=-1) + 1)))


def _column(letters: str) -> int:
    number = 0
    for letter in letters:
        number = number * 26 + ord(letter) - ord("A") + 1
    return number - 1


def _value(cell: xml_tree.Element, shared: Sequence[str]) -> str:
    kind = cell.attributes.get("t", "n")
    if kind == "inlineStr":
        inner = cell.child("is")
        return _text(inner).strip() if inner is not None else ""
    written = cell.value("v")
    if kind == "s":
        return shared[int(written)].strip() if written.isdigit() and int(written) < len(shared) else ""
    if kind == "b":
        return "TRUE" if written == "1" else "FALSE"
    found = decimal(written) if kind == "n" else None
    return canonical(found) if found is not None else written


def _text(element: xml_tree.Element) -> str:
    """The text of a string, without the reading aids of East Asian scripts."""
    return "".join(part.text() for part in element.children() if part.name in {"t", "r"})
