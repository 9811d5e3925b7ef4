"""What a learner with a kernel, a browser and a token of their own may try, and what comes of it."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
from pathlib import Path
from typing import Any

import httpx
import pytest
from sqlalchemy import Engine, func, select, update

from quiz_widgets import compiled
from quiz_widgets.classroom.desk import schedules
from quiz_widgets.classroom.desk.database.engine import reading, writing
from quiz_widgets.classroom.desk.database.tables import attempt, quiz, submission
from quiz_widgets.classroom.desk.identity.hub import Hub
from quiz_widgets.classroom.desk.identity.tickets import LIFETIME, Tickets
from quiz_widgets.classroom.desk.receipts import Seals
from quiz_widgets.classroom.desk.refusals import Unavailable
from quiz_widgets.classroom.desk.routes import learning, teaching
from tests.classroom import loops
from tests.classroom.room import QUIZ, Ask, Room
from tests.classroom.small_class import EXAM, HOUR, START, Class, a_single

WHOLE = compiled.loads(EXAM.read_text(encoding="utf-8"))
ITEM = a_single(WHOLE)
BODIES: dict[str, str] = json.loads((Path(__file__).parent / "bodies.json").read_text(encoding="utf-8"))


@pytest.fixture
def room(engine: Engine) -> Room:
    return Room(engine)


async def opened(ask: Ask, who: str = "ada") -> tuple[str, dict[str, Any]]:
    """An open attempt's path, and a submission that fits it."""
    told = (await ask(who, "POST", f"{QUIZ}/attempts")).json()
    run = told["attempt"]["id"]
    item = next(item for item in told["quiz"]["items"] if item["id"] == ITEM.id)
    return f"{QUIZ}/attempts/{run}", {
        "id": f"{run}/{ITEM.id}/1",
        "item": ITEM.id,
        "response": [item["options"][0]["id"]],
        "options": [option["id"] for option in item["options"]],
    }


def fit(sent: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"submissions": [{name: value for name, value in {**sent, **more}.items() if name != "options"}]}


def rows(room: Room) -> int:
    with reading(room.engine) as connection:
        return int(connection.execute(select(func.count()).select_from(submission)).scalar_one())


@pytest.mark.parametrize(
    "extra", [{"score": 1}, {"learner": "bob"}, {"person": "x"}, {"received": 1}, {"status": "recorded"}]
)
def test_a_score_or_another_s_name_cannot_be_sent(room: Room, extra: dict[str, Any]) -> None:
    async def work(ask: Ask) -> httpx.Response:
        path, sent = await opened(ask)
        return await ask("ada", "POST", f"{path}/submissions", json=fit(sent, **extra))

    refused = room.run(work)
    assert (refused.status_code, refused.json()["error"]) == (422, "bad_request")
    assert rows(room) == 0


def test_headers_that_name_somebody_else_mean_nothing(room: Room) -> None:
    async def work(ask: Ask) -> str:
        headers = {"X-User": "bob", "X-Forwarded-User": "bob", "Cookie": "jupyterhub-user=bob"}
        return str((await ask("ada", "GET", QUIZ, headers=headers)).json()["who"])

    assert room.run(work) == "ada"


def test_forty_copies_at_once_are_one_row(room: Room) -> None:
    async def work(ask: Ask) -> set[str]:
        path, sent = await opened(ask)
        replies = await asyncio.gather(*(ask("ada", "POST", f"{path}/submissions", json=fit(sent)) for _ in range(40)))
        return {reply.text for reply in replies}

    assert len(room.run(work)) == 1
    assert rows(room) == 1


def test_forty_openings_at_once_are_one_attempt(room: Room) -> None:
    async def work(ask: Ask) -> set[str]:
        replies = await asyncio.gather(*(ask("ada", "POST", f"{QUIZ}/attempts") for _ in range(40)))
        return {reply.json()["attempt"]["id"] for reply in replies}

    assert len(room.run(work)) == 1
    with reading(room.engine) as connection:
        assert connection.execute(select(func.count()).select_from(attempt)).scalar_one() == 1


def test_right_and_wrong_answers_get_the_same_reply(room: Room) -> None:
    async def work(ask: Ask) -> set[str]:
        path, sent = await opened(ask)
        replies = set()
        for number, option in enumerate(sent["options"], 1):
            name = sent["id"][:-1] + str(number)
            told = await ask("ada", "POST", f"{path}/submissions", json=fit(sent, id=name, response=[option]))
            [reply] = told.json()["submissions"]
            seal = reply["receipt"].pop("seal")
            assert len(seal) == 64
            replies.add(json.dumps(reply).replace(name, "ID"))
        return replies

    assert len(room.run(work)) == 1


