"""Statements to a store of learning records: which, for whom, and each once whatever the store answers."""

from __future__ import annotations

import asyncio
import json
import uuid
from pathlib import Path
from typing import Any

import httpx
import pytest
from sqlalchemy import Engine, select, update
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from quiz_widgets.classroom.desk import attempts, gradebook, submissions
from quiz_widgets.classroom.desk.database.engine import connect, reading, writing
from quiz_widgets.classroom.desk.database.outside_tables import outbox
from quiz_widgets.classroom.desk.database.rows import Row, rows
from quiz_widgets.classroom.desk.database.tables import attempt
from quiz_widgets.classroom.desk.library import Library
from quiz_widgets.classroom.desk.operations import learners
from quiz_widgets.classroom.desk.settings import SettingsError, Xapi, read
from quiz_widgets.classroom.desk.xapi import sending
from tests.classroom import loops
from tests.classroom.sending import ITEM, REVEALED, RIGHT
from tests.classroom.small_class import START, Class, sent

STORE = Xapi(url="https://lrs.example.org/xapi/", key="k", secret="hush-hush", home="https://hub.example.org")
NAMES = tuple(f"learner-{number:02}" for number in range(30))


class Store:
    """Keeps statements; a batch with one that it has is refused as a whole."""

    def __init__(self, engine: Engine) -> None:
        self.engine, self.now = engine, START
        self.kept: dict[str, dict[str, Any]] = {}
        self.faults: list[Any] = []
        self.refuses = ""
        self.batches: list[int] = []
        with writing(engine) as connection:
            Class(learners=NAMES).make(connection)

    async def take(self, request: Request) -> Response:
        assert request.headers["authorization"] == "Basic azpodXNoLWh1c2g="
        assert request.headers["x-experience-api-version"] == "1.0.3"
        made = await request.json()
        self.batches.append(len(made))
        fault = self.faults.pop(0) if self.faults else None
        if isinstance(fault, Response):
            return fault
        if any(one["id"] in self.kept for one in made):
            return PlainTextResponse("conflict", 409)
        if any(one["verb"]["display"]["en"] == self.refuses for one in made):
            return JSONResponse({"error": f"no {self.refuses}"}, 400)
        self.kept |= {one["id"]: one for one in made}
        if fault == "dropped":
            raise httpx.ReadError("dropped")
        return JSONResponse([one["id"] for one in made])

    def sender(self, engine: Engine | None = None) -> sending.Sender:
        app = Starlette(routes=[Route("/xapi/statements", self.take, methods=["POST"])])
        used = engine or self.engine

        def in_reading(work: sending.Work) -> Any:
            with reading(used) as connection:
                return work(connection)

        def in_writing(work: sending.Work) -> Any:
            with writing(used) as connection:
                return work(connection)

        async def read_(work: sending.Work) -> Any:
            return await asyncio.to_thread(in_reading, work)

        async def write(work: sending.Work) -> Any:
            return await asyncio.to_thread(in_writing, work)

        client = httpx.AsyncClient(transport=httpx.ASGITransport(app))
        return sending.Sender(client, STORE, lambda: self.now, read_, write)

    def send(self, after: int = 0) -> int:
        self.now += after
        return loops.run(self.sender().send_due())

    def take_quiz(self, *names: str) -> None:
        with writing(self.engine) as connection:
            for name in names:
                run = Class().opened(connection, name)
                submissions.keep(connection, [sent(run, ITEM, RIGHT, arrived=START + 1500)])
                attempts.finish(connection, run["id"], run["person"], START + 2000)
            while gradebook.score_finished(connection, Library(), START + 2001):
                pass
        self.now = REVEALED

    def states(self) -> set[str]:
        with reading(self.engine) as connection:
            return set(connection.execute(select(outbox.c.state)).scalars())


@pytest.fixture
def store(engine: Engine) -> Store:
    return Store(engine)


def test_an_attempt_is_told_once_its_keys_are_shown(store: Store) -> None:
    store.take_quiz("learner-00")
    store.now = START + 3000
    assert store.send() == 0
    store.now = REVEALED
    assert store.send() == 1
    assert store.send(86_400_000) == 0

    answered, completed = store.kept.values()
    with reading(store.engine) as connection:
        [run] = rows(connection, select(attempt))
    place = "https://hub.example.org/courses/cs101/quizzes/week-3"
    account = {"homePage": "https://hub.example.org", "name": run["person"]}
    for statement in (answered, completed):
        assert statement["actor"] == {"objectType": "Agent", "account": account}
        assert uuid.UUID(statement["id"]).version == 5
    assert answered["verb"]["id"] == "http://adlnet.gov/expapi/verbs/answered"
    assert answered["object"]["id"] == f"{place}/items/{ITEM}"
    assert answered["object"]["definition"]["interactionType"] == "choice"
    assert answered["timestamp"] == "2027-01-15T08:00:01.500Z"
    assert (answered["result"]["response"], answered["result"]["success"]) == ("underflow", True)
    assert answered["result"]["score"] == {"raw": 1, "max": 1, "min": 0, "scaled": 1}
    assert answered["context"]["contextActivities"]["parent"] == [{"id": place}]
    assert completed["verb"]["id"] == "http://adlnet.gov/expapi/verbs/completed"
    assert completed["object"]["id"] == place
    assert completed["result"] == {"completion": True, "score": {"raw": 1, "max": 16, "min": 0, "scaled": 0.0625}}
    assert completed["timestamp"] == "2027-01-15T08:00:02.000Z"
    assert "learner-00" not in json.dumps(list(store.kept.values()))


