"""Answering in real JupyterLab and Notebook 7: by mouse, by keyboard alone, and while the kernel is busy."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, expect

from tests.hosts.holding import Held
from tests.hosts.hosting import SHOW, Host, Server, quiz_in, wait_until

pytestmark = pytest.mark.slow

# Clicks the button; whether the verdict of its quiz reads otherwise at once, before the page does anything else.
FEEDBACK = """(button) => {
    const status = () => button.closest('.item').querySelector('[role=status]').textContent;
    const before = status();
    button.click();
    return status() !== before;
}"""


def test_an_answer_by_mouse_is_judged_and_on_disk(host: Host, server: Server, write: Callable[..., str]) -> None:
    host.open(write(SHOW + "quiz"))
    host.run_all()
    quiz = quiz_in(host.page)
    expect(quiz.get_by_text("Question 1 of 3", exact=True).last).to_be_visible()
    quiz.get_by_role("radio", name="Four").click()
    quiz.get_by_role("button", name="Check").click()
    expect(quiz.get_by_role("status")).to_contain_text("Right.")
    expect(quiz.get_by_text("Recorded at")).to_be_visible()
    assert server.responses() == [("two-and-two", ["four"])]
    assert [record["score"] for record in server.records()] == [1.0]


def test_the_whole_quiz_by_keyboard_alone(host: Host, server: Server, write: Callable[..., str]) -> None:
    host.open(write(SHOW + "quiz", "x = 1", "y = 2"))
    host.run(0)
    before, active = host.cells(), host.active_cell()
    quiz = quiz_in(host.page)
    expect(quiz.get_by_role("radio")).to_have_count(3)

    tab_to(host, quiz.get_by_role("radio").first)
    host.page.keyboard.press("Space")
    expect(quiz.get_by_role("radio").first).to_be_checked()
    host.page.keyboard.press("ArrowDown")
    expect(quiz.get_by_role("radio").nth(1)).to_be_checked()
    expect(quiz.get_by_role("radio").nth(1)).to_be_focused()
    press_command_keys(host)
    four = quiz.get_by_role("radio", name="Four")
    for _ in range(3):
        if four.is_checked():
            break
        host.page.keyboard.press("ArrowDown")
    expect(four).to_be_checked()
    assert host.active_cell() == active
    act(host, quiz, "Check")
    expect(quiz.get_by_role("status")).to_contain_text("Right.")
    press_command_keys(host)
    act(host, quiz, "Next")

    for name in ("Six", "Eight"):
        tab_to(host, quiz.get_by_role("checkbox", name=name))
        host.page.keyboard.press("Space")
        press_command_keys(host)
    act(host, quiz, "Check")
    expect(quiz.get_by_role("status")).to_contain_text("Right.")
    act(host, quiz, "Next")

    tab_to(host, quiz.get_by_role("textbox", name="Your answer"))
    host.page.keyboard.type("0.5")
    host.page.keyboard.press("Enter")
    expect(quiz.get_by_role("status")).to_contain_text("Right.")
    act(host, quiz, "See the summary")
    expect(quiz.get_by_text("3 of 3", exact=True)).to_be_visible()

    assert (host.cells(), host.active_cell()) == (before, active)
    wait_until("three answers on disk", lambda: len(server.responses()) == 3)
    assert dict(server.responses())["half"] == ["0.5"]
    assert set(dict(server.responses())["even"]) == {"six", "eight"}


def test_an_answer_while_the_kernel_is_busy(host: Host, server: Server, write: Callable[..., str], held: Held) -> None:
    host.open(write(SHOW + 'quiz.show("two-and-two", "even")', held.source))
    host.run(0)
    quiz = quiz_in(host.page)
    for name in ("Three", "Five"):
        quiz.get_by_role("radio", name=name).click()
        assert judged_at_once(quiz, 0)
    wait_until("the answers of the idle kernel on disk", lambda: len(server.responses()) == 2)

    held.run(host, 1)
    for name in ("Six", "Eight"):  # half of the key, then all of it
        quiz.get_by_role("checkbox", name=name).click()
        assert judged_at_once(quiz, 1)
    expect(quiz.get_by_role("status").nth(1)).to_contain_text("Right.")
    assert host.running(1), "the feedback must come before the cell ends"
    assert len(server.responses()) == 2

    held.end()
    wait_until("the cell to end", lambda: not host.running(1), 60)
    wait_until("the answers on disk", lambda: len(server.responses()) == 4)
    assert set(server.responses()[-1][1]) == {"six", "eight"}
    expect(quiz.get_by_text("Recorded at")).to_have_count(2)


def judged_at_once(quiz: Locator, item: int) -> bool:
    """Check one inline item; whether the verdict is there when the click is over, which no machine is too busy for."""
    parts = quiz.get_by_role("group", name=re.compile("Question")).nth(item).locator("xpath=..")
    again = parts.get_by_role("button", name="Try again")
    button = parts.get_by_role("button", name="Check")
    expect(again.or_(button).first).to_be_visible()
    found: bool = button.evaluate(FEEDBACK)
    return found


def tab_to(host: Host, target: Locator) -> None:
    """Press Tab until the target has the focus."""
    expect(target).to_be_visible()
    for _ in range(120):
        if target.evaluate("(node) => node.getRootNode().activeElement === node"):
            return
        host.page.keyboard.press("Tab")
    pytest.fail(f"Tab does not lead to {target}")


def act(host: Host, quiz: Locator, name: str) -> None:
    """Press a button by keyboard."""
    tab_to(host, quiz.get_by_role("button", name=name, exact=True))
    host.page.keyboard.press("Enter")


def press_command_keys(host: Host) -> None:
    """Keys that would insert, cut and delete cells if the notebook heard them."""
    before, active = host.cells(), host.active_cell()
    for key in ("b", "x", "d", "d"):
        host.page.keyboard.press(key)
    assert (host.cells(), host.active_cell()) == (before, active)
