"""The payloads: an allow-list of fields, language and direction where they differ, and what a view carries."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

from quiz_widgets import payload
from quiz_widgets.model import Recorded, Rendered, Text, Variant
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
