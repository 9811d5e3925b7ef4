"""What learners get of a poll over HTTP: what is open, what became of a vote, and no key before its time."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from typing import Any

import httpx
import pytest
from sqlalchemy import Engine, select, update

from quiz_widgets import compiled
from quiz_widgets.classroom.desk.database.engine import reading, writing
from quiz_widgets.classroom.desk.database.tables import membership, person, score
from quiz_widgets.classroom.desk.drawing import Drawing
from quiz_widgets.classroom.desk.library import Library
from quiz_widgets.classroom.desk.polls import kinds, steps, watching
from tests.classroom import loops
from tests.classroom.room import QUIZ, Ask, Room
from tests.classroom.small_class import EXAM, START, Class

WHOLE = compiled.loads(EXAM.read_text(encoding="utf-8"))
ONE, OTHER, NEVER = [item for item in WHOLE.items if item.kind == "single"][:3]
CLASS = Class()


class PollRoom(Room):
    """A class whose quiz is a poll; `step` is what its instructor does."""

    def __init__(self, engine: Engine, **settings: Any) -> None:
        super().__init__(engine, **settings)
        with writing(engine) as connection:
            kinds.change(connection, CLASS.quiz(connection), "poll", "prof", START)

    def step(self, step: str, item: str | None = None) -> None:
        with writing(self.engine) as connection:
            found = CLASS.quiz(connection)
            sequence = steps.state(connection, found["id"])["sequence"]
            steps.take(connection, Library(), found, step, item, sequence, "prof", lambda: self.now)


@pytest.fixture
def room(engine: Engine) -> PollRoom:
    return PollRoom(engine)


async def opened(ask: Ask, who: str = "ada") -> dict[str, Any]:
    reply = await ask(who, "POST", f"{QUIZ}/attempts", json={})
    assert reply.status_code == 200, reply.text
    made: dict[str, Any] = reply.json()
    return made


async def again(ask: Ask, run: str, who: str = "ada") -> dict[str, Any]:
    made: dict[str, Any] = (await ask(who, "GET", f"{QUIZ}/attempts/{run}")).json()
    return made


async def vote(ask: Ask, run: str, option: str, number: int, round_: int, who: str = "ada", item: str = ONE.id) -> Any:
    drawn = Drawing("5a" * 32, run).options(WHOLE.item(item))
    given = {"id": f"{run}/{item}/{number}", "item": item, "response": [drawn[option]], "round": round_}
    reply = await ask(who, "POST", f"{QUIZ}/attempts/{run}/submissions", json={"submissions": [given]})
    return reply.json()["submissions"][0]["verdict"]


def played(room: PollRoom, work: Callable[[Ask], Awaitable[Any]]) -> Any:
    return room.run(work)


def test_a_poll_begins_with_nothing_to_vote_on_and_no_end(room: PollRoom) -> None:
    made = played(room, opened)
    assert made["state"]["poll"] == {"sequence": 0, "phase": "waiting", "item": None, "round": 0}
    assert (made["state"]["phase"], made["state"]["due"], made["state"]["closes"]) == ("open", None, None)
    assert (made["quiz"]["items"], made["rounds"]) == ([], {})


def test_an_exam_says_nothing_of_polls(engine: Engine) -> None:
    async def work(ask: Ask) -> tuple[Any, int]:
        return await opened(ask), (await ask("ada", "GET", f"{QUIZ}/poll?after=0")).status_code

    made, status = Room(engine).run(work)
    assert "rounds" not in made
    assert "poll" not in made["state"]
    assert status == 404


def test_a_whole_poll(room: PollRoom) -> None:
    right, wrong = ONE.key[0], next(option.id for option in ONE.options if not option.correct)

    async def work(ask: Ask) -> None:
        runs = {who: (await opened(ask, who))["attempt"]["id"] for who in ("ada", "bob")}
        ada, bob = runs["ada"], runs["bob"]
        assert await vote(ask, ada, right, 1, 1) == "unfit"

        room.step("open", ONE.id)
        assert [item["id"] for item in (await again(ask, ada))["quiz"]["items"]] == [ONE.id]
        assert await vote(ask, ada, wrong, 1, 1) == "recorded"
        assert await vote(ask, ada, right, 2, 1) == "recorded"
        assert await vote(ask, bob, wrong, 1, 1, "bob") == "recorded"
        assert await vote(ask, bob, wrong, 2, 2, "bob") == "late"
        assert await vote(ask, bob, wrong, 3, 0, "bob") == "late"
        assert await vote(ask, bob, NEVER.key[0], 1, 1, "bob", NEVER.id) == "unfit"

        room.now += 1
        room.step("close")
        assert await vote(ask, bob, right, 4, 1, "bob") == "late"
        assert await vote(ask, bob, wrong, 1, 1, "bob") == "recorded"  # a repeat
        assert await vote(ask, bob, wrong, 1, 2, "bob") == "reused"  # no repeat: another round
        assert (await again(ask, ada))["rounds"] == {}

        room.step("open", ONE.id)
        assert await vote(ask, bob, right, 5, 2, "bob") == "recorded"
        assert await vote(ask, ada, wrong, 3, 1) == "late"
        room.now += 1
        room.step("close")
        room.step("reveal", ONE.id)
        seen = await again(ask, ada)
        shown = Drawing("5a" * 32, ada).options(ONE)
        none = dict.fromkeys(shown.values(), 0)
        assert seen["rounds"] == {
            ONE.id: [
                {"number": 1, "voters": 2, "counts": {**none, shown[right]: 1, shown[wrong]: 1}},
                {"number": 2, "voters": 1, "counts": {**none, shown[right]: 1}},
            ]
        }
        rounds = [(one["receipt"]["submission"][-1], one["round"]) for one in seen["saved"]]
        assert rounds == [("1", 1), ("2", 1), ("3", 1)]
        [item] = seen["quiz"]["items"]
        assert [option["id"] for option in item["options"] if option.get("correct")] == [shown[right]]
        compiled.loads(json.dumps({**seen["quiz"], "format": compiled.FORMAT}))

        room.step("open", OTHER.id)
        assert [item["id"] for item in (await again(ask, ada))["quiz"]["items"]] == [ONE.id, OTHER.id]
        room.step("close")
        refused = await ask("ada", "POST", f"{QUIZ}/attempts/{ada}/finish", json={})
        assert (refused.status_code, refused.json()["error"]) == (409, "poll")
        room.step("end")
        assert room.desk
        await room.desk.catch_up()
        after = await again(ask, ada)
        assert (after["state"]["phase"], after["attempt"]["finished"]) == ("closed", room.now)
        assert (await ask("ada", "POST", f"{QUIZ}/attempts", json={})).json()["error"] == "closed"
        assert (await ask("ada", "GET", f"{QUIZ}/attempts/{ada}/reveal")).json()["error"] == "not_revealed"

    played(room, work)
    with reading(room.engine) as connection:
        won = connection.execute(
            select(person.c.hub_name, score.c.score, score.c.max_score).join(score, score.c.person == person.c.id)
        )
        # Ada's last vote was right, and stayed so; Bob's second one was; nobody voted on the other; one was never asked
        assert {name: (float(got), float(most)) for name, got, most in won} == {"ada": (1, 2), "bob": (1, 2)}


def test_those_who_teach_are_not_counted(room: PollRoom) -> None:
    with writing(room.engine) as connection:
        bob = CLASS.who(connection, "bob")["person"]
        connection.execute(update(membership).where(membership.c.person == bob).values(role="assistant"))

    async def work(ask: Ask) -> Any:
        ada, bob = [(await opened(ask, who))["attempt"]["id"] for who in ("ada", "bob")]
        room.step("open", ONE.id)
        await vote(ask, ada, ONE.key[0], 1, 1)
        assert await vote(ask, bob, ONE.key[0], 1, 1, "bob") == "recorded"
        room.step("close")
        room.step("reveal", ONE.id)
        return (await again(ask, ada))["rounds"][ONE.id][0]["voters"]

    assert played(room, work) == 1


def test_whoever_waits_is_told_at_once_and_whoever_is_behind_too(
    room: PollRoom, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watching, "EVERY_S", 3600)  # so nobody else looks

    async def work(ask: Ask) -> list[Any]:
        assert room.desk
        polls = room.desk.polls
        behind = (await ask("ada", "GET", f"{QUIZ}/poll?after=7")).json()
        plain = (await ask("ada", "GET", f"{QUIZ}/poll")).json()
        waiting = asyncio.ensure_future(ask("ada", "GET", f"{QUIZ}/poll?after=0"))
        await loops.until("it waits, and the first look is over", lambda: polls.waiting and polls.looks)
        assert not waiting.done()
        await asyncio.to_thread(room.step, "open", ONE.id)
        polls.look()
        told = await waiting
        return [behind, plain, told.json()]

    behind, plain, told = played(room, work)
    start = {"sequence": 0, "phase": "waiting", "item": None, "round": 0}
    assert behind == plain == {"poll": start, "now": START}
    assert told["poll"] == {"sequence": 1, "phase": "open", "item": ONE.id, "round": 1}


def test_a_change_by_another_worker_is_seen_within_a_second(room: PollRoom) -> None:
    async def work(ask: Ask) -> Any:
        assert room.desk
        polls = room.desk.polls
        waiting = asyncio.ensure_future(ask("ada", "GET", f"{QUIZ}/poll?after=0"))
        await loops.until("the first look is over", lambda: polls.looks)
        await asyncio.to_thread(room.step, "open", ONE.id)
        looks = polls.looks
        return (await waiting).json()["poll"]["sequence"], polls.looks - looks

    sequence, looks = played(room, work)
    assert sequence == 1
    assert looks * watching.EVERY_S <= 1  # by the desk's own count: a busy machine takes longer


def test_nobody_waits_for_ever(room: PollRoom, monkeypatch: pytest.MonkeyPatch) -> None:
    async def work(ask: Ask) -> Any:
        assert room.desk
        monkeypatch.setattr(watching, "LONGEST_S", 0.2)
        reply = await ask("ada", "GET", f"{QUIZ}/poll?after=0")
        return reply.json()["poll"]["sequence"], room.desk.polls.waiting

    assert played(room, work) == (0, 0)


def test_a_learner_who_asks_without_end_waits_in_so_many_places_and_no_more(room: PollRoom) -> None:
    async def work(ask: Ask) -> list[Any]:
        assert room.desk
        waiting = [asyncio.ensure_future(ask("ada", "GET", f"{QUIZ}/poll?after=0")) for _ in range(watching.EACH + 3)]
        bob = asyncio.ensure_future(ask("bob", "GET", f"{QUIZ}/poll?after=0"))
        await loops.until("those who get no place are told", lambda: sum(one.done() for one in waiting) == 3)
        await loops.until("all others wait", lambda: room.desk and room.desk.polls.waiting > watching.EACH)
        held = room.desk.polls.waiting
        await asyncio.to_thread(room.step, "open", ONE.id)
        room.desk.polls.look()
        statuses = sorted([reply.status_code for reply in await asyncio.gather(*waiting)])
        again = await ask("ada", "GET", f"{QUIZ}/poll?after=0")
        return [held, statuses, (await bob).status_code, again.status_code]

    wanted = [200] * watching.EACH + [503] * 3
    assert played(room, work) == [watching.EACH + 1, wanted, 200, 200]


@pytest.mark.parametrize(
    ("who", "query", "status"),
    [
        ("eve", "?after=0", 404),
        ("", "", 401),
        ("ada", "?after=-1", 422),
        ("ada", "?after=x", 422),
        ("ada", "?after=٣", 422),
    ],
)
def test_waiting_is_for_members_and_takes_a_number(room: PollRoom, who: str, query: str, status: int) -> None:
    async def work(ask: Ask) -> httpx.Response:
        return await ask(who, "GET", f"{QUIZ}/poll{query}")

    assert played(room, work).status_code == status


def test_a_thousand_who_wait_are_one_look_at_the_database(room: PollRoom, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watching, "EVERY_S", 3600)  # so what is looked at is looked at because somebody waits

    async def work(_ask: Ask) -> tuple[int, set[int]]:
        assert room.desk
        watcher = room.desk.polls
        with reading(room.engine) as connection:
            quiz_id = CLASS.quiz(connection)["id"]
            known = steps.state(connection, quiz_id)
        waiting = [asyncio.create_task(watcher.wait(quiz_id, known)) for _ in range(1000)]
        await loops.until("all wait, and a look is over", lambda: watcher.waiting == len(waiting) and watcher.looks)
        await asyncio.to_thread(room.step, "open", ONE.id)
        watcher.look()
        told = {state["sequence"] for state, _ in await asyncio.gather(*waiting)}
        return watcher.looks, told

    looks, told = played(room, work)
    assert told == {1}
    assert looks == 2


@pytest.mark.parametrize(("hall", "spread"), [(1, 2), (30, 60), (700, 1400), (1000, 1500)])
def test_the_more_are_told_the_more_they_spread_their_reading(
    room: PollRoom, hall: int, spread: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watching, "EACH", 1000)  # one learner stands for a hall
    monkeypatch.setattr(watching, "LONGEST_S", 3600)  # a busy machine takes long until the last of them waits

    async def work(ask: Ask) -> tuple[Any, Any, Any]:
        assert room.desk
        waiting = [asyncio.ensure_future(ask("ada", "GET", f"{QUIZ}/poll?after=0")) for _ in range(hall)]
        await loops.until("all wait", lambda: room.desk and room.desk.polls.waiting == hall, 120)
        await asyncio.to_thread(room.step, "open", ONE.id)
        room.desk.polls.look()
        told = {json.dumps((await one).json()) for one in waiting}
        assert len(told) == 1
        return json.loads(told.pop()), (await ask("ada", "GET", f"{QUIZ}/poll?after=0")).json(), START

    told, behind, now = played(room, work)
    assert told == {**behind, "spread": spread, "now": now}
    assert "spread" not in behind
