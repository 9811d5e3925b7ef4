"""The payloads: an allow-list of fields, language and direction where they differ, and what a view carries."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

from quiz_widgets import payload
from quiz_widgets.model import Recorded, Rendered, Text, Variant
from tests.frontend import kinds_quiz as spoken
from tests.frontend import sample_quiz as sample


def test_every_field_of_the_public_payload_is_on_the_list() -> None:
    made = payload.quiz_payload(sample.quiz(), "en")

    assert set(made) == {
        "contract", "id", "hash", "mode", "locale", "dir", "title", "level", "description", "guides", "items", "words",
    }  # fmt: skip
    fields = {name for item in made["items"] for name in item}
    always = {"id", "place", "of", "kind", "stem", "options", "points", "tries", "hints"}
    assert fields == always | {"section", "set", "unit", "variants"}
    assert {name for item in made["items"] for option in item["options"] for name in option} == {"id", "text"}
    assert {name for item in made["items"] for drawn in item.get("variants", []) for name in drawn} == {
        "index",
        "numbers",
    }
    assert not [word for word in made["words"] if word.startswith(("static_", "cli_"))]


def test_a_view_carries_its_own_items_with_their_places() -> None:
    made = payload.quiz_payload(sample.quiz(), "en", {"items": ["adam", "unknown", "bytes"]})

    assert [(item["id"], item["place"], item["of"]) for item in made["items"]] == [("adam", 3, 3), ("bytes", 1, 3)]
    assert list(payload.practice_payload(sample.quiz(), "en", {"set": "numbers"})["items"]) == ["state"]
    assert len(payload.quiz_payload(sample.quiz(), "en", {})["items"]) == 3
    assert len(payload.quiz_payload(sample.quiz(), "en")["items"]) == 4


def test_a_section_without_a_title_is_left_out() -> None:
    item = replace(sample.single(), section="elsewhere")

    assert "section" not in payload.quiz_payload(sample.quiz(item), "en")["items"][0]


def test_pins_are_carried() -> None:
    single = sample.single()
    item = replace(single, options=(replace(single.options[0], pin="last"), *single.options[1:]))

    options = payload.quiz_payload(sample.quiz(item), "en")["items"][0]["options"]

    assert options[-1] == {"id": "two", "text": "Two bytes", "pin": "last"}


def test_a_text_says_its_language_and_direction_only_where_they_differ() -> None:
    forms = {
        "en": Rendered("C++", "C++", "C++", "C++"),
        "ar": Rendered("سؤال", "سؤال", "سؤال", "سؤال"),
    }

    assert payload.text_payload(Text(forms), "en") == "C++"
    assert payload.text_payload(Text(forms), "ar") == "سؤال"
    assert payload.text_payload(Text({"en": forms["en"]}), "ar") == {"html": "C++", "lang": "en", "dir": "ltr"}
    bare = Text({"en": forms["en"], "ar": forms["en"]})
    assert payload.text_payload(bare, "ar") == {"html": "C++", "lang": "ar", "dir": "ltr"}


def test_the_practice_part_of_a_choice() -> None:
    made = payload.practice_payload(sample.quiz(), "en")["items"]["fp32-ops"]

    assert made == {
        "key": ["sum", "norm"],
        "credit": "partial",
        "rationales": {
            "sum": "Sums lose small terms.",
            "norm": "Norms overflow.",
            "matmul": "Matrix products are why one uses FP16.",
            "conv": "So are convolutions.",
        },
        "hints": [],
        "explanation": "Reductions need range.",
    }


def test_the_practice_part_of_a_number() -> None:
    made = payload.practice_payload(sample.quiz(), "en")["items"]["adam"]

    assert made["value"] == "12.5"
    assert made.get("tolerance") == {"kind": "absolute", "amount": "0.1"}
    assert made.get("slips") == [{"id": "all", "rationale": "Sixteen counts the weights as well.", "value": "16"}]


def test_numbers_are_written_without_exponents() -> None:
    item = replace(sample.number(), value=Decimal("1E-7"))

    assert payload.practice_payload(sample.quiz(item), "en")["items"]["adam"]["value"] == "0.0000001"


def test_a_live_output_carries_eight_drawn_variants() -> None:
    many = tuple(Variant(Decimal(number), {}, {"billions": str(number)}) for number in range(32))
    quiz = sample.quiz(replace(sample.drawn(), variants=many))

    public = payload.quiz_payload(quiz, "en")["items"][0]["variants"]
    practice = payload.practice_payload(quiz, "en")["items"]["state"]["variants"]

    assert [drawn["index"] for drawn in public] == [drawn["index"] for drawn in practice] == list(range(8))


def test_a_source_is_carried() -> None:
    item = replace(sample.single(), source=sample.text("A paper."))

    assert payload.practice_payload(sample.quiz(item), "en")["items"]["bytes"].get("source") == "A paper."


def test_evidence_carries_its_text_and_what_was_recorded() -> None:
    item = replace(sample.single(), evidence="bytes", evidence_text=sample.text("It is {count} of $2^n$."))
    recorded = replace(item, recorded=Recorded({"count": "2"}, "2026-11-30", "a CPU"))
    quiz = sample.quiz(recorded)
    guide = replace(quiz.guides[0], demos={"formats": "number_formats"})

    bare = payload.practice_payload(sample.quiz(item), "en")["items"]["bytes"]["evidence"]
    full = payload.practice_payload(replace(quiz, guides=(guide,)), "en")["items"]["bytes"]["evidence"]

    assert bare == {"name": "bytes", "text": item.evidence_text.forms["en"].html}  # type: ignore[union-attr]
    assert full == {
        **bare,
        "facts": {"count": "2"},
        "date": "2026-11-30",
        "machine": "a CPU",
        "demo": "number_formats",
    }
    assert "evidence" not in payload.practice_payload(sample.quiz(), "en")["items"]["bytes"]
    assert "2026" not in str(payload.quiz_payload(quiz, "en"))


def test_numbers_filled_in_are_escaped_isolated_and_written_as_in_the_language_of_the_text() -> None:
    assert payload.fill_numbers("{a} {b}", {"a": "<1>"}, "en") == '<bdi dir="ltr">&lt;1&gt;</bdi> {b}'
    assert payload.fill_numbers("{a}", {"a": "-0.5"}, "tr") == '<bdi dir="ltr">-0,5</bdi>'
    assert payload.fill_numbers("{a}", {"a": "<1>"}, "en", escape=False) == "<1>"


def test_nothing_public_tells_what_is_accepted_in_order_or_matched() -> None:
    quiz = sample.quiz(sample.typed(), sample.ordered(), sample.matched())
    typed, ordered, matched = payload.quiz_payload(quiz, "en")["items"]

    always = {"id", "place", "of", "kind", "stem", "options", "points", "tries", "hints"}
    assert [set(item) - always for item in (typed, ordered, matched)] == [{"dir"}, set(), {"targets"}]
    assert {name for part in (*ordered["options"], *matched["options"], *matched["targets"]) for name in part} == {
        *("id", "text")
    }
    assert [option["id"] for option in ordered["options"]] != list(sample.ordered().key)
    assert "accumulation" not in str(typed)


def test_neither_options_nor_targets_stand_in_the_author_s_order() -> None:
    """Whoever turns the file around sees the same page: nothing can be learnt from it."""
    item = sample.matched()
    turned = replace(item, options=item.options[::-1], targets=item.targets[::-1])

    one, other = (payload.quiz_payload(sample.quiz(which), "en")["items"][0] for which in (item, turned))

    assert one == other


def test_the_practice_part_of_a_text() -> None:
    made = payload.practice_payload(sample.quiz(sample.typed()), "en")["items"]["name"]

    assert made["key"] == []
    assert made["accept"] == [
        {"id": "name", "credit": "1", "patterns": {"en": [["gradient accumulation"], ["accumulat", " gradients"]]}},
        {"id": "half", "credit": "0.5", "patterns": {"en": [["", "accumulation", ""]]}},
        {"id": "clip", "credit": "0", "patterns": {"en": [["", "clip", ""]]}},
    ]
    assert made["rationales"] == {"half": "Accumulation of <em>what</em>?", "clip": "Clipping bounds a norm."}
    assert made["example"] == "gradient accumulation"
    assert "match_case" not in made
    exact = replace(sample.typed(), match_case=True)
    assert payload.practice_payload(sample.quiz(exact), "en")["items"]["name"]["match_case"] is True


def test_the_practice_part_of_an_order_and_of_a_match() -> None:
    made = payload.practice_payload(sample.quiz(sample.ordered(), sample.matched()), "en")["items"]

    assert made["step"]["key"] == ["forward", "scale", "backward", "step"]
    assert made["bits"]["key"] == ["fp16:five", "bf16:eight", "fp32:eight"]
    assert made["bits"]["credit"] == "partial"
    assert set(made["bits"]["rationales"]) == {"fp16", "bf16", "fp32"}


def test_accepted_texts_of_all_languages_are_carried_in_each() -> None:
    made = [payload.practice_payload(spoken.quiz(spoken.TYPED), locale)["items"]["typed"] for locale in ("en", "ar")]

    assert made[0]["accept"] == made[1]["accept"]
    assert made[0]["accept"][0]["patterns"] == {
        "en": [["memory"], ["ram"]],
        "tr": [["bellek"], ["ram"]],
        "ar": [["الذاكره"], ["ذاكره"]],
    }
    assert [one["example"] for one in made] == ["memory", "الذاكرة"]
    fields = [payload.quiz_payload(spoken.quiz(spoken.TYPED), locale)["items"][0]["dir"] for locale in ("tr", "ar")]
    assert fields == ["ltr", "rtl"]


def test_an_example_is_no_markup() -> None:
    item = replace(sample.typed(), accept=(replace(sample.typed().accept[0], text=sample.pattern("a<b|*")),))

    assert payload.practice_payload(sample.quiz(item), "en")["items"]["name"]["example"] == "a&lt;b"
