"""JupyterLite: the course as a folder of files, with its kernel in the browser and nothing fetched from elsewhere."""

from __future__ import annotations

import functools
import json
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Route, expect

from quiz_widgets import compiled, locales
from quiz_widgets.model import Item
from tests.hosts.hosting import Host

ROOT = Path(__file__).resolve().parents[2]
KERNEL_MS = 240_000  # Python starts in WebAssembly: half a minute on a quiet machine
NAME = "mixed-precision"

pytestmark = [pytest.mark.slow, pytest.mark.timeout(1200)]


class Quiet(SimpleHTTPRequestHandler):
    """A file server that says nothing."""

    def log_message(self, format: str, *args: Any) -> None:
        pass


class Lite(Host):
    """A notebook in JupyterLite's JupyterLab."""

    def __init__(self, url: str, context: BrowserContext) -> None:
        self.name = "lab"
        self.url = url
        self.context = context
        self.page = context.new_page()

    def open(self, path: str) -> None:
        self.page.goto(f"{self.url}lab/index.html?path={path}")
        self.wait_drawn()

    def wait_drawn(self) -> None:
        """Wait until the notebook is there; its kernel may still be starting."""
        self.page.wait_for_function(
            """() => {
                const panel = window.jupyterapp?.shell?.currentWidget;
                return panel?.context?.isReady && panel.content?.widgets?.length > 1;
            }""",
            timeout=KERNEL_MS,
        )

    def wait_ready(self) -> None:
        self.page.wait_for_function(
            "() => window.jupyterapp.shell.currentWidget.sessionContext.session?.kernel?.status === 'idle'",
            timeout=KERNEL_MS,
        )

    def outputs(self) -> list[list[dict[str, Any]]]:
        """The outputs of each code cell, as they would be saved."""
        found: list[list[dict[str, Any]]] = self.page.evaluate(
            """() => window.jupyterapp.shell.currentWidget.content.widgets
                .filter((cell) => cell.model.type === 'code').map((cell) => cell.model.sharedModel.outputs)"""
        )
        return found


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of the site, built as `make lite` builds it and served on the loopback."""
    folder = tmp_path_factory.mktemp("lite") / "site"
    built = subprocess.run(
        [sys.executable, "-m", "tools.lite", folder], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert built.returncode == 0, built.stderr
    assert f"Wrote {folder}" in built.stdout
    assert not list(folder.rglob("*.map"))
    # The tests look at cells through the application itself.
    settings = folder / "jupyter-lite.json"
    config = json.loads(settings.read_text(encoding="utf-8"))
    config["jupyter-config-data"]["exposeAppInBrowser"] = True
    settings.write_text(json.dumps(config), encoding="utf-8")
    server = ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=str(folder)))
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()
    server.server_close()
    thread.join(timeout=20)


@pytest.fixture
def lite(site: str, browser: Browser) -> Iterator[Lite]:
    """A browser on the site that reaches nothing else: not one request may ask for it."""
    elsewhere: list[str] = []
    context = browser.new_context(viewport={"width": 1200, "height": 1400})
    context.set_default_timeout(30_000)

    def answer(route: Route) -> None:
        if route.request.url.startswith(site):
            route.continue_()
        else:
            elsewhere.append(route.request.url)
            route.abort()

    context.route(lambda url: not url.startswith(("data:", "blob:")), answer)
    yield Lite(site, context)
    context.close()
    assert elsewhere == []


def item_of(cell: str) -> Item:
    """The first item that a cell like ``quiz.show("id")`` shows."""
    return compiled.read(NAME).item(cell.split('"')[1])


def first_quiz(lite: Lite) -> int:
    return next(index for index, source in enumerate(lite.cells()) if source.startswith("quiz.show("))


def set_up(lite: Lite) -> int:
    return next(index for index, source in enumerate(lite.cells()) if "load_quiz(" in source)


def test_a_quiz_runs_and_grades_and_keeps_its_record_without_a_server(lite: Lite) -> None:
    lite.open(f"en/{NAME}.ipynb")
    lite.wait_ready()
    cell = first_quiz(lite)
    item = item_of(lite.cells()[cell])
    wrong, right = (next(o for o in item.options if o.correct is key) for key in (False, True))

    lite.run(set_up(lite))
    lite.run(cell)
    quiz = lite.output(cell)
    for option, verdict in ((wrong, "✗"), (right, "✓")):
        quiz.get_by_role("radio", name=option.text.rendered("en").plain, exact=True).click()
        quiz.get_by_role("button", name="Check", exact=True).click()
        expect(quiz.get_by_role("status").first).to_contain_text(verdict)
        assert option.rationale is not None
        expect(quiz.get_by_role("status").first).to_contain_text(option.rationale.rendered("en").plain[:40])
    expect(quiz.get_by_text("Recorded at")).to_be_visible()
    assert lite.ask("print(quiz.progress())").startswith("1 of 8 answered, 1 right (0 at the first try)")

    own = lite.ask("from pathlib import Path; Path('own.yaml').write_text('title: Own'); load_quiz('own.yaml')")
    assert own.startswith("quizzes in YAML are read with the package 'yaml', which this Python does not have.")

    lite.save()
    lite.page.reload()
    lite.wait_drawn()
    expect(lite.output(cell).get_by_role("status").first).to_contain_text("✓")  # before any kernel runs
    lite.wait_ready()
    lite.run(set_up(lite))
    assert lite.ask("print(quiz.progress())").startswith("1 of 8 answered, 1 right (0 at the first try)")


def test_the_arabic_guide_runs_whole_and_from_right_to_left(lite: Lite) -> None:
    lite.open(f"ar/{NAME}.ipynb")
    cell = first_quiz(lite)
    item = item_of(lite.cells()[cell])
    lite.scroll_to(cell)
    preview = lite.output(cell).get_by_text(item.stem.rendered("ar").plain[:20])
    expect(preview.first).to_have_css("direction", "rtl")
    lite.wait_ready()

    lite.run_all()

    ran = lite.outputs()
    assert [output for outputs in ran for output in outputs if output["output_type"] == "error"] == []
    assert "numpy" in str(ran[1])  # a demo that cannot run says so
    assert all(ran[1:])  # and every cell after it has run
    lite.scroll_to(cell)
    quiz = lite.output(cell)
    expect(quiz.get_by_role("group").first).to_have_css("direction", "rtl")
    right = next(option for option in item.options if option.correct)
    quiz.get_by_role("radio", name=right.text.rendered("ar").plain, exact=True).click()
    quiz.get_by_role("button", name=locales.words("ar")["check"], exact=True).click()
    expect(quiz.get_by_role("status").first).to_contain_text("✓")
