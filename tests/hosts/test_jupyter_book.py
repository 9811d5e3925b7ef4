"""MyST and Jupyter Book 2: pages built by the real mystmd, shown by the packages that its theme shows them with.

The theme itself is fetched when a book is built, from a service that cannot be reached here; `book/theme.js` stands
for it. Of thebe-core and @myst-theme/anywidget only the built files are installed (`overrides` in package.json).
"""

from __future__ import annotations

import mimetypes
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from quiz_widgets import load_quiz
from tests.hosts.conftest import SUMS
from tests.hosts.hosting import quiz_in
from tests.hosts.test_keeping import answer, expect_answered

pytestmark = pytest.mark.slow
MODULES = Path(__file__).parents[2] / "node_modules"
THEME = Path(__file__).parent / "book" / "theme.js"
ORIGIN = "http://book.test"
KEPT = re.compile(r"^Kept in this browser at [^;]*$")  # and not: run the cell to record it
# mystmd checks a theme's description, and asks no service for one that lies beside the book.
TEMPLATE = "jtex: v1\nversion: 1.0.0\ntitle: None\nkind: site\nbuild:\n  install: 'true'\n  start: 'true'\n"
BOOK = "version: 1\nproject:\n  title: Book\nsite:\n  template: ./theme\n"
PAGES = {
    "directive": '```{anywidget} sums.mjs\n{"items": ["two-and-two"]}\n```\n\n```{anywidget} sums.mjs\n```\n',
    "mistaken": '```{anywidget} sums.mjs\n{"items": ["three-and-three"]}\n```\n',
}
DOCUMENT = """<!doctype html><meta charset="utf-8"><title>Book</title><main></main>
<script src="/node_modules/thebe-core/dist/lib/thebe-core.min.js"></script>
<script type="module" src="/theme.js"></script>"""


@pytest.fixture(scope="module")
def site(notebook: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a built book: one page from a notebook that was run, the others with directives."""
    book = tmp_path_factory.mktemp("book")
    (book / "theme").mkdir()
    (book / "theme" / "template.yml").write_text(TEMPLATE)
    (book / "myst.yml").write_text(BOOK)
    (book / "index.md").write_text("# Book\n")
    shutil.copy(notebook, book / "guide.ipynb")
    load_quiz(SUMS).to_module(book / "sums.mjs")
    for name, text in PAGES.items():
        (book / f"{name}.md").write_text(f"# Page\n\n{text}")
    run("myst", "build", "--site", folder=book)
    built = book / "_build" / "site"
    bundled = ("--bundle", "--format=esm", f"--outfile={built / 'public' / 'theme.js'}")
    run("esbuild", str(THEME), *bundled, '--define:process.env.NODE_ENV="production"', folder=book)
    return built


def run(program: str, *options: str, folder: Path) -> None:
    """Run a program of an npm package; its Node stands in .venv."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    command = [str(MODULES / ".bin" / program), *options]
    ran = subprocess.run(
        command, cwd=folder, env=os.environ | {"PATH": path}, capture_output=True, text=True, timeout=120, check=False
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr


@pytest.fixture
def read(site: Path, browser: Browser) -> Iterator[Callable[[str], Page]]:
    """Open a page of the book; an error of any script on it fails the test."""
    context = browser.new_context()
    errors: list[str] = []
    context.on("weberror", lambda error: errors.append(str(error.error)))

    def answer_request(route: Route) -> None:
        path = urlsplit(route.request.url).path
        if path == "/":
            route.fulfill(body=DOCUMENT, content_type="text/html")
            return
        folder = MODULES.parent if path.startswith("/node_modules/") else site
        file = folder / path[1:] if folder is not site or path.startswith("/content/") else site / "public" / path[1:]
        kind = "text/javascript" if file.suffix == ".mjs" else mimetypes.guess_type(file.name)[0]
        route.fulfill(path=file, content_type=kind)

    context.route(f"{ORIGIN}/**", answer_request)

    def open_page(name: str) -> Page:
        page = context.new_page()
        page.goto(f"{ORIGIN}/?page={name}")
        return page

    yield open_page
    context.close()
    assert errors == []


def test_the_output_of_a_notebook_answers(read: Callable[[str], Page]) -> None:
    page = read("guide")
    answer(quiz_in(page), "Four")
    expect_answered(quiz_in(page))
    expect(quiz_in(page).get_by_text(KEPT)).to_be_visible()
    page.reload()
    expect(quiz_in(page).get_by_role("button", name="Question 1: right")).to_be_visible()


def test_a_directive_shows_what_it_names_and_answers(read: Callable[[str], Page]) -> None:
    page = read("directive")
    one, whole = quiz_in(page, 0), quiz_in(page, 1)
    expect(one.get_by_role("radio")).to_have_count(3)
    expect(whole.get_by_text("Three small sums to try a page with.")).to_be_visible()
    answer(one, "Four")
    for quiz in (one, whole):
        expect_answered(quiz)
        expect(quiz.get_by_text(KEPT)).to_be_visible()
    page.reload()
    expect_answered(one)
    expect(whole.get_by_role("button", name="Question 1: right")).to_be_visible()


def test_a_directive_that_names_what_is_not_there_says_so(read: Callable[[str], Page]) -> None:
    page = read("mistaken")
    page.get_by_text("Failed to load").click()
    expect(page.get_by_text("there is no item three-and-three; it has two-and-two, even, half").first).to_be_visible()
