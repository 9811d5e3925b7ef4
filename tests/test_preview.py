"""The static preview, as HTML and as text."""

from __future__ import annotations

import dataclasses

from quiz_widgets import preview
from quiz_widgets.contract import ViewPayload
from tests.frontend import sample_quiz as sample


def test_the_text_shows_every_stem_and_option_with_letters() -> None:
    assert preview.preview_text(sample.quiz(), "en", {}) == (
        "Number formats (Level medium)\n"
        "What sixteen bits hold.\n"
        "\n"
        "1. How many bytes does FP16 take?\n"
        "   A. Two bytes\n"
        "   B. Four bytes\n"
        "   C. Eight bytes\n"
        "\n"
        "2. Which operations run in FP32?\n"
        "\n"
        "   import torch  # with autocast\n"
        "   x = torch.ones(3)\n"
        "   A. sum\n"
        "   B. matmul\n"
        "   C. conv2d\n"
        "   D. norm\n"
        "\n"
        "3. How many bytes?\n"
        "   Type a number.\n"
        "\n"
        "To answer, run this cell."
    )


def test_one_item_stands_without_heading_and_number() -> None:
    view: ViewPayload = {"items": ["bytes"]}

    assert preview.preview_text(sample.quiz(), "en", view).startswith(
        "How many bytes does FP16 take?\n   A. Two bytes\n"
    )
    html = preview.preview_html(sample.quiz(), "en", view)
    assert "Number formats" not in html
    assert "<ol>" not in html
    assert '<strong><span dir="ltr">A</span></strong> Two bytes' in html


def test_a_drawn_item_shows_its_first_numbers() -> None:
    made = preview.preview_html(sample.quiz(), "en", {"set": "numbers"})
    assert 'A model has <span dir="ltr">7</span> billion' in made
    assert "A model has 7 billion parameters." in preview.preview_text(sample.quiz(), "en", {"set": "numbers"})


def test_the_whole_quiz_has_title_level_description_and_the_way_to_answer() -> None:
    html = preview.preview_html(sample.quiz(), "en", {})

    assert '<div><strong><span lang="en" dir="ltr">Number formats</span></strong> (Level medium)</div>' in html
    assert "<div>What sixteen bits hold.</div>" in html
    assert "<div><em>To answer, run this cell.</em></div>" in html


def test_another_note_is_escaped() -> None:
    assert "<em>a &lt; b</em>" in preview.preview_html(sample.quiz(), "en", {}, note="a < b")


def test_what_is_typed_ordered_or_matched_is_listed_without_key() -> None:
    quiz = sample.quiz(sample.typed(), sample.ordered(), sample.matched())

    assert preview.preview_text(quiz, "en", {}).split("\n", 3)[3] == (
        "1. What is it called when gradients are summed up?\n"
        "   Type your answer.\n"
        "\n"
        "2. In which order does a step run?\n"
        "   Put these in the right order.\n"
        "   A. Multiply the loss by 2^{16}\n"
        "   B. Optimizer step\n"
        "   C. Forward pass\n"
        "   D. Backward pass\n"
        "\n"
        "3. How many exponent bits are there?\n"
        "   1. FP16\n"
        "   2. FP32\n"
        "   3. bfloat16\n"
        "   Choose from:\n"
        "   A. 8 bits\n"
        "   B. 5 bits\n"
        "   C. 11 bits\n"
        "\n"
        "To answer, run this cell."
    )
    html = preview.preview_html(quiz, "en", {})
    assert "<div>Choose from:</div>" in html
    assert '<strong><span dir="ltr">2</span></strong> FP32' in html
    assert "accumulation" not in html


def test_options_beyond_the_letters_are_numbered() -> None:
    options = tuple(sample.option(f"o{number}", f"Option {number}", "Why.") for number in range(14))
    made = preview.preview_text(sample.quiz(dataclasses.replace(sample.single(), options=options)), "en", {})

    assert sorted(line.split()[0] for line in made.splitlines() if "Option " in line) == [
        *("13.", "14."),
        *(f"{letter}." for letter in "ABCDEFGHIJKL"),
    ]
