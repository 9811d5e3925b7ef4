"""One run: every tool, measured in turn on the same machine, in the same JupyterLab and the same browser."""

from __future__ import annotations

import os
import platform
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

from benchmarks.compared import access, cpu, graded, remains, speed
from benchmarks.compared.figures import Figures, rounded
from benchmarks.compared.notebook import Notebook
from benchmarks.compared.place import missing, serving, versions
from benchmarks.compared.questions import EIGHT
from benchmarks.compared.tools import OURS, Tool
from quiz_widgets.evidence.records import machine_kind
from tests.conftest import CHROMIUM_ARGUMENTS, chromium_path


def measure(tools: Sequence[Tool], python: Path, *, quick: bool) -> Figures:
    """The figures of these tools, which run with `python`; says on the way what is measured, as a run takes minutes."""
    effort = speed.QUICK if quick else speed.WHOLE
    found = versions(python, tools)
    there = [tool for tool in tools if tool.package is None or tool.name in found]
    absent = {tool.name: "not in the environment" for tool in tools if tool not in there}
    absent |= {name: why for line, why in missing().items() for name in absent if line.lower().startswith(name.lower())}
    figures = Figures(
        date="", machine="", load=os.getloadavg()[0], versions=found, quick=quick, missing=absent, tools={}
    )
    for tool in there:
        figures["tools"][tool.name] = {}

    def note(part: Mapping[str, Mapping[str, object]]) -> None:
        for name, values in part.items():
            figures["tools"][name] |= values

    with (
        tempfile.TemporaryDirectory() as base,
        serving(python, Path(base)) as server,
        _pages(there) as (pages, chromium),
    ):
        figures["date"] = datetime.now(UTC).date().isoformat()
        figures["machine"] = f"{machine_kind()}, {len(os.sched_getaffinity(0))} cores, {platform.system()}"
        found["Chromium"] = chromium
        _say("import")
        note(cpu.measure(python, there, effort.imported, server.variables))
        _say("first option")
        books = speed.open_eight(there, pages, server)
        note(speed.shown(books, effort))
        _say("feedback")
        note(speed.answered(books, effort))
        for book in books:
            note({book.tool.name: speed.injected(book)})
            book.close()
        _say("what remains")
        books = [
            Notebook(pages[tool.name], server, tool, EIGHT, tool.show(0, len(EIGHT)), "'the last cell'")
            for tool in there
        ]
        for book in books:
            note({book.tool.name: remains.answer_and_save(book)})
        remains.export(server)
        for book in books:
            note({book.tool.name: remains.exported(book) | remains.restarted(book)})
        _say("axe and keys")
        for book in books:
            note({book.tool.name: access.measure(book)})
            book.close()
        _say("200 questions")
        note(speed.many(there, pages, server, effort))
        if OURS in pages:
            _say("a graded quiz")
            own = next(tool for tool in there if tool.name == OURS)
            (Path(base) / "graded").mkdir()
            note({OURS: graded.measure(own, python, pages[OURS].context, Path(base) / "graded")})
        _say("done")
    return rounded(figures)


@contextmanager
def _pages(tools: Sequence[Tool]) -> Iterator[tuple[dict[str, Page], str]]:
    """A tab for each tool in one headless browser, and the browser's version."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium_path(), args=CHROMIUM_ARGUMENTS)
        context = browser.new_context(viewport={"width": 1200, "height": 1400})
        context.set_default_timeout(60_000)
        yield {tool.name: context.new_page() for tool in tools}, browser.version
        browser.close()


START = time.monotonic()


def _say(what: str) -> None:
    print(f"{time.monotonic() - START:5.0f} s  {what}", flush=True)
