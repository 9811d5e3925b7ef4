"""A class of thirty on a real Hub: learners who speak with the desk as a notebook's kernel does, each with a token.

Their servers are not started: what a kernel sends is what counts here, and thirty of them would need a machine each.
"""

from __future__ import annotations

import csv
import io
import json
import urllib.parse
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from playwright.sync_api import Page, expect

from quiz_widgets import compiled, model
from tests.classroom.hub.driving import asked
from tests.hosts.hosting import wait_until
from tools.classroom.room import Room

NAMES = ("ada", "bob", *(f"w{number:02}" for number in range(1, 29)))
SCOPES = ["access:services!service=quiz", "custom:quiz:submit", "read:users:name!user", "read:users:groups!user"]
_Made = TypeVar("_Made")


class Learner:
    """One of the class; `heard` is everything that the desk has told them."""

    def __init__(self, room: Room, name: str) -> None:
        self.name = name
        self.heard: list[str] = []
        self._api = f"{room.url}/services/quiz/api/v1/courses/demo/quizzes"
        status, made = asked(
            f"{room.hub_api}/users/{urllib.parse.quote(name)}/tokens",
            room.registrar,
            "POST",
            {"note": "a test's", "expires_in": 3600, "scopes": SCOPES},
        )
        assert status == 201, made
        self._token = json.loads(made)["token"]

    def ask(self, path: str, method: str = "GET", sent: Any = None) -> Any:
        """The desk's answer about a quiz, which must be a good one."""
        status, text = asked(f"{self._api}/{path}", self._token, method, sent)
        self.heard.append(text)
        assert status < 300, text
        return json.loads(text)

    def open(self, quiz: str) -> Taken:
        """Open an attempt, or read it again."""
        return Taken(self, quiz, self.ask(f"{quiz}/attempts", "POST", {}))


class Taken:
    """An attempt of a learner, as the desk showed it last."""

    def __init__(self, who: Learner, quiz: str, reply: Any) -> None:
        self.who, self.slug, self.reply = who, quiz, reply
        self.id: str = reply["attempt"]["id"]
        self._sent = 0

    @property
    def quiz(self) -> model.Quiz:
        """The questions that are shown now."""
        return compiled.loads(json.dumps(self.reply["quiz"]), "the desk's quiz")

    def again(self) -> None:
        """Ask the desk for it once more."""
        self.reply = self.who.ask(f"{self.slug}/attempts/{self.id}")

    def option(self, item: str, text: str) -> str:
        """The id under which this attempt shows the option with that text."""
        found = self.quiz.item(item)
        assert found is not None
        return next(option.id for option in found.options if text in option.text.rendered("en").source)

    def answer(self, item: str, response: str, round_: int = 0) -> str:
        """Send an answer; the desk's verdict. For an item with options the response is an option's text."""
        found = self.quiz.item(item)
        assert found is not None
        self._sent += 1
        chosen = self.option(item, response) if found.options else response
        sent = {"id": f"{self.id}/{item}/{self._sent}", "item": item, "response": [chosen], "round": round_}
        reply = self.who.ask(f"{self.slug}/attempts/{self.id}/submissions", "POST", {"submissions": [sent]})
        verdict: str = reply["submissions"][0]["verdict"]
        return verdict

    def hand_in(self) -> None:
        """The learner is done."""
        self.who.ask(f"{self.slug}/attempts/{self.id}/finish", "POST", {})


def together(work: Callable[[Any], _Made], whom: Iterable[Any]) -> list[_Made]:
    """What everybody does at about the same time."""
    with ThreadPoolExecutor(8) as pool:
        return list(pool.map(work, whom))


def counts(page: Page) -> dict[str, int]:
    """What the live page says of the class."""
    return {str(one.get_attribute("data-total")): int(one.inner_text()) for one in page.locator("[data-total]").all()}


def expect_counts(page: Page, **expected: int) -> None:
    """The live page gets there by itself."""
    wait_until(
        f"the live page to say {expected}, not {counts(page)}",
        lambda: expected.items() <= counts(page).items(),
        30,
    )


def downloaded(page: Page, course: str, form: str, quiz: str) -> list[list[str]]:
    """A gradebook of one quiz, as an instructor downloads it."""
    page.goto(f"{course}/grades")
    page.get_by_label("Format").select_option(form)
    for box in page.get_by_role("checkbox").all():
        if box.get_attribute("name") == "quiz":
            box.set_checked(box.get_attribute("value") == quiz)
    with page.expect_download() as waited:
        page.get_by_role("button", name="Download", exact=True).click()
    text = waited.value.path().read_text(encoding="utf-8-sig")
    return list(csv.reader(io.StringIO(text, newline="")))


def points(page: Page, course: str, quiz: str) -> dict[str, str]:
    """Each learner's points of a quiz in the wide gradebook, by Hub name."""
    header, *lines = downloaded(page, course, "wide", quiz)
    name, column = header.index("name"), header.index("section") + 1
    return {line[name]: line[column] for line in lines}


def press(page: Page, button: str, said: str) -> None:
    """Press a button, after which the page says that it was done."""
    page.get_by_role("button", name=button, exact=True).click()
    expect(page.get_by_role("status").filter(has_text=said)).to_be_visible()
