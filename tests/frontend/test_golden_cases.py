"""The page grades, reads numbers and orders options exactly as Python does: the same cases for both."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from quiz_widgets import payload
from quiz_widgets.frontend import bundle
from tests.frontend import sample_quiz as sample
from tests.frontend.mounting import Mounts, document
from tests.grading_cases import item_of

CASES = Path(__file__).parents[1] / "cases"
ENTRY = """
import { fill } from "./dom.js";
import { readings, canonicalNumber, localNumber } from "./numbers.js";
import { grade } from "./grade.js";
import { drawnItems, hash32, optionOrder, pickVariant, targetOrder } from "./order.js";
import "./rows.js";
import { normalised } from "./typed.js";
Object.assign(globalThis, { readings, canonicalNumber, drawnItems, fill, grade, hash32, localNumber, normalised,
  optionOrder, pickVariant, targetOrder });
"""


def cases(name: str) -> Any:
    return json.loads((CASES / f"{name}.json").read_text(encoding="utf-8"))


@pytest.fixture
def functions(mount: Mounts) -> Any:
    opened = mount.open(document())
    script = bundle.bundle({"cases.js": ENTRY})["cases.js"]
    opened.evaluate(f"{script}()")
    return opened


def test_typed_numbers_are_read_as_in_python(functions: Any) -> None:
    wanted = cases("numbers")["cases"]

    found = functions.evaluate("(cases) => cases.map((one) => canonicalNumber(one.typed, one.locale))", wanted)

    assert len(wanted) > 50
    assert [(one["locale"], one["typed"], got) for one, got in zip(wanted, found, strict=True)] == [
        (one["locale"], one["typed"], one["canonical"]) for one in wanted
    ]
    ways = functions.evaluate("(cases) => cases.map((one) => readings(one.typed, one.locale))", wanted)
    assert [len(way) for way in ways] == [
        len(one.get("readings", [])) or int(one["canonical"] is not None) for one in wanted
    ]
    assert [way for way in ways if len(way) == 2] == [one["readings"] for one in wanted if "readings" in one]


def test_numbers_are_written_as_in_python(functions: Any) -> None:
    wanted = cases("forms")["numbers"]

    found = functions.evaluate("(cases) => cases.map((one) => localNumber(one.decimal, one.locale))", wanted)

    assert found == [one["shown"] for one in wanted]


def test_drawn_numbers_are_written_as_the_language_of_their_text_does(functions: Any) -> None:
    """Isolated, so that a sign stays before its number in a text from right to left."""
    foreign = {"html": "<p>{change} of {n} and {other}</p>", "lang": "en", "dir": "ltr"}
    numbers = {"locale": "tr", "values": {"n": "0.5", "change": "-30.25"}}

    own, other = functions.evaluate(
        """([html, foreign, numbers]) =>
        [html, foreign].map((text) => fill(document.createElement('p'), text, numbers).innerHTML)""",
        [foreign["html"], foreign, numbers],
    )

    assert own == '<p><bdi dir="ltr">-30,25</bdi> of <bdi dir="ltr">0,5</bdi> and {other}</p>'
    assert other == '<p><bdi dir="ltr">-30.25</bdi> of <bdi dir="ltr">0.5</bdi> and {other}</p>'


def test_responses_are_graded_as_in_python(functions: Any) -> None:
    """With what the payload gives the page of each case's item."""
    wanted = cases("grading")["cases"]
    sent = []
    for case in wanted:
        quiz = sample.quiz(item_of(case))
        practice = payload.practice_payload(quiz, "en")["items"]["item"]
        sent.append([payload.quiz_payload(quiz, "en")["items"][0], practice, case["response"]])

    found = functions.evaluate(
        "(cases) => cases.map(([item, practice, { chosen, variant }]) => grade(item, practice, chosen, variant))", sent
    )

    assert len(wanted) > 150
    assert [(one["name"], got["score"], got["max"]) for one, got in zip(wanted, found, strict=True)] == [
        (one["name"], one["score"], one["max_score"]) for one in wanted
    ]


def test_typed_texts_are_normalised_as_in_python(functions: Any) -> None:
    wanted = cases("text-normalisation")["texts"]

    found = functions.evaluate(
        "(cases) => cases.map((one) => normalised(one.text, one.locale, one.match_case))", wanted
    )

    assert len(wanted) > 40
    assert [(one["about"], got) for one, got in zip(wanted, found, strict=True)] == [
        (one["about"], one["normalised"]) for one in wanted
    ]


def test_options_stand_in_the_order_of_python(functions: Any) -> None:
    wanted = cases("order")

    hashes = functions.evaluate("(cases) => cases.map((one) => hash32(one.text))", wanted["hashes"])
    orders = functions.evaluate(
        "(cases) => cases.map((one) => optionOrder(one.options, one.attempt, one.item).map((option) => option.id))",
        wanted["orders"],
    )
    keyed = functions.evaluate(
        """(cases) => cases.map(({ options, attempt, item }) =>
            optionOrder(options.map((id) => ({ id })), attempt, item, options))""",
        wanted["keyed"],
    )
    targets = functions.evaluate(
        """(cases) => cases.map(({ targets, attempt, item }) =>
            targetOrder({ id: item, targets: targets.map((id) => ({ id })) }, attempt))""",
        wanted["targets"],
    )
    picks = functions.evaluate(
        "(cases) => cases.map((one) => pickVariant(one.attempt, one.item, one.indexes))", wanted["picks"]
    )
    drawn = functions.evaluate(
        "(cases) => cases.map(({ items, pools, attempt }) => drawnItems(items, pools, attempt).map(({ id }) => id))",
        wanted["drawn"],
    )

    assert drawn == [one["shown"] for one in wanted["drawn"]]
    assert hashes == [one["hash"] for one in wanted["hashes"]]
    assert orders == [one["order"] for one in wanted["orders"]]
    for name, got in (("keyed", keyed), ("targets", targets)):
        assert [[entry["id"] for entry in order] for order in got] == [one["order"] for one in wanted[name]]
    assert picks == [one["index"] for one in wanted["picks"]]