def test_statements_go_in_batches(store: Store) -> None:
    store.take_quiz(*NAMES)
    assert store.send() == 30
    assert len(store.kept) == 60
    assert store.batches == [20, 20, 20]
    assert store.states() == {"sent"}


AGAIN: dict[str, Any] = {
    "no reply": "dropped",
    "500": PlainTextResponse("no", 500),
    "429": Response(status_code=429, headers={"Retry-After": "20"}),
    "a login that is not known": PlainTextResponse("hush-hush is wrong", 401),
}


@pytest.mark.parametrize("case", AGAIN)
def test_what_fails_for_a_while_is_told_afterwards(store: Store, case: str, caplog: pytest.LogCaptureFixture) -> None:
    store.take_quiz("learner-00", "learner-01")
    store.faults = [AGAIN[case]]
    assert store.send() == 0
    assert store.states() == {"waiting"}
    assert store.send(60_000) == 2  # and what the store has already is refused, and done
    assert len(store.kept) == 4
    assert store.states() == {"sent"}
    assert "statements were not taken" in caplog.text
    with reading(store.engine) as connection:
        assert "hush" not in caplog.text + json.dumps(rows(connection, select(outbox)))


def test_one_statement_that_is_refused_holds_up_no_other(store: Store) -> None:
    store.take_quiz("learner-00", "learner-01")
    store.refuses = "completed"
    assert store.send() == 2
    assert {one["verb"]["display"]["en"] for one in store.kept.values()} == {"answered"}
    assert store.states() == {"failed"}
    with reading(store.engine) as connection:
        assert set(connection.execute(select(outbox.c.last_error)).scalars()) == {"400 no completed"}


def test_of_an_erased_learner_nothing_is_told(store: Store) -> None:
    store.take_quiz("learner-00", "learner-01")
    with writing(store.engine) as connection:
        sending.queue(connection, START)
        learners.erase(connection, "learner-00", "prof", START)
        learners.erase(connection, "learner-01", "prof", START)
        connection.execute(update(outbox).values(state="waiting"))  # as if it was claimed before
    store.send()
    assert store.kept == {}


def test_two_workers_tell_each_attempt_once(postgres_database: str) -> None:
    engines = [connect(postgres_database), connect(postgres_database)]
    store = Store(engines[0])
    store.take_quiz(*NAMES)

    async def both() -> None:
        workers = [store.sender(one) for one in engines]
        for _ in range(3):
            await asyncio.gather(*(worker.send_due() for worker in workers))

    loops.run(both())
    assert (len(store.kept), sum(store.batches)) == (60, 60)
    with reading(engines[0]) as connection:
        made: list[Row] = rows(connection, select(outbox))
    assert [one["state"] for one in made] == ["sent"] * 30
    for one in engines:
        one.dispose()


GIVEN = {
    "QUIZ_DESK_DATABASE": "sqlite:////x", "QUIZ_DESK_SECRETS": "ab" * 32, "QUIZ_DESK_XAPI_URL": STORE.url,
    "QUIZ_DESK_XAPI_KEY": "k", "QUIZ_DESK_XAPI_SECRET": "hush-hush", "QUIZ_DESK_XAPI_HOME": STORE.home,
}  # fmt: skip
WRONG = {
    "http": {"URL": "http://lrs.example.org"},
    "a login in the address": {"URL": "https://k:s@lrs.example.org"},
    "no key": {"KEY": ""},
    "no secret": {"SECRET": ""},
    "no home": {"HOME": "hub"},
    "another actor": {"ACTOR": "mail"},
}


@pytest.mark.parametrize("case", WRONG)
def test_a_store_by_halves_is_refused(case: str) -> None:
    changed = {f"QUIZ_DESK_XAPI_{name}": value for name, value in WRONG[case].items()}
    with pytest.raises(SettingsError, match="QUIZ_DESK_XAPI_") as refused:
        read({**GIVEN, **changed})
    assert "hush" not in str(refused.value)


def test_nothing_is_told_unless_a_store_is_named(tmp_path: Path) -> None:
    assert read(GIVEN).xapi == STORE
    assert "hush" not in repr(read(GIVEN))
    assert read({**GIVEN, "QUIZ_DESK_XAPI_URL": ""}).xapi is None
    assert read({**GIVEN, "QUIZ_DESK_XAPI_URL": "http://127.0.0.1:8080/xapi"}).xapi is not None
