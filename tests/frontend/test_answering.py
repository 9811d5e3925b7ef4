"""What a learner sees after each response: verdict, rationale, hints, key, summary."""

from __future__ import annotations

import re
from dataclasses import replace
from decimal import Decimal

import pytest
from playwright.sync_api import Page, expect

from quiz_widgets import payload
from tests.frontend import sample_quiz as sample
from tests.frontend.mounting import Mounts, document, live

ONE = {"items": ["bytes"]}


def choose(page: Page, option: str) -> None:
    page.get_by_role("radio", name=option).check()
    page.get_by_role("button", name="Check").click()


def test_a_right_response_shows_verdict_rationale_explanation_and_mark(mount: Mounts) -> None:
    page = mount(sample.quiz(), ONE)

    choose(page, "Two bytes")

    expect(page.get_by_role("status")).to_contain_text("Right.")
    expect(page.get_by_role("status")).to_contain_text("A byte has eight bits")
    expect(page.get_by_role("radio", name="Two bytes ✓ Your choice, right")).to_be_checked()
    expect(page.get_by_text("Sixteen bits are two bytes.").first).to_be_visible()


def test_a_wrong_response_with_tries_left_shows_its_rationale_and_no_key(mount: Mounts) -> None:
    page = mount(sample.quiz(), ONE)

    choose(page, "Four bytes")

    expect(page.get_by_role("status")).to_contain_text("✗ Not quite. One more try.")
    expect(page.get_by_role("status")).to_contain_text("Four bytes are FP32.")
    expect(page.get_by_text("✗ Your choice, not right")).to_be_visible()
    expect(page.get_by_text("✓")).to_have_count(0)
    expect(page.get_by_text("Sixteen bits are two bytes.")).to_have_count(0)
    expect(page.get_by_text("A byte has")).to_have_count(0)
    for name in ("Hint 1 of 2", "Try again", "Show the answer"):
        expect(page.get_by_role("button", name=name)).to_be_visible()


def test_the_last_try_shows_key_and_explanation(mount: Mounts) -> None:
    page = mount(sample.quiz(), ONE)

    choose(page, "Four bytes")
    page.get_by_role("button", name="Try again").click()
    choose(page, "Eight bytes")

    expect(page.get_by_role("radio", name="Two bytes ✓ The answer")).not_to_be_checked()
    expect(page.get_by_role("status")).to_contain_text("Not quite.")
    expect(page.get_by_role("status")).to_contain_text("A byte has eight bits")
    expect(page.get_by_role("button", name="Show the answer")).to_be_hidden()


def test_show_the_answer_closes_the_item_and_moves_focus_to_the_feedback(mount: Mounts) -> None:
    page = mount(sample.quiz(), ONE)

    choose(page, "Four bytes")
    page.get_by_role("button", name="Show the answer").click()

    expect(page.get_by_role("radio", name="The answer")).to_be_visible()
    assert (
        page.evaluate("document.querySelector('.quiz-widgets-live').shadowRoot.activeElement.className") == "feedback"
    )


def test_hints_come_one_by_one_and_take_focus(mount: Mounts) -> None:
    page = mount(sample.quiz(), ONE)

    page.get_by_role("button", name="Hint 1 of 2").click()
    expect(page.get_by_text("Clue number 1.")).to_be_visible()
    expect(page.get_by_text("Clue number 2.")).to_have_count(0)
    page.get_by_role("button", name="Hint 2 of 2").click()

    expect(page.get_by_role("listitem").filter(has_text="Clue number 2.")).to_be_focused()
    expect(page.get_by_role("button", name="Hint")).to_be_hidden()


EVERY_KIND = {
    "single": sample.single(),
    "multiple": sample.multiple(),
    "number": sample.number(),
    "text": sample.typed(),
    "order": sample.ordered(),
    "match": sample.matched(),
}


@pytest.mark.parametrize("kind", EVERY_KIND)
def test_hints_of_every_kind_come_in_the_author_s_order(mount: Mounts, kind: str) -> None:
    hints = tuple(sample.text(f"Hint {name}.") for name in ("delta", "alpha", "charlie"))
    item = replace(EVERY_KIND[kind], hints=hints)
    page = mount(sample.quiz(item), {"items": [item.id]})
    shown = page.locator(".hints li")

    for number, name in enumerate(("delta", "alpha", "charlie"), 1):
        page.get_by_role("button", name=f"Hint {number} of 3").click()
        expect(shown).to_have_count(number)
        expect(shown.last).to_have_text(f"Hint {number} Hint {name}.")
        expect(shown.last).to_be_focused()

    expect(page.get_by_role("button", name=re.compile("^Hint"))).to_be_hidden()
    page.reload()
    expect(shown).to_have_text([f"Hint {n} Hint {name}." for n, name in enumerate(("delta", "alpha", "charlie"), 1)])


