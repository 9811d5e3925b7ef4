"""How sure are you: asked before any feedback, by mouse and keyboard, in three languages, and marked as in Python."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from quiz_widgets import locales
from quiz_widgets.frontend import bundle
from quiz_widgets.model import Quiz
from tests.frontend import kinds_quiz, languages_quiz
from tests.frontend import sample_quiz as sample
from tests.frontend.mounting import Mounts, axe, document, link, live

CASES = json.loads((Path(__file__).parents[1] / "cases" / "certainty.json").read_text(encoding="utf-8"))["marks"]
LEVELS = ["Not sure", "Fairly sure", "Very sure"]


def asking(*items: Any) -> Quiz:
    return dataclasses.replace(sample.quiz(*items), confidence=True)


def events(page: Page) -> list[dict[str, Any]]:
    made: list[dict[str, Any]] = page.evaluate(
        '[...globalThis[Symbol.for("quiz_widgets")].stores.values()].flatMap((store) => [...store.events.values()])'
    )
    return made


def check(page: Page) -> None:
    page.get_by_role("button", name="Check").click()


def test_marks_are_those_of_python(mount: Mounts) -> None:
    page = mount.open(document())
    entry = 'import { certaintyMark } from "./sure.js";\nObject.assign(globalThis, { certaintyMark });\n'
    page.evaluate(f"{bundle.bundle({'cases.js': entry})['cases.js']}()")

    found = page.evaluate(
        """(cases) => cases.map(({ score, points, sure }) => {
            const mark = certaintyMark(score, points, sure ?? undefined);
            return Number.isNaN(mark) ? null : mark;
        })""",
        CASES,
    )

    assert found == [case["mark"] for case in CASES]


def test_nothing_is_asked_unless_the_quiz_says_so(mount: Mounts) -> None:
    page = mount(sample.quiz(sample.single()))

    expect(page.get_by_role("group", name="How sure are you?")).to_have_count(0)
    page.get_by_role("radio", name="Two bytes").check()
    check(page)
    assert "confidence" not in events(page)[0]


def test_it_is_asked_before_the_first_feedback_and_marked(mount: Mounts) -> None:
    page = mount(asking(sample.single()))
    page.get_by_role("radio", name="Four bytes").check()
    check(page)

    expect(page.get_by_role("status")).to_have_text("Say first how sure you are, then check.")
    expect(page.get_by_role("radio", name="Not sure")).to_be_focused()
    assert events(page) == []

    page.get_by_role("radio", name="Very sure").check()
    expect(page.get_by_role("status")).to_be_empty()
    check(page)

    expect(page.get_by_role("status")).to_contain_text("You were very sure, and it is not so.")
    expect(page.get_by_role("status")).to_contain_text("You said: Very sure. Certainty-based mark: -6 of 3.")
    assert [event.get("confidence") for event in events(page)] == [3]

    page.get_by_role("button", name="Try again").click()
    expect(page.get_by_role("radio", name="Very sure")).to_have_count(0)
    page.get_by_role("radio", name="Two bytes").check()
    check(page)
    expect(page.get_by_role("status")).to_contain_text("Right.")
    expect(page.get_by_role("status")).not_to_contain_text("it is not so")
    assert [event.get("confidence") for event in events(page)] == [3, None]

    page.get_by_role("button", name="See the summary").click()
    expect(page.locator(".score")).to_contain_text("1 of 1")
    expect(page.locator(".score")).to_contain_text("certainty-based mark: -6 of 3")
    expect(page.locator(".score")).to_contain_text("very sure, and not right: 1")


@pytest.mark.parametrize(("level", "says"), [(1, "1 of 3"), (2, "2 of 3"), (3, "3 of 3")])
def test_right_answers_earn_what_was_staked(mount: Mounts, level: int, says: str) -> None:
    page = mount(asking(sample.single()))
    page.get_by_role("radio", name="Two bytes").check()
    page.get_by_role("radio", name=LEVELS[level - 1], exact=True).check()
    check(page)

    expect(page.get_by_role("status")).to_contain_text(f"Certainty-based mark: {says}")
    praise = expect(page.get_by_role("status"))
    (praise.to_contain_text if level == 1 else praise.not_to_contain_text)("You knew more than you thought.")


def test_the_certainty_stays_with_the_draft_and_leaves_with_it(mount: Mounts) -> None:
    page = mount(asking(sample.single(), sample.multiple()))
    page.get_by_role("radio", name="Two bytes").check()
    page.get_by_role("radio", name="Fairly sure").check()

    page.get_by_role("button", name="Skip").click()
    expect(page.get_by_role("radio", name="Fairly sure")).not_to_be_checked()
    page.get_by_role("button", name="Back").click()
    expect(page.get_by_role("radio", name="Fairly sure")).to_be_checked()
    page.get_by_role("button", name="Clear").click()
    expect(page.get_by_role("radio", name="Fairly sure")).not_to_be_checked()


def test_the_keyboard_alone_does_it(mount: Mounts) -> None:
    page = mount(asking(sample.number()))
    page.get_by_role("textbox").focus()
    page.keyboard.type("12.5")
    page.keyboard.press("Enter")
    expect(page.get_by_role("radio", name="Not sure")).to_be_focused()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    expect(page.get_by_role("radio", name="Very sure")).to_be_checked()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")

    expect(page.get_by_role("status")).to_contain_text("Certainty-based mark: 3 of 3.")


def test_a_kernel_gets_it(mount: Mounts) -> None:
    page = mount(asking(sample.single()))
    link(page)
    page.get_by_role("radio", name="Two bytes").check()
    page.get_by_role("radio", name="Fairly sure").check()
    check(page)

    assert page.evaluate("model.sent.at(-1).map((event) => event.confidence)") == [2]


@pytest.mark.parametrize("kind", ["typed", "ordered", "matched"])
def test_every_kind_of_item_asks(mount: Mounts, kind: str) -> None:
    item = {"typed": kinds_quiz.TYPED, "ordered": kinds_quiz.ORDERED, "matched": kinds_quiz.MATCHED}[kind]
    page = mount.open(document(live(dataclasses.replace(kinds_quiz.quiz(item), confidence=True))))

    expect(page.get_by_role("group", name="How sure are you?")).to_be_visible()


@pytest.mark.parametrize("locale", ["en", "tr", "ar"])
def test_it_speaks_every_language_and_axe_finds_nothing(mount: Mounts, locale: str) -> None:
    words = locales.words(locale)
    quiz = dataclasses.replace(languages_quiz.quiz(), confidence=True)
    quiz = dataclasses.replace(quiz, items=tuple(item for item in quiz.items if item.kind == "single")[:1])
    page = mount.open(document(live(quiz, locale=locale)))
    found = [axe(page)]

    expect(page.get_by_role("group", name=str(words["sure_ask"]))).to_be_visible()
    wrong = next(option for option in quiz.items[0].options if not option.correct)
    page.get_by_role("radio", name=wrong.text.rendered(locale).plain).check()
    page.get_by_role("button", name=str(words["check"])).click()
    expect(page.get_by_role("status")).to_have_text(str(words["sure_missing"]))
    found.append(axe(page))
    page.get_by_role("radio", name=str(words["sure_3"])).check()
    page.get_by_role("button", name=str(words["check"])).click()
    expect(page.get_by_role("status")).to_contain_text(str(words["sure_wrong"]))
    found.append(axe(page))

    assert found == [[], [], []]
