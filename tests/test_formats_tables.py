"""Spreadsheets from strangers: damaged in the XML that is packed in them, and larger than they may be."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import pytest

from quiz_widgets.formats import csv_table, kahoot, tables
from quiz_widgets.formats.base import Notices, Source
from tests.formats.data import ROOT, content
from tests.formats.mutations import mutated
from tests.test_formats import survives

TEMPLATE = ROOT / "kahoot" / "sheet.xlsx"
SHEET, STRINGS = "xl/worksheets/sheet1.xml", "xl/sharedStrings.xml"


def packed(**parts: bytes) -> bytes:
    """A spreadsheet of these parts; a name is ``sheet`` or ``strings``."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in parts.items():
            archive.writestr({"sheet": SHEET, "strings": STRINGS}[name], data)
    return made.getvalue()


def test_a_spreadsheet_whose_parts_are_damaged_is_read_or_said_to_be_no_table(tmp_path: Path) -> None:
    sheet, strings = (TEMPLATE / SHEET).read_bytes(), (TEMPLATE / STRINGS).read_bytes()
    for number in range(60):
        data = packed(sheet=mutated([sheet], number), strings=mutated([strings], number + 1000))
        survives(kahoot.FORMAT, data, tmp_path)
        survives(csv_table.FORMAT, data, tmp_path)


@pytest.mark.parametrize(
    "sheet",
    [
        '<c r="B1" t="s"><v>99999999999999999999</v></c>',
        '<c r="B1" t="s"><v>-1</v></c>',
        '<c r="B1" t="s"/>',
        '<c r="ZZZ1"><v>1</v></c>',
        '<c r="!"><v>1e999</v></c>',
        '<c t="inlineStr"/>',
    ],
)
def test_a_cell_that_says_nothing_is_empty(sheet: str) -> None:
    xml = f'<worksheet><sheetData><row r="99999999999999"><c r="A1"><v>7</v></c>{sheet}</row></sheetData></worksheet>'
    [[row]] = tables.tables(Source("x.xlsx", packed(sheet=xml.encode())), Notices("x.xlsx"))

    assert row.line == 1
    assert row.cell(0) == "7"
    assert row.cell(5) == ""


def test_what_stands_far_to_the_right_is_said_to_be_left_out() -> None:
    xml = '<worksheet><sheetData><row r="3"><c r="ZZ3"><v>1</v></c><c r="A3"><v>2</v></c></row></sheetData></worksheet>'
    notices = Notices("x.xlsx")
    [[row]] = tables.tables(Source("x.xlsx", packed(sheet=xml.encode())), notices)

    assert row == tables.Row(3, ("2",))
    assert [problem.rule for problem in notices.problems] == ["table"]


def test_a_sheet_with_a_document_type_is_refused() -> None:
    notices = Notices("x.xlsx")
    data = packed(sheet=b'<!DOCTYPE a [<!ENTITY b "c">]><worksheet><sheetData/></worksheet>')

    assert list(tables.tables(Source("x.xlsx", data), notices)) == []
    assert "document type" in notices.problems[0].message


def test_a_quotation_mark_that_is_never_closed_is_said() -> None:
    notices = Notices("x.csv")
    text = 'question,correct\n"' + "x" * 200_000
    rows = tables.separated(text, ",", notices)

    assert [row.cells for row in rows] == [("question", "correct")]
    assert "never closed" in notices.problems[0].message


def test_a_cell_of_several_lines_counts_its_lines() -> None:
    rows = tables.separated('a,b\n"one\ntwo",c\n\nd,e\n', ",")

    assert [(row.line, row.cells) for row in rows] == [(1, ("a", "b")), (2, ("one\ntwo", "c")), (5, ("d", "e"))]


def test_the_template_is_the_spreadsheet_that_its_folder_holds() -> None:
    assert tables.is_spreadsheet(Source("x.xlsx", content(TEMPLATE)))
    assert not tables.is_spreadsheet(Source("x.zip", b"PK\x03\x04"))