def test_a_choice_can_be_cleared(mount: Mounts) -> None:
    page = mount(sample.quiz(), ONE)

    page.get_by_role("radio", name="Four bytes").check()
    page.get_by_role("button", name="Clear").click()

    expect(page.get_by_role("radio", checked=True)).to_have_count(0)
    expect(page.get_by_role("button", name="Clear")).to_be_hidden()
    expect(page.get_by_role("radio").first).to_be_focused()


def test_check_with_nothing_chosen_says_so_and_counts_no_try(mount: Mounts) -> None:
    page = mount(sample.quiz(), ONE)

    page.get_by_role("button", name="Check").click()
    expect(page.get_by_role("status")).to_have_text("Nothing is chosen yet. Choose an answer, then check it.")
    choose(page, "Four bytes")

    expect(page.get_by_role("status")).to_contain_text("One more try.")


def test_another_choice_after_a_wrong_one_begins_the_next_try(mount: Mounts) -> None:
    page = mount(sample.quiz(), ONE)

    choose(page, "Four bytes")
    page.get_by_role("radio", name="Two bytes").check()
    expect(page.get_by_role("status")).to_be_empty()
    page.get_by_role("button", name="Check").click()

    expect(page.get_by_role("status")).to_contain_text("Right.")


def test_partial_credit_says_partly_right_and_marks_only_wrong_choices(mount: Mounts) -> None:
    page = mount(sample.quiz(), {"items": ["fp32-ops"]})

    expect(page.get_by_text("More than one answer may be right.")).to_be_visible()
    for name in ("sum", "norm", "matmul"):
        page.get_by_role("checkbox", name=name).check()
    page.get_by_role("button", name="Check").click()

    expect(page.get_by_role("status")).to_contain_text("Partly right. One more try.")
    expect(page.get_by_text("✗ Your choice, not right")).to_have_count(1)
    expect(page.get_by_text("✓")).to_have_count(0)
    page.get_by_role("button", name="Try again").click()
    page.get_by_role("checkbox", name="matmul").uncheck()
    page.get_by_role("button", name="Check").click()
    expect(page.get_by_role("status")).to_contain_text("✓ Right.")


def test_a_number_is_read_with_its_tolerance_and_its_slips(mount: Mounts) -> None:
    page = mount(sample.quiz(), {"items": ["adam"]})
    field = page.get_by_role("textbox", name="Your answer")

    expect(field).to_have_attribute("inputmode", "decimal")
    expect(field).to_have_accessible_description(re.compile("bytes.*A number such as 1234.5", re.DOTALL))
    field.fill("twelve")
    page.get_by_role("button", name="Check").click()
    expect(page.get_by_role("status")).to_have_text("That is not a number. Type digits, without the unit.")
    expect(field).to_have_attribute("aria-invalid", "true")
    expect(field).to_be_focused()
    field.fill("16.0")
    field.press("Enter")
    expect(page.get_by_role("status")).to_contain_text("Sixteen counts the weights as well.")
    page.get_by_role("button", name="Try again").click()
    field.fill("12.6")
    page.get_by_role("button", name="Check").click()

    expect(page.get_by_role("status")).to_contain_text("✓ Right.")
    expect(page.get_by_role("status")).to_contain_text("The answer is 12.5 bytes.")


def test_nothing_typed_says_so(mount: Mounts) -> None:
    page = mount(sample.quiz(), {"items": ["adam"]})

    page.get_by_role("button", name="Check").click()

    expect(page.get_by_role("status")).to_have_text("Nothing is typed yet. Type a number, then check it.")


def test_a_drawn_item_shows_and_grades_the_numbers_of_the_attempt(mount: Mounts) -> None:
    attempt = {"id": "0" * 32, "started": 1}
    page = mount.open(document(live(sample.quiz(), {"set": "numbers"}, attempt=attempt)))

    billions = 7 if page.get_by_role("group", name="7 billion").count() else 8
    expect(page.get_by_role("group", name=f"A model has {billions} billion parameters.")).to_be_visible()
    page.get_by_role("textbox").fill(str(billions * 6))
    page.get_by_role("button", name="Check").click()
    expect(page.get_by_role("status")).to_contain_text(f"Half of that for {billions} billion.")
    page.get_by_role("button", name="Try again").click()
    page.get_by_role("textbox").fill(str(billions * 12))
    page.get_by_role("button", name="Check").click()

    expect(page.get_by_role("status")).to_contain_text("Right.")
    page.get_by_role("button", name="See the summary").click()
    expect(page.get_by_role("listitem").filter(has_text=f"A model has {billions} billion")).to_be_visible()


