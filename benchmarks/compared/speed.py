"""What a learner waits for: the first option, feedback, many questions; and what travels to the page for it."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from playwright.sync_api import Error, Page

from benchmarks.compared.notebook import Notebook, write_quiz
from benchmarks.compared.place import Server, core_bytes
from benchmarks.compared.questions import EIGHT, PER_QUESTION, numbered, with_probe
from benchmarks.compared.tools import OURS, Tool

SHOW, BUSY, PROBE = 1, 2, 3  # cells after the set-up
BUSY_SECONDS = 2
MANY, CELLS = 200, 25
SLOW_MS = 5_000  # what takes longer is not asked again


@dataclass(frozen=True)
class Effort:
    """How often things are measured, and how long one of them may take."""

    imported: int
    cold: int
    shown: int
    answered: int
    busy: int
    many: int
    limit: int  # ms


QUICK = Effort(imported=3, cold=1, shown=5, answered=3, busy=1, many=2, limit=8_000)
WHOLE = Effort(imported=15, cold=5, shown=15, answered=5, busy=2, many=5, limit=60_000)


def open_eight(tools: Sequence[Tool], pages: Mapping[str, Page], server: Server) -> list[Notebook]:
    """A notebook of the eight questions for each tool, all open at the same time; its last cell is the probe's."""
    books = []
    for tool in tools:
        probe = f"probe{secrets.token_hex(4)}"
        write_quiz(server, tool, probe, with_probe())
        cells = (tool.show(0, len(EIGHT)), f"import time\ntime.sleep({BUSY_SECONDS})")
        injected = f"{tool.setup(probe)}\n{tool.show(0, 1)}"
        books.append(Notebook(pages[tool.name], server, tool, EIGHT, *cells, injected))
    return books


def shown(notebooks: Sequence[Notebook], effort: Effort) -> dict[str, dict[str, Any]]:
    """Ms from running the cell to its first option, in a fresh kernel and later; bytes; nodes. Tools take turns."""
    found: dict[str, dict[str, Any]] = {book.tool.name: {"first_cold_ms": [], "first_ms": []} for book in notebooks}
    for turn in range(effort.cold):
        for book in notebooks:
            book.page.bring_to_front()
            if turn:
                book.restart()
            found[book.tool.name]["first_cold_ms"].append(book.run(0, SHOW, len(EIGHT))["first"])
    for _ in range(effort.shown):
        for book in notebooks:
            book.page.bring_to_front()
            ran = book.run(SHOW, SHOW, len(EIGHT))
            found[book.tool.name]["first_ms"].append(ran["first"])
            found[book.tool.name] |= {
                "output_bytes": ran["output"],
                "message_bytes": ran["messages"],
                "models": ran["models"],
                "nodes": book.ask("(cell) => probe.nodes(cell)", SHOW),
            }
    if OURS in found:
        found[OURS]["core_bytes"] = core_bytes(notebooks[0].server.python)
    return found


def answered(notebooks: Sequence[Notebook], effort: Effort) -> dict[str, dict[str, Any]]:
    """Ms from the last click to the feedback, with an idle kernel and with one that is busy in another cell."""
    found: dict[str, dict[str, Any]] = {
        book.tool.name: {"feedback_ms": [], "feedback_frame": True, "busy_ms": [], "busy_frame": True}
        for book in notebooks
    }
    for turn in range(effort.answered + effort.busy):
        busy = turn >= effort.answered
        for book in notebooks:
            book.page.bring_to_front()
            book.run(SHOW, SHOW, len(EIGHT))
            book.settle()
            if busy:
                book.start(BUSY)
            said = book.feedback(SHOW, turn)
            if busy:
                book.settle()
            figures, name = found[book.tool.name], "busy" if busy else "feedback"
            figures[f"{name}_ms"].append(said["ms"])
            figures[f"{name}_frame"] &= said["same_frame"]
            figures["clicks"] = said["clicks"]
    return found


def injected(book: Notebook) -> dict[str, Any]:
    """Whether a question whose text holds script in HTML runs it: ``runs``, ``does not run`` or ``refused``."""
    book.page.bring_to_front()
    try:
        book.run(PROBE, PROBE, 1)
    except Error:  # the set-up's own: there is no quiz to show
        found = "refused"
    else:
        book.page.wait_for_timeout(500)
        found = "runs" if book.ask("() => window.quizProbe === 1") else "does not run"
    return {"probe": found}


def many(tools: Sequence[Tool], pages: Mapping[str, Page], server: Server, effort: Effort) -> dict[str, dict[str, Any]]:
    """200 questions: ms until all are in the page, in one cell and in 25; bytes, and the size of the saved notebook."""
    found: dict[str, dict[str, Any]] = {tool.name: {"limit_ms": effort.limit} for tool in tools}
    books = [_open_many(tool, pages[tool.name], server) for tool in tools]
    for name, first, last in (("cell", 1, 1), ("cells", 2, 1 + CELLS)):
        still = list(range(len(books)))
        for _ in range(effort.many):
            for at in list(still):
                if not _shown_soon(books[at], found[books[at].tool.name], name, (first, last), effort.limit):
                    still.remove(at)
                if found[books[at].tool.name][f"{name}_ms"][-1] is None:  # its kernel is still at work: begin anew
                    books[at].close()
                    books[at] = _open_many(books[at].tool, books[at].page, server)
        if name == "cell":
            for book in books:
                book.clear(first)
    for book in books:
        if found[book.tool.name]["cells_bytes"] is not None:
            book.page.bring_to_front()
            book.save()
            found[book.tool.name]["cells_file_bytes"] = book.path.stat().st_size
        book.close()
    return found


def _open_many(tool: Tool, page: Page, server: Server) -> Notebook:
    """A notebook that shows 200 questions in its second cell, and again in the 25 cells after it."""
    each = MANY // CELLS
    shows = (tool.show(at, at + each) for at in range(0, MANY, each))
    book = Notebook(page, server, tool, numbered(MANY), tool.show(0, MANY), *shows)
    book.execute(0)
    return book


def _shown_soon(book: Notebook, figures: dict[str, Any], name: str, cells: tuple[int, int], limit: int) -> bool:
    """Run these cells and note what was found under `name`; whether that went fast enough to be done again."""
    book.page.bring_to_front()
    ran = book.run(*cells, MANY, limit)
    figures.setdefault(f"{name}_ms", []).append(ran["all"])
    figures[f"{name}_seen"] = ran["seen"] // PER_QUESTION
    figures[f"{name}_bytes"] = None if ran["all"] is None else ran["output"] + ran["messages"]
    return ran["all"] is not None and ran["all"] <= SLOW_MS
