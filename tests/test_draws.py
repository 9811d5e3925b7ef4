"""Drawn numbers: every variant is computed, rounded once, and told apart from every known mistake."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quiz_widgets import authoring, compiled, grading, ordering, payload
from quiz_widgets.authoring import draws, placeholders
from quiz_widgets.demos import registry
from quiz_widgets.demos.registry import Fact, Facts
from quiz_widgets.model import Item, Quiz, Response, Tolerance
from quiz_widgets.problems import ContentError

CONTENT = Path(__file__).parent.parent / "content"
COURSE = [authoring.load(path.parent) for path in sorted(CONTENT.glob("*/quiz.yaml"))]
DRAWN = [item for quiz in COURSE for item in quiz.items if item.draw]

QUIZ = """\
id: drawn
title: Drawn
level: easy
description: One drawn item.
items:
  - id: thirds
    kind: number
    stem: What is {number} over 3?
    draw: {number: [1, 2, 3, 4, 2.0, 1000]}
    evidence: thirds
    tolerance: {absolute: 0.01}
    explanation: It is {value}, and {double} over 6.
    slips:
      - id: upside-down
        rationale: That is 3 over {number}.
"""


@pytest.fixture(autouse=True)
def thirds() -> Iterator[None]:
    @registry.evidence("thirds")
    def compute(number: float = 1) -> Facts:
        facts = {"value": number / 3, "upside_down": 3 / number, "double": 2 * number, "odd": number % 2 == 1}
        return Facts({name: Fact(value) for name, value in facts.items()}, "a third")

    yield
    del registry._known["thirds"]


def load(folder: Path, text: str) -> Quiz:
    (folder / "drawn.yaml").write_text(text, encoding="utf-8")
    return authoring.load(folder / "drawn.yaml")


def problem(folder: Path, text: str) -> str:
    with pytest.raises(ContentError) as raised:
        load(folder, text)
    return str(raised.value)


def test_a_variant_holds_the_value_the_slips_and_the_numbers_that_texts_show(tmp_path: Path) -> None:
    item = load(tmp_path, QUIZ).items[0]

    two = next(variant for variant in item.variants if variant.numbers["number"] == "2")

    assert item.draw == {"number": ("1", "2", "3", "4", "2.0", "1000")}
    assert two.value == Decimal("0.666666666667")
    assert two.slips == {"upside-down": Decimal("1.5")}
    assert two.numbers == {"number": "2", "value": "0.666666666667", "double": "4"}


def test_what_is_shown_is_what_is_graded(tmp_path: Path) -> None:
    item = load(tmp_path, QUIZ.replace("    tolerance", "    digits: 3\n    tolerance")).items[0]

    shown = {variant.numbers["number"]: (variant.numbers["value"], str(variant.value)) for variant in item.variants}

    assert shown["2"] == ("0.667", "0.667")
    assert shown["1000"] == ("333", "333")


def test_combinations_that_are_the_same_or_cannot_be_told_apart_are_left_out(tmp_path: Path) -> None:
    """2.0 is 2, and 3 over 3 is the same either way up."""
    item = load(tmp_path, QUIZ).items[0]

    assert sorted(Decimal(variant.numbers["number"]) for variant in item.variants) == [1, 2, 4, 1000]


def test_slips_that_cannot_be_told_apart_are_left_out(tmp_path: Path) -> None:
    text = QUIZ + "      - {id: double, rationale: Twice.}\n"

    item = load(tmp_path, text.replace("[1, 2, 3, 4, 2.0, 1000]", "[1.2247, 2]")).items[0]

    assert [variant.numbers["number"] for variant in item.variants] == ["2"]  # 3 over 1.2247 is near 2 times 1.2247


def test_a_slip_beside_a_value_far_larger_counts_by_the_larger_tolerance() -> None:
    """A response of 99 is no right 100, but a slip of 99 would take a response of 100 for the slip."""
    key = draws.Key(Tolerance("relative", Decimal("0.01")), ())

    assert not key.tells_apart([Decimal(100), Decimal(99)])
    assert not key.tells_apart([Decimal(99), Decimal(100)])
    assert key.tells_apart([Decimal(100), Decimal("98.9")])


def test_no_more_than_thirty_two_are_drawn_and_always_the_same_ones(tmp_path: Path) -> None:
    numbers = [str(number) for number in range(10, 110)]
    first = load(tmp_path, QUIZ.replace("[1, 2, 3, 4, 2.0, 1000]", f"[{', '.join(numbers)}]")).items[0]
    second = load(tmp_path, QUIZ.replace("[1, 2, 3, 4, 2.0, 1000]", f"[{', '.join(reversed(numbers))}]")).items[0]

    drawn = [variant.numbers["number"] for variant in first.variants]

    assert first.variants == second.variants
    assert len(set(drawn)) == len(drawn) == 32
    assert drawn != sorted(drawn, key=int)

    other = QUIZ.replace("[1, 2, 3, 4, 2.0, 1000]", f"[{', '.join(numbers)}]").replace("id: thirds", "id: other")
    assert load(tmp_path, other).items[0].variants != first.variants


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("number / 3", "", "fails with number = 1: ZeroDivisionError"),
        ("{double}", "{odd}", "explanation: `{odd}` stands for no drawn number"),
        ("{double}", "`{double}`", "`{double}` inside code or maths shows no number"),
        ("{double}", "{}", "`{}` stands for no drawn number"),
    ],
)
def test_what_no_number_can_fill_is_a_problem(tmp_path: Path, old: str, new: str, message: str) -> None:
    text = QUIZ.replace("[1, 2", "[0, 1") if not new else QUIZ.replace(old, new)

    assert message.replace("number = 1", "number = 0") in problem(tmp_path, text)


def test_a_parameter_with_the_name_of_a_fact_is_a_problem(tmp_path: Path) -> None:
    @registry.evidence("ambiguous")
    def ambiguous(number: float = 1) -> Facts:
        return Facts({"value": Fact(number), "upside_down": Fact(-number), "number": Fact(2)}, "two meanings")

    text = QUIZ.replace("evidence: thirds", "evidence: ambiguous").replace("{double} over", "6")

    assert "`number` is a parameter and a fact" in problem(tmp_path, text)
    del registry._known["ambiguous"]


def test_evidence_that_needs_a_missing_package_says_how_to_get_it(tmp_path: Path) -> None:
    found = registry.get("thirds")
    registry._known["thirds"] = dataclasses.replace(found, requires=("no_such_package",))

    assert "`thirds` cannot be computed without no_such_package (pip install no_such_package)" in problem(
        tmp_path, QUIZ
    )


def test_other_faults_of_the_item_come_before_drawing(tmp_path: Path) -> None:
    text = QUIZ.replace("{number: [1, 2", "{number: [0, 2").replace("absolute: 0.01", "absolute: -1")

    assert "a tolerance of -1" in problem(tmp_path, text)
    assert "ZeroDivisionError" not in problem(tmp_path, text)


@pytest.mark.parametrize(
    ("value", "digits", "expected"),
    [
        (2 / 3, 4, "0.6667"),
        (104.3081, 4, "104.3"),
        (65536.0, 3, "65536"),
        (123456.78, 4, "123457"),
        (0.000123456, 3, "0.000123"),
        (24.000000000000004, 12, "24"),
        (0.1 + 0.2, 12, "0.3"),
        (9.9996, 4, "10"),
        (0, 4, "0"),
        (-2 / 3, 2, "-0.67"),
        (float("inf"), 4, None),
        (float("nan"), 4, None),
        (1e300, 4, None),
        (10**400, 4, None),
    ],
)
def test_rounding(value: float, digits: int, expected: str | None) -> None:
    number = draws.rounded(value, digits)

    assert (None if number is None else str(number)) == expected


@given(st.floats(-1e24, 1e24), st.integers(1, 12))
def test_a_rounded_number_keeps_as_it_is_when_rounded_again(value: float, digits: int) -> None:
    once = draws.rounded(value, digits)

    assert once is not None
    assert abs(once - Decimal(value)) <= max(abs(Decimal(value)) * Decimal(10) ** (1 - digits), Decimal("1e-300"))


@pytest.mark.parametrize("item", DRAWN, ids=lambda item: item.id)
def test_each_drawn_item_of_the_course(item: Item) -> None:
    """At least eight variants; each value is right by its own number and no slip is."""
    assert 8 <= len(item.variants) <= 32
    assert len({tuple(sorted(variant.numbers.items())) for variant in item.variants}) == len(item.variants)
    for index, variant in enumerate(item.variants):
        assert grading.grade(item, Response((variant.numbers.get("value", str(variant.value)),), index)).correct
        assert not any(grading.grade(item, Response((f"{slip:f}",), index)).correct for slip in variant.slips.values())
        assert list(variant.slips) == [slip.id for slip in item.slips]


@pytest.mark.parametrize("item", DRAWN, ids=lambda item: item.id)
def test_no_braces_are_left_in_the_texts_of_the_course(item: Item) -> None:
    texts = [item.stem, *item.hints, *(slip.rationale for slip in item.slips)]
    texts += [text for text in (item.explanation, item.unit) if text is not None]
    for text in texts:
        for locale, form in text.forms.items():
            filled = payload.fill_numbers(form.plain, item.variants[0].numbers, locale, escape=False)
            assert not placeholders.names(filled)
            assert set(placeholders.names(form.source)) <= set(item.variants[0].numbers)


def test_both_guides_draw_numbers_for_five_items_at_least() -> None:
    assert all(sum(item.draw is not None for item in quiz.items) >= 5 for quiz in COURSE)


def test_compiling_keeps_the_variants() -> None:
    for quiz in COURSE:
        assert compiled.loads(compiled.dump(quiz)) == quiz


def test_python_and_page_pick_among_the_carried_variants() -> None:
    quiz = COURSE[0]
    item = next(item for item in quiz.items if item.draw)
    carried = [
        drawn["index"]
        for made in payload.quiz_payload(quiz, "en")["items"]
        for drawn in made.get("variants", [])
        if made["id"] == item.id
    ]

    assert len(carried) == 8
    assert {payload.variant_of(item, f"{attempt:032x}") for attempt in range(200)} == set(carried)
    assert payload.variant_of(item, "a" * 32) == ordering.pick("a" * 32, item.id, carried)
    assert payload.variant_of(quiz.items[0], "a" * 32) is None
