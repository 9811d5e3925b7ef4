"""Quizzes in books: what the Sphinx extension writes, what it refuses, and that it answers in the built page."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

ROOT = Path(__file__).resolve().parents[1]
SUMS = ROOT / "tests" / "hosts" / "sums"
CONF = 'extensions = ["myst_parser", "quiz_widgets.sphinx"]\nproject = "Book"\nhtml_theme = "basic"\n'

Build = Callable[..., tuple[int, str, Path]]


@pytest.fixture
def build(tmp_path: Path) -> Build:
    """Build a book of these pages: the exit code, what was said, and the folder of the built pages."""

    def run(builder: str = "html", conf: str = "", **pages: str) -> tuple[int, str, Path]:
        book, built = tmp_path / "book", tmp_path / "built"
        book.mkdir()
        (book / "conf.py").write_text(CONF + conf)
        shutil.copytree(SUMS, book / "sums")
        for name, text in pages.items():
            (book / name.replace("_", ".")).write_text(text)
        command = [sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", "-b", builder, str(book), str(built)]
        ran = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
        return ran.returncode, ran.stdout + ran.stderr, built

    return run


RST = "Title\n=====\n\n.. quiz:: sums/quiz.yaml\n   :items: two-and-two, half\n"
MD = "# Title\n\n```{quiz} sums/quiz.yaml\n```\n"


def test_a_quiz_answers_in_pages_of_both_kinds(build: Build, browser: Browser) -> None:
    code, said, built = build(index_rst=RST + "\n.. toctree::\n\n   other\n", other_md=MD)
    assert (code, said) == (0, "")

    context = browser.new_context(offline=True)
    page = context.new_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    for name in ("index", "other"):
        page.goto((built / f"{name}.html").as_uri())
        quiz = page.get_by_role("group", name="Sums", exact=True)
        quiz.get_by_role("radio", name="Four").click()
        quiz.get_by_role("button", name="Check").first.click()
        expect(quiz.get_by_role("status").first).to_contain_text("Right.")
    context.close()
    assert errors == []


def test_without_scripts_the_questions_stand_in_the_page(build: Build) -> None:
    _, _, built = build(index_rst=RST)
    text = (built / "index.html").read_text()
    assert "What is two and two?" in text.split("<script>")[0].split("quiz-widgets-live")[1]
    assert "run this cell" not in text.split("quiz-widgets-live")[1].split("<script>")[0]


def test_where_a_book_is_no_page_the_questions_stand_as_text(build: Build) -> None:
    code, said, built = build("text", index_rst=RST)
    assert (code, said) == (0, "")
    text = (built / "index.txt").read_text()
    assert "What is two and two?" in text
    assert "even" not in text
    assert "<" not in text


@pytest.mark.parametrize(("asked", "shown"), [("", "tr"), (":locale: en\n", "en")])
def test_the_language_of_the_book_is_shown_first(build: Build, asked: str, shown: str) -> None:
    code, said, built = build(
        conf='language = "tr"\n', index_md=f"# Title\n\n```{{quiz}} mixed-precision\n{asked}```\n"
    )
    assert (code, said) == (0, "")
    assert f'tex2jax_ignore" lang="{shown}"' in (built / "index.html").read_text()


@pytest.mark.parametrize(
    ("argument", "options", "message"),
    [
        ("mixed-precison", "", "Did you mean 'mixed-precision'"),
        ("sums/quiz.yaml", ":items: two-and-tow\n", "Did you mean 'two-and-two'"),
        ("sums/quiz.yaml", ":set: numbers\n", "there is no set 'numbers'"),
        ("sums/quiz.yaml", ":locale: xx\n", "there is no locale 'xx'"),
        ("missing.yaml", "", "missing.yaml"),
    ],
)
def test_a_mistake_is_an_error_of_its_line(build: Build, argument: str, options: str, message: str) -> None:
    code, said, _ = build(index_md=f"# Title\n\n```{{quiz}} {argument}\n{options}```\n")
    assert code == 1
    assert "index.md:3" in said
    assert message in said
    assert "Traceback" not in said


@pytest.mark.slow
def test_a_quiz_answers_in_the_documentation(tmp_path: Path, browser: Browser) -> None:
    command = [sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", str(ROOT / "docs"), str(tmp_path)]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=240, check=False)
    assert (ran.returncode, ran.stderr) == (0, "")
    context = browser.new_context(offline=True)
    page = context.new_page()
    page.goto((tmp_path / "index.html").as_uri())
    quiz = page.get_by_role("group").filter(has=page.get_by_role("radio")).first
    quiz.get_by_role("radio").first.click()
    quiz.get_by_role("button", name="Check").click()
    expect(quiz.get_by_role("status")).not_to_be_empty()
    context.close()
