"""The preview page in Chromium, from the real server: an author saves, and sees; the quiz answers as for a learner."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from quiz_widgets.studio.server import Preview
from tests.frontend.mounting import AXE


@pytest.fixture
def page(browser: Browser, preview: Preview) -> Iterator[Page]:
    """The page, open; whatever the browser complains of fails the test, also what the page's policy forbids."""
    context = browser.new_context(viewport={"width": 1200, "height": 900})
    opened = context.new_page()
    complaints: list[str] = []
    opened.on("pageerror", lambda error: complaints.append(str(error)))
    opened.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
    opened.goto(preview.url)
    expect(opened.get_by_role("heading", level=1)).to_have_text("Preview: Sums")
    yield opened
    context.close()
    assert [text for text in complaints if "410 (Gone)" not in text] == []


def question(page: Page, number: int) -> Locator:
    return page.get_by_role("region", name=f"Question {number}")


def card(page: Page, label: str) -> Locator:
    return page.get_by_role("group", name=label, exact=True)


def axe(page: Page) -> list[str]:
    """What axe-core finds. It comes past the page's policy, which lets no script of others in."""
    found: list[str] = page.evaluate(
        AXE.read_text(encoding="utf-8")
        + """; (async () => (await axe.run()).violations.map((rule) =>
            `${rule.id}: ${rule.nodes.map((node) => node.target + " " + node.failureSummary).join(" | ")}`))()"""
    )
    return found


def test_every_question_is_there_in_every_language_light_and_dark(page: Page) -> None:
    for number in (1, 2):
        for language in ("English", "Arabic"):
            for scheme in ("Light", "Dark"):
                here = card(page, f"Question {number}, {language}, {scheme}")
                expect(
                    here.get_by_role("group", name="Sums" if language == "English" else "جمع", exact=True)
                ).to_be_visible()
                expect(here).to_have_css("color-scheme", scheme.lower())
    expect(page.get_by_role("region", name="The whole quiz", exact=True)).to_be_visible()
    paper = [
        card(page, f"Question 1, English, {scheme}").evaluate("(card) => getComputedStyle(card).backgroundColor")
        for scheme in ("Light", "Dark")
    ]
    assert paper[0] != paper[1]


def test_arabic_runs_from_right_to_left_in_a_page_in_english(page: Page) -> None:
    here = card(page, "Question 1, Arabic, Light").get_by_role("group", name="جمع", exact=True)

    expect(here).to_have_attribute("dir", "rtl")
    expect(here).to_have_css("direction", "rtl")
    expect(page.locator("html")).to_have_attribute("dir", "ltr")
    option, text = here.get_by_role("radio").first.bounding_box(), here.get_by_text("شيئان").bounding_box()
    assert option is not None
    assert text is not None
    assert option["x"] > text["x"]


def test_a_save_shows_and_what_was_answered_stays(page: Page, save: Callable[..., None]) -> None:
    first = card(page, "Question 1, English, Light")
    first.get_by_role("radio", name="Two things").check()
    first.get_by_role("button", name="Check").click()
    expect(first.get_by_role("status")).to_contain_text("Right.")
    typed = card(page, "Question 2, English, Light").get_by_label("Your answer")
    typed.fill("10")
    page.evaluate("document.body.dataset.same = 'page'; scrollTo(0, 700)")

    save("One thing", "A single thing")

    expect(first.get_by_role("radio", name="A single thing")).to_be_visible()
    expect(first.get_by_role("status")).to_contain_text("Right.")
    expect(card(page, "Question 1, Arabic, Dark").get_by_role("status")).to_contain_text("صحيح")
    expect(typed).to_have_value("10")
    expect(typed).to_be_focused()
    assert page.evaluate("[document.body.dataset.same, scrollY > 300]") == ["page", True]


def test_a_mistake_shows_at_its_question_and_goes_when_it_is_mended(page: Page, save: Callable[..., None]) -> None:
    save("value: 1001", "value: many")

    problem = question(page, 2).get_by_role("listitem").filter(has_text="`many`".strip("`"))
    expect(problem).to_contain_text("quiz.yaml:16:12")
    expect(problem.locator("mark")).to_have_text("many")
    expect(question(page, 1).get_by_text("many")).to_have_count(0)
    expect(page.get_by_role("navigation", name="Contents").get_by_role("link", name=re.compile("^2 "))).to_contain_text(
        "1 problem"
    )
    expect(page.get_by_role("status").first).to_contain_text("1 problem.")
    expect(card(page, "Question 2, English, Light")).to_contain_text("It can be answered once its problems are solved.")

    save("value: many", "value: 1001")

    expect(problem).to_have_count(0)
    expect(card(page, "Question 2, English, Light").get_by_role("button", name="Check")).to_be_visible()


