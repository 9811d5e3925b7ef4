"""Quizzes among other widgets in real JupyterLab and Notebook 7, and notebooks that react to an answer."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, expect

from tests.hosts.hosting import SHOW, Host, Server, quiz_in, wait_until

pytestmark = pytest.mark.slow

REACT = """
import ipywidgets
go_on = ipywidgets.Button(description="Go on", disabled=True)
quiz.attempt.observe(lambda change: setattr(go_on, "disabled", change.new < 1), names="correct")
display(go_on)
quiz.show("two-and-two")
"""
LAYOUTS = """
import ipywidgets
display(ipywidgets.VBox([quiz.widget("two-and-two"), quiz.widget("half")]))
display(ipywidgets.Tab([quiz.widget("even"), quiz.widget("two-and-two")], titles=["Even", "Sum"]))
display(ipywidgets.Accordion([quiz.widget("two-and-two")], titles=["Open me"]))
"""


def answer(quiz: Locator, name: str = "Four") -> None:
    quiz.get_by_role("radio", name=name).click()
    quiz.get_by_role("button", name="Check").click()


def test_a_button_wakes_when_enough_is_right(host: Host, server: Server, write: Callable[..., str]) -> None:
    host.open(write(SHOW + REACT))
    host.run_all()
    button = host.page.get_by_role("button", name="Go on")
    expect(button).to_be_disabled()
    quiz = quiz_in(host.page)
    answer(quiz, "Three")
    wait_until("the first answer on disk", lambda: len(server.responses()) == 1)
    expect(button).to_be_disabled()
    quiz.get_by_role("button", name="Try again").click()
    answer(quiz)
    expect(button).to_be_enabled()


def test_quizzes_in_boxes_tabs_and_accordions_are_one_attempt(
    host: Host, server: Server, write: Callable[..., str]
) -> None:
    host.open(write(SHOW + LAYOUTS))
    host.run_all()
    box = host.output(0).locator(".widget-vbox")
    expect(box.get_by_role("group", name="Sums", exact=True)).to_have_count(2)
    answer(quiz_in(host.page))
    expect(quiz_in(host.page).get_by_text("Recorded at")).to_be_visible()

    tabs = host.output(0).locator(".widget-tab")
    expect(tabs.get_by_role("checkbox", name="Six")).to_be_visible()
    tabs.get_by_role("tab", name="Sum").click()
    expect(tabs.get_by_role("radio", name="Four")).to_be_checked()
    expect(tabs.get_by_role("radio", name="Four")).to_be_visible()

    accordion = host.output(0).locator(".widget-accordion")
    accordion.get_by_text("Open me").click()
    expect(accordion.get_by_role("radio", name="Four")).to_be_visible()
    expect(accordion.get_by_role("status")).to_contain_text("Right.")
    assert server.responses() == [("two-and-two", ["four"])]


def test_several_quizzes_in_a_cell_keep_to_themselves(host: Host, server: Server, write: Callable[..., str]) -> None:
    course = 'other = load_quiz("mixed-precision")\nquiz.show("two-and-two")\nother.show()\nquiz.show("half")'
    host.open(write(SHOW + course))
    host.run_all()
    answer(quiz_in(host.page))
    expect(quiz_in(host.page).get_by_text("Recorded at")).to_be_visible()
    theirs = host.page.get_by_role("group", name="Mixed precision", exact=False).first
    theirs.get_by_role("radio").first.click()
    theirs.get_by_role("button", name="Check").click()
    expect(theirs.get_by_role("status").first).not_to_be_empty()
    quiz_in(host.page, 1).get_by_role("textbox", name="Your answer").fill("0.5")
    quiz_in(host.page, 1).get_by_role("button", name="Check").click()
    wait_until("three answers on disk", lambda: len(server.responses()) == 3)
    assert len(list((server.home / "mixed-precision").rglob("*.jsonl"))) == 1
    assert [item for item, _ in server.responses() if item in ("two-and-two", "half")] == ["two-and-two", "half"]
