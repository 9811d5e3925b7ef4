"""In Firefox: what was answered is there after a reload and in a second tab, once; options keep their order."""

from __future__ import annotations

from typing import Any

import pytest

from quiz_widgets import ordering
from tests.firefox.driving import Firefox, Tab
from tests.frontend import sample_quiz as sample
from tests.frontend.mounting import document, link, live

pytestmark = pytest.mark.slow

ONE = {"items": ["bytes"]}


def kept(tab: Tab) -> dict[str, Any]:
    """What the page's storage holds of the one quiz."""
    state: dict[str, Any] = tab.evaluate("() => JSON.parse(Object.values(localStorage)[0])")
    return state


def test_answers_are_there_after_a_reload(firefox: Firefox) -> None:
    tab = firefox.open(document(live(sample.quiz(), ONE)))
    tab.click("radio", "Two bytes")
    tab.click("button", "Check")
    tab.says("✓ Right.")

    tab.reload()

    tab.says("✓ Right.")
    assert tab.evaluate(
        "() => document.querySelector('.quiz-widgets-live').shadowRoot.querySelector(':checked') !== null"
    )
    assert len(kept(tab)["events"]) == 1


def test_a_second_tab_shows_what_the_first_has_answered(firefox: Firefox) -> None:
    html = document(live(sample.quiz(), ONE))
    first, second = firefox.open(html), firefox.open(html)

    first.click("radio", "Four bytes")
    first.click("button", "Check")
    first.says("One more try.")
    second.says("One more try.")  # without a reload
    second.click("button", "Try again")
    second.click("radio", "Two bytes")
    second.click("button", "Check")

    first.says("✓ Right.")
    assert [event["id"].rpartition("/")[2] for event in kept(first)["events"]] == ["1", "2"]


def test_another_profile_knows_nothing_of_it(firefox: Firefox) -> None:
    html = document(live(sample.quiz(), ONE))
    first = firefox.open(html)
    first.click("radio", "Four bytes")
    first.click("button", "Check")
    first.says("One more try.")

    other = firefox.open(html, profile="two")

    assert other.count("radio", "Four bytes") == 1
    assert other.count("button", "Try again") == 0


def test_options_stand_in_the_order_of_python(firefox: Firefox) -> None:
    attempt = {"id": "a" * 32, "started": 1000}
    item = sample.single()
    tab = firefox.open(document(live(sample.quiz(item), attempt=attempt)))
    tab.click("radio", "Two bytes")

    shown = tab.evaluate(
        """() => [...document.querySelector('.quiz-widgets-live').shadowRoot.querySelectorAll('label:has(input)')]
            .map((label) => label.innerText.trim())"""
    )

    texts = {option.id: option.text.rendered("en").plain for option in item.options}
    assert shown == [texts[name] for name in ordering.option_order(item, str(attempt["id"]))]


def test_a_kernel_has_each_event_once(firefox: Firefox) -> None:
    tab = firefox.open(document(live(sample.quiz(), ONE, attempt={"id": "a" * 32, "started": 1000})))
    link(tab, auto=True, attempt={"id": "a" * 32, "started": 1000})  # type: ignore[arg-type]  # it only evaluates

    tab.click("radio", "Two bytes")
    tab.click("button", "Check")
    tab.says("✓ Right.")

    assert tab.evaluate("() => model.sent.flat().map((event) => event.id)") == [f"{'a' * 32}/bytes/1"]
    assert "Recorded at" in tab.text("group", "Number formats")
