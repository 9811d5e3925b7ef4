"""The page on security names tests: they are there, under these names."""

from __future__ import annotations

import re
from pathlib import Path

TESTS = Path(__file__).parents[1]
PAGE = TESTS.parent / "docs" / "classroom" / "security.md"


def test_every_test_that_the_page_names_is_there() -> None:
    named = set(re.findall(r"`(test_[a-z0-9_]+)`", PAGE.read_text(encoding="utf-8")))
    written = {
        name
        for folder in ("classroom", "hosts")
        for file in (TESTS / folder).rglob("test_*.py")
        for name in re.findall(r"def (test_\w+)", file.read_text("utf-8"))
    }

    assert len(named) > 30
    assert named - written == set()
