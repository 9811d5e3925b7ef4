"""Typed numbers against the golden cases that the page passes too."""

from __future__ import annotations

import json
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quiz_widgets.grading import canonical_number
from quiz_widgets.locales.numbers import canonical, decimal_comma, readings

CASES = json.loads((Path(__file__).parent / "cases" / "numbers.json").read_text(encoding="utf-8"))["cases"]


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['locale']}: {case['typed']!a}")
def test_golden_case(case: dict[str, Any]) -> None:
    assert canonical_number(case["typed"], case["locale"]) == case["canonical"]
    one = [case["canonical"]] if case["canonical"] is not None else []
    assert list(readings(case["typed"], case["locale"])) == case.get("readings", one)


@given(st.decimals(allow_nan=False, allow_infinity=False, min_value="-1e20", max_value="1e20"))
def test_a_canonical_number_keeps_its_value_and_reads_as_itself(number: Decimal) -> None:
    written = canonical(number)

    assert Decimal(written) == number
    assert len(written) > 64 or canonical_number(written, "en") == written


@given(st.integers(-(10**9), 10**9), st.integers(0, 9999), st.sampled_from(["en", "tr", "ar"]))
def test_digits_and_decimal_sign_of_a_locale_read_as_the_same_number(whole: int, parts: int, locale: str) -> None:
    sign = "," if decimal_comma(locale) else "."
    typed = f"{whole}{sign}{parts:04d}"
    arabic = typed.translate({ord(str(digit)): "٠١٢٣٤٥٦٧٨٩"[digit] for digit in range(10)}).replace(sign, "٫")

    expected = canonical(Decimal(f"{whole}.{parts:04d}"))

    assert canonical_number(typed, locale) == canonical_number(arabic, "en") == expected


@given(st.text(), st.sampled_from(["en", "tr", "ar"]))
def test_any_text_is_a_canonical_decimal_or_no_number(typed: str, locale: str) -> None:
    written = canonical_number(typed, locale)

    assert written is None or canonical(Decimal(written)) == written
