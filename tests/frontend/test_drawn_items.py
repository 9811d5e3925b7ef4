"""Items drawn from pools, in the page: which are shown, counted and summed up, and what a new attempt draws."""

from __future__ import annotations

import dataclasses
import re
from typing import Any

from playwright.sync_api import Page, expect

from quiz_widgets import page as pages
from quiz_widgets import pools
from quiz_widgets.model import Pool, Quiz, Rendered, Text
from tests.frontend import sample_quiz as sample
from tests.frontend.mounting import Mounts, axe, document, link, live

ATTEMPT: Any = {"id": "ab12" + "5" * 28, "started": 1}


def named(name: str) -> Any:
    """A question whose stem is its id."""
    stem = Text({"en": Rendered(name, name, name, name)})
    return dataclasses.replace(sample.single(), id=name, stem=stem)


def bank(count: int = 9, draw: int = 2) -> Quiz:
    names = [f"pooled-{number}" for number in range(count)]
    quiz = sample.quiz(named("before"), *map(named, names), named("after"))
    return dataclasses.replace(quiz, pools=(Pool("bank", draw, tuple(names)),))


def questions(page: Page) -> list[str]:
    """The stems of the questions, as the list of all of them has them."""
    if page.locator("details.contents").get_attribute("open") is None:
        page.get_by_text("Preview all").click()
    expect(page.locator(".contents .stem").first).to_be_visible()
    return page.locator(".contents .stem").all_inner_texts()


def answer(page: Page, *, right: bool = True) -> None:
    page.get_by_role("radio", name="Two bytes" if right else "Four bytes").check()
    page.get_by_role("button", name="Check").click()


def test_an_attempt_shows_what_python_says_and_counts_it(mount: Mounts) -> None:
    quiz = bank()
    page = mount.open(document(live(quiz, attempt=ATTEMPT)))

    assert questions(page) == list(pools.shown(quiz, ATTEMPT["id"]))
    expect(page.get_by_text("Question 1 of 4", exact=True).first).to_be_visible()
    for _ in range(4):
        answer(page)
        page.get_by_role("button", name=re.compile("^(Next|See the summary)$")).click()
    expect(page.locator(".score")).to_contain_text("4 of 4")
    expect(page.locator(".sum > li")).to_have_count(4)
    assert axe(page) == []


def test_a_new_attempt_draws_anew_from_what_the_page_carries(mount: Mounts) -> None:
    quiz = bank(500, 3)
    page = mount.open(document(live(quiz, attempt=ATTEMPT)))
    link(page, attempt=ATTEMPT)
    seen = set()
    for _ in range(4):
        attempt = page.evaluate('globalThis[Symbol.for("quiz_widgets")].stores.get("sample").id')
        shown = questions(page)
        seen.add(tuple(shown))
        assert attempt.startswith("ab12")
        assert shown == list(pools.shown(quiz, attempt))  # as the kernel counts them
        page.evaluate('globalThis[Symbol.for("quiz_widgets")].stores.get("sample").restart()')

    assert len(seen) == 4


def test_a_page_of_its_own_draws_without_a_kernel(mount: Mounts) -> None:
    page = mount.open(pages.page_html(bank(500, 3), "en"))

    first = questions(page)
    page.reload()
    again = questions(page)

    assert first == again
    assert len(first) == 5


def test_an_inline_item_of_a_pool_is_always_shown_and_claims_no_place(mount: Mounts) -> None:
    quiz = bank()
    hidden = next(name for name in quiz.sets if name not in pools.shown(quiz, ATTEMPT["id"]))
    page = mount.open(document(live(quiz, {"items": [hidden, "after"]}, attempt=ATTEMPT)))

    expect(page.get_by_role("group", name=f"A question of “Number formats” {hidden}")).to_be_visible()
    expect(page.get_by_role("group", name="Question 4 of 4 of “Number formats” after")).to_be_visible()


def test_an_answer_stays_with_its_question_whoever_shows_it(mount: Mounts) -> None:
    quiz = bank()
    drawn = next(name for name in pools.shown(quiz, ATTEMPT["id"]) if name.startswith("pooled"))
    page = mount.open(document(live(quiz, {"items": [drawn]}, attempt=ATTEMPT), live(quiz, attempt=ATTEMPT)))

    inline = page.locator(".quiz-widgets-live").first
    inline.get_by_role("radio", name="Two bytes").check()
    inline.get_by_role("button", name="Check").click()

    expect(page.get_by_role("button", name="Question 2: right")).to_be_visible()


def test_pinned_options_stay_where_they_are_in_drawn_items(mount: Mounts) -> None:
    quiz = bank()
    items = tuple(
        dataclasses.replace(
            item,
            options=tuple(dataclasses.replace(one, pin="last" if one.id == "two" else None) for one in item.options),
        )
        for item in quiz.items
    )
    page = mount.open(document(live(dataclasses.replace(quiz, items=items), attempt=ATTEMPT)))

    for number in range(1, 5):
        page.get_by_role("button", name=f"Question {number}: not answered").click()
        assert page.locator(".options .text").all_inner_texts()[-1] == "Two bytes"
