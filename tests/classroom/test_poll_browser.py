"""A poll's pages in Chromium: pressing through a question, a wall that follows by itself, axe, three languages."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from quiz_widgets import compiled
from quiz_widgets.classroom.desk.database.engine import writing
from quiz_widgets.classroom.desk.library import Library
from quiz_widgets.classroom.desk.polls import kinds, steps
from quiz_widgets.classroom.desk.submissions import keep
from tests.classroom.browsing import Browsing, audit, classroom_pages
from tests.classroom.small_class import EXAM, START, Class
from tests.classroom.test_polls import vote

__all__ = ["classroom_pages"]  # the fixture

CLASS = Class()
WHOLE = compiled.loads(EXAM.read_text(encoding="utf-8"))
ONE = next(item for item in WHOLE.items if item.kind == "single")
POLL = "courses/cs101/quizzes/week-3/poll"
PICTURES = os.environ.get("QUIZ_WIDGETS_PICTURES")  # a folder: pictures of the wall go there


class Voting:
    """The class of `Browsing` with a poll; learners vote through the desk's own rules."""

    def __init__(self, made: Browsing) -> None:
        self.made = made
        self.number = 0
        with writing(made.engine) as connection:
            kinds.change(connection, CLASS.quiz(connection), "poll", "prof", START)
            self.runs = {who: CLASS.opened(connection, who) for who in CLASS.learners}

    def vote(self, who: str, which: int, round_: int) -> None:
        self.number += 1
        with writing(self.made.engine) as connection:
            [kept] = keep(connection, [vote(self.runs[who], ONE, which, round_, self.number, self.made.made.now)])
        assert kept.verdict == "recorded"

    def step(self, step: str, item: str | None = None) -> None:
        """A step that somebody else takes, at another worker."""
        self.made.made.now += 1000
        with writing(self.made.engine) as connection:
            found = CLASS.quiz(connection)
            sequence = steps.state(connection, found["id"])["sequence"]
            steps.take(connection, Library(), found, step, item, sequence, "second", lambda: self.made.made.now)


@pytest.fixture
def voting(classroom_pages: Browsing) -> Voting:
    return Voting(classroom_pages)


def picture(page: Page, name: str) -> None:
    if PICTURES:
        page.screenshot(path=Path(PICTURES) / f"{name}.png", full_page=True)


def test_a_question_from_its_opening_to_its_reveal(voting: Voting, classroom_pages: Browsing) -> None:
    made = classroom_pages
    page = made.open()
    page.goto(f"{made.url}{POLL}")
    wall = made.open(viewport={"width": 1280, "height": 720})
    wall.goto(f"{made.url}{POLL}/screen")
    expect(wall.get_by_role("status")).to_have_text("No question is open yet.")

    page.get_by_role("button", name="Open the first question").click()
    expect(page.get_by_role("status")).to_have_text("Vote 1 is open.")
    expect(wall.get_by_role("status")).to_have_text("Vote 1 is open.")
    expect(wall.get_by_role("listitem")).to_have_count(len(ONE.options))
    voting.vote("ada", 0, 1)
    for shown in (page, wall):
        expect(shown.get_by_text("1 of 2 voted")).to_be_visible()
        assert shown.get_by_role("table", name="Votes").count() == 0
    voting.vote("bob", 1, 1)
    expect(page.get_by_text("2 of 2 voted")).to_be_visible()

    made.made.now += 1000
    page.get_by_role("button", name="Close the vote").click()
    expect(page.get_by_role("table", name="Votes")).to_be_visible()
    expect(page.get_by_role("heading", name=re.compile("% were right"))).to_be_visible()
    expect(wall.get_by_role("status")).to_have_text("Vote 1 is closed.")
    assert wall.get_by_role("table").count() == 0
    page.get_by_role("button", name="Vote again").click()
    expect(wall.get_by_role("status")).to_have_text("Vote 2 is open.")
    voting.vote("ada", 0, 2)
    voting.vote("bob", 0, 2)
    made.made.now += 1000
    page.get_by_role("button", name="Close the vote").click()
    page.get_by_role("button", name="Show the answer and the votes").click()
    expect(wall.get_by_role("table", name="Votes")).to_be_visible()
    expect(wall.get_by_role("columnheader", name=re.compile("Vote [12]"))).to_have_count(2)
    expect(wall.get_by_text("✓ right")).to_have_count(1)
    page.get_by_role("button", name="Open the next question").click()
    expect(wall.get_by_role("table")).to_have_count(0)


def test_the_page_follows_another_instructor_and_keeps_the_focus(voting: Voting, classroom_pages: Browsing) -> None:
    page = classroom_pages.open()
    page.goto(f"{classroom_pages.url}{POLL}")
    button = page.get_by_role("button", name="Open question 3")
    button.focus()
    voting.step("open", ONE.id)
    voting.step("close")
    expect(page.get_by_role("status")).to_have_text("Vote 1 is closed.")
    expect(button).to_be_focused()


def test_the_pages_work_without_a_script(voting: Voting, classroom_pages: Browsing) -> None:
    page = classroom_pages.open(java_script_enabled=False)
    page.goto(f"{classroom_pages.url}{POLL}")
    page.get_by_role("button", name="Open the first question").click()
    voting.vote("ada", 0, 1)
    page.reload()
    expect(page.get_by_text("1 of 2 voted")).to_be_visible()


def test_a_page_that_cannot_follow_says_so(voting: Voting, classroom_pages: Browsing) -> None:
    page = classroom_pages.open()
    page.goto(f"{classroom_pages.url}{POLL}")
    page.route("**/poll/state", lambda route: route.abort())
    expect(page.get_by_text("Not connected at this moment")).to_be_visible()
    page.unroute("**/poll/state")
    expect(page.get_by_text("Not connected at this moment")).to_be_hidden()


@pytest.mark.parametrize("locale", ["en", "tr", "ar"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_phase_is_accessible(voting: Voting, classroom_pages: Browsing, locale: str, scheme: str) -> None:
    made = classroom_pages
    about = {"locale": locale, "color_scheme": scheme}
    page = made.open(**about, viewport={"width": 320, "height": 800})
    wall = made.open(**about, viewport={"width": 1280, "height": 720})
    phases = [(None, None), ("open", ONE.id), ("close", None), ("open", ONE.id), ("close", None), ("reveal", ONE.id)]
    for number, (step, item) in enumerate([*phases, ("end", None)]):
        if step is not None:
            voting.step(step, item)
        for shown, path, name in ((page, POLL, "control"), (wall, f"{POLL}/screen", "wall")):
            shown.goto(f"{made.url}{path}")
            assert audit(shown) == []
            picture(shown, f"{name}-{locale}-{scheme}-{number}")
        if step == "open":
            for who, which in (("ada", 0), ("bob", number % 2)):
                voting.vote(who, which, 1 if number == 1 else 2)