def test_a_file_that_is_half_written_leaves_the_questions(page: Page, quiz: Path) -> None:
    text = quiz.read_text(encoding="utf-8")
    quiz.write_text(text + "  - [", encoding="utf-8")

    general = page.get_by_role("region", name="Problems of the whole quiz")
    expect(general).to_contain_text("this is not YAML")
    expect(page.get_by_text("What was saved cannot be read.")).to_be_visible()
    expect(card(page, "Question 1, English, Light").get_by_role("button", name="Check")).to_be_visible()

    quiz.unlink()
    expect(general).to_contain_text("no such file")

    quiz.write_text(text, encoding="utf-8")
    expect(general).to_have_count(0)


def test_questions_come_go_and_change_their_places(page: Page, save: Callable[..., None]) -> None:
    save("items:\n", "items:\n  - id: new\n    kind: number\n    stem: New?\n    value: 3\n    source: A book\n")
    expect(question(page, 1)).to_contain_text("New?")
    expect(question(page, 3)).to_contain_text("What is 1000 + 1?")

    save("  - id: new\n    kind: number\n    stem: New?\n    value: 3\n    source: A book\n", "")

    expect(page.get_by_text("New?")).to_have_count(0)
    expect(page.get_by_role("heading", level=2)).to_have_text(
        [re.compile("Question 1"), re.compile("Question 2"), "The whole quiz"]
    )


def test_languages_and_schemes_can_be_hidden_and_stay_so(page: Page) -> None:
    page.get_by_role("checkbox", name="Arabic").uncheck()
    page.get_by_role("checkbox", name="Dark").uncheck()

    page.reload()

    expect(card(page, "Question 1, English, Light")).to_be_visible()
    expect(page.get_by_role("checkbox", name="Arabic")).not_to_be_checked()
    expect(card(page, "Question 1, English, Dark")).to_be_hidden()
    expect(card(page, "Question 1, Arabic, Light")).to_be_hidden()


def test_with_the_keyboard_alone(page: Page) -> None:
    page.get_by_role("checkbox", name="Arabic").focus()
    page.keyboard.press("Space")
    expect(card(page, "Question 1, Arabic, Light")).to_be_hidden()

    page.get_by_role("link", name=re.compile("^2 ")).focus()
    page.keyboard.press("Enter")
    for _ in range(1 + question(page, 2).locator(".problems pre").count()):  # lines of a file scroll: they take focus
        page.keyboard.press("Tab")
    expect(card(page, "Question 2, English, Light").get_by_label("Your answer")).to_be_focused()
    page.keyboard.type("1001")
    page.keyboard.press("Enter")

    expect(card(page, "Question 2, English, Dark").get_by_role("status")).to_contain_text("Right.")


def test_axe_finds_nothing_in_a_sound_quiz(page: Page) -> None:
    assert axe(page) == []


@pytest.mark.parametrize("width", [320, 1200])
def test_axe_finds_nothing_and_nothing_is_cut_off(page: Page, save: Callable[..., None], width: int) -> None:
    page.set_viewport_size({"width": width, "height": 900})
    save("level: easy", "level: simple")
    save("rationale: No.", "ratonale: No.")
    save("value: 1001", "value: many")
    expect(page.get_by_role("status").first).to_contain_text("3 problems.")

    assert axe(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width

    page.emulate_media(color_scheme="dark")
    assert axe(page) == []


def test_when_the_preview_ends_the_page_says_so(page: Page, preview: Preview) -> None:
    preview.watcher.end()

    expect(page.get_by_role("status").first).to_contain_text("The preview has ended.")


def test_the_page_itself_speaks_arabic(browser: Browser, quiz: Path) -> None:
    served = Preview(quiz, "ar")
    thread = threading.Thread(target=served.serve)
    thread.start()
    context = browser.new_context(viewport={"width": 1200, "height": 900})
    try:
        opened = context.new_page()
        opened.goto(served.url)
        expect(opened.get_by_role("heading", level=1)).to_contain_text("معاينة")
        expect(opened.locator("html")).to_have_attribute("dir", "rtl")
        light = opened.get_by_role("group", name=re.compile("الإنجليزية.*فاتح")).first.bounding_box()
        dark = opened.get_by_role("group", name=re.compile("الإنجليزية.*داكن")).first.bounding_box()
        assert light is not None
        assert dark is not None
        assert light["x"] > dark["x"]
        assert axe(opened) == []
    finally:
        context.close()
        served.stop()
        thread.join(timeout=30)