def test_after_an_instructor_showed_the_keys_nothing_counts_any_more(room: Room) -> None:
    async def work(ask: Ask) -> tuple[str, int, str]:
        path, sent = await opened(ask)
        with writing(room.engine) as connection:
            schedules.change(connection, Class().quiz(connection), {"revealed": START + 5}, "prof", START + 5)
        room.now = START + 6
        shown = await ask("ada", "GET", f"{path}/reveal")
        late = (await ask("ada", "POST", f"{path}/submissions", json=fit(sent))).json()["submissions"][0]
        other = await ask("bob", "POST", f"{QUIZ}/attempts")
        return late["verdict"], shown.status_code, other.json()["error"]

    assert room.run(work) == ("late", 200, "revealed")


def test_one_learner_with_more_time_keeps_the_keys_shut_for_all(room: Room) -> None:
    async def work(ask: Ask) -> list[int]:
        path, _ = await opened(ask)
        with writing(room.engine) as connection:
            whom = {"person": Class().who(connection, "bob")["person"]}
            later = {"due": START + 3 * HOUR}
            schedules.except_(connection, Class().quiz(connection), whom, later, "prof", START)
        statuses = []
        for now in (START + 2 * HOUR, START + 3 * HOUR + 60_001):
            room.now = now
            statuses.append((await ask("ada", "GET", f"{path}/reveal")).status_code)
        return statuses

    assert room.run(work) == [409, 200]


@pytest.mark.parametrize("case", BODIES)
def test_no_body_makes_the_desk_fail(room: Room, case: str) -> None:
    async def work(ask: Ask) -> httpx.Response:
        path, sent = await opened(ask)
        text = BODIES[case].replace("ID", sent["id"]).replace("ITEM", ITEM.id).replace("OPTION", sent["response"][0])
        data = text.encode("utf-8", "surrogatepass") if "BYTES" not in text else b"\xff\xfe\x00{"
        return await ask("ada", "POST", f"{path}/submissions", content=data)

    told = room.run(work)
    verdicts = [one["verdict"] for one in told.json().get("submissions", [])]
    assert told.status_code == 422 or verdicts in (["unfit"], ["unknown"])
    assert rows(room) == 0


def test_a_body_that_is_too_large_is_refused_before_it_is_read(room: Room) -> None:
    async def work(ask: Ask) -> httpx.Response:
        path, _ = await opened(ask)
        return await ask("ada", "POST", f"{path}/submissions", content=b"[" * 300_000)

    assert room.run(work).status_code == 413


NAMES = ["..%2f..%2fetc%2fpasswd", "cs101'--", "CS101", "cs101\u200b", "a" * 65, "-", "%00", "cs101%20"]


@pytest.mark.parametrize("name", NAMES)
def test_a_strange_name_is_an_unknown_one(room: Room, name: str) -> None:
    async def work(ask: Ask) -> list[httpx.Response]:
        return [
            await ask("ada", "GET", f"/api/v1/courses/{name}/quizzes/week-3"),
            await ask("ada", "GET", f"/api/v1/courses/cs101/quizzes/{name}"),
            await ask("ada", "GET", f"{QUIZ}/attempts/{name}"),
        ]

    assert {reply.status_code for reply in room.run(work)} == {404}


def test_every_route_is_unknown_to_whoever_is_not_in_the_course(room: Room) -> None:
    routes = [*learning.ROUTES, *teaching.ROUTES]

    async def work(ask: Ask) -> list[tuple[str, int]]:
        path, sent = await opened(ask)
        found = []
        for route in routes:
            for method in sorted((route.methods or set()) - {"HEAD"}):
                where = "/api/v1" + route.path.format(course="cs101", quiz="week-3", attempt=path.rpartition("/")[2])
                body = {"json": fit(sent) if "submissions" in where else {"compiled": "{}"}} if method != "GET" else {}
                found.append((f"{method} {route.path}", (await ask("eve", method, where, **body)).status_code))
        return found

    assert len(routes) >= 7
    found = room.run(work)
    # Eve's token may not teach, which is said before a course is looked at.
    teach = {f"POST {route.path}" for route in teaching.ROUTES}
    assert {status for name, status in found if name not in teach} == {404}, found
    assert {status for name, status in found if name in teach} == {403}


def test_a_flood_of_one_learner_leaves_the_others_alone(room: Room) -> None:
    async def work(ask: Ask) -> tuple[set[int], int]:
        path, sent = await opened(ask)
        theirs, other = await opened(ask, "bob")
        flood = [
            ask("ada", "POST", f"{path}/submissions", json=fit(sent, id=f"{sent['id'][:-1]}{number}"))
            for number in range(1, 300)
        ]
        statuses = {reply.status_code for reply in await asyncio.gather(*flood)}
        return statuses, (await ask("bob", "POST", f"{theirs}/submissions", json=fit(other))).status_code

    statuses, other = room.run(work)
    assert statuses == {200, 503}
    assert other == 200


