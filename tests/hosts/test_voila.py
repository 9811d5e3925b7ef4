"""A notebook as an application in real Voila: every reader gets a kernel, and the record is on disk."""

from __future__ import annotations

import shutil
from pathlib import Path

import nbformat
import pytest
from playwright.sync_api import Browser, expect

from tests.hosts.conftest import SUMS
from tests.hosts.hosting import SHOW, quiz_in, wait_until
from tests.hosts.serving import FIRST, served, walled
from tests.hosts.test_keeping import answer, expect_answered

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("call", ["show", "widget"])
def test_an_answer_is_recorded_and_there_again_after_a_reload(tmp_path: Path, browser: Browser, call: str) -> None:
    shutil.copytree(SUMS.parent, tmp_path / "work" / "sums")
    cell = nbformat.v4.new_code_cell(f'{SHOW}quiz.{call}("two-and-two")')
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    notebook = nbformat.v4.new_notebook(cells=[cell], metadata={"kernelspec": kernel})
    nbformat.write(notebook, tmp_path / "work" / "app.ipynb")
    options = ("app.ipynb", "--no-browser", "--Voila.ip=127.0.0.1")
    with served("voila", *options, base=tmp_path) as server, walled(browser) as (context, outside):
        page = context.new_page()
        page.goto(server.url)
        quiz = quiz_in(page)
        expect(quiz.get_by_role("radio")).to_have_count(3, timeout=FIRST)
        answer(quiz, "Four")
        expect_answered(quiz)
        expect(quiz.get_by_text("Recorded at")).to_be_visible()
        wait_until("the answer on disk", server.responses)
        assert server.responses() == [("two-and-two", ["four"])]
        assert [record["score"] for record in server.records()] == [1.0]

        page.evaluate("() => localStorage.clear()")  # only the record on disk is left to restore from
        page.reload()
        expect(quiz.get_by_role("radio")).to_have_count(3, timeout=FIRST)
        expect_answered(quiz)
        expect(quiz.get_by_text("Recorded at")).to_be_visible()
        assert len(server.responses()) == 1
        assert [url for url in outside if "fontawesome" not in url] == []  # Voila's own icons
