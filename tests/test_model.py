"""What the frozen values answer about themselves."""

from __future__ import annotations

from decimal import Decimal

import pytest

from quiz_widgets.model import Item, Option, Outcome, Quiz, Rendered, Text, Tolerance


def text(plain: str, locale: str = "en") -> Text:
    return Text({"en": Rendered(plain, plain, plain, plain), locale: Rendered(plain, plain, plain, plain)})


ITEM = Item(
    id="item",
    stem=text("?"),
    options=(Option("a", text("A"), correct=True), Option("b", text("B")), Option("c", text("C"), correct=True)),
)
QUIZ = Quiz(
    id="quiz",
    title=text("Quiz"),
    level="easy",
    description=text("…"),
    items=(ITEM, Item(id="extra", stem=text("?"), set="numbers")),
)


def test_the_key_is_the_ids_of_the_right_options() -> None:
    assert ITEM.key == ("a", "c")


def test_options_and_items_are_found_by_id() -> None:
    assert ITEM.option("b").text.rendered("en").plain == "B"
    assert QUIZ.item("extra").set == "numbers"
    with pytest.raises(KeyError, match="nowhere"):
        ITEM.option("nowhere")
    with pytest.raises(KeyError, match="nowhere"):
        QUIZ.item("nowhere")


def test_a_set_holds_its_items_and_no_name_means_the_main_set() -> None:
    assert [item.id for item in QUIZ.in_set(None)] == ["item"]
    assert [item.id for item in QUIZ.in_set("numbers")] == ["extra"]


def test_a_text_without_a_translation_is_shown_in_its_source_locale() -> None:
    assert text("x", "tr").resolve("ar") == "en"
    assert text("x", "tr").resolve("tr") == "tr"


@pytest.mark.parametrize(
    ("plain", "locale", "direction"),
    [
        ("ذاكرة FP16", "ar", "rtl"),
        ("C++", "ar", "ltr"),
        ("14 GB", "ar", "ltr"),
        ("bellek", "tr", "ltr"),
        ("x", "fr", "ltr"),
    ],
)
def test_the_direction_of_a_text_is_its_letters(plain: str, locale: str, direction: str) -> None:
    assert text(plain, locale).direction(locale) == direction


def test_an_outcome_is_correct_when_every_point_was_won() -> None:
    assert Outcome(Decimal("1.00"), Decimal(1)).correct
    assert not Outcome(Decimal("0.5"), Decimal(1)).correct


def test_a_tolerance_is_exact_at_its_edges() -> None:
    assert Tolerance("absolute", Decimal("0.1")).allows(Decimal("1.1"), Decimal(1))
    assert not Tolerance("relative", Decimal("0.1")).allows(Decimal("1.10001"), Decimal(1))
