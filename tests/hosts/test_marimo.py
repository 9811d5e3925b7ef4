"""A marimo application: its cells run in a kernel without IPython, and scripts in its outputs are never run."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.hosts.conftest import SUMS
from tests.hosts.hosting import quiz_in, wait_until
from tests.hosts.serving import FIRST, served, walled

pytestmark = pytest.mark.slow

# As an author would write it: the widget as it is, in marimo's wrapper, from `show`, and the quiz itself.
APP = """
import marimo

app = marimo.App()


@app.cell
def _():
    import marimo as mo
    from quiz_widgets import load_quiz

    quiz = load_quiz("sums/quiz.yaml")
    return mo, quiz


@app.cell
def _(quiz):
    quiz.widget("two-and-two")
    return


@app.cell
def _(mo, quiz):
    mo.ui.anywidget(quiz.widget("even"))
    return


@app.cell
def _(quiz):
    quiz.show("half")
    return


@app.cell
def _(quiz):
    quiz
    return
"""


def test_a_quiz_is_recorded_in_every_way_to_show_it_and_there_again_after_a_reload(
    tmp_path: Path, browser: Browser
) -> None:
    shutil.copytree(SUMS.parent, tmp_path / "work" / "sums")
    (tmp_path / "work" / "app.py").write_text(APP)
    options = ("run", "app.py", "--headless", "--no-token")
    with served("marimo", *options, base=tmp_path) as server, walled(browser) as (context, outside):
        page = context.new_page()
        page.goto(server.url)
        expect_drawn(page)
        widget, wrapped, shown = (quiz_in(page, number) for number in range(3))
        widget.get_by_role("radio", name="Four").click()
        widget.get_by_role("button", name="Check").click()
        for name in ("Six", "Eight"):
            wrapped.get_by_role("checkbox", name=name).click()
        wrapped.get_by_role("button", name="Check").click()
        shown.get_by_role("textbox", name="Your answer").fill("0.5")
        shown.get_by_role("button", name="Check").click()
        expect_answered(page)
        expect(quiz_in(page, 3).get_by_role("radio", name="Four")).to_be_checked()
        wait_until("all answers on disk", lambda: len(server.responses()) == 3)
        assert {item: set(response) for item, response in server.responses()} == {
            "two-and-two": {"four"},
            "even": {"six", "eight"},
            "half": {"0.5"},
        }
        assert [record["score"] for record in server.records()] == [1.0, 1.0, 1.0]

        page.evaluate("() => localStorage.clear()")  # only the record on disk is left to restore from
        page.reload()
        expect_drawn(page)
        expect_answered(page)
        expect(quiz_in(page, 3).get_by_text("3 of 3", exact=True)).to_be_visible()
        assert len(server.responses()) == 3
        assert outside == []


def expect_drawn(page: Page) -> None:
    expect(quiz_in(page, 0).get_by_role("radio")).to_have_count(3, timeout=FIRST)
    expect(quiz_in(page, 1).get_by_role("checkbox")).to_have_count(3)
    expect(quiz_in(page, 2).get_by_role("textbox")).to_have_count(1)
    expect(quiz_in(page, 3).get_by_text("Three small sums to try a page with.")).to_be_visible()


def expect_answered(page: Page) -> None:
    expect(quiz_in(page, 0).get_by_role("radio", name="Four")).to_be_checked()
    for name in ("Six", "Eight"):
        expect(quiz_in(page, 1).get_by_role("checkbox", name=name)).to_be_checked()
    expect(quiz_in(page, 2).get_by_role("textbox")).to_have_value("0.5")
    for number in range(3):
        expect(quiz_in(page, number).get_by_role("status")).to_contain_text("Right.")
        expect(quiz_in(page, number).get_by_text("Recorded at")).to_be_visible()
