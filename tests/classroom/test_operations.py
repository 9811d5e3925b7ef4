"""What whoever runs a desk relies on: metrics, readiness, logs, a stop that keeps the queue, a writer that goes on."""

from __future__ import annotations

import asyncio
import dataclasses
import logging
import re
import threading
from typing import Any

import pytest
from sqlalchemy import Connection, Engine, insert, select

from quiz_widgets.classroom.desk import aside, gradebook, scoring
from quiz_widgets.classroom.desk.database.engine import reading, writing
from quiz_widgets.classroom.desk.database.rows import rows
from quiz_widgets.classroom.desk.database.tables import person, score, submission
from quiz_widgets.classroom.desk.refusals import Unavailable
from quiz_widgets.classroom.desk.routes import running_it
from quiz_widgets.classroom.desk.submissions import _row
from quiz_widgets.classroom.desk.writer import Writer
from tests.classroom import loops
from tests.classroom.room import QUIZ, SETTINGS, Ask, Room
from tests.classroom.small_class import Class, sent

METRICS = {"Authorization": f"Bearer {SETTINGS.metrics_token}"}
SERIES = re.compile(r'^([a-z_]+)(?:\{([a-z]+="[^"]*",?)+\})? (-?[0-9.e+]+|\+Inf)$')


@pytest.fixture
def room(engine: Engine) -> Room:
    return Room(engine)


async def answered(ask: Ask) -> dict[str, Any]:
    """Ada opens, and answers the first question."""
    opened = (await ask("ada", "POST", f"{QUIZ}/attempts")).json()
    run, item = opened["attempt"]["id"], opened["quiz"]["items"][0]
    one = {"id": f"{run}/{item['id']}/1", "item": item["id"], "response": [item["options"][0]["id"]]}
    told = await ask("ada", "POST", f"{QUIZ}/attempts/{run}/submissions", json={"submissions": [one]})
    assert told.json()["submissions"][0]["verdict"] == "recorded"
    return one


def test_metrics_tell_what_the_desk_does_and_of_nobody(room: Room) -> None:
    async def work(ask: Ask) -> str:
        await answered(ask)
        await ask("eve", "GET", QUIZ)
        await ask("", "GET", "/api/v1/made/up/path")
        return (await ask("", "GET", "/metrics", headers=METRICS)).text

    text = room.run(work)
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    assert [line for line in lines if not SERIES.match(line)] == []
    assert 'quiz_desk_requests_total{route="submit",status="200"} 1' in lines
    assert 'quiz_desk_requests_total{route="other",status="404"} 1' in lines
    assert 'quiz_desk_request_seconds_count{route="submit"} 1' in lines
    assert 'quiz_desk_request_seconds_bucket{route="submit",le="+Inf"} 1' in lines
    assert 'quiz_desk_verdicts_total{verdict="recorded"} 1' in lines
    assert 'quiz_desk_refusals_total{reason="unknown"} 1' in lines
    assert "quiz_desk_queue 0" in lines
    assert not any(word in text for word in ("ada", "eve", "made/up", *room.tokens.values()))


@pytest.mark.parametrize("given", ["", "Bearer", "Bearer wrong", f"token {SETTINGS.metrics_token}", "Bearer \xe9"])
def test_metrics_are_for_their_own_token_and_health_is_for_all(room: Room, given: str) -> None:
    async def work(ask: Ask) -> list[int]:
        headers = {"Authorization": given.encode("latin-1")} if given else {}
        return [(await ask("", "GET", path, headers=headers)).status_code for path in ("/metrics", "/health", "/ready")]

    assert room.run(work) == [401, 200, 200]


