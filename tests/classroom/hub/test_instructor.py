"""The desk's pages on a real Hub: an instructor publishes and shows the keys; others and scripts get nothing."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.classroom.hub.driving import Seat, log_in
from tests.frontend.mounting import AXE
from tools.classroom.room import Room

AUDIT = "async () => (await axe.run()).violations.map((rule) => `${rule.id}: ${rule.nodes.map((node) => node.html)}`)"
FETCHED = (
    """async ([url, mode]) => { const reply = await fetch(url, {mode}); return [reply.status, await reply.text()]; }"""
)
FRAMED = """(url) => new Promise((done) => {
    const frame = document.createElement("iframe");
    frame.onload = () => { try { done(frame.contentDocument.body.textContent); } catch { done("closed"); } };
    frame.src = url;
    document.body.append(frame);
})"""


def test_an_instructor_publishes_a_bundle_and_shows_its_keys(room: Room, fresh: Page, tmp_path: Path) -> None:
    bundle = tmp_path / "bundle.json"
    room.command("publish", str(room.folder / "desk" / "canary"), "--course", "demo", "-o", str(bundle))
    desk = f"{room.url}/services/quiz/"
    fresh.goto(desk)
    log_in(fresh, room, "prof")
    expect(fresh.get_by_role("heading", name="Your courses")).to_be_visible()
    fresh.get_by_role("link", name="demo").click()
    fresh.get_by_label("Bundle").set_input_files(bundle)
    fresh.get_by_label("Name in the course").fill("uploaded")
    fresh.get_by_role("button", name="Publish", exact=True).click()
    expect(fresh.get_by_role("status")).to_have_text("The quiz is published.")

    row = fresh.get_by_role("row").filter(has_text="demo/uploaded")
    row.get_by_label("Show them all the same").check()
    row.get_by_role("button", name="Show the keys now").click()
    expect(fresh.get_by_role("status")).to_have_text("The keys are shown to learners.")
    expect(row.get_by_text("Shown since")).to_be_visible()
    assert [
        row_ for row_ in fresh.get_by_role("row").all_inner_texts() if "demo/exam" in row_ and "Shown" in row_
    ] == []

    fresh.get_by_role("button", name="Log out").click()
    expect(fresh.get_by_role("heading", name="You are logged out of these pages")).to_be_visible()


@pytest.mark.parametrize("language", ["en", "ar"])
def test_axe_finds_nothing_on_the_pages(room: Room, browser: Browser, language: str) -> None:
    context = browser.new_context(locale=language, bypass_csp=True)
    page = context.new_page()
    page.goto(f"{room.url}/services/quiz/")
    log_in(page, room, "prof")
    for path in ("", "courses/demo", "courses/none"):
        page.goto(f"{room.url}/services/quiz/{path}")
        assert page.locator("html").get_attribute("lang") == language
        page.add_script_tag(path=AXE)
        assert page.evaluate(AUDIT) == []
    context.close()


def test_a_learner_s_browser_gets_no_page(room: Room, seats: Callable[[str], Seat]) -> None:
    page = seats("ada").context.new_page()
    reply = page.goto(f"{room.url}/services/quiz/courses/demo")
    assert reply is not None
    assert reply.status == 403
    expect(page.get_by_role("heading", name="These pages are for instructors")).to_be_visible()
    page.close()


def test_a_script_in_an_instructor_s_notebook_gets_nothing_of_the_pages(
    room: Room, seats: Callable[[str], Seat]
) -> None:
    prof = seats("prof")
    url = f"{room.url}/services/quiz/courses/demo"
    page = prof.context.new_page()
    reply = page.goto(url)
    assert reply is not None
    assert reply.status == 200  # so the session is there, and what follows carries its cookie
    page.close()
    for mode in ("cors", "same-origin", "no-cors"):
        status, text = prof.page.evaluate(FETCHED, [url, mode])
        assert (status, "demo/exam" in text) == (403, False)
    assert "demo/exam" not in prof.page.evaluate(FRAMED, url)
