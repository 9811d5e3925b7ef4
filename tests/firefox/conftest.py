"""The `firefox` fixture: one Firefox for the run, with fresh storage and no script errors in each test."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.firefox.driving import Firefox, Pages


@pytest.fixture(scope="session")
def running() -> Iterator[Firefox]:
    """Firefox and the server of its pages."""
    pages = Pages()
    found = Firefox(pages)
    yield found
    found.quit()
    pages.close()


@pytest.fixture
def firefox(running: Firefox) -> Iterator[Firefox]:
    """Firefox without tabs; a script's error on any page of a test fails it."""
    yield running
    assert running.close_tabs() == []
