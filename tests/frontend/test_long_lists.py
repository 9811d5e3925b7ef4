"""Many questions one below the other: each works, and what concerns one costs the others nothing."""

from __future__ import annotations

from dataclasses import replace

from playwright.sync_api import Page, expect

from quiz_widgets.model import Quiz
from tests.frontend import sample_quiz as sample
from tests.frontend.mounting import Mounts, axe

COUNT = 40
# How often the questions of the page were written to, but for the one with this number.
WATCH = """(but) => {
    window.written = 0;
    const items = document.querySelector(".quiz-widgets-live").shadowRoot.querySelectorAll(".item");
    const watch = new MutationObserver((changes) => { window.written += changes.length; });
    const all = {subtree: true, childList: true, attributes: true, characterData: true};
    items.forEach((item, index) => index === but || watch.observe(item, all));
    return items.length;
}"""
DRAWN = """() => [...document.querySelector(".quiz-widgets-live").shadowRoot.querySelectorAll(".options")]
    .map((options) => options.checkVisibility({contentVisibilityAuto: true}))"""


def many() -> Quiz:
    """A quiz of the sample's first question, again and again."""
    first = sample.quiz().items[0]
    return sample.quiz(*(replace(first, id=f"item-{number}") for number in range(COUNT)))


def open_many(mount: Mounts) -> Page:
    """All of them inline."""
    return mount(many(), {"items": [f"item-{number}" for number in range(COUNT)]})


def test_an_answer_writes_to_its_own_question_only(mount: Mounts) -> None:
    page = open_many(mount)
    assert page.evaluate(WATCH, 2) == COUNT

    page.get_by_role("radio", name="Two bytes").nth(2).check()
    page.get_by_role("button", name="Check").nth(2).click()
    expect(page.get_by_role("status").nth(2)).to_contain_text("Right.")

    assert page.evaluate("() => window.written") == 0


def test_a_question_far_below_is_laid_out_when_it_is_near_and_answers(mount: Mounts) -> None:
    page = open_many(mount)
    expect(page.get_by_role("radio", name="Two bytes")).to_have_count(COUNT)
    drawn = page.evaluate(DRAWN)
    assert drawn[:3] == [True] * 3
    assert drawn[-1] is False

    page.get_by_role("radio", name="Two bytes").nth(COUNT - 1).check()
    page.get_by_role("button", name="Check").last.click()

    expect(page.get_by_role("status").last).to_contain_text("Right.")
    assert page.evaluate(DRAWN)[-1] is True
    assert axe(page) == []
