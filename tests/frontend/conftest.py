"""The `mount` fixture: quizzes in Chromium, without any server."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from tests.frontend.mounting import Mounts


@pytest.fixture
def mount(browser: Browser) -> Iterator[Mounts]:
    """Mount quizzes: ``mount(quiz)``, ``mount(quiz, {"items": ["bytes"]})``, ``mount.open(html)``."""
    mounts = Mounts(browser)
    yield mounts
    for context in mounts.contexts:
        context.close()
    assert mounts.errors == []
