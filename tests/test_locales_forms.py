"""Plural forms, numbers and percentages by locale: the golden cases, and laws over every number."""

from __future__ import annotations

import json
from decimal import Decimal
from pathlib import Path

import pytest
from babel import Locale
from hypothesis import given
from hypothesis import strategies as st

from quiz_widgets.locales import forms, numbers

CASES = json.loads((Path(__file__).parent / "cases" / "forms.json").read_text(encoding="utf-8"))
LOCALES = st.sampled_from(sorted(forms.CATEGORIES))


@pytest.mark.parametrize(
    ("locale", "number", "category"),
    [(locale, number, category) for locale, table in CASES["plurals"].items() for number, category in table.items()],
)
def test_plural_categories(locale: str, number: str, category: str) -> None:
    assert forms.plural(Decimal(number), locale) == category


@given(LOCALES, st.integers(0, 10**6) | st.decimals(0, 10**4, places=1))
def test_plural_categories_are_those_of_cldr(locale: str, number: int | Decimal) -> None:
    assert forms.plural(number, locale) == Locale(locale).plural_form(number)


@pytest.mark.parametrize("locale", forms.CATEGORIES)
def test_the_categories_are_those_that_cldr_names(locale: str) -> None:
    assert set(forms.CATEGORIES[locale]) == Locale(locale).plural_form.tags | {"other"}


def test_regions_follow_their_language_and_others_are_unknown() -> None:
    assert forms.plural(2, "ar-EG") == "two"
    with pytest.raises(KeyError):
        forms.plural(1, "fr")


@pytest.mark.parametrize("case", CASES["numbers"], ids=str)
def test_numbers(case: dict[str, str]) -> None:
    assert forms.local_number(case["decimal"], case["locale"]) == case["shown"]


@pytest.mark.parametrize("case", CASES["percents"], ids=str)
def test_percentages(case: dict[str, str]) -> None:
    assert forms.local_percent(case["decimal"], case["locale"]) == case["shown"]


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (12, "12"), (16384, "16384"), (12.0, "12"), (0.7523, "0.752"), (8.3851, "8.39"), (91.77, "91.8"),
        (1234567.8, "1234568"), (0.000179, "0.000179"), (3.9e-06, "3.9\u00a0×\u00a010⁻⁶"),
        (-2.5e9 - 0.5, "-2.5\u00a0×\u00a010⁹"),
        (0, "0"), (-0.0, "0"), (True, "true"), ("fp16", "fp16"),
    ],
)  # fmt: skip
def test_facts_are_written_to_be_read(value: float | str, text: str) -> None:
    assert forms.readable(value) == text


def test_versions_are_no_decimals() -> None:
    assert forms.local_number("2.13.0", "tr") == "2.13.0"
    assert forms.local_number("3.9 × 10⁻⁶", "tr") == "3,9 × 10⁻⁶"


@given(LOCALES, st.decimals(allow_nan=False, allow_infinity=False, min_value=-(10**20), max_value=10**20, places=6))
def test_what_is_shown_can_be_typed(locale: str, number: Decimal) -> None:
    decimal = numbers.canonical(number)

    assert numbers.canonical_number(forms.local_number(decimal, locale), locale) == decimal
