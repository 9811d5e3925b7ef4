"""In Firefox: texts to type, rows to order by keyboard and by mouse, and prompts to match with native lists."""

from __future__ import annotations

from typing import Any

import pytest

from tests.firefox.driving import Firefox, Tab
from tests.frontend import sample_quiz as sample
from tests.frontend.mounting import document, live

pytestmark = pytest.mark.slow

ATTEMPT = {"id": "5" * 32, "started": 1}
KEY = ["Forward pass", "Multiply the loss by 2^{16}", "Backward pass", "Optimizer step"]


def show(firefox: Firefox, item: Any) -> Tab:
    return firefox.open(document(live(sample.quiz(item), {"items": [item.id]}, attempt=ATTEMPT)))


def rows(tab: Tab) -> list[str]:
    """The names of the rows as they stand."""
    found: list[str] = tab.evaluate(
        """() => [...document.querySelector('.quiz-widgets-live').shadowRoot.querySelectorAll('button[aria-label]')]
            .map((button) => button.ariaLabel).filter((name) => name.startsWith('Move up: '))
            .map((name) => name.slice(9))"""
    )
    return found


def test_a_text_typed_in_its_own_way(firefox: Firefox) -> None:
    tab = show(firefox, sample.typed())

    tab.focus("textbox", "Your answer")
    tab.type("gradient Clipping")
    tab.press("Enter")
    tab.says("Not quite. One more try.")
    tab.says("Clipping bounds a norm.")
    tab.click("button", "Try again")
    tab.press("Control+a")  # focus is in the field again
    tab.type("  Accumulating   GRADIENTS ")
    tab.press("Enter")

    tab.says("✓ Right.")


def test_rows_put_in_order_by_keyboard(firefox: Firefox) -> None:
    tab = show(firefox, sample.ordered())

    tab.click("button", "Check")
    tab.says("Nothing has been moved yet.")
    for place, name in enumerate(KEY):
        while (at := rows(tab).index(name)) > place:
            tab.focus("button", f"Move up: {name}")
            tab.press("Enter")
            tab.says(f"now {at} of 4")
    tab.focus("button", "Check")
    tab.press("Enter")

    tab.says("✓ Right.")


def test_a_row_dragged_with_the_mouse(firefox: Firefox) -> None:
    tab = show(firefox, sample.ordered())
    first = rows(tab)
    boxes = tab.evaluate(
        """() => [...document.querySelector('.quiz-widgets-live').shadowRoot.querySelectorAll('li')]
            .map((row) => row.getBoundingClientRect()).map(({ left, top, height }) => [left + 90, top + height / 2])"""
    )

    tab.drag(boxes[0], boxes[1], boxes[2])

    tab.says("now 3 of 4")
    assert rows(tab) == [first[1], first[2], first[0], first[3]]


def test_prompts_matched_with_native_lists(firefox: Firefox) -> None:
    tab = show(firefox, sample.matched())

    for prompt, target in (("FP16", "5"), ("bfloat16", "8"), ("FP32", "8")):
        tab.focus("combobox", prompt)
        tab.type(target)
    tab.focus("button", "Check")
    tab.press("Enter")

    tab.says("✓ Right.")
