"""Which items an attempt shows of a quiz with pools: the golden cases of the page, hands of large pools, and counts."""

from __future__ import annotations

import dataclasses
import html
import json
import re
from collections import Counter
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quiz_widgets import compiled, payload, pools, preview
from quiz_widgets import page as pages
from quiz_widgets.api import quiz as api
from quiz_widgets.formats import from_model
from quiz_widgets.model import Item, Pool, Quiz
from quiz_widgets.progress.tally import tally
from tests.frontend import languages_quiz, sample_quiz
from tests.frontend.languages_quiz import text

CASES = json.loads((Path(__file__).parent / "cases" / "order.json").read_text(encoding="utf-8"))["drawn"]
ATTEMPTS = [f"{number * 1049:04x}" + f"{number:028x}" for number in range(60)]


def quiz_of(case: dict[str, Any]) -> Quiz:
    """A quiz of the case's items and pools."""
    items = [sample_quiz.single(one["id"], stem=f"What is {one['id']}?") for one in case["items"]]
    members = {name: tuple(one["id"] for one in case["items"] if one.get("pool") == name) for name in case["pools"]}
    made = tuple(Pool(name, draw, members[name]) for name, draw in case["pools"].items())
    return dataclasses.replace(sample_quiz.quiz(*items), pools=made)


def bank(count: int, draw: int = 5) -> Quiz:
    """A quiz that draws from a pool of so many, between two other items."""
    names = [f"item-{number}" for number in range(count)]
    items = [{"id": "before"}, *({"id": name, "pool": "bank"} for name in names), {"id": "after"}]
    return quiz_of({"items": items, "pools": {"bank": draw}})


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['attempt'][:4]}/{','.join(case['pools'])}")
def test_golden_draw(case: dict[str, Any]) -> None:
    assert list(pools.shown(quiz_of(case), case["attempt"])) == case["shown"]


def test_each_item_is_drawn_about_as_often() -> None:
    quiz = bank(10, 5)
    counts = Counter(name for number in range(2000) for name in pools.shown(quiz, f"{number:032x}"))

    assert counts.pop("before") == counts.pop("after") == 2000
    assert len(counts) == 10
    assert all(900 < count < 1100 for count in counts.values())


@given(st.text("0123456789abcdef", min_size=32, max_size=32), st.integers(1, 70), st.integers(1, 70))
def test_a_page_draws_from_its_hand_what_is_drawn_from_the_whole_pool(attempt: str, count: int, draw: int) -> None:
    quiz = bank(count, min(count, draw))
    carried = [item.id for item in payload.items_of(quiz, {}, attempt)]
    held = dataclasses.replace(
        quiz, items=tuple(map(quiz.item, carried)), pools=(Pool("bank", min(count, draw), tuple(carried[1:-1])),)
    )

    assert len(carried) == min(count, max(pools.HAND, draw)) + 2
    assert list(pools.shown(held, attempt)) == list(pools.shown(quiz, attempt))
    assert len(pools.shown(quiz, attempt)) == min(count, draw) + 2


def test_pages_of_attempts_that_begin_alike_carry_the_same_items_and_others_carry_others() -> None:
    quiz = bank(1000)
    hands = [tuple(pools.carried(quiz, attempt)) for attempt in ATTEMPTS]
    again = [tuple(pools.carried(quiz, attempt[:4] + "0" * 28)) for attempt in ATTEMPTS]

    assert hands == again
    assert len(set(hands)) == len(ATTEMPTS)
    assert len(set().union(*hands)) > 600
    assert all(list(hand[1:-1]) == sorted(hand[1:-1], key=lambda name: int(name[5:])) for hand in hands)


def test_of_a_large_bank_only_the_hand_is_decoded_and_carried(monkeypatch: pytest.MonkeyPatch) -> None:
    data = compiled.dump(bank(10_000)).encode()
    read: list[str] = []
    decode = compiled.codec.from_data

    def counting(kind: Any, raw: Any, where: str) -> Any:
        read.append(where)
        return decode(kind, raw, where)

    monkeypatch.setattr(compiled.codec, "from_data", counting)
    quiz = compiled._by_line(data, "bank.json")
    assert quiz is not None
    shown = pages.live_html(quiz, locale="en", view={}, attempt={"id": ATTEMPTS[1], "started": 1}, outcomes={})
    tally(quiz, [], attempt=ATTEMPTS[1], kept=True)
    small = pages.live_html(bank(32), locale="en", view={}, attempt={"id": ATTEMPTS[1], "started": 1}, outcomes={})

    # The hand, the two others, and the sample of the preview, which is of another hand.
    assert len([where for where in read if where.startswith("quiz.items")]) <= pools.HAND + 2 + 5
    assert len(shown) < len(small) * 1.05


def test_a_payload_tells_the_pool_and_how_many_are_drawn() -> None:
    made = payload.quiz_payload(bank(4, 2), "en", {})

    assert made["pools"] == {"bank": 2}
    assert [(item["id"], item.get("pool"), item["place"], item["of"]) for item in made["items"]] == [
        ("before", None, 1, 4),
        *((f"item-{number}", "bank", 0, 4) for number in range(4)),
        ("after", None, 4, 4),
    ]
    assert "pools" not in payload.quiz_payload(sample_quiz.quiz(), "en")