@pytest.mark.parametrize("who", ["ada", "prof"])
def test_nobody_s_token_reads_metrics(room: Room, who: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async def work(ask: Ask) -> list[int]:
        bearer = {"Authorization": f"Bearer {room.tokens[who]}"}
        return [(await ask(who, "GET", "/metrics", headers=given)).status_code for given in ({}, bearer, METRICS)]

    assert room.run(work) == [401, 401, 200]
    monkeypatch.setattr("tests.classroom.room.SETTINGS", dataclasses.replace(SETTINGS, metrics_token=None))
    assert room.run(work) == [401, 401, 401]


def test_an_attempt_that_cannot_be_scored_keeps_nobody_waiting(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    usual = scoring.score_attempt
    broken: set[str] = set()

    def mistaken(whole: Any, drawing: Any, *more: Any) -> Any:
        if drawing._attempt in broken:
            raise ZeroDivisionError
        return usual(whole, drawing, *more)

    async def scored(ask: Ask) -> tuple[set[str], str]:
        """Who has a score once the desk has looked, and what it says of those who have none."""
        assert room.desk is not None
        await room.desk.catch_up()
        asked = select(person.c.hub_name).join(score, score.c.person == person.c.id)
        names = await room.desk.read(lambda connection: set(connection.execute(asked).scalars()))
        told = (await ask("", "GET", "/metrics", headers=METRICS)).text
        return names, re.findall(r"^quiz_desk_aside (\d+)$", told, re.MULTILINE)[0]

    async def work(ask: Ask) -> list[tuple[set[str], str]]:
        for name in ("ada", "bob"):  # hers is the first in line
            run = (await ask(name, "POST", f"{QUIZ}/attempts")).json()["attempt"]["id"]
            broken.update({run} if name == "ada" else ())
            await ask(name, "POST", f"{QUIZ}/attempts/{run}/finish")
            room.now += 1000
        told = [await scored(ask)]
        monkeypatch.setattr(scoring, "score_attempt", usual)
        room.now += aside.FIRST_MS - 2000
        told.append(await scored(ask))
        room.now += 2000
        return [*told, await scored(ask)]

    monkeypatch.setattr(gradebook, "AT_ONCE", 1)
    monkeypatch.setattr(scoring, "score_attempt", mistaken)
    assert room.run(work) == [({"bob"}, "1"), ({"bob"}, "1"), ({"ada", "bob"}, "0")]


def test_each_failed_try_doubles_the_wait() -> None:
    waits, now = aside.Aside(), 0
    for wait in (60_000, 120_000, 240_000, 480_000, 960_000, 1_920_000, 3_600_000, 3_600_000):
        waits.put(["a"], now)
        assert (waits.waiting(now + wait - 1), waits.waiting(now + wait)) == (["a"], [])
        now += wait
    waits.forget(["a", "b"])
    assert len(waits) == 0


def test_the_desk_is_not_ready_while_its_writer_does_not_get_on(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running_it, "STUCK_S", 0.05)
    begun, go_on = threading.Event(), threading.Event()

    def stuck(_connection: Connection) -> None:
        begun.set()
        assert go_on.wait(30)

    async def work(ask: Ask) -> list[int]:
        assert room.desk is not None
        told = [(await ask("", "GET", "/ready")).status_code]
        waiting = asyncio.create_task(room.desk.writer.run(stuck))
        await asyncio.to_thread(begun.wait, 30)
        await asyncio.sleep(0.1)
        told += [(await ask("", "GET", path)).status_code for path in ("/ready", "/health")]
        go_on.set()
        await waiting
        return [*told, (await ask("", "GET", "/ready")).status_code]

    assert room.run(work) == [200, 503, 200, 200]


def test_stopping_keeps_what_queues(engine: Engine) -> None:
    with writing(engine) as connection:
        Class().make(connection)
        run = Class().opened(connection, "ada")
    every = [sent(run, "loss-scaling", ("underflow",), number) for number in range(300)]

    async def work() -> list[Any]:
        writer = Writer(engine, batch=8)
        await writer.start()
        waiting = [asyncio.create_task(writer.keep([one])) for one in every]
        await asyncio.sleep(0)
        await writer.stop()
        return await asyncio.gather(*waiting)

    assert {kept.verdict for [kept] in loops.run(work())} == {"recorded"}
    with reading(engine) as connection:
        assert len(rows(connection, select(submission))) == len(every)


def test_work_that_fails_neither_ends_the_writer_nor_takes_answers_along(engine: Engine) -> None:
    with writing(engine) as connection:
        Class().make(connection)
        run = Class().opened(connection, "ada")

    def mistaken(_connection: Connection) -> None:
        raise ZeroDivisionError

    async def work() -> list[Any]:
        writer = Writer(engine)
        await writer.start()
        one = sent(run, "loss-scaling", ("underflow",))
        told: list[Any] = list(await asyncio.gather(writer.keep([one]), writer.run(mistaken), return_exceptions=True))
        told.append(await writer.keep([sent(run, "loss-scaling", ("full-disk",), 2)]))
        await writer.stop()
        return told

    [[first], failed, [second]] = loops.run(work())
    assert (first.verdict, second.verdict) == ("recorded", "recorded")
    assert isinstance(failed, ZeroDivisionError)


def test_a_full_queue_asks_to_come_back(engine: Engine) -> None:
    async def work() -> None:
        writer = Writer(engine, waiting=1)  # never started: nothing leaves the queue
        first = asyncio.create_task(writer.run(lambda _: None))
        await asyncio.sleep(0)
        with pytest.raises(Unavailable):
            await writer.run(lambda _: None)
        first.cancel()

    loops.run(work())


def test_no_log_line_holds_a_token_or_an_answer(
    room: Room, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    caplog.set_level(logging.DEBUG)
    monkeypatch.setattr("quiz_widgets.classroom.desk.writer.keep", _broken)

    async def work(ask: Ask) -> tuple[int, str]:
        opened = (await ask("ada", "POST", f"{QUIZ}/attempts")).json()
        run, item = opened["attempt"]["id"], opened["quiz"]["items"][0]
        option = item["options"][0]["id"]
        one = {"id": f"{run}/{item['id']}/1", "item": item["id"], "response": [option]}
        told = await ask("ada", "POST", f"{QUIZ}/attempts/{run}/submissions", json={"submissions": [one]})
        return told.status_code, option

    status, option = room.run(work)
    logged = caplog.text
    assert status == 503
    assert "a transaction failed and was undone" in logged
    assert not any(word in logged for word in (*room.tokens.values(), option, "small-updates", "ticket-"))


def _broken(connection: Connection, batch: Any) -> Any:
    """Keeps the batch, and twice: the database refuses the second."""
    for _ in range(2):
        connection.execute(insert(submission), [_row(one, "recorded", {"kind": "quiz"}) for one in batch])
