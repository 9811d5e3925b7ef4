"""What is left of a quiz without its kernel: after a restart and a reload, in an exported page, in the saved file."""

from __future__ import annotations

import json
import re
import subprocess
from typing import Any

from playwright.sync_api import Page

from benchmarks.compared.notebook import PROBE, Notebook, unescaped
from benchmarks.compared.place import Server
from benchmarks.compared.questions import EIGHT
from benchmarks.compared.speed import SHOW

ANSWERED, OPEN = 0, 5  # a question that was answered before, and one that was not
WAIT = 6_000  # ms for a quiz to appear and for feedback


def answer_and_save(book: Notebook) -> dict[str, Any]:
    """Answer one question and save; whether the key can be read in the saved output."""
    book.page.bring_to_front()
    book.execute(0)
    book.run(SHOW, SHOW, len(EIGHT))
    book.feedback(SHOW, ANSWERED)
    book.settle()
    book.save()
    outputs = json.dumps(json.loads(book.path.read_text(encoding="utf-8"))["cells"][SHOW]["outputs"])
    return {"key_in_output": re.search(book.tool.key, unescaped(outputs)) is not None}


def restarted(book: Notebook) -> dict[str, Any]:
    """What is there after a restart of the kernel and a reload of the page, without running anything."""
    book.page.bring_to_front()
    book.restart_and_reload()
    return {"restarted": _left(book.page, SHOW, book, kept=True)}


def export(server: Server) -> None:
    """Make pages of all notebooks, with one call of nbconvert."""
    paths = map(str, sorted(server.root.glob("*.ipynb")))
    command = [str(server.python), "-m", "nbconvert", "--to", "html", *paths]
    subprocess.run(command, env=server.variables, check=True, capture_output=True)


def exported(book: Notebook) -> dict[str, Any]:
    """What is there in the page that nbconvert made, opened from its file with every request refused."""
    page = book.page.context.new_page()
    page.route(lambda url: not url.startswith("file:"), lambda route: route.abort())
    page.goto(book.path.with_suffix(".html").as_uri(), wait_until="domcontentloaded")
    page.evaluate(PROBE.read_text(encoding="utf-8"))
    found = _left(page, None, book, kept=False)
    page.close()
    return {"exported": found}


def _left(page: Page, cell: int | None, book: Notebook, *, kept: bool) -> str:
    """In words: whether options are shown, whether the answer is, and whether another one is answered."""
    shown = page.evaluate(
        "([cell, options, limit]) => probe.until(() => probe.all(probe.place(cell), options).some(probe.shown), limit)",
        [cell, book.tool.options, WAIT],
    )
    if shown is None:
        text = page.evaluate("(cell) => probe.text(probe.place(cell))", cell)
        if re.search("Error displaying widget|Error creating widget|model not found", text):
            return "error text"
        return "blank" if not text.strip() or cell is None else "text only"
    page.wait_for_timeout(500)
    answered = page.evaluate("([cell, said]) => probe.count(probe.place(cell), said)", [cell, book.tool.said])
    asked = 0 if book.tool.whole else OPEN
    how = book.answers(asked) | {"cell": cell, "limit": WAIT}
    works = page.evaluate("(how) => probe.feedback(how).then(({ms}) => ms !== null, () => false)", how)
    answers = ("answers kept, " if answered else "answers lost, ") if kept else ""
    return answers + ("works" if works else "dead")