def test_an_item_that_is_named_is_carried_whatever_is_drawn() -> None:
    quiz = bank(1000)
    missing = next(name for name in quiz.sets if name not in pools.carried(quiz, ATTEMPTS[0]))

    assert [item.id for item in payload.items_of(quiz, {"items": [missing]}, ATTEMPTS[0])] == [missing]
    assert missing in payload.practice_payload(quiz, "en", {"items": [missing]}, attempt=ATTEMPTS[0])["items"]


@pytest.mark.parametrize(
    ("locale", "sentence"),
    [
        ("en", "Each attempt draws 5 of 20 questions. A sample:"),
        ("tr", "Her denemede 20 sorudan 5 tanesi seçilir. Bir örnek:"),
        ("ar", "تسحب كل محاولة 5 من أصل 20 من الأسئلة. عيّنة:"),
    ],
)
def test_a_preview_says_how_many_are_drawn_and_shows_a_sample(locale: str, sentence: str) -> None:
    quiz = bank(20)
    made, plain = preview.preview_html(quiz, locale, {}), preview.preview_text(quiz, locale, {})

    assert made.count("<li>") == 7
    assert made.count(html.escape(sentence)) == 1
    assert made.index("<li>") < made.index(html.escape(sentence)) < made.index("<li>", made.index("<li>") + 1) + 30
    assert plain.count(sentence) == 1
    assert re.findall(r"What is (.*?)\?", plain) == list(pools.shown(quiz, "preview"))
    assert re.findall(r"What is (.*?)\?", made) == list(pools.shown(quiz, "preview"))


def test_where_everything_is_drawn_or_items_are_named_no_sample_is_spoken_of() -> None:
    assert "draws" not in preview.preview_html(bank(4, 4), "en", {})
    assert "draws" not in preview.preview_text(bank(4, 2), "en", {"items": ["item-1"]})


def test_progress_counts_what_was_drawn() -> None:
    items = [dataclasses.replace(sample_quiz.single(), id=f"item-{n}", points=Decimal(n + 1)) for n in range(6)]
    quiz = dataclasses.replace(sample_quiz.quiz(*items), pools=(Pool("all", 2, tuple(item.id for item in items)),))
    drawn = list(pools.shown(quiz, ATTEMPTS[3]))
    left_out = next(item.id for item in items if item.id not in drawn)

    def record(name: str) -> Any:
        event = {"id": f"{ATTEMPTS[3]}/{name}/1", "attempt": ATTEMPTS[3], "kind": "submit", "item": name}
        return {"event": {**event, "round": 0, "response": ["two"], "at": 1}, "at": 1, "score": 1.0, "max_score": 1.0}

    found = tally(quiz, [record(drawn[0]), record(left_out)], attempt=ATTEMPTS[3], kept=True)

    assert (found.total, found.answered, found.correct) == (2, 1, 1)
    assert found.max_score == float(sum(quiz.item(name).points for name in drawn))
    assert set(found.items) == {drawn[0], left_out}  # what was answered inline is on record too


def test_a_handle_counts_the_open_attempt(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("QUIZ_WIDGETS_HOME", str(tmp_path))
    handle = api.Quiz(bank(9, 4), "en")

    assert handle.progress().total == handle.attempt.total == 6
    assert len(handle.items) == 11


def test_a_widget_carries_the_hand_and_what_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("QUIZ_WIDGETS_HOME", str(tmp_path))
    quiz = bank(100)
    handle = api.Quiz(quiz, "en")
    attempt = handle.attempt.id
    missing = next(name for name in quiz.sets if name not in pools.carried(quiz, attempt))

    assert [item["id"] for item in handle.widget().quiz["items"]] == list(pools.carried(quiz, attempt))
    assert [item["id"] for item in handle.widget(missing).quiz["items"]] == [missing]


def test_packs_hold_the_texts_of_the_same_items() -> None:
    item: Item = dataclasses.replace(languages_quiz.quiz().items[0])
    items = tuple(
        dataclasses.replace(item, id=f"item-{n}", stem=text(f"en {n}", f"tr {n}", f"ar {n}")) for n in range(50)
    )
    quiz = dataclasses.replace(
        languages_quiz.quiz(), items=items, pools=(Pool("bank", 2, tuple(one.id for one in items)),)
    )
    made = pages.live_html(quiz, locale="en", view={}, attempt={"id": ATTEMPTS[7], "started": 1}, outcomes={})

    assert '"packs":{"ar":' in made
    assert len(payload.quiz_payload(quiz, "tr", {}, attempt=ATTEMPTS[7])["items"]) == pools.HAND


def test_an_export_says_that_it_draws_nothing() -> None:
    quiz = dataclasses.replace(bank(9, 4), confidence=True)
    draft, notices = from_model.quiz(quiz, "en")

    assert len(draft.items) == 11
    assert [(one.rule, one.severity, one.message) for one in notices if one.rule in ("pool", "confidence")] == [
        ("pool", "warning", "all 9 items of the pool `bank` are exported"),
        ("confidence", "note", "that learners are asked how sure they are is not exported"),
    ]


def test_pools_are_part_of_a_quiz_and_its_hash() -> None:
    quiz = bank(4, 2)

    assert compiled.loads(compiled.dump(quiz)) == quiz
    assert compiled.quiz_hash(quiz) != compiled.quiz_hash(dataclasses.replace(quiz, pools=()))
    assert compiled.quiz_hash(quiz) != compiled.quiz_hash(bank(4, 3))
