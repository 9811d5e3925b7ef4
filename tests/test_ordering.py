"""The order of options against the golden cases that the page passes too."""

from __future__ import annotations

import json
import tracemalloc
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quiz_widgets.model import Item, Option, Rendered, Target, Text
from quiz_widgets.ordering import drawn, hash32, option_order, pick, target_order

CASES = json.loads((Path(__file__).parent / "cases" / "order.json").read_text(encoding="utf-8"))
STEM = Text({"en": Rendered("?", "?", "?", "?")})


@pytest.mark.parametrize("case", CASES["hashes"], ids=lambda case: case["text"][:20])
def test_golden_hash(case: dict[str, Any]) -> None:
    assert hash32(case["text"]) == case["hash"]


@pytest.mark.parametrize("case", CASES["orders"], ids=lambda case: f"{case['attempt'][:4]}/{case['item']}")
def test_golden_order(case: dict[str, Any]) -> None:
    options = tuple(Option(id=o["id"], text=STEM, pin=o.get("pin")) for o in case["options"])

    assert list(option_order(Item(id=case["item"], stem=STEM, options=options), case["attempt"])) == case["order"]


@pytest.mark.parametrize("case", CASES["keyed"], ids=lambda case: case["attempt"][-4:])
def test_golden_order_of_what_is_to_be_put_in_order(case: dict[str, Any]) -> None:
    options = tuple(Option(id=name, text=STEM) for name in case["options"])

    shown = option_order(Item(id=case["item"], kind="order", stem=STEM, options=options), case["attempt"])

    assert list(shown) == case["order"] != case["options"]


@pytest.mark.parametrize("case", CASES["targets"], ids=lambda case: case["attempt"][-4:])
def test_golden_order_of_targets(case: dict[str, Any]) -> None:
    targets = tuple(Target(name, STEM) for name in case["targets"])

    assert (
        list(target_order(Item(id=case["item"], kind="match", stem=STEM, targets=targets), case["attempt"]))
        == (case["order"])
    )


def test_prompts_and_targets_of_the_same_ids_are_shuffled_apart() -> None:
    ids = "abcd"
    item = Item(
        id="item",
        kind="match",
        stem=STEM,
        options=tuple(Option(id=i, text=STEM, match=i) for i in ids),
        targets=tuple(Target(i, STEM) for i in ids),
    )
    alike = [option_order(item, f"{n:032x}") == target_order(item, f"{n:032x}") for n in range(240)]

    assert sum(alike) < 40  # one in 24 by chance


@given(st.text(max_size=12), st.lists(st.text(max_size=6), unique=True, min_size=2, max_size=6))
def test_what_is_to_be_put_in_order_is_never_shown_in_order(attempt: str, ids: list[str]) -> None:
    item = Item(id="item", kind="order", stem=STEM, options=tuple(Option(id=i, text=STEM) for i in ids))

    shown = option_order(item, attempt)

    assert shown != item.key
    assert sorted(shown) == sorted(ids)


@pytest.mark.parametrize("case", CASES["picks"], ids=lambda case: f"{case['attempt'][:4]}/{case['item']}")
def test_golden_pick(case: dict[str, Any]) -> None:
    assert pick(case["attempt"], case["item"], case["indexes"]) == case["index"]


@given(
    st.text(max_size=12),
    st.lists(st.text(max_size=6), unique=True, max_size=8),
    st.lists(st.sampled_from([None, "first", "last"]), min_size=8, max_size=8),
    st.randoms(),
)
def test_every_option_is_shown_once_in_an_order_of_its_own(
    attempt: str, ids: list[str], pins: list[Any], random: Any
) -> None:
    options = [Option(id=i, text=STEM, pin=pin) for i, pin in zip(ids, pins, strict=False)]
    order = option_order(Item(id="item", stem=STEM, options=tuple(options)), attempt)
    random.shuffle(options)

    assert sorted(order) == sorted(ids)
    assert option_order(Item(id="item", stem=STEM, options=tuple(options)), attempt) == order
    assert [pins[ids.index(i)] for i in order] == sorted(pins[: len(ids)], key=("first", None, "last").index)


def test_each_option_comes_first_about_as_often() -> None:
    options = tuple(Option(id=i, text=STEM) for i in "abcd")
    item = Item(id="item", stem=STEM, options=options)
    firsts = [option_order(item, f"{attempt:032x}")[0] for attempt in range(2000)]

    assert all(400 < firsts.count(option.id) < 600 for option in options)


def test_what_attempts_draw_of_a_large_bank_is_not_kept() -> None:
    bank = [f"item-{number}" for number in range(500)]
    tracemalloc.start()
    try:
        for attempt in range(200):
            assert len(drawn(f"{attempt:032x}", "bank", bank, 5)) == 5
        kept, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()

    assert kept < 100_000  # bytes; one attempt's order of the bank is 4,000
