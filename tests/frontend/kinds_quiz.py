"""A question to type, one to put in order and one to match, in English, Turkish and Arabic."""

from __future__ import annotations

import dataclasses
from decimal import Decimal

from quiz_widgets.model import Accept, Item, Option, Quiz, Rendered, Target, Text
from tests.frontend import languages_quiz
from tests.frontend.languages_quiz import text


def pattern(en: str, tr: str, ar: str) -> Text:
    """What is accepted in three languages."""
    return Text({name: Rendered(*[words] * 4) for name, words in (("en", en), ("tr", tr), ("ar", ar))})


TYPED = Item(
    id="typed",
    kind="text",
    stem=text("What holds the weights?", "Ağırlıklar nerede durur?", "أين تُحفظ الأوزان؟"),
    accept=(
        Accept("memory", pattern("memory|RAM", "bellek|RAM", "الذاكرة|ذاكرة")),
        Accept("disk", pattern("*disk*", "*disk*", "*قرص*"), Decimal(0), text("Too slow.", "Çok yavaş.", "بطيء جدًا.")),
    ),
    explanation=text("They are kept close.", "Yakında tutulurlar.", "تُحفظ قريبًا."),
)
ORDERED = Item(
    id="ordered",
    kind="order",
    credit="partial",
    stem=text("In which order does a step run?", "Bir adım hangi sırayla çalışır?", "بأي ترتيب تسير الخطوة؟"),
    options=(
        Option("forward", text("Forward", "İleri", "إلى الأمام"), rationale=text("First.", "İlk.", "أولًا.")),
        Option("backward", text("Backward", "Geri", "إلى الخلف"), rationale=text("Second.", "İkinci.", "ثانيًا.")),
        Option("step", text("Step `opt`", "Adım `opt`", "خطوة `opt`"), rationale=text("Third.", "Üçüncü.", "ثالثًا.")),
    ),
    explanation=text("There and back.", "Gidiş dönüş.", "ذهاب وإياب."),
)
MATCHED = Item(
    id="matched",
    kind="match",
    credit="partial",
    stem=text("How many bytes has each?", "Her biri kaç bayttır?", "كم بايتًا لكل منها؟"),
    options=(
        Option(
            "half", text("`float16`", "`float16`", "`float16`"), match="two", rationale=text("Half.", "Yarım.", "نصف.")
        ),
        Option(
            "brain",
            text("`bfloat16`", "`bfloat16`", "`bfloat16`"),
            match="two",
            rationale=text("Too.", "O da.", "كذلك."),
        ),
        Option(
            "full", text("`float32`", "`float32`", "`float32`"), match="four", rationale=text("Full.", "Tam.", "كامل.")
        ),
    ),
    targets=(
        Target("two", text("Two bytes", "İki bayt", "بايتان")),
        Target("four", text("Four bytes", "Dört bayt", "أربعة بايتات")),
        Target("eight", text("Eight bytes", "Sekiz bayt", "ثمانية بايتات")),
    ),
    explanation=text("Two, two, four.", "İki, iki, dört.", "اثنان واثنان وأربعة."),
)


def quiz(*items: Item) -> Quiz:
    """A quiz of these items, all three by default."""
    return dataclasses.replace(languages_quiz.quiz(), items=items or (TYPED, ORDERED, MATCHED))
