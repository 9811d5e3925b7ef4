"""Cells of what leaves the desk: each is what it says, and none is a formula."""

from __future__ import annotations

import csv
import io
import json
import unicodedata
from decimal import Decimal
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quiz_widgets.classroom.desk.exports import cells

TEXTS: dict[str, list[str]] = json.loads((Path(__file__).parent / "cells.json").read_text(encoding="utf-8"))
SIGNS = "=+-@"


@pytest.mark.parametrize("case", TEXTS)
def test_a_text_begins_no_formula(case: str) -> None:
    given_text, wanted = TEXTS[case]

    assert cells.safe(given_text) == wanted


TRICKY = (
    st.text(st.sampled_from(" \t\r\n;,\"'=+-@|\u00a0\u200b\ufeff\u200f\uff1d\uff0b\uff0d\uff20\u22121aé")) | st.text()
)


@given(
    st.lists(
        st.lists(
            TRICKY | st.integers() | st.decimals(allow_nan=False, allow_infinity=False, places=4) | st.none(),
            min_size=2,
        ),
        min_size=1,
    )
)
def test_no_cell_is_a_formula_whatever_takes_it_apart(table: list[list[Any]]) -> None:
    text = "".join(cells.lines(table))

    assert text.startswith("\ufeff")
    read = list(csv.reader(io.StringIO(text.removeprefix("\ufeff"), newline=""), strict=True))
    assert [len(row) for row in read] == [len(row) for row in table]
    for row, found in zip(table, read, strict=True):
        for value, cell in zip(row, found, strict=True):
            if value is None:
                assert cell == ""
            elif isinstance(value, str):
                assert cell.replace("'", "") == value.replace("'", "")
                for part in cell.replace("\t", ";").replace("\n", ";").replace("\r", ";").split(";"):
                    assert not is_formula(part)
            else:
                assert Decimal(cell) == value


def is_formula(cell: str) -> bool:
    """As a spreadsheet sees it: what shows first, in its usual width."""
    shown = [letter for letter in cell if not letter.isspace() and unicodedata.category(letter) not in ("Cc", "Cf")]
    return bool(shown) and unicodedata.normalize("NFKC", shown[0])[0] in SIGNS


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("-2.50", Decimal("-2.50")),
        ("1e3", Decimal(1000)),
        ("-2+3", "-2+3"),
        ("1e999", "1e999"),
        ("0x1F", "0x1F"),
        ("٣", "٣"),
        ("", ""),
        ("9" * 50, "9" * 50),
    ],
)
def test_only_plain_numbers_are_numbers(text: str, wanted: Decimal | str) -> None:
    assert cells.number(text) == wanted


@pytest.mark.parametrize(
    ("number", "wanted"), [("1E+3", "1000"), ("0.50", "0.5"), ("-0.00", "0"), ("100", "100"), ("2.0000", "2")]
)
def test_numbers_are_written_in_digits(number: str, wanted: str) -> None:
    assert cells.plain(Decimal(number)) == wanted


def test_times_are_written_as_the_course_s_clock_shows_them() -> None:
    berlin = ZoneInfo("Europe/Berlin")

    assert cells.moment(1_800_000_000_001, berlin) == "2027-01-15T09:00:00.001+01:00"
    # the hour that comes twice
    assert cells.moment(1_792_888_200_000, berlin) == "2026-10-25T02:30:00.000+02:00"
    assert cells.moment(1_792_891_800_000, berlin) == "2026-10-25T02:30:00.000+01:00"
