"""A classroom with a real JupyterHub for each release that is tested, and browsers in it."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page

from tests.classroom.hub.driving import Seat
from tools.classroom import environments
from tools.classroom.room import Room

CANARY = Path(__file__).parent / "canary"
OPENS_LATER = "later"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Everything here is slow and needs a JupyterHub, and waits for servers to start."""
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.slow)
            item.add_marker(pytest.mark.classroom)
            item.add_marker(pytest.mark.timeout(900))


# Not run without root: one account cannot be kept from its own files.
collect_ignore = [] if os.getuid() == 0 else ["test_isolation.py"]


def pytest_report_header() -> str | None:
    """Say what is not run without root."""
    if os.getuid() == 0:
        return None
    return "classroom: not root, so tests/classroom/hub/test_isolation.py (learners with uids of their own) is not run"


@pytest.fixture(scope="session", params=environments.HUBS)
def room(request: pytest.FixtureRequest) -> Iterator[Room]:
    """The classroom: ``demo/exam`` is open now, ``demo/later`` (the same quiz) opens in a day."""
    environment = environments.made(request.param)
    folder = Path(tempfile.mkdtemp(prefix="quiz-room-"))
    made = Room(folder, environment, server_options=("--LabApp.expose_app_in_browser=True",))
    try:
        made.make()
        made.start_desk()
        made.start_hub()
        secret = folder / "desk" / "canary"  # where no learner reads
        shutil.copytree(CANARY, secret)
        now = datetime.now(UTC)
        soon, hour, later = now - timedelta(minutes=1), now + timedelta(hours=1), now + timedelta(days=1)
        made.publish(secret, "exam", "--opens", soon.isoformat(), "--due", hour.isoformat())
        made.publish(secret, OPENS_LATER, "--opens", later.isoformat(), "--due", (later + timedelta(1)).isoformat())
        yield made
    finally:
        made.stop()
        shutil.rmtree(folder)


@pytest.fixture(scope="session")
def seats(room: Room, browser: Browser) -> Iterator[Callable[[str], Seat]]:
    """Somebody's seat: a browser of their own in which they are logged in and their notebook is open."""
    taken: dict[str, Seat] = {}

    def seat(name: str) -> Seat:
        if name not in taken:
            taken[name] = Seat(room, name, browser.new_context(viewport={"width": 1200, "height": 1400}))
            taken[name].sit_down()
        return taken[name]

    yield seat
    for one in taken.values():
        one.context.close()


@pytest.fixture
def fresh(browser: Browser) -> Iterator[Page]:
    """A page of a browser that knows nobody."""
    context: BrowserContext = browser.new_context()
    yield context.new_page()
    context.close()
