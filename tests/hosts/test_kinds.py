"""Questions to type, to order and to match in real JupyterLab and Notebook 7: keys stay inside, rows are dragged."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from quiz_widgets import compiled
from tests.frontend import sample_quiz as sample
from tests.hosts.hosting import Host, Server, quiz_in, wait_until
from tests.hosts.test_answering import act, press_command_keys, tab_to

pytestmark = pytest.mark.slow

# A compiled quiz, as the kernel reads those of the course.
SHOW = """import pathlib
from quiz_widgets import Quiz, compiled
quiz = Quiz(compiled.loads(pathlib.Path("kinds.json").read_text(encoding="utf-8")), "en")
quiz"""


def test_the_new_kinds_by_keyboard_and_mouse(host: Host, server: Server, write: Callable[..., str]) -> None:
    items = (sample.typed(), sample.ordered(), sample.matched())
    text = compiled.dump(sample.quiz(*items, name=f"kinds-{host.name}"))
    (server.root / "kinds.json").write_text(text, encoding="utf-8")
    host.open(write(SHOW, "x = 1", "y = 2"))
    host.run(0)
    before, active = host.cells(), host.active_cell()
    quiz = quiz_in(host.page, title="Number formats")

    tab_to(host, quiz.get_by_role("textbox", name="Your answer"))
    host.page.keyboard.type("accumulated gradients")
    host.page.keyboard.press("Enter")
    expect(quiz.locator(".verdict")).to_contain_text("Right.")
    act(host, quiz, "Next")

    tab_to(host, quiz.get_by_role("button", name="Move down").first)
    host.page.keyboard.press("Enter")
    press_command_keys(host)
    rows = quiz.locator("li.option")
    still = "(row) => Promise.allSettled(row.parentElement.getAnimations({ subtree: true }).map((one) => one.finished))"
    rows.first.evaluate(still)
    first = rows.first.locator(".text").inner_text()
    start, end = rows.nth(0).bounding_box(), rows.nth(2).bounding_box()
    assert start
    assert end
    host.page.mouse.move(start["x"] + 90, start["y"] + start["height"] / 2)
    host.page.mouse.down()
    host.page.mouse.move(end["x"] + 90, end["y"] + end["height"] / 2, steps=8)
    host.page.mouse.up()
    assert rows.nth(2).locator(".text").inner_text() == first
    for place, option in enumerate(sample.ordered().options):
        name = option.text.forms["en"].plain
        up = quiz.get_by_role("button", name=f"Move up: {name}", exact=True)
        while up.evaluate("(node) => [...node.closest('ol').children].indexOf(node.closest('li'))") > place:
            tab_to(host, up)
            host.page.keyboard.press("Enter")
    act(host, quiz, "Check")
    expect(quiz.locator(".verdict")).to_contain_text("Right.")
    act(host, quiz, "Next")

    for name, key in (("FP16", "5"), ("FP32", "8"), ("bfloat16", "8")):
        tab_to(host, quiz.get_by_role("combobox", name=name, exact=True))
        host.page.keyboard.press("ArrowDown")
        host.page.keyboard.type(key)
        assert (host.cells(), host.active_cell()) == (before, active)
    act(host, quiz, "Check")
    expect(quiz.locator(".verdict")).to_contain_text("Right.")

    assert (host.cells(), host.active_cell()) == (before, active)
    wait_until("three answers on disk", lambda: len(server.responses()) == 3)
    assert dict(server.responses())["name"] == ["accumulated gradients"]
    assert dict(server.responses())["step"] == list(sample.ordered().key)
    assert set(dict(server.responses())["bits"]) == set(sample.matched().key)
