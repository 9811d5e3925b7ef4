"""In Firefox: formulas, languages and directions, narrow windows, and axe-core in every state of the quiz."""

from __future__ import annotations

import pytest

from quiz_widgets import locales, preview
from quiz_widgets import page as pages
from tests.firefox.driving import Firefox, Tab
from tests.frontend import languages_quiz as sample
from tests.frontend import sample_quiz
from tests.frontend.mounting import document, live

pytestmark = pytest.mark.slow

LOCALES = ("en", "tr", "ar")
SHADOW = "document.querySelector('.quiz-widgets-live').shadowRoot"


def press(tab: Tab, locale: str, word: str) -> None:
    """Click the button of an interface word."""
    tab.click("button", str(locales.words(locale)[word]))


def test_formulas_are_mathml_that_firefox_lays_out(firefox: Firefox) -> None:
    item = sample_quiz.single(stem=r"What is $\frac{1}{2}$ of $x$?")
    tab = firefox.open(document(live(sample_quiz.quiz(item))))
    tab.click("radio", "Two bytes")

    space, high, over, under = tab.evaluate(
        f"""() => {{
            const [top, bottom] = {SHADOW}.querySelector("mfrac").children;
            const box = top.getBoundingClientRect();
            return [top.namespaceURI, box.height, box.bottom, bottom.getBoundingClientRect().top];
        }}"""
    )

    assert space == "http://www.w3.org/1998/Math/MathML"
    assert high > 4
    assert over < under + 1  # one above the other


def test_an_arabic_quiz_runs_from_right_to_left(firefox: Firefox) -> None:
    tab = firefox.open(document(live(sample.quiz(), locale="ar")))
    two = sample.BYTES.options[0].text.rendered("ar").plain
    tab.click("radio", two)
    press(tab, "ar", "check")
    tab.says(str(locales.words("ar")["right"]))

    found = tab.evaluate(
        f"""() => {{
            const root = {SHADOW}, label = root.querySelector("label:has(:checked)");
            const [input, code] = [label.querySelector("input"), root.querySelector("code")];
            return [getComputedStyle(label).direction, getComputedStyle(code).direction,
                input.getBoundingClientRect().left > label.getBoundingClientRect().left + label.offsetWidth / 2];
        }}"""
    )

    assert found == ["rtl", "ltr", True]


def test_the_language_can_be_changed_in_the_page(firefox: Firefox) -> None:
    """The other languages are deflated in the page: this needs Firefox's DecompressionStream."""
    tab = firefox.open(document(live(sample.quiz())))
    assert tab.count("combobox", "Language") == 1
    tab.focus("combobox", "Language")
    tab.type("T")  # Türkçe
    tab.press("Enter")

    tab.click("radio", "İki bayt")
    press(tab, "tr", "check")

    tab.says(str(locales.words("tr")["right"]))


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("locale", LOCALES)
def test_axe_finds_nothing_and_nothing_scrolls_sideways(firefox: Firefox, locale: str, scheme: str) -> None:
    html = pages.page_html(sample.quiz(), locale).replace("light dark", scheme)
    tab = firefox.open(html)
    tab.width(320)
    found: dict[str, list[str]] = {}
    wide: list[str] = []

    def look(state: str) -> None:
        found[state] = tab.axe()
        if not tab.evaluate("() => document.documentElement.scrollWidth <= innerWidth"):
            wide.append(state)

    tab.click("radio", sample.BYTES.options[1].text.rendered(locale).plain)
    look("chosen")
    press(tab, locale, "check")
    look("wrong")
    press(tab, locale, "show_answer")
    look("revealed")
    press(tab, locale, "next")
    tab.click("checkbox", sample.OPERATIONS.options[0].text.rendered(locale).plain)
    press(tab, locale, "check")
    press(tab, locale, "skip")
    tab.focus("textbox", str(locales.words(locale)["typed_label"]))
    tab.type("0.804" if locale != "tr" else "0,804")
    tab.press("Enter")
    look("slip")
    press(tab, locale, "to_summary")
    look("summary")
    found["preview"] = firefox.open(document(preview.preview_html(sample.quiz(), locale, {}))).axe()

    assert {state: rules for state, rules in found.items() if rules} == {}
    assert len(found) == 6
    assert wide == []
