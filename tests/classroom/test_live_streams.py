"""How many streams of the live page one person and all together may hold, and how a refusal is told."""

from __future__ import annotations

import asyncio
from typing import Any

import httpx
import pytest

from quiz_widgets.classroom.desk.database.engine import reading
from quiz_widgets.classroom.desk.live import watch
from quiz_widgets.classroom.desk.pages import live, visits
from quiz_widgets.classroom.desk.refusals import Unavailable
from tests.classroom import loops
from tests.classroom.test_pages import CLASS, COURSE, Pages, Visit, pages, word_of

__all__ = ["pages"]  # the fixture


def test_a_person_who_holds_many_streams_is_refused_and_others_are_not(
    pages: Pages, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live, "LONGEST_S", 0.0)

    async def work(go: Visit) -> list[Any]:
        word = word_of(await pages.log_in(go))
        with reading(pages.engine) as connection:
            quiz = CLASS.quiz(connection)

        async def ask() -> httpx.Response:
            return await go(f"{COURSE}/quizzes/week-3/live/stream", headers={visits.WORD: word})

        done = asyncio.Event()
        open_: list[str] = []

        async def hold(of: watch.Watch, name: str) -> str:
            try:
                async with of.stream(quiz, name):
                    open_.append(name)
                    await done.wait()
            except Unavailable:
                return "refused"
            return "held"

        held = [
            asyncio.create_task(hold(desk.watch, name))
            for desk in pages.desks
            for name in ["prof"] * (watch.STREAMS_EACH + 1) + ["second"]
        ]
        await loops.until(
            "each has a stream or a refusal", lambda: len(open_) + sum(one.done() for one in held) == len(held)
        )
        refused = await ask()
        done.set()
        ends = await asyncio.gather(*held)
        return [refused, await ask(), ends]

    refused, taken, ends = pages.run(work)
    assert (refused.status_code, refused.headers["retry-after"]) == (503, "10")
    assert taken.status_code == 200
    assert (ends.count("refused"), ends.count("held")) == (2, 2 * (watch.STREAMS_EACH + 1))
