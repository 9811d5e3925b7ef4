"""Fixtures that every kind of test may use: a headless browser, found where the machine has one."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings
from playwright.sync_api import Browser, expect, sync_playwright
from xdist.scheduler import LoadFileScheduling

# A busy machine is slow without anything being wrong: time limits belong to whole tests.
settings.register_profile("patient", deadline=None)
settings.load_profile("patient")

# So with pages, which real hosts draw when they are idle: Playwright's own 5 s are an order for a quiet machine.
# Said once: a setting of this kind holds for all tests of a run, whichever file it stands in.
expect.set_options(timeout=30_000)

# Nothing here depends on the language of whoever runs it; the tests of a language name it.
for name in ("QUIZ_WIDGETS_LOCALE", "LANGUAGE", "LC_ALL", "LC_MESSAGES"):
    os.environ.pop(name, None)
os.environ["LANG"] = "C.UTF-8"

# Background networking off: on a machine without a network Chromium otherwise retries look-ups for minutes.
CHROMIUM_ARGUMENTS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Where workers share the tests, one takes a whole file, and one all that start a JupyterHub of their own.

    Not by marks of xdist's: pytest 9.2 leaves the ids alone in which xdist 3.8 hands on a mark, and nothing says so.
    """
    if config.getoption("dist") != "loadfile":
        return None
    scheduler = LoadFileScheduling(config, log)
    scheduler._split_scope = _together
    return scheduler


def _together(nodeid: str) -> str:
    """What the tests that one worker must take have in common."""
    folder, found, _ = nodeid.partition("/classroom/hub/")
    return folder + found if found else nodeid.partition("::")[0]


def chromium_path() -> str | None:
    """The system's Chromium or Chrome; `None` when Playwright should use a browser of its own."""
    named = os.environ.get("QUIZ_WIDGETS_CHROMIUM")
    if named:
        return named
    for name in ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable"):
        found = shutil.which(name)
        if found:
            return found
    return None


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """One headless Chromium for the whole run; each test opens its own context."""
    with sync_playwright() as playwright:
        path = chromium_path()
        own = Path(playwright.chromium.executable_path)
        if path is None and not own.exists():
            pytest.fail(
                "no Chromium found: install your system's package (Debian: apt-get install chromium), "
                "or run `.venv/bin/playwright install chromium`"
            )
        launched = playwright.chromium.launch(executable_path=path, args=CHROMIUM_ARGUMENTS)
        yield launched
        launched.close()
