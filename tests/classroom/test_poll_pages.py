"""A poll's pages over HTTP: what may be pressed when, what the wall shows, and that two who press do it once."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import pytest
from sqlalchemy import Engine

from quiz_widgets import compiled
from quiz_widgets.classroom.desk import publishing, rosters
from quiz_widgets.classroom.desk.database.engine import reading, writing
from quiz_widgets.classroom.desk.drawing import Drawing
from quiz_widgets.classroom.desk.library import Library
from quiz_widgets.classroom.desk.polls import board, kinds, steps
from quiz_widgets.classroom.desk.submissions import keep
from tests.classroom import fake_hub, fresh
from tests.classroom.small_class import EXAM, START, Class
from tests.classroom.test_noninterference import changed
from tests.classroom.test_pages import COURSE, TO_PAGE, Pages, Visit, pages, word_of
from tests.classroom.test_polls import vote

__all__ = ["pages"]  # the fixture

CLASS = Class()
WHOLE = compiled.loads(EXAM.read_text(encoding="utf-8"))
ONE, OTHER = [item for item in WHOLE.items if item.kind == "single"][:2]
NUMBER = next(item for item in WHOLE.items if item.kind == "number")
POLL = f"{COURSE}/quizzes/week-3/poll"
LIBRARY = Library()


class Poll(Pages):
    """`Pages` whose quiz is a poll."""

    def __init__(self, engine: Engine, hub: fake_hub.FakeHub) -> None:
        super().__init__(engine, hub)
        with writing(engine) as connection:
            kinds.change(connection, CLASS.quiz(connection), "poll", "prof", START)

    def vote(self, who: str, which: int, round_: int, number: int, item: Any = ONE) -> None:
        with writing(self.engine) as connection:
            run = CLASS.opened(connection, who)
            keep(connection, [vote(run, item, which, round_, number, self.now)])

    def step(self, step: str, item: str | None = None) -> None:
        self.now += 1
        with writing(self.engine) as connection:
            found = CLASS.quiz(connection)
            sequence = steps.state(connection, found["id"])["sequence"]
            steps.take(connection, LIBRARY, found, step, item, sequence, "prof", lambda: self.now)


@pytest.fixture
def poll(tmp_path: Path) -> Iterator[Poll]:
    engine = fresh.sqlite(tmp_path / "desk.sqlite")
    with fake_hub.running() as hub:
        yield Poll(engine, hub)
    engine.dispose()


def buttons(page: httpx.Response) -> list[str]:
    """The big buttons: what may be pressed now."""
    return re.findall(r'<button class="step"[^>]*>([^<]+)<', page.text)


def test_each_phase_offers_its_steps(poll: Poll) -> None:
    async def work(go: Visit) -> list[list[str]]:
        word = word_of(await poll.log_in(go))
        seen = [buttons(await go(POLL))]
        for step, item in (("open", ONE.id), ("close", ""), ("open", ONE.id), ("close", ""), ("reveal", ONE.id)):
            sequence = re.search(r'data-sequence="(\d+)"', (await go(POLL)).text)
            assert sequence
            form = {"word": word, "step": step, "item": item, "sequence": sequence[1]}
            done = await go(POLL, "POST", data=form, headers={})
            assert done.status_code == 303
            poll.now += 1
            seen.append(buttons(await go(done.headers["location"])))
        return seen

    closed = ["Vote again", "Show the answer and the votes", "Open the next question"]
    assert poll.run(work) == [
        ["Open the first question"], ["Close the vote"], closed, ["Close the vote"], closed, ["Open the next question"],
    ]  # fmt: skip


def test_the_second_of_two_who_press_is_told_and_nothing_happens_twice(poll: Poll) -> None:
    async def work(go: Visit) -> list[httpx.Response]:
        word = word_of(await poll.log_in(go))
        form = {"word": word, "step": "open", "item": ONE.id, "sequence": "0"}
        first, second = [await go(POLL, "POST", data=form, headers={}) for _ in range(2)]
        wrong = await go(POLL, "POST", data={**form, "sequence": "1"}, headers={})
        bad = await go(POLL, "POST", data={**form, "sequence": "x"}, headers={})
        return [first, second, await go(second.headers["location"]), wrong, bad]

    first, second, told, wrong, bad = poll.run(work)
    assert (first.status_code, second.status_code) == (303, 303)
    assert "Somebody else was faster" in told.text
    assert (wrong.status_code, bad.status_code) == (409, 422)
    assert "allowed are: close" in wrong.text
    with reading(poll.engine) as connection:
        assert steps.state(connection, CLASS.quiz(connection)["id"])["sequence"] == 1


@pytest.mark.parametrize(
    ("right", "voters", "advice"),
    [
        (0, 0, None), (0, 1, "explain"), (34, 100, "explain"), (35, 100, "discuss"), (70, 100, "discuss"),
        (71, 100, "go_on"), (7, 20, "discuss"), (1, 1, "go_on"),
    ],
)  # fmt: skip
def test_advice_follows_the_share_of_right_votes(right: int, voters: int, advice: str | None) -> None:
    assert board.advised(right, voters) == advice


def test_the_instructor_sees_votes_and_advice_after_closing_and_the_wall_only_after_the_reveal(poll: Poll) -> None:
    right = next(index for index, option in enumerate(ONE.options) if option.correct)

    async def work(go: Visit) -> list[httpx.Response]:
        await poll.log_in(go)
        seen = []
        poll.step("open", ONE.id)
        poll.vote("ada", right, 1, 1)
        poll.vote("bob", (right + 1) % 3, 1, 1)
        for step, item in (("close", None), ("open", ONE.id), ("close", None), ("reveal", ONE.id)):
            seen += [await go(POLL), await go(f"{POLL}/screen")]
            poll.step(step, item)
        return [*seen, await go(POLL), await go(f"{POLL}/screen")]

    seen = poll.run(work)
    told = [('<table class="votes"' in page.text, "% were right" in page.text) for page in seen]
    wall = [False, False]
    assert [list(one) for one in told] == [
        wall, wall, [True, True], wall, wall, wall, [True, False], wall, [True, False], [True, False],
    ]  # fmt: skip
    assert "50 % were right" in seen[2].text
    assert "Let them discuss it" in seen[2].text
    assert "{fp16_sum}" not in seen[9].text
    assert "in FP16 and take it to" in seen[9].text
    assert not any(re.search(r"\b(ada|bob)\b", page.text, re.IGNORECASE) for page in seen)
    for screen in seen[1::2]:
        assert "prof" not in screen.text


def test_a_typed_answer_has_no_bars_but_its_right_ones_are_counted(poll: Poll) -> None:
    async def work(go: Visit) -> httpx.Response:
        await poll.log_in(go)
        poll.step("open", NUMBER.id)
        with writing(poll.engine) as connection:
            for who, wrong in (("ada", 0), ("bob", 1)):
                run = CLASS.opened(connection, who)
                variant = Drawing("5a" * 32, run["id"]).variant(NUMBER)
                value = NUMBER.value if variant is None else NUMBER.variants[variant].value
                assert value is not None
                made = vote(run, ONE, 0, 1, 1, poll.now)
                given = replace(
                    made, id=f"{run['id']}/{NUMBER.id}/1", item=NUMBER.id, response=(str(value + wrong * 999),)
                )
                assert [one.verdict for one in keep(connection, [given])] == ["recorded"]
        poll.step("close")
        return await go(POLL)

    page = poll.run(work)
    assert "1 of 2" in page.text
    assert "50 % were right" in page.text


def test_the_script_is_told_the_counter_in_the_reader_s_language(poll: Poll) -> None:
    async def work(go: Visit) -> list[Any]:
        word = word_of(await poll.log_in(go))
        poll.step("open", ONE.id)
        poll.vote("ada", 0, 1, 1)
        headers = {"X-Quiz-Desk-Word": word}
        said = [await go(f"{POLL}/state", headers={**headers, "Accept-Language": one}) for one in ("en", "tr")]
        return [one.json() for one in said]

    assert poll.run(work) == [
        {"sequence": 1, "counter": "1 of 1 voted"}, {"sequence": 1, "counter": "1 kişiden 1 kişi oy verdi"},
    ]  # fmt: skip


def test_an_exam_s_page_offers_to_make_it_a_poll(tmp_path: Path) -> None:
    engine = fresh.sqlite(tmp_path / "desk.sqlite")
    with fake_hub.running() as hub:
        made = Pages(engine, hub)

        async def work(go: Visit) -> list[httpx.Response]:
            word = word_of(await made.log_in(go))
            before = await go(POLL)
            done = await go(f"{POLL}/kind", "POST", data={"word": word}, headers={})
            return [before, await go(done.headers["location"]), await go(f"{COURSE}/quizzes/week-3/poll/screen")]

        before, after, wall = made.run(work)
    engine.dispose()
    assert "Make it a poll" in before.text
    assert "The quiz is a poll now." in after.text
    assert wall.status_code == 200


def test_a_bundle_is_published_as_a_poll_where_the_box_is_ticked(pages: Pages) -> None:
    async def work(go: Visit) -> httpx.Response:
        form = {"word": word_of(await pages.log_in(go)), "slug": "votes", "poll": "yes"}
        await go(f"{COURSE}/publish", "POST", data=form, files={"bundle": EXAM.read_bytes()}, headers={})
        return await go(COURSE)

    assert "quizzes/votes/poll" in pages.run(work).text
    with reading(pages.engine) as connection:
        assert rosters.quiz_of(connection, "cs101", "votes")["kind"] == "poll"


def test_the_wall_shows_the_same_bytes_whatever_the_key_is_until_the_reveal(tmp_path: Path) -> None:
    shown: list[list[str]] = []
    for name, quiz in (("one", WHOLE), ("two", changed(WHOLE))):
        engine = fresh.sqlite(tmp_path / f"{name}.sqlite")
        with fake_hub.running() as hub:
            made = Poll(engine, hub)
            with writing(engine) as connection:
                publishing.publish(connection, "cs101", "week-3", compiled.dump(quiz), "prof", START)

            async def work(go: Visit, made: Poll = made) -> list[str]:
                await made.log_in(go)
                seen = []
                for step in ("open", "close", "open", "close"):
                    made.step(step, ONE.id if step == "open" else None)
                    made.vote("ada", 0, 1, made.now - START)
                    page = (await go(f"{POLL}/screen", headers=TO_PAGE)).text
                    seen.append(re.sub(r'data-word="[^"]+"', "", page))
                return seen

            shown.append(made.run(work))
        engine.dispose()

    one, two = shown
    assert [sorted(page.splitlines()) for page in one] == [sorted(page.splitlines()) for page in two]
    assert not any("CANARY" in page for page in two)
