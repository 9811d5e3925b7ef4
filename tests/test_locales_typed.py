"""Typed texts against the golden cases that the page passes too, and accepted texts as patterns."""

from __future__ import annotations

import json
import re
import unicodedata
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from quiz_widgets.locales import patterns
from quiz_widgets.locales.typed import normalised

CASES = json.loads((Path(__file__).parent / "cases" / "text-normalisation.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("case", CASES["texts"], ids=lambda case: case["about"])
def test_golden_text(case: dict[str, Any]) -> None:
    found = normalised(case["text"], case["locale"], match_case=case.get("match_case", False))

    assert found == case["normalised"]


@pytest.mark.parametrize("case", CASES["patterns"], ids=lambda case: case["pattern"])
def test_golden_pattern(case: dict[str, Any]) -> None:
    assert [list(parts) for parts in patterns.parts(case["pattern"], case["locale"])] == case["parts"]


@given(st.text(max_size=20), st.sampled_from(["en", "tr", "ar"]))
@example("İ", "en")
@example("ß´", "tr")
def test_composition_spaces_and_case_make_no_difference(text: str, locale: str) -> None:
    same = normalised(text, locale)

    assert normalised(f" {text}  ", locale) == same
    assert normalised(unicodedata.normalize("NFD", text), locale) == normalised(
        unicodedata.normalize("NFC", text), locale
    )


@given(st.text("ab*|\\ ", max_size=12), st.text("ab ", max_size=10))
def test_a_phrase_with_its_signs_escaped_accepts_itself(phrase: str, other: str) -> None:
    escaped = "".join(f"\\{sign}" if sign in "*|\\" else sign for sign in phrase)
    (alternative,) = patterns.parts(escaped, "en")

    assert patterns.fits(alternative, normalised(phrase, "en"))
    assert patterns.fits(alternative, normalised(other, "en")) == (normalised(other, "en") == normalised(phrase, "en"))


@given(st.lists(st.text("ab", max_size=3), min_size=1, max_size=5), st.text("ab", max_size=12))
def test_stars_accept_what_a_regular_expression_would(pieces: list[str], text: str) -> None:
    (alternative,) = patterns.parts("*".join(pieces), "en")

    assert patterns.fits(alternative, text) == bool(re.fullmatch(".*".join(map(re.escape, pieces)), text))


@pytest.mark.parametrize(
    ("pattern", "shown"),
    [("adam", "adam"), ("ada*|Adam", "Adam"), ("ada*|a*b", "ada…"), (r"a\*b|c", "a*b"), ("  a   b ", "a b")],
)
def test_the_example_of_a_pattern_has_no_star(pattern: str, shown: str) -> None:
    assert patterns.example(pattern) == shown


def test_a_long_response_is_compared_in_steps_that_grow_with_its_length() -> None:
    """A pattern of many stars over a text that almost fits is where regular expressions explode."""
    (alternative,) = patterns.parts("*".join("a" * 400), "en")

    class Counted(str):
        __slots__ = ()
        calls = 0

        def find(self, *where: Any) -> int:
            Counted.calls += 1
            return str.find(self, *where)

    assert not patterns.fits(alternative, Counted("a" * 999 + "b"))
    assert Counted.calls <= 400
