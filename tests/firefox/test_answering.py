"""In Firefox: each kind of question by mouse and by keyboard, with feedback, tries, hints, the key and the summary."""

from __future__ import annotations

import pytest

from tests.firefox.driving import Firefox, Tab
from tests.frontend import sample_quiz as sample
from tests.frontend.mounting import document, live

pytestmark = pytest.mark.slow

ONE = {"items": ["bytes"]}


def test_a_wrong_then_a_right_choice_by_mouse(firefox: Firefox) -> None:
    tab = firefox.open(document(live(sample.quiz(), ONE)))

    tab.click("radio", "Four bytes")
    tab.click("button", "Check")
    tab.says("✗ Not quite. One more try.")
    tab.says("Four bytes are FP32.")
    tab.click("button", "Hint 1 of 2")
    assert "Clue number 1." in tab.text("list")
    tab.click("button", "Try again")
    tab.click("radio", "Two bytes")
    tab.click("button", "Check")

    tab.says("✓ Right.")
    assert tab.count("radio", "Two bytes ✓ Your choice, right") == 1
    assert tab.count("button", "Check") == 0


def test_the_last_try_shows_the_key(firefox: Firefox) -> None:
    tab = firefox.open(document(live(sample.quiz(), ONE)))

    for option in ("Four bytes", "Eight bytes"):
        tab.click("radio", option)
        tab.click("button", "Check")
        tab.says("Not quite.")

    tab.says("A byte has eight bits")
    assert tab.count("radio", "Two bytes ✓ The answer") == 1
    assert tab.count("button", "Show the answer") == 0


def press_until_focused(tab: Tab, key: str, name: str) -> None:
    """Press a key until the control of that name has focus, as somebody who reads along would."""
    for _ in range(10):
        if tab.focused().startswith(name):
            return
        tab.press(key)
    raise AssertionError(f"no way to {name!r} by {key}")


def test_one_choice_by_keyboard_alone(firefox: Firefox) -> None:
    tab = firefox.open(document(live(sample.quiz(), ONE)))

    tab.press("Tab")
    press_until_focused(tab, "ArrowDown", "Four bytes")
    tab.press(" ")
    tab.tab_to("Check")
    tab.press("Enter")
    tab.says("✗ Not quite. One more try.")
    tab.tab_to("Show the answer")
    tab.press("Enter")

    tab.says("A byte has eight bits")
    assert tab.focused().startswith("✗ Not quite. Four bytes are FP32.")  # to read on from there


def test_several_choices_by_keyboard_with_partial_credit(firefox: Firefox) -> None:
    tab = firefox.open(document(live(sample.quiz(), {"items": ["fp32-ops"]})))

    for name in ("sum", "norm", "matmul"):
        if not tab.focused().startswith(name):
            tab.focus("checkbox", name)
        tab.press(" ")
    tab.tab_to("Check")
    tab.press(" ")
    tab.says("Partly right. One more try.")
    assert tab.focused() == "Try again"
    tab.press("Enter")
    tab.focus("checkbox", "matmul")
    tab.press(" ")
    tab.tab_to("Check")
    tab.press("Enter")

    tab.says("✓ Right.")


def test_a_number_typed_with_its_known_mistake(firefox: Firefox) -> None:
    tab = firefox.open(document(live(sample.quiz(), {"items": ["adam"]})))

    tab.focus("textbox", "Your answer")
    tab.type("twelve")
    tab.press("Enter")
    tab.says("That is not a number. Type digits, without the unit.")
    tab.press("Control+a")
    tab.type("16.0")
    tab.press("Enter")
    tab.says("Sixteen counts the weights as well.")
    tab.click("button", "Try again")
    tab.focus("textbox", "Your answer")
    tab.press("Control+a")
    tab.type("12.6")
    tab.press("Enter")

    tab.says("✓ Right.")
    tab.says("The answer is 12.5 bytes.")


def test_the_whole_quiz_to_its_summary(firefox: Firefox) -> None:
    tab = firefox.open(document(live(sample.quiz())))

    tab.click("radio", "Two bytes")
    tab.click("button", "Check")
    tab.says("✓ Right.")
    tab.click("button", "Next")
    tab.click("checkbox", "conv2d")
    tab.click("button", "Check")
    tab.click("button", "Skip")
    tab.focus("textbox", "Your answer")
    tab.type("12.5")
    tab.press("Enter")
    tab.says("✓ Right.")
    tab.click("button", "See the summary")

    assert tab.count("button", "Start again") == 1
    tab.click("button", "Start again")
    assert tab.count("radio", "Two bytes") == 1


@pytest.mark.parametrize("kind", ["single", "number"])
def test_check_without_an_answer_says_so_and_costs_nothing(firefox: Firefox, kind: str) -> None:
    item = {"single": "bytes", "number": "adam"}[kind]
    tab = firefox.open(document(live(sample.quiz(), {"items": [item]})))

    tab.click("button", "Check")

    tab.says("Nothing is")
    assert tab.evaluate("() => Object.values(localStorage).join()").count("submit") == 0
