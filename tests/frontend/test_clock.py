"""A clock that is set back while a learner answers changes neither a score nor what the page says of the record."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.frontend import sample_quiz as sample
from tests.frontend.mounting import Mounts, link
from tests.frontend.test_store import ATTEMPT, ONE, choose, kept

BACK = "(() => { const now = Date.now; Date.now = () => now() - 3_600_000; })()"


def reveal(page: Page) -> None:
    page.get_by_role("button", name="Show the answer").click()


def test_an_answer_before_the_key_was_seen_counts_whatever_the_clock_says(mount: Mounts) -> None:
    page = mount(sample.quiz(), ONE)
    choose(page, "Four bytes")
    page.evaluate(BACK)
    reveal(page)
    events = kept(page)["events"]

    assert [event["kind"] for event in events] == ["submit", "reveal"]
    assert events[0]["at"] <= events[1]["at"]


def test_no_kernel_is_waited_for_until_the_clock_has_caught_up(mount: Mounts) -> None:
    page = mount(sample.quiz(), ONE)
    link(page, attempt=ATTEMPT)
    choose(page, "Four bytes")
    page.evaluate(BACK)
    page.get_by_role("button", name="Try again").click()
    choose(page, "Two bytes")

    # Nobody answers: after five seconds the learner is told so, and not an hour later.
    expect(page.get_by_text("run the cell to record it")).to_be_visible()
