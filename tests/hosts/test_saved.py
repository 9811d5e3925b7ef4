"""One notebook, run once, wherever it goes from there: nbconvert, sanitised, without scripts, GitHub, other front ends.

GitHub, VS Code and Colab cannot be run here. What their sources say that they do to an output is done to it.
"""

from __future__ import annotations

import html
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import nbformat
import nh3
import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect

from tests.hosts.conftest import SUMS
from tests.hosts.hosting import quiz_in

pytestmark = pytest.mark.slow

TEXTS = ("What is two and two?", "Three", "Four", "Five", "Which of these are even?", "To answer, run this cell.")
# GitHub's sanitiser, as published: these elements and attributes, no script, no style, no data.
_TAGS = """
    a abbr b bdo blockquote br caption cite code dd del details dfn div dl dt em figcaption figure h1 h2 h3 h4 h5 h6 hr
    i img ins kbd li mark ol p pre q rp rt ruby s samp small span strike strong sub summary sup table tbody td tfoot
    th thead time tr tt ul var wbr
"""
GITHUB_ATTRIBUTES = {"*": {"dir", "lang", "title", "align", "width", "height"}, "a": {"href"}, "img": {"src", "alt"}}


@pytest.fixture
def offline(browser: Browser) -> Iterator[BrowserContext]:
    """A browser without a network; a script that fails to load is no error, one that breaks is."""
    context = browser.new_context(offline=True)
    errors: list[str] = []
    context.on("weberror", lambda error: errors.append(str(error.error)))
    yield context
    context.close()
    assert [error for error in errors if "require" not in error] == []  # nbconvert's own, from a CDN


def output(notebook: Path) -> str:
    """The HTML of the quiz cell's only output."""
    (found,) = nbformat.read(notebook, as_version=4).cells[1].outputs
    text: str = found.data["text/html"]
    return text


def converted(notebook: Path, name: str, *options: str) -> Path:
    command = [sys.executable, "-m", "nbconvert", "--to", "html", "--output", name, *options, str(notebook)]
    subprocess.run(command, check=True, capture_output=True, timeout=120)
    return notebook.parent / f"{name}.html"


def expect_answers(page: Page) -> None:
    quiz = quiz_in(page)
    quiz.get_by_role("radio", name="Four").click()
    quiz.get_by_role("button", name="Check").click()
    expect(quiz.get_by_role("status")).to_contain_text("Right.")


def expect_reads(place: Locator) -> None:
    """All questions can be seen, and neither markup nor script shows as text."""
    shown = place.inner_text()
    assert all(text in shown for text in TEXTS)
    assert "<" not in shown
    assert "use strict" not in shown


def test_a_converted_notebook_answers_from_a_file_without_a_network(notebook: Path, offline: BrowserContext) -> None:
    page = offline.new_page()
    page.goto(converted(notebook, "plain").as_uri())
    expect_answers(page)
    page.reload()
    expect(quiz_in(page).get_by_role("button", name="Question 1: right")).to_be_visible()


def test_a_sanitised_notebook_reads_without_markup_and_script(notebook: Path, offline: BrowserContext) -> None:
    page = offline.new_page()
    page.goto(converted(notebook, "sanitised", "--sanitize-html").as_uri())
    expect_reads(page.locator(".jp-OutputArea-output"))


def test_a_saved_page_with_scripts_off_reads(notebook: Path, browser: Browser) -> None:
    context = browser.new_context(java_script_enabled=False, offline=True)
    page = context.new_page()
    page.goto(converted(notebook, "unscripted").as_uri())
    expect_reads(page.locator(".jp-OutputArea-output"))
    context.close()


def test_what_github_leaves_of_it_reads(notebook: Path, offline: BrowserContext) -> None:
    left = nh3.clean(
        output(notebook), tags=set(_TAGS.split()), attributes=GITHUB_ATTRIBUTES, clean_content_tags={"script"}
    )
    assert "<script" not in left
    page = offline.new_page()
    page.set_content(f"<!doctype html><meta charset=utf-8><article>{left}</article>")
    expect_reads(page.locator("article"))


def test_the_quiz_answers_where_scripts_are_run_at_the_end_of_the_output(
    notebook: Path, offline: BrowserContext
) -> None:
    """VS Code: the HTML goes in by `innerHTML`; each script is copied to the end of the output, run, and removed."""
    page = offline.new_page()
    page.set_content("<!doctype html><body><div id=one></div><div id=two></div></body>")
    page.evaluate(
        """(output) => {
            for (const id of ["two", "one"]) {
                const place = document.getElementById(id);
                place.innerHTML = output;
                for (const node of [...place.querySelectorAll("script")]) {
                    const script = document.createElement("script");
                    script.text = node.text;
                    place.append(script);
                    script.remove();
                }
            }
        }""",
        output(notebook),
    )
    expect(page.get_by_role("group", name="Sums", exact=True)).to_have_count(2)
    expect_answers(page)


def test_the_quiz_answers_in_a_sandboxed_frame_that_stores_nothing(notebook: Path, offline: BrowserContext) -> None:
    """Colab: each output stands in a frame of an origin of its own, where storage throws."""
    page = offline.new_page()
    page.set_content(
        f'<!doctype html><iframe sandbox="allow-scripts" width=900 height=900 srcdoc="{html.escape(output(notebook))}">'
    )
    quiz = page.frame_locator("iframe").get_by_role("group", name="Sums", exact=True)
    quiz.get_by_role("radio", name="Four").click()
    quiz.get_by_role("button", name="Check").click()
    expect(quiz.get_by_role("status")).to_contain_text("Right.")


def test_a_terminal_shows_the_questions_as_text(tmp_path: Path) -> None:
    code = f"from quiz_widgets import load_quiz\nload_quiz({str(SUMS)!r})"
    environment = {"HOME": str(tmp_path), "PATH": "/usr/bin:/bin", "QUIZ_WIDGETS_HOME": str(tmp_path / "kept")}
    ran = subprocess.run(
        [sys.executable, "-m", "IPython", "--no-banner", "--colors=NoColor", "-c", code],
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    assert all(text in ran.stdout for text in TEXTS[:5])
    assert "<" not in ran.stdout


def test_a_book_of_notebooks_answers(notebook: Path, offline: BrowserContext, tmp_path: Path) -> None:
    book = tmp_path / "book"
    book.mkdir()
    shutil.copy(notebook, book / "index.ipynb")
    (book / "conf.py").write_text('extensions = ["myst_nb"]\nnb_execution_mode = "off"\nproject = "Book"\n')
    command = [sys.executable, "-m", "sphinx", "-q", str(book), str(tmp_path / "built")]
    subprocess.run(command, check=True, capture_output=True, timeout=120)
    page = offline.new_page()
    page.goto((tmp_path / "built" / "index.html").as_uri())
    expect_answers(page)
