"""An instructor at the desk's pages without a browser: opens pages and sends their forms."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from html import unescape
from typing import Any

import httpx

from tests.classroom.test_pages import PREFIX, TO_PAGE, Pages, Visit, word_of

COURSE = f"{PREFIX}courses/cs101"
QUIZ = f"{COURSE}/quizzes/week-3"


class Desk:
    """What somebody who is logged in can do."""

    def __init__(self, pages: Pages, go: Visit, word: str) -> None:
        self.pages, self._go, self._word = pages, go, word

    async def open(self, path: str, language: str = "en") -> httpx.Response:
        return await self._go(path, headers={**TO_PAGE, "Accept-Language": language})

    async def send(self, path: str, language: str = "en", **form: str | list[str]) -> httpx.Response:
        """Send a form, with the fields that are given."""
        headers = {"Accept-Language": language}
        return await self._go(path, "POST", data={"word": self._word, **form}, headers=headers)

    async def done(self, path: str, **form: str | list[str]) -> httpx.Response:
        """Send a form, and open the page to which it leads."""
        reply = await self.send(path, "en", **form)
        assert reply.status_code == 303, reply.text
        return await self.open(reply.headers["location"])

    async def score(self) -> None:
        """Let the desk finish and score what waits for it."""
        await self.pages.desks[0].catch_up()


def at_desk(pages: Pages, work: Callable[[Desk], Awaitable[Any]], name: str = "prof") -> Any:
    """What `work` finds when that person is logged in."""

    async def inside(go: Visit) -> Any:
        first = await pages.log_in(go, name)
        return await work(Desk(pages, go, word_of(first)))

    return pages.run(inside)


def text(reply: httpx.Response) -> str:
    """What a page says, without its tags, each space once."""
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", reply.text)).split())


def fields(reply: httpx.Response) -> dict[str, str]:
    """The values that inputs of a page are filled with, the first of each id."""
    found: dict[str, str] = {}
    for tag in re.findall(r"<input [^>]+>", reply.text):
        values = dict(re.findall(r'([a-z_]+)="([^"]*)"', tag))
        if "id" in values:
            found[values["id"]] = unescape(values.get("value", ""))
    return found
