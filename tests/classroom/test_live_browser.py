"""The live page in Chromium while scripted learners answer at the desk: counts, order, names, cut streams, axe."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from playwright.sync_api import Page, expect
from sqlalchemy import select, update

from quiz_widgets.classroom import wire
from quiz_widgets.classroom.desk.database.engine import writing
from quiz_widgets.classroom.desk.database.tables import membership, person
from quiz_widgets.classroom.desk.live import watch
from tests.classroom.browsing import Browsing, audit, classroom_pages
from tests.classroom.small_class import Class
from tests.classroom.test_pages import TEACHES

__all__ = ["classroom_pages"]  # the fixture

PATH = "courses/cs101/quizzes/week-3"
PATIENCE = 60_000  # ms: the page itself pauses for up to ten seconds between two questions


class Learner:
    """Asks the desk as a kernel does."""

    def __init__(self, made: Browsing, name: str) -> None:
        made.hub.users[name] = TEACHES[:2]
        token = made.hub.give(name)
        self.client = httpx.Client(base_url=f"{made.url}api/v1/{PATH}/", headers={"Authorization": f"token {token}"})
        self.run = ""
        self.items: list[Any] = []

    def open(self, held: int = 0) -> None:
        found = self.client.post("attempts", json={}, headers={wire.WAITING: str(held)}).json()
        self.run = found["attempt"]["id"]
        self.items = [item for item in found["quiz"]["items"] if item.get("options")]

    def answer(self, place: int) -> None:
        item = self.items[place]
        sent = {"id": f"{self.run}/{item['id']}/1", "item": item["id"], "response": [item["options"][0]["id"]]}
        told = self.client.post(f"attempts/{self.run}/submissions", json={"submissions": [sent]}).json()
        assert told["submissions"][0]["verdict"] == "recorded"

    def finish(self) -> None:
        assert self.client.post(f"attempts/{self.run}/finish", json={}).status_code == 200


@pytest.fixture
def learners(classroom_pages: Browsing) -> Iterator[list[Learner]]:
    with writing(classroom_pages.engine) as connection:
        Class().enrol(connection, "cem")
    made = [Learner(classroom_pages, name) for name in ("ada", "bob", "cem")]
    yield made
    for one in made:
        one.client.close()


def watched(made: Browsing, page: Page | None = None) -> Page:
    page = page or made.page
    page.goto(f"{made.url}{PATH}/live")
    expect(page.locator("#source")).to_have_text("Follows the class live.")
    return page


def total(page: Page, name: str) -> Any:
    return expect(page.locator(f"[data-total={name}]"))


def test_counts_are_right_at_every_step(classroom_pages: Browsing, learners: list[Learner]) -> None:
    page = watched(classroom_pages)
    ada, bob, cem = learners
    total(page, "learners").to_have_text("3")
    for opened, one in enumerate(learners, 1):
        one.open(held=2 if one is cem else 0)
        total(page, "opened").to_have_text(str(opened))
    total(page, "held").to_have_text("2")
    for answered, (one, place) in enumerate(((ada, 0), (bob, 0), (ada, 1), (cem, 0)), 1):
        one.answer(place)
        total(page, "answered").to_have_text(str(answered))
    first = page.locator(f"tr[data-item='{ada.items[0]['id']}'] td")
    expect(first.nth(0)).to_have_text("3")
    expect(first.nth(1).locator("span")).to_have_text("3 of 3")
    ada.finish()
    total(page, "finished").to_have_text("1")
    expect(page.get_by_role("cell", name="Finished")).to_have_count(1)


def test_names_are_hidden_until_they_are_asked_for_and_again_after_a_reload(
    classroom_pages: Browsing, learners: list[Learner]
) -> None:
    page = watched(classroom_pages)
    assert "Ada" not in page.locator("main").inner_text()
    page.get_by_role("button", name="Show names").click()
    expect(page.get_by_role("rowheader", name="Ada")).to_be_visible()
    page.get_by_role("button", name="Hide names").click()
    expect(page.get_by_role("rowheader", name="Ada")).to_have_count(0)
    page.get_by_role("button", name="Show names").click()
    watched(classroom_pages, page)
    expect(page.get_by_role("rowheader", name="Ada")).to_have_count(0)
    assert learners


def test_without_a_script_the_page_has_the_state_and_names_on_request(
    classroom_pages: Browsing, learners: list[Learner]
) -> None:
    learners[0].open()
    learners[0].answer(0)
    page = classroom_pages.open(java_script_enabled=False)
    page.goto(f"{classroom_pages.url}{PATH}/live")
    expect(page.locator("[data-total=answered]")).to_have_text("1")
    expect(page.get_by_role("rowheader", name="Ada")).to_have_count(0)
    page.get_by_role("button", name="Show names").click()
    expect(page.get_by_role("rowheader", name="Ada")).to_be_visible()
    expect(page.locator("#by-learner td").filter(has_text=re.compile(r"1 of \d+"))).to_have_count(1)


def test_sorting_keeps_the_focus_while_the_class_goes_on(classroom_pages: Browsing, learners: list[Learner]) -> None:
    for one in learners:
        one.open()
    page = watched(classroom_pages)
    page.get_by_role("button", name="Show names").click()
    heading = page.get_by_role("button", name="Answered", exact=True)
    heading.focus()
    page.keyboard.press("Enter")
    learners[2].answer(0)
    names = page.locator("#by-learner tbody th")
    expect(names.first).to_have_text("Cem")
    learners[1].answer(0)
    learners[1].answer(1)
    expect(names.first).to_have_text("Bob")
    expect(heading).to_be_focused()
    assert page.locator("th[data-sort=answered]").get_attribute("aria-sort") == "descending"
    page.keyboard.press("Enter")
    expect(names.last).to_have_text("Bob")
    expect(heading).to_be_focused()


def test_a_stream_that_is_cut_is_followed_by_questions_and_then_by_a_stream(
    classroom_pages: Browsing, learners: list[Learner]
) -> None:
    page = classroom_pages.page
    page.route("**/live/stream", lambda route: route.abort())
    page.goto(f"{classroom_pages.url}{PATH}/live")
    expect(page.locator("#live")).to_have_attribute("data-source", "polling")
    learners[0].open()
    total(page, "opened").to_have_text("1", timeout=PATIENCE)
    page.unroute("**/live/stream")
    expect(page.locator("#live")).to_have_attribute("data-source", "following", timeout=PATIENCE)
    learners[0].answer(0)
    total(page, "answered").to_have_text("1")


def test_the_stream_ends_with_the_role(
    classroom_pages: Browsing, learners: list[Learner], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watch, "PEOPLE_S", 0.5)
    page = watched(classroom_pages)
    with writing(classroom_pages.engine) as connection:
        prof = select(person.c.id).where(person.c.hub_name == "prof").scalar_subquery()
        connection.execute(update(membership).where(membership.c.person == prof).values(role="learner"))
    expect(page.locator("#live")).to_have_attribute("data-source", "ended")
    learners[0].open()
    page.wait_for_timeout(1_500)
    total(page, "opened").to_have_text("0")


@pytest.mark.parametrize("locale", ["en", "tr", "ar"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_is_for_everybody(
    classroom_pages: Browsing, learners: list[Learner], tmp_path: Path, locale: str, scheme: str
) -> None:
    learners[0].open(held=2)
    learners[0].answer(0)
    learners[1].open()
    learners[1].finish()
    for width in (1280, 320):
        page = classroom_pages.open(locale=locale, color_scheme=scheme, viewport={"width": width, "height": 900})
        page.goto(f"{classroom_pages.url}{PATH}/live")
        expect(page.locator("#live")).to_have_attribute("data-source", "following")
        page.screenshot(path=tmp_path / f"live-{locale}-{scheme}-{width}.png", full_page=True)
        assert audit(page) == []
