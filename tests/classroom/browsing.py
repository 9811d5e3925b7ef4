"""The desk's pages in Chromium without a real Hub: a small class, a fake Hub, and instructors who are logged in.

Both listen on 127.0.0.1, which browsers trust as they trust https: so they send the words that say who wants a page.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from playwright.sync_api import Browser, BrowserContext, Page
from sqlalchemy import Engine

from benchmarks.hall.stack import free_port
from quiz_widgets.classroom.desk.app import make
from quiz_widgets.classroom.desk.desk import running
from tests.classroom import fake_hub, fresh
from tests.classroom.fake_hub import FakeHub
from tests.classroom.serving import until
from tests.classroom.test_pages import PREFIX, Pages
from tests.frontend.mounting import AXE

AXE_RUN = "async () => (await axe.run()).violations.map((rule) => `${rule.id}: ${rule.nodes.map((node) => node.html)}`)"
WIDER = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"


class Browsing:
    """A desk with the class of `Pages`; `url` is its first page, `page` one in which prof is logged in."""

    def __init__(self, browser: Browser, engine: Engine, hub: FakeHub) -> None:
        self.browser = browser
        self.made = Pages(engine, hub)
        self.engine = engine
        self.hub = hub
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}{PREFIX}"
        self.errors: list[str] = []
        self._contexts: list[BrowserContext] = []

    @property
    def page(self) -> Page:
        """The page of the first browser that was opened; prof's, in English."""
        return self._contexts[0].pages[0] if self._contexts else self.open()

    def open(self, name: str = "prof", **options: Any) -> Page:
        """A page of a new browser in which that person has logged in. `options`: locale, color_scheme, viewport, …"""
        context = self.browser.new_context(**{"locale": "en", "bypass_csp": True, **options})
        self._contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.hub.at_browsers = name
        page.goto(self.url)
        return page

    def close(self) -> None:
        """End all browsers."""
        for context in self._contexts:
            context.close()


def audit(page: Page) -> list[str]:
    """What axe finds wrong on the page, and by how much the page is wider than its window."""
    page.add_script_tag(path=AXE)
    found: list[str] = page.evaluate(AXE_RUN)
    wider: int = page.evaluate(WIDER)
    return [*found, *([f"{wider} px wider than its window"] if wider > 0 else [])]


@contextmanager
def serving(made: Browsing) -> Iterator[None]:
    """The desk, listening in a thread."""
    settings = replace(
        made.made.settings,
        hub_pages=made.hub.api.removesuffix("api"),
        callback=f"{made.url}oauth_callback",
    )
    app = make(running(settings, lambda: made.made.now, made.engine), PREFIX)
    server = uvicorn.Server(uvicorn.Config(app, host="127.0.0.1", port=made.port, log_level="error"))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    until("the desk listens", lambda: server.started)
    try:
        yield
    finally:
        server.should_exit = True
        thread.join(20)


@pytest.fixture
def classroom_pages(browser: Browser, tmp_path: Path) -> Iterator[Browsing]:
    """The desk's pages with prof logged in; no script of theirs may have failed at the end."""
    engine = fresh.sqlite(tmp_path / "desk.sqlite")
    with fake_hub.running() as hub:
        made = Browsing(browser, engine, hub)
        with serving(made):
            yield made
            made.close()
    engine.dispose()
    assert made.errors == []
