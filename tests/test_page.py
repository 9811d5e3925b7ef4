"""The live output in one piece, and the page that works from a file."""

from __future__ import annotations

import json
import re
from pathlib import Path

from playwright.sync_api import Browser, expect

from quiz_widgets import frontend, page
from tests.frontend import sample_quiz as sample


def live(**more: object) -> str:
    options = {"locale": "en", "view": {}, "attempt": None, "outcomes": {}} | more
    return page.live_html(sample.eight(), **options)  # type: ignore[arg-type]


def test_json_in_a_script_cannot_end_it() -> None:
    value = {"a": "</script><SCRIPT><!-- x < y </p>\u2028\u2029"}

    text = page.script_json(value)

    assert not re.search(r"</?script|<!--|[\u2028\u2029]", text, re.IGNORECASE)
    assert "< y </p>" in text
    assert json.loads(text) == value


def test_a_live_output_is_a_preview_and_one_script() -> None:
    html = live()

    assert html.count("<script>") == html.count("</script>") == 1
    assert html.startswith('<div class="quiz-widgets-live"><div class="quiz-widgets mathjax_ignore')
    assert html.index("Stem number 8?") < html.index("<script>")


def test_the_live_output_of_eight_items_stays_small() -> None:
    assert len(live().encode()) <= 90_000


def test_an_attempt_is_carried_with_its_record_and_only_then() -> None:
    assert '"attempt":{"id":"a","started":1},"outcomes":{}' in live(attempt={"id": "a", "started": 1})
    assert '"attempt":' not in live().rpartition('"css"')[2]


def test_an_output_of_one_item_carries_that_item_only() -> None:
    html = live(view={"items": ["item-3"]})

    assert '"view":{"items":["item-3"]}' in html
    assert "Stem number 3?" in html
    assert "Stem number 4?" not in html


def test_the_whole_page_works_from_a_file(tmp_path: Path, browser: Browser) -> None:
    file = tmp_path / "quiz.html"
    file.write_text(page.page_html(sample.quiz(), "en"), encoding="utf-8")
    asked: list[str] = []
    with browser.new_context() as context:
        opened = context.new_page()
        opened.on("request", lambda request: asked.append(request.url))

        opened.goto(file.as_uri())
        opened.get_by_role("radio", name="Two bytes").check()
        opened.get_by_role("button", name="Check").first.click()

        expect(opened.get_by_role("status").first).to_contain_text("Right.")
        expect(opened.get_by_role("heading", name="Number formats")).to_have_count(2)  # the main set, and `numbers`
        expect(opened.get_by_text("it is for practice, not for grading")).to_be_visible()
        opened.reload()
        expect(opened.get_by_role("button", name="Question 1: right")).to_be_visible()
        assert set(asked) == {file.as_uri()}


def test_without_javascript_the_page_reads_well(tmp_path: Path, browser: Browser) -> None:
    file = tmp_path / "quiz.html"
    file.write_text(page.page_html(sample.quiz(), "en"), encoding="utf-8")
    with browser.new_context(java_script_enabled=False) as context:
        opened = context.new_page()

        opened.goto(file.as_uri())

        expect(opened.get_by_text("How many bytes does FP16 take?")).to_be_visible()
        expect(opened.get_by_text("This page needs JavaScript to check answers.").first).to_be_visible()


def test_the_player_s_style_sheet_has_no_comment_left() -> None:
    assert "/*" not in frontend.css()
