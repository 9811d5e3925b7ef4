"""A new course, opened by `quiz-widgets lab` in it: its notebook comes up, its demo runs and its quiz answers."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from quiz_widgets import cli
from tests.hosts.hosting import TOKEN, Host, quiz_in, wait_until
from tests.hosts.serving import served, walled


@pytest.mark.slow
def test_a_new_course_opens_and_answers(tmp_path: Path, browser: Browser) -> None:
    assert cli.main(["new", str(tmp_path / "work")]) == 0
    options = ("lab", "--no-browser", f"--IdentityProvider.token={TOKEN}", "--LabApp.expose_app_in_browser=True")
    with served("quiz_widgets.cli", *options, base=tmp_path) as server, walled(browser) as (context, outside):
        host = Host("lab", server, context)
        host.page.goto(f"{server.url}?token={TOKEN}")  # leads to the first notebook of the course
        host.wait_ready()
        assert host.cells()[0].startswith("# Doubling")
        host.run_all()

        expect(host.output(3)).to_contain_text("10   512   1023")
        quiz = quiz_in(host.page, title="Doubling")
        quiz.scroll_into_view_if_needed()
        quiz.get_by_role("radio", name="512").check()
        quiz.get_by_role("button", name="Check").first.click()
        expect(quiz.get_by_role("status").first).to_contain_text("Right.")
        wait_until("the answer on disk", server.responses)
        assert server.responses() == [("tenth-square", ["nine"])]
        assert outside == []