@pytest.mark.parametrize("attempt", ["0" * 32, "1" * 32])
def test_a_drawn_item_shows_the_same_numbers_everywhere(mount: Mounts, attempt: str) -> None:
    """In the item, in the list of all items, and where Python says which variant the attempt has."""
    item = sample.drawn()
    quiz = sample.quiz(item)
    page = mount.open(document(live(quiz, {"set": "numbers"}, attempt={"id": attempt, "started": 1})))
    index = payload.variant_of(item, attempt)

    page.locator("summary").click()

    assert index is not None
    text = f"A model has {item.variants[index].numbers['billions']} billion"
    expect(page.get_by_role("group").filter(has_text=text).first).to_be_visible()
    expect(page.get_by_role("listitem").filter(has_text=text)).to_be_visible()
    assert {payload.variant_of(item, number * 32) for number in "0123456789"} == {0, 1}


def test_feedback_links_to_the_section_where_the_page_has_it(mount: Mounts) -> None:
    inline = live(sample.quiz(), ONE)
    with_id = mount.open(document('<div style="height:3000px"></div><h2 id="formats">Formats</h2>', inline))
    renamed = mount.open(document('<h2 data-jupyter-id="formats">Formats</h2>', inline))
    without = mount.open(document(inline))

    for page in (with_id, renamed, without):
        choose(page, "Two bytes")

    with_id.get_by_role("link", name="Read “The formats”").click()
    expect(with_id.get_by_role("heading", name="Formats")).to_be_focused()
    expect(with_id.get_by_role("heading", name="Formats")).to_be_in_viewport()
    expect(renamed.get_by_role("link", name="Read “The formats”")).to_be_visible()
    expect(without.get_by_role("link")).to_have_count(0)


def test_evidence_says_when_and_where_it_was_measured(mount: Mounts) -> None:
    html = live(sample.quiz(), ONE)
    evidence = (
        '"evidence":{"text":"{count} bytes, counted","name":"bytes","facts":{"count":"2"},'
        '"date":"2026-03-01","machine":"laptop"},"key":["two"]'
    )
    page = mount.open(document(html.replace('"key":["two"]', evidence)))

    expect(page.get_by_text("counted")).to_have_count(0)
    choose(page, "Two bytes")

    expect(page.get_by_text("Measured, Mar 1, 2026, laptop")).to_be_visible()
    expect(page.get_by_text("2 bytes, counted")).to_be_visible()


def test_without_practice_the_page_never_shows_a_verdict(mount: Mounts) -> None:
    html = re.sub(r'"practice":\{"items":\{.*\}\},"view"', '"view"', live(sample.quiz(), ONE))
    assert "rationales" not in html.rpartition("(")[2]
    page = mount.open(document(html))

    page.get_by_role("radio", name="Four bytes").check()
    page.get_by_role("button", name="Submit").click()

    expect(page.get_by_role("status")).to_have_text("Your answer has been handed in.")
    for word in ("Right", "Not quite", "✓", "✗"):
        expect(page.get_by_text(word)).to_have_count(0)


def test_the_whole_quiz_has_its_heading_progress_and_navigation(mount: Mounts) -> None:
    page = mount(sample.eight())

    expect(page.get_by_role("heading", name="Number formats")).to_be_visible()
    for words in ("What sixteen bits hold.", "Level medium", "Guide A guide", "Question 1 of 8"):
        expect(page.get_by_text(words).first).to_be_visible()
    expect(page.get_by_role("button", name="Back")).to_be_hidden()
    page.get_by_role("button", name="Skip").click()
    expect(page.get_by_text("Stem number 2?")).to_be_visible()
    page.get_by_role("navigation", name="Questions").get_by_role("button", name="Question 7: not answered").click()
    expect(page.get_by_text("Stem number 7?")).to_be_focused()
    expect(page.get_by_role("button", name="Question 7: not answered")).to_have_attribute("aria-current", "step")
    page.get_by_role("button", name="Back").click()
    choose(page, "Two bytes")
    expect(page.get_by_role("button", name="Question 6: right")).to_be_visible()
    page.get_by_role("button", name="Next").click()

    expect(page.get_by_text("Question 7 of 8").first).to_be_visible()


