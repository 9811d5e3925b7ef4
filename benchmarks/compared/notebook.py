"""One tool's notebook, open in a tab of its own in JupyterLab."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import nbformat
from playwright.sync_api import Page

from benchmarks.compared.place import TOKEN, Server
from benchmarks.compared.questions import PER_QUESTION, Question
from benchmarks.compared.tools import Tool

PROBE = Path(__file__).with_name("probe.js")
LIMIT = 60_000  # ms: what takes longer is reported as not shown


def unescaped(text: str) -> str:
    """The text of outputs as a page gets it."""
    return text.replace('\\\\"', '"').replace('\\"', '"')


def write_quiz(server: Server, tool: Tool, name: str, questions: Sequence[Question]) -> None:
    """Write the tool's file of a quiz, in a folder of that name beside the notebooks."""
    folder = server.root / name
    folder.mkdir()
    (folder / tool.file_name).write_text(tool.file(name, questions), encoding="utf-8")


class Notebook:
    """A notebook whose first cell is the tool's set-up; the others show questions, or are given as they are.

    It opens in a tab of the browser that is its tool's, after the former notebook there was closed.
    """

    def __init__(self, page: Page, server: Server, tool: Tool, questions: Sequence[Question], *sources: str) -> None:
        self.page = page
        self.server = server
        self.tool = tool
        self.questions = questions
        self.name = f"q{secrets.token_hex(4)}"
        self.path = server.root / f"{self.name}.ipynb"
        self.address = f"{server.url}lab/workspaces/{self.name}/tree/{self.path.name}?token={TOKEN}"
        write_quiz(server, tool, self.name, questions)
        cells = [nbformat.v4.new_code_cell(source) for source in (tool.setup(self.name), *sources)]
        notebook = nbformat.v4.new_notebook(cells=cells)
        notebook.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3", "language": "python"}
        nbformat.write(notebook, self.path)
        self._open()

    def _open(self) -> None:
        self.page.bring_to_front()
        if self.page.url == "about:blank":
            self.page.goto(self.address)
        else:
            self.ask(
                "async (path) => { await probe.app().commands.execute('docmanager:open', {path}); }", self.path.name
            )
        self._ready()

    def _ready(self) -> None:
        self.page.wait_for_function(
            """(path) => {
                const panel = window.jupyterapp?.shell?.currentWidget;
                const kernel = panel?.sessionContext?.session?.kernel;
                return panel?.context?.path === path && panel.content?.widgets?.length
                    && kernel?.status === "idle" && kernel.connectionStatus === "connected";
            }""",
            arg=self.path.name,
            timeout=90_000,
        )
        self.page.evaluate(PROBE.read_text(encoding="utf-8"))

    def ask(self, expression: str, argument: Any = None) -> Any:
        """What a JavaScript function of the page returns."""
        return self.page.evaluate(expression, argument)

    @property
    def handle(self) -> dict[str, Any]:
        """How the page's probe finds the tool's controls."""
        tool = self.tool
        return {
            "options": tool.options,
            "check": tool.check,
            "said": tool.said,
            "per": PER_QUESTION,
        }

    def execute(self, cell: int) -> None:
        """Run a cell and wait until it has ended."""
        self.ask(
            """async (cell) => {
                const notebook = probe.panel().content;
                notebook.activeCellIndex = cell;
                notebook.deselectAll();
                await probe.app().commands.execute("notebook:run-cell");
            }""",
            cell,
        )

    def run(self, first: int, last: int, questions: int, limit: int = LIMIT) -> dict[str, Any]:
        """Run cells; ms to the first option (`first`) and to all (`all`), `None` after the limit; options `seen`;
        bytes of the `output` and of the `messages` of widgets, and how many `models` they made.
        """
        found: dict[str, Any] = self.ask(
            "(how) => probe.run(how)",
            {
                "first": first,
                "last": last,
                "options": self.tool.options,
                "expected": questions * PER_QUESTION,
                "limit": limit,
            },
        )
        return found

    def clear(self, cell: int) -> None:
        """Take a cell's output away."""
        self.ask("(cell) => probe.panel().content.widgets[cell].outputArea.model.clear()", cell)

    def start(self, cell: int) -> None:
        """Run a cell and do not wait for it, but until the kernel has begun."""
        self.ask(
            """async (cell) => {
                probe.panel().content.activeCellIndex = cell;
                probe.panel().content.deselectAll();
                probe.app().commands.execute("notebook:run-cell");
                await probe.until(() => probe.kernel().status === "busy", 10000);
            }""",
            cell,
        )

    def settle(self) -> None:
        """Wait until the kernel has nothing to do any more."""
        if not self.ask("() => probe.settle(20000)"):
            raise TimeoutError(f"{self.tool.name}: the kernel does not come to rest")

    def answers(self, question: int) -> dict[str, Any]:
        """What the page's probe needs to answer a question, rightly where its number is even; all, where one check
        is for all.
        """
        asked = range(len(self.questions)) if self.tool.whole else [question]
        found = []
        for number in asked:
            one = self.questions[number]
            found.append([number, one.options[one.right if number % 2 == 0 else one.right - 1]])
        return {"tool": self.handle, "answers": found}

    def feedback(self, cell: int, question: int, limit: int = 20_000) -> dict[str, Any]:
        """Answer one question of a cell: ms from the last click to the feedback, clicks, and whether in one frame."""
        how = self.answers(question) | {"cell": cell, "limit": limit}
        found: dict[str, Any] = self.ask("(how) => probe.feedback(how)", how)
        return found

    def save(self) -> None:
        """Save as the menu does."""
        self.ask("() => probe.panel().context.save()")

    def restart(self) -> None:
        """Restart the kernel, without running anything."""
        self.ask("() => probe.kernel().restart()")
        self._ready()

    def restart_and_reload(self) -> None:
        """Save, restart the kernel, and load the page anew, without running anything."""
        self.save()
        self.restart()
        self.page.goto("about:blank")
        self._open()

    def close(self) -> None:
        """Close the notebook and end its kernel; the tab stays."""
        for session in self.server.api("GET", "sessions"):
            if session["path"].endswith(self.path.name):
                self.server.api("DELETE", f"sessions/{session['id']}")
        self.ask("() => probe.panel().dispose()")
