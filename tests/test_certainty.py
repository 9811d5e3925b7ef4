"""Certainty-based marks against the golden cases that the page passes too."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from quiz_widgets import certainty

CASES = json.loads((Path(__file__).parent / "cases" / "certainty.json").read_text(encoding="utf-8"))["marks"]


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['score']}/{case['points']} sure {case['sure']}")
def test_golden_mark(case: dict[str, Any]) -> None:
    assert certainty.mark(case["score"], case["points"], case["sure"]) == case["mark"]


def test_it_pays_to_say_what_one_believes() -> None:
    """The expected mark is greatest for 1 below two thirds, for 3 above four fifths, and for 2 in between."""

    def best(chance: float) -> int:
        def expected(sure: int) -> float:
            right, wrong = certainty.mark(1, 1, sure), certainty.mark(0, 1, sure)
            assert right is not None
            assert wrong is not None
            return chance * right + (1 - chance) * wrong

        return max((1, 2, 3), key=expected)

    assert [best(chance) for chance in (0.1, 0.5, 0.66, 0.67, 0.79, 0.81, 0.99)] == [1, 1, 1, 2, 2, 3, 3]