def test_preview_all_lists_every_stem_and_option_without_answers(mount: Mounts) -> None:
    page = mount(sample.quiz())

    page.get_by_text("Preview all 3 questions").click()

    contents = page.get_by_role("list").filter(has_text="Which operations run in FP32?")
    for words in ("How many bytes does FP16 take?", "Which operations run in FP32?", "Eight bytes", "conv2d"):
        expect(contents.get_by_text(words).first).to_be_visible()
    expect(contents.get_by_text("Sixteen bits are two bytes.")).to_have_count(0)
    expect(contents.get_by_role("radio")).to_have_count(0)


def finish(page: Page, wrong: int) -> None:
    """Eight items: `wrong` of them wrong twice, one right at its second try, the others right at once."""
    for number in range(1, 9):
        tries = ["Two bytes"]
        if 2 <= number < 2 + wrong:
            tries = ["Four bytes", "Eight bytes"]
        elif number == 2 + wrong:
            tries = ["Four bytes", "Two bytes"]
        for index, name in enumerate(tries):
            if index:
                page.get_by_role("button", name="Try again").click()
            choose(page, name)
        page.get_by_role("button", name="See the summary" if number == 8 else "Next").click()


def test_the_summary_shows_score_first_tries_and_what_to_read_again(mount: Mounts) -> None:
    page = mount.open(document('<h2 id="formats">Formats</h2>', live(sample.eight())))

    finish(page, wrong=2)

    expect(page.get_by_text("6 of 8")).to_be_visible()
    expect(page.get_by_text("right at the first try: 5")).to_be_visible()
    expect(page.get_by_role("link", name="The formats")).to_be_visible()
    expect(page.get_by_role("listitem").filter(has_text="Stem number 3?")).to_contain_text("✗")
    page.get_by_role("button", name="Review question 3").click()
    expect(page.get_by_text("Stem number 3?")).to_be_focused()
    expect(page.get_by_role("radio", name="✓ The answer")).to_be_visible()


def test_missed_questions_can_be_tried_again_and_the_score_stays(mount: Mounts) -> None:
    page = mount(sample.eight())
    finish(page, wrong=2)

    page.get_by_role("button", name="Try the 2 missed again").click()
    expect(page.get_by_text("Stem number 2?")).to_be_focused()
    expect(page.get_by_role("radio", checked=True)).to_have_count(0)
    choose(page, "Two bytes")
    page.get_by_role("button", name="Next").click()
    expect(page.get_by_text("Stem number 3?")).to_be_visible()
    choose(page, "Two bytes")
    page.get_by_role("button", name="See the summary").click()

    expect(page.get_by_text("6 of 8")).to_be_visible()
    expect(page.get_by_text("right after trying again: 2")).to_be_visible()
    expect(page.get_by_role("button", name=re.compile("missed"))).to_have_count(0)


def test_start_again_begins_a_new_attempt(mount: Mounts) -> None:
    page = mount(sample.eight())
    finish(page, wrong=1)

    page.get_by_role("button", name="Start again").click()

    expect(page.get_by_text("Question 1 of 8").first).to_be_visible()
    expect(page.get_by_role("button", name=re.compile("Question .: not answered"))).to_have_count(8)
    expect(page.get_by_role("radio", checked=True)).to_have_count(0)


def test_the_score_is_that_of_the_last_response_before_the_reveal(mount: Mounts) -> None:
    quiz = sample.quiz(sample.multiple(), replace(sample.single(), points=Decimal("2.5")))
    page = mount(quiz)

    page.get_by_role("checkbox", name="sum").check()
    page.get_by_role("button", name="Check").click()
    page.get_by_role("button", name="Show the answer").click()
    page.get_by_role("button", name="Next").click()
    choose(page, "Two bytes")
    page.get_by_role("button", name="See the summary").click()

    expect(page.get_by_text("3 of 3.5")).to_be_visible()


def test_a_long_quiz_without_a_word_of_practice_ends_without_a_score(mount: Mounts) -> None:
    html = re.sub(r'"practice":\{"items":\{.*\}\},"view"', '"view"', live(sample.quiz(sample.single())))
    page = mount.open(document(html))

    page.get_by_role("radio", name="Four bytes").check()
    page.get_by_role("button", name="Submit").click()
    page.get_by_role("button", name="See the summary").click()

    expect(page.get_by_text("You have been through all questions.")).to_be_visible()
