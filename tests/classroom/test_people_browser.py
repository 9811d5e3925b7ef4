"""People, settings and the audit log, as an instructor uses them in a browser."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.classroom.browsing import Browsing, audit, classroom_pages

__all__ = ["classroom_pages"]  # the fixture

pytestmark = pytest.mark.slow


def test_an_instructor_is_logged_in_and_goes_to_a_course(classroom_pages: Browsing) -> None:
    page = classroom_pages.page
    page.goto(f"{classroom_pages.url}courses/cs101")
    expect(page.get_by_role("heading", name="A course")).to_be_visible()
    assert audit(page) == []