def test_no_token_is_in_a_log(room: Room, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    with writing(room.engine) as connection:
        connection.execute(update(quiz).values(policy="last"))

    async def work(ask: Ask) -> int:
        assert room.desk is not None
        room.desk.library.quiz = lambda *_: 1 / 0  # type: ignore[method-assign,assignment]
        await ask("eve", "GET", QUIZ)
        return (await ask("ada", "POST", f"{QUIZ}/attempts")).status_code

    assert room.run(work) == 500
    assert "failed" in caplog.text
    assert not any(token in caplog.text for token in room.tokens.values())


def test_a_receipt_that_was_changed_is_not_the_desk_s() -> None:
    seals = Seals(["ab" * 32])
    receipt = seals.sealed({"submission": "s", "attempt": "a", "item": "i", "received": 7, "status": "late"}, "ada")

    assert seals.holds(receipt, "ada")
    assert not seals.holds(receipt, "bob")
    assert not seals.holds({**receipt, "status": "recorded"}, "ada")
    assert Seals(["cd" * 32, "ab" * 32]).holds(receipt, "ada")
    assert not Seals(["cd" * 32]).holds(receipt, "ada")


def test_a_ticket_is_its_person_s_until_it_is_over() -> None:
    tickets = Tickets(["ab" * 32])
    ticket = tickets.ticket("w1", START)
    body, _, seal = ticket.partition(".")
    who = tickets.who(ticket, START + LIFETIME - 1)

    assert who is not None
    assert who.name == "w1"
    assert who.scopes == {"submit"}
    assert tickets.who(ticket, START + LIFETIME) is None
    for forged in (
        f"{body}.{seal[:-2]}AA",
        f"{body}A.{seal}",
        f"{body}.",
        body,
        "ticket-",
        f"ticket-.{seal}",
        ticket + "=",
        ticket + "\u00e9",
        f"{body}.{seal.upper()}",
        f"{body}=.{seal}",
    ):
        assert tickets.who(forged, START) is None
    assert Tickets(["cd" * 32]).who(ticket, START) is None


class FakeHub:
    """What `/hub/api/user` says, and how often it was asked."""

    def __init__(self) -> None:
        self.asked = 0
        self.down = False
        self.known: dict[str, dict[str, Any]] = {}
        self.now = 0.0
        self.client = httpx.AsyncClient(transport=httpx.MockTransport(self.answer))
        self.hub = Hub(self.client, "http://hub/hub/api", "quiz", rate=1.0, burst=5.0, clock=lambda: self.now)

    async def answer(self, request: httpx.Request) -> httpx.Response:
        self.asked += 1
        await asyncio.sleep(0)
        if self.down:
            raise httpx.ConnectError("refused")
        found = self.known.get(request.headers["authorization"].removeprefix("token "))
        return httpx.Response(200, json=found) if found else httpx.Response(403, json={"message": "no"})


USER = {
    "kind": "user",
    "name": "ada",
    "scopes": ["access:services!service=quiz", "custom:quiz:submit", "custom:quiz:teach"],
}


def test_a_kernel_s_token_submits_and_never_teaches() -> None:
    async def work() -> None:
        fake = FakeHub()
        fake.known = {
            "good": USER,
            "service": {**USER, "kind": "service"},
            "no access": {**USER, "scopes": ["custom:quiz:submit"]},
            "another service": {**USER, "scopes": ["access:services!service=other", "custom:quiz:submit"]},
            "no scope": {**USER, "scopes": ["access:services!service=quiz"]},
        }
        found = {name: await fake.hub.who(name) for name in fake.known}
        assert found["good"] is not None
        assert found["good"].scopes == {"submit"}
        assert [name for name, who in found.items() if who is not None] == ["good"]

    loops.run(work())


def test_the_hub_is_asked_once_for_many_and_again_after_a_minute() -> None:
    async def work() -> tuple[int, int, int]:
        fake = FakeHub()
        fake.known = {"good": USER}
        await asyncio.gather(*(fake.hub.who("good") for _ in range(50)))
        first = fake.asked
        fake.now = 59.0
        await fake.hub.who("good")
        second = fake.asked
        fake.known, fake.now = {}, 60.0
        assert await fake.hub.who("good") is None
        return first, second, fake.asked

    assert loops.run(work()) == (1, 1, 2)


def test_made_up_tokens_use_up_their_own_budget_and_hold_up_nobody_who_is_known() -> None:
    async def work() -> tuple[int, bool]:
        fake = FakeHub()
        fake.known = {"good": USER}
        await fake.hub.who("good")
        asked = fake.asked
        refused = 0
        for number in range(200):
            try:
                await fake.hub.who(f"made-up-{number}")
            except Unavailable:
                refused += 1
        assert refused > 190
        fake.now = 61.0  # Ada's look-up is due again, in the middle of the flood
        for number in range(50):
            with contextlib.suppress(Unavailable):
                await fake.hub.who(f"more-{number}")
        who = await fake.hub.who("good")
        return fake.asked - asked, who is not None

    asked, known = loops.run(work())
    assert known
    assert asked < 20


def test_without_the_hub_nobody_new_is_known_and_the_question_is_not_forgotten() -> None:
    async def work() -> None:
        fake = FakeHub()
        fake.known, fake.down = {"good": USER}, True
        with pytest.raises(Unavailable):
            await fake.hub.who("good")
        fake.down = False
        assert await fake.hub.who("good") is not None

    loops.run(work())
