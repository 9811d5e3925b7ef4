"""Grading against the golden cases that the page passes too, and the laws that hold for every item."""

from __future__ import annotations

import dataclasses
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quiz_widgets.grading import accepted, expected_value, grade
from quiz_widgets.model import Accept, Credit, Item, Kind, Option, Rendered, Response, Target, Text, Tolerance
from tests.grading_cases import CASES, item_of, patterns, text


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


IDS = ["a", "b", "c", "d", "e"]


@st.composite
def ordered(draw: st.DrawFn) -> tuple[Item, Response]:
    key = draw(st.permutations(IDS[: draw(st.integers(2, 5))]))
    options = tuple(Option(id=name, text=text(name)) for name in key)
    credit: Credit = draw(st.sampled_from(["exact", "partial"]))
    item = Item(id="item", kind="order", stem=text("?"), options=options, credit=credit)
    chosen = draw(st.permutations(key) | st.lists(st.sampled_from(IDS), max_size=6))
    return item, Response(tuple(chosen))


@st.composite
def matched(draw: st.DrawFn) -> tuple[Item, Response]:
    options, targets = IDS[: draw(st.integers(2, 4))], IDS[: draw(st.integers(2, 5))]
    some = st.sampled_from(targets)
    item = Item(
        id="item",
        kind="match",
        stem=text("?"),
        options=tuple(Option(id=name, text=text(name), match=draw(some)) for name in options),
        targets=tuple(Target(name, text(name)) for name in targets),
        credit=draw(st.sampled_from(["exact", "partial"])),
    )
    pairs = [f"{name}:{draw(some)}" for name in options]
    return item, Response(tuple(draw(st.just(pairs) | st.lists(st.sampled_from([*pairs, "z:a", "a"]), max_size=5))))


@given(ordered() | matched())
def test_order_and_match_stay_between_nothing_and_all_points(pair: tuple[Item, Response]) -> None:
    item, response = pair
    outcome = grade(item, response)

    assert 0 <= outcome.score <= outcome.max_score
    assert grade(item, Response(item.key)).correct
    assert outcome.correct == (sorted(response.chosen) == sorted(item.key) and item.kind == "match") or (
        item.kind == "order" and outcome.correct == (response.chosen == item.key)
    )


@given(matched(), st.randoms())
def test_permuting_prompts_targets_or_pairs_never_changes_a_score(pair: tuple[Item, Response], random: Any) -> None:
    item, response = pair
    options = tuple(random.sample(item.options, len(item.options)))
    targets = tuple(random.sample(item.targets, len(item.targets)))
    chosen = tuple(random.sample(response.chosen, len(response.chosen)))

    assert grade(dataclasses.replace(item, options=options, targets=targets), Response(chosen)) == grade(item, response)


@given(ordered(), st.permutations(IDS))
def test_renaming_what_is_put_in_order_never_changes_a_score(pair: tuple[Item, Response], names: list[str]) -> None:
    item, response = pair
    renamed = dict(zip(IDS, names, strict=True))
    options = tuple(dataclasses.replace(option, id=renamed[option.id]) for option in item.options)

    chosen = tuple(renamed[name] for name in response.chosen)

    assert grade(dataclasses.replace(item, options=options), Response(chosen)) == grade(item, response)


LETTERS = "aAiIıİşŞ ß*|\\ذةأ٣-–’.x"


@given(
    st.lists(st.dictionaries(st.sampled_from(["tr", "ar"]), st.text(LETTERS, max_size=6)), min_size=1, max_size=3),
    st.text(LETTERS, max_size=6),
    st.booleans(),
    st.randoms(),
)
def test_the_order_of_locales_never_changes_a_score(
    overlays: list[dict[str, str]], typed: str, match_case: bool, random: Any
) -> None:
    """A text is graded with the accepted texts of all locales, whichever is shown and whichever comes first."""
    accept = tuple(
        Accept(str(place), patterns({"en": f"x{place}", **overlay}), Decimal(place) / 3)
        for place, overlay in enumerate(overlays)
    )
    item = Item(id="item", kind="text", stem=text("?"), accept=accept, match_case=match_case)

    def shuffled(one: Accept) -> Accept:
        forms = list(one.text.forms.items())
        return dataclasses.replace(one, text=Text(dict(random.sample(forms, len(forms)))))

    other = dataclasses.replace(item, accept=tuple(shuffled(one) for one in accept))

    assert grade(other, Response((typed,))) == grade(item, Response((typed,)))


def test_the_accepted_text_that_decided_is_known() -> None:
    accept = (Accept("right", patterns({"en": "adam"})), Accept("near", patterns({"en": "ada*"}), Decimal(0)))
    item = Item(id="item", kind="text", stem=text("?"), accept=accept)

    assert [accepted(item, Response((typed,))) for typed in ("Adam", "adagrad", "sgd")] == [*accept, None]
