"""Grading against the golden cases that the page passes too, and the laws that hold for every item."""

from __future__ import annotations

import dataclasses
import json
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quiz_widgets.grading import expected_value, grade
from quiz_widgets.model import Item, Kind, Option, Rendered, Response, Text, Tolerance, Variant

CASES = json.loads((Path(__file__).parent / "cases" / "grading.json").read_text(encoding="utf-8"))["cases"]


def text(words: str) -> Text:
    return Text({"en": Rendered(words, words, words, words)})


def item_of(case: dict[str, Any]) -> Item:
    tolerance = case.get("tolerance")
    return Item(
        id="item",
        kind=case["kind"],
        stem=text("?"),
        options=tuple(Option(id=o, text=text(o), correct=o in case["key"]) for o in case.get("options", ())),
        credit=case.get("credit", "exact"),
        points=Decimal(str(case["points"])),
        value=Decimal(case["value"]) if "value" in case else None,
        tolerance=Tolerance(tolerance["kind"], Decimal(tolerance["amount"])) if tolerance else None,
        variants=tuple(Variant(Decimal(v["value"]), v["slips"]) for v in case.get("variants", ())),
    )


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_golden_case(case: dict[str, Any]) -> None:
    response = Response(tuple(case["response"]["chosen"]), case["response"].get("variant"))

    outcome = grade(item_of(case), response)

    assert (float(outcome.score), float(outcome.max_score)) == (case["score"], case["max_score"])
    assert outcome.correct == (case["score"] == case["max_score"])


def test_the_value_of_an_item_without_variants_needs_no_variant() -> None:
    item = Item(id="n", kind="number", stem=text("?"), value=Decimal(3))

    assert expected_value(item, None) == 3


@st.composite
def choice_items(draw: st.DrawFn) -> Item:
    kind: Kind = draw(st.sampled_from(["single", "multiple"]))
    count = draw(st.integers(2, 8))
    ids = [f"o{index}" for index in range(count)]
    keys = {draw(st.sampled_from(ids))} if kind == "single" else set(draw(st.lists(st.sampled_from(ids), min_size=1)))
    return Item(
        id="item",
        kind=kind,
        stem=text("?"),
        options=tuple(Option(id=i, text=text(i), correct=i in keys) for i in ids),
        credit=draw(st.sampled_from(["exact", "partial"])),
        points=draw(st.decimals("0.25", 10, places=2)),
    )


@st.composite
def answered(draw: st.DrawFn) -> tuple[Item, Response]:
    item = draw(choice_items())
    ids = [option.id for option in item.options]
    return item, Response(tuple(draw(st.lists(st.sampled_from([*ids, "stranger"]), max_size=10))))


@given(answered())
def test_a_score_lies_between_nothing_and_all_points(pair: tuple[Item, Response]) -> None:
    outcome = grade(*pair)

    assert 0 <= outcome.score <= outcome.max_score == pair[0].points


@given(answered(), st.randoms())
def test_permuting_options_or_what_was_chosen_never_changes_a_score(pair: tuple[Item, Response], random: Any) -> None:
    item, response = pair
    options = tuple(random.sample(item.options, len(item.options)))
    chosen = tuple(random.sample(response.chosen, len(response.chosen)))

    assert grade(dataclasses.replace(item, options=options), Response(chosen)) == grade(item, response)


@given(answered(), st.text(), st.sampled_from(["en", "tr", "ar"]))
def test_renaming_texts_or_changing_locale_never_changes_a_score(
    pair: tuple[Item, Response], words: str, locale: str
) -> None:
    item, response = pair
    renamed = Text({"en": Rendered("", "", "", ""), locale: Rendered(words, words, words, words)})
    options = tuple(dataclasses.replace(option, text=renamed, rationale=renamed) for option in item.options)

    changed = dataclasses.replace(item, stem=renamed, options=options, explanation=renamed)

    assert grade(changed, response) == grade(item, response)


@given(choice_items())
def test_the_key_earns_all_points_and_nothing_chosen_earns_none(item: Item) -> None:
    assert grade(item, Response(item.key)).correct
    assert grade(item, Response(())).score == 0


@given(
    st.decimals("-1e6", "1e6", places=6),
    st.decimals(0, 1000, places=6),
    st.sampled_from(["absolute", "relative"]),
    st.sampled_from([1, -1]),
)
def test_both_edges_of_a_tolerance_belong_to_it(value: Decimal, amount: Decimal, kind: Any, side: int) -> None:
    item = Item(id="n", kind="number", stem=text("?"), value=value, tolerance=Tolerance(kind, amount))
    reach = amount if kind == "absolute" else amount * abs(value)

    assert grade(item, Response((f"{value + side * reach:f}",))).correct
    assert not grade(item, Response((f"{value + side * (reach + Decimal('1e-9')):f}",))).correct
