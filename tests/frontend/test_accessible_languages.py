"""axe-core, narrow pages, targets, forced colours and print, per language and theme."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from quiz_widgets import locales, preview
from quiz_widgets import page as pages
from tests.frontend import languages_quiz as sample
from tests.frontend.mounting import Mounts, axe, document, live

LOCALES = ("en", "tr", "ar")


def answer_all(page: Page, locale: str, look: Any) -> None:
    """Go through the quiz as far as its summary; `look` is called at each state of it."""
    words = locales.words(locale)

    def press(name: str) -> None:
        page.get_by_role("button", name=str(words[name]), exact=True).click()

    look("untouched")
    page.get_by_role("radio", name=sample.BYTES.options[1].text.rendered(locale).plain).check()
    press("check")
    look("wrong")
    press("show_answer")
    look("revealed")
    press("next")
    page.get_by_role("checkbox").first.check()
    press("check")
    press("skip")
    page.get_by_role("textbox").fill("0.804" if locale != "tr" else "0,804")
    press("check")
    look("slip")
    press("to_summary")
    look("summary")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("locale", LOCALES)
def test_axe_finds_nothing_in_any_language_and_theme(mount: Mounts, locale: str, scheme: Any) -> None:
    page = mount.open(pages.page_html(sample.quiz(), locale), color_scheme=scheme)
    found: dict[str, list[str]] = {}

    answer_all(page, locale, lambda state: found.update({state: axe(page)}))
    static = mount.open(document(preview.preview_html(sample.quiz(), locale, {})), color_scheme=scheme)
    found["preview"] = axe(static)
    inline = mount.open(document(live(sample.quiz(), {"items": ["bytes"]}, locale=locale)), color_scheme=scheme)
    found["inline"] = axe(inline)

    assert {state: rules for state, rules in found.items() if rules} == {}
    assert len(found) == 7


@pytest.mark.parametrize("locale", LOCALES)
def test_a_narrow_page_fits_and_targets_are_large_enough(mount: Mounts, locale: str) -> None:
    """320 CSS pixels: a narrow phone, and a window of 640 pixels at 200 %."""
    page = mount.open(pages.page_html(sample.quiz(), locale), viewport={"width": 320, "height": 700})
    wide: list[str] = []
    small: list[str] = []

    def look(state: str) -> None:
        if not page.evaluate("document.documentElement.scrollWidth <= innerWidth"):
            wide.append(state)
        for control in page.locator("button, select, a, summary, label:has(input)").all():
            box = control.bounding_box()
            if box and min(box["width"], box["height"]) < 24:
                small.append(f"{state}: {control.inner_text()}")

    answer_all(page, locale, look)

    assert wide == []
    assert small == []


@pytest.mark.parametrize("locale", ["tr", "ar"])
def test_forced_colours_and_print(mount: Mounts, locale: str) -> None:
    words = locales.words(locale)
    page = mount.open(pages.page_html(sample.quiz(), locale), forced_colors="active", reduced_motion="reduce")

    button = page.get_by_role("button", name=str(words["check"]), exact=True)
    ink, paper, moves = button.evaluate(
        """(node) => { const { color, backgroundColor, transitionDuration } = getComputedStyle(node);
            return [color, backgroundColor, transitionDuration]; }"""
    )
    assert ink != paper
    assert moves == "0s"
    page.get_by_role("radio").first.check()
    assert page.locator(".picked").evaluate("(node) => getComputedStyle(node).outlineStyle") == "solid"
    page.emulate_media(media="print", forced_colors="none")
    expect(page.get_by_role("combobox")).to_have_count(0)
    expect(page.get_by_role("button")).to_have_count(0)
    expect(page.get_by_role("radio")).to_have_count(3)


@pytest.mark.parametrize("locale", LOCALES)
def test_roles_names_and_live_messages_are_in_the_reader_s_language(mount: Mounts, locale: str) -> None:
    words = locales.words(locale)
    page = mount.open(document(live(sample.quiz(), locale=locale)))

    expect(page.get_by_role("group", name=sample.quiz().title.rendered(locale).plain, exact=True)).to_be_visible()
    expect(page.get_by_role("navigation", name=str(words["steps"]))).to_be_visible()
    expect(page.get_by_role("combobox", name=str(words["language"]))).to_have_value(locale)
    page.get_by_role("button", name=str(words["check"]), exact=True).click()
    expect(page.get_by_role("status")).to_have_text(str(words["nothing_chosen"]))
    page.get_by_role("radio", name=sample.BYTES.options[0].text.rendered(locale).plain).check()
    expect(page.get_by_role("status")).to_have_text("")
    page.get_by_role("button", name=str(words["check"]), exact=True).click()
    expect(page.get_by_role("status")).to_contain_text(str(words["right"]))
    assert page.get_by_role("status").evaluate("(node) => node.closest('[lang]').lang") == locale
