"""What is kept in real JupyterLab and Notebook 7: through restart, reload, re-runs, two tabs, and saving."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, expect

from tests.hosts.hosting import SHOW, Host, Server, quiz_in, wait_until

pytestmark = pytest.mark.slow

COURSE = Path(__file__).parents[2] / "notebooks" / "en"
LINKS = """
import ipywidgets
from quiz_widgets.links import practice, registry
print(len(registry._links), sum(isinstance(w, practice.Link) for w in ipywidgets.widgets.widget._instances.values()))
"""
PAGE_LINKS = "() => globalThis[Symbol.for('quiz_widgets')].links.get('sums')?.size ?? 0"


def answer(quiz: Locator, name: str) -> None:
    quiz.get_by_role("radio", name=name).click()
    quiz.get_by_role("button", name="Check").click()


def expect_answered(quiz: Locator) -> None:
    expect(quiz.get_by_role("radio", name="Four")).to_be_checked()
    expect(quiz.get_by_role("status")).to_contain_text("Right.")


def test_a_cell_run_again_restores_the_attempt_and_leaves_one_link(
    host: Host, server: Server, write: Callable[..., str]
) -> None:
    host.open(write(SHOW + 'quiz.show("two-and-two")'))
    host.run_all()
    answer(quiz_in(host.page), "Four")
    expect(quiz_in(host.page).get_by_text("Recorded at")).to_be_visible()
    attempt = server.records()[0]["event"]["attempt"]
    # Only the kernel's record is left to restore from.
    host.page.evaluate("() => localStorage.clear()")
    host.reload()
    for _ in range(3):
        host.run(0)
    expect_answered(quiz_in(host.page))
    expect(quiz_in(host.page).get_by_text("Recorded at")).to_be_visible()
    assert host.ask(LINKS) == "1 1"
    wait_until("one link in the page", lambda: host.page.evaluate(PAGE_LINKS) == 1)
    assert host.ask("print(quiz.attempt)") == attempt
    assert server.responses() == [("two-and-two", ["four"])]


# One save a notebook: both hosts leave a second one undone while they still make the checkpoint of the first.
@pytest.mark.parametrize(("role", "name"), [("radio", "Four"), ("textbox", "Your answer")])
def test_ctrl_s_with_focus_in_the_quiz_saves(
    host: Host, server: Server, write: Callable[..., str], role: Any, name: str
) -> None:
    host.open(write(SHOW + 'quiz.show("two-and-two", "half")'))
    host.run_all()
    field = quiz_in(host.page).get_by_role(role, name=name)
    field.focus()
    host.page.evaluate("() => { window.jupyterapp.shell.currentWidget.context.model.dirty = true; }")
    host.page.keyboard.press("Control+s")
    wait_until("the notebook to be saved", lambda: not host.dirty())
    saved = json.loads((server.root / host.path).read_text())
    assert "What is two and two?" in json.dumps(saved["cells"][0]["outputs"])


def test_two_tabs_leave_one_record(host: Host, server: Server, write: Callable[..., str], browser: Browser) -> None:
    host.open(write(SHOW + 'quiz.show("two-and-two")'))
    host.run_all()
    expect(quiz_in(host.page).get_by_role("radio")).to_have_count(3)
    host.save()
    # The second tab hears of answers through the browser's storage, too; the third only through the kernel.
    elsewhere = browser.new_context()
    tabs = (host, host.second_tab(), host.second_tab(elsewhere))
    for tab in tabs:
        quiz_in(tab.page).get_by_role("radio", name="Four").click()
    # Taken hold of before: a tab that has heard of another's answer shows no such button any more.
    checks = [quiz_in(tab.page).get_by_role("button", name="Check").element_handle() for tab in tabs]
    at = time.time() * 1000 + 2500
    for check in checks:
        # All in the same instant. A tab that has heard of the other's answer in time has nothing left to check.
        check.evaluate(
            """(button, at) => {
                setTimeout(() => button.textContent === 'Check' && button.click(), at - Date.now());
            }""",
            at,
        )
    for tab in tabs:
        expect_answered(quiz_in(tab.page))
        expect(quiz_in(tab.page).get_by_text("Recorded at")).to_be_visible()
    elsewhere.close()
    assert server.responses() == [("two-and-two", ["four"])]


def test_the_same_output_twice_on_a_page_agrees(host: Host, server: Server, write: Callable[..., str]) -> None:
    host.open(write(SHOW + 'quiz.show("two-and-two")\nquiz.show("two-and-two")', 'quiz.show("two-and-two")'))
    host.run_all()
    for number in range(3):
        expect(quiz_in(host.page, number).get_by_role("radio")).to_have_count(3)
    answer(quiz_in(host.page, 1), "Four")
    for number in range(3):
        expect_answered(quiz_in(host.page, number))
    wait_until("the answer on disk", server.responses)
    assert server.responses() == [("two-and-two", ["four"])]
    assert host.ask(LINKS) == "1 1"


def test_start_again_opens_the_next_attempt(host: Host, server: Server, write: Callable[..., str]) -> None:
    host.open(write(SHOW + "quiz"))
    host.run_all()
    quiz = quiz_in(host.page)
    answer(quiz, "Four")
    for name in ("Next", "Skip", "See the summary", "Start again"):
        quiz.get_by_role("button", name=name, exact=True).click()
    answer(quiz, "Three")
    wait_until("both attempts on disk", lambda: len(server.responses()) == 2)
    assert sorted(folder.name for folder in (server.home / "sums").iterdir()) == ["0001", "0002"]
    assert host.ask("print(quiz.progress())").startswith("1 of 3 answered, 0 right")


def test_without_the_front_end_extension_the_quiz_works_and_says_that_nothing_is_recorded(
    host: Host, server: Server, write: Callable[..., str]
) -> None:
    host.page.route("**/extensions/anywidget/**", lambda route: route.abort())
    host.open(write(SHOW + 'quiz.show("two-and-two")'))
    host.run_all()
    quiz = quiz_in(host.page)
    answer(quiz, "Four")
    expect_answered(quiz)
    expect(quiz.get_by_text("run the cell to record it")).to_be_visible()
    assert server.responses() == []


def test_a_notebook_of_the_course_stays_alive_through_restart_and_reload(host: Host, server: Server) -> None:
    shutil.rmtree(server.root / "course", ignore_errors=True)
    shutil.copytree(COURSE, server.root / "course" / "en")
    sign = f"from pathlib import Path; from quiz_widgets import lab; lab.sign(Path({str(server.root / 'course')!r}))"
    subprocess.run([sys.executable, "-c", sign], env=server.environment, check=True)
    name = min(path.name for path in (server.root / "course" / "en").glob("*.ipynb"))
    host.open(f"course/en/{name}")
    sources = host.cells()
    set_up = next(index for index, source in enumerate(sources) if "load_quiz(" in source)
    shown = next(index for index, source in enumerate(sources) if re.match(r"quiz\.show\(\"", source))
    host.run(set_up)
    host.run(shown)

    quiz = host.output(shown).get_by_role("group").filter(has=host.page.get_by_role("status")).first
    quiz.get_by_role("radio").first.click()
    quiz.get_by_role("button", name="Check").click()
    expect(quiz.get_by_text("Recorded at")).to_be_visible()
    chosen = quiz.get_by_role("radio").first.get_attribute("value")
    verdict = quiz.get_by_role("status").inner_text()
    recorded = server.responses()
    assert len(recorded) == 1
    host.save()
    host.restart_kernel()
    host.reload()

    expect(quiz.get_by_role("radio").first).to_be_checked()
    assert quiz.get_by_role("radio").first.get_attribute("value") == chosen
    assert quiz.get_by_role("status").inner_text() == verdict
    # And it answers: by another try, or by the answer itself where the first was right.
    quiz.get_by_role("button", name="Try again").click()
    quiz.get_by_role("radio").nth(1).click()
    quiz.get_by_role("button", name="Check").click()
    expect(quiz.get_by_role("status")).not_to_be_empty()
    # What was answered without the kernel is recorded once the cells are run again.
    host.run(set_up)
    host.run(shown)
    wait_until("the second answer on disk", lambda: len(server.responses()) == 2)
