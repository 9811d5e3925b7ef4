"""JupyterLab and Notebook 7 as a learner drives them: the server, one open notebook, and the quizzes on its page."""

from __future__ import annotations

import json
import secrets
import time
import urllib.request
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Locator, Page

TOKEN = "a-token-for-tests-only"
SHOW = 'from quiz_widgets import load_quiz\nquiz = load_quiz("sums/quiz.yaml")\n'


def own_workspace() -> str:
    """The name of a JupyterLab workspace that no test has used: a used one opens with that test's notebook."""
    return f"tab-{secrets.token_hex(4)}"


def wait_until(what: str, reached: Callable[[], Any], seconds: float = 30) -> Any:
    """What `reached` returns once that is true; a failure that names `what` after `seconds`."""
    end = time.monotonic() + seconds
    while True:
        found = reached()
        if found:
            return found
        if time.monotonic() > end:
            pytest.fail(f"waited {seconds} s: {what}")
        time.sleep(0.05)


@dataclass(frozen=True)
class Server:
    """A running Jupyter server: its address, the folder it serves, and where its kernels keep attempts."""

    url: str
    root: Path
    home: Path
    environment: Mapping[str, str]

    def api(self, method: str, path: str) -> Any:
        """What the server's REST interface answers."""
        request = urllib.request.Request(
            f"{self.url}api/{path}", method=method, headers={"Authorization": f"token {TOKEN}"}
        )
        with urllib.request.urlopen(request, timeout=30) as answer:
            body = answer.read()
        return json.loads(body) if body else None

    def answers(self) -> bool:
        """Whether the server listens; its address is written down a moment before."""
        try:
            return bool(self.api("GET", "status"))
        except OSError:
            return False

    def records(self) -> list[dict[str, Any]]:
        """Every whole line on disk, of every attempt and kernel."""
        lines = [line for path in sorted(self.home.rglob("*.jsonl")) for line in path.read_text().split("\n")[:-1]]
        return [json.loads(line) for line in lines]

    def responses(self) -> list[tuple[str, list[str]]]:
        """Item and response of every recorded submit, in the order of the files."""
        events = [record["event"] for record in self.records()]
        return [(event["item"], event["response"]) for event in events if event["kind"] == "submit"]


class Host:
    """One notebook in JupyterLab or Notebook 7, seen and driven as on the screen."""

    def __init__(self, name: str, server: Server, context: BrowserContext) -> None:
        self.name = name
        self.server = server
        self.context = context
        self.page = context.new_page()
        self.path = ""

    def open(self, path: str) -> None:
        """Open a notebook of the server's folder and wait for its kernel."""
        self.path = path
        place = f"lab/tree/{path}?reset&" if self.name == "lab" else f"notebooks/{path}?"
        self.page.goto(f"{self.server.url}{place}token={TOKEN}")
        self.wait_ready()

    def second_tab(self, elsewhere: BrowserContext | None = None, *, ready: bool = True) -> Host:
        """The same notebook in another tab of the same browser, or in a browser that shares no storage with it.

        With `ready` false nothing is waited for: the kernel may be busy.
        """
        other = Host(self.name, self.server, elsewhere or self.context)
        other.path = self.path
        # A workspace of its own: JupyterLab gives a second tab one, and asks nothing.
        place = (
            f"lab/workspaces/{own_workspace()}/tree/{self.path}?" if self.name == "lab" else f"notebooks/{self.path}?"
        )
        other.page.goto(f"{self.server.url}{place}token={TOKEN}")
        if ready:
            other.wait_ready()
        return other

    def reload(self) -> None:
        """Load the page anew, as F5 does."""
        self.page.reload()
        self.wait_ready()

    def wait_ready(self) -> None:
        """Wait until the notebook is drawn and its kernel is idle."""
        self.page.wait_for_function(
            """() => {
                const panel = window.jupyterapp?.shell?.currentWidget;
                const session = panel?.sessionContext?.session;
                return panel?.content?.widgets?.length && session?.kernel?.status === 'idle'
                    && session.kernel.connectionStatus === 'connected';
            }""",
            timeout=60_000,
        )

    def run(self, index: int, *, wait: bool = True) -> None:
        """Run one cell; `wait` until it has ended."""
        self.page.evaluate(
            """async ([index, wait]) => {
                const app = window.jupyterapp;
                app.shell.currentWidget.content.activeCellIndex = index;
                app.shell.currentWidget.content.deselectAll();
                const ran = app.commands.execute('notebook:run-cell');
                if (wait) await ran;
            }""",
            [index, wait],
        )

    def run_all(self) -> None:
        """Run every cell and wait until all have ended."""
        self.page.evaluate("() => window.jupyterapp.commands.execute('notebook:run-all-cells')")

    def restart_kernel(self) -> None:
        """Restart the kernel, without running anything."""
        self.page.evaluate("() => window.jupyterapp.shell.currentWidget.sessionContext.session.kernel.restart()")
        self.wait_ready()

    def save(self) -> None:
        """Save as the menu does."""
        self.page.evaluate("() => window.jupyterapp.shell.currentWidget.context.save()")

    def cells(self) -> list[str]:
        """The sources of the notebook's cells as they are in the page."""
        sources: list[str] = self.page.evaluate(
            "() => window.jupyterapp.shell.currentWidget.content.widgets.map((cell) => cell.model.sharedModel.source)"
        )
        return sources

    def active_cell(self) -> int:
        """Which cell the notebook holds for the active one."""
        index: int = self.page.evaluate("() => window.jupyterapp.shell.currentWidget.content.activeCellIndex")
        return index

    def running(self, cell: int) -> bool:
        """Whether a cell runs, as its prompt says; the kernel's own status also counts messages of quizzes."""
        prompt: str = self.page.evaluate(
            "(cell) => window.jupyterapp.shell.currentWidget.content.widgets[cell].promptNode.textContent", cell
        )
        return "*" in prompt

    def dirty(self) -> bool:
        """Whether the notebook has changes that are not saved."""
        changed: bool = self.page.evaluate("() => window.jupyterapp.shell.currentWidget.context.model.dirty")
        return changed

    def output(self, cell: int) -> Locator:
        """The output of one cell."""
        return self.page.locator(".jp-Notebook .jp-Cell").nth(cell).locator(".jp-OutputArea-output")

    def scroll_to(self, cell: int) -> None:
        """Bring a cell into view: cells far from it may not be in the page at all."""
        self.page.evaluate("(cell) => window.jupyterapp.shell.currentWidget.content.scrollToItem(cell, 'start')", cell)

    def ask(self, code: str) -> str:
        """What the kernel prints for a line of code, without a cell."""
        printed: str = self.page.evaluate(
            """async (code) => {
                const kernel = window.jupyterapp.shell.currentWidget.sessionContext.session.kernel;
                const future = kernel.requestExecute({code, store_history: false});
                let text = '';
                future.onIOPub = (message) => {
                    if (message.header.msg_type === 'stream') text += message.content.text;
                    if (message.header.msg_type === 'error') text += message.content.traceback.join('\\n');
                };
                await future.done;
                return text;
            }""",
            code,
        )
        return printed.strip()


def quiz_in(page: Page, number: int = 0, title: str = "Sums") -> Locator:
    """One player of a quiz on a page, by its accessible name."""
    return page.get_by_role("group", name=title, exact=True).nth(number)
