"""Everything fails at some time: what was acknowledged is stored, and once. Killed by the pid that was begun."""

from __future__ import annotations

import asyncio
import resource
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import pytest
from sqlalchemy import Engine, select

from benchmarks import classroom
from benchmarks.audit import audit
from benchmarks.hall import exam
from benchmarks.hall.learners import Hall
from benchmarks.hall.measuring import measure
from benchmarks.hall.stack import PREFIX, Stack, running
from quiz_widgets.classroom.desk import attempts
from quiz_widgets.classroom.desk.app import make
from quiz_widgets.classroom.desk.database.engine import connect, reading, writing
from quiz_widgets.classroom.desk.database.migrations import migrate
from quiz_widgets.classroom.desk.database.rows import rows
from quiz_widgets.classroom.desk.database.tables import attempt, outcome, submission
from quiz_widgets.classroom.desk.desk import running as desk_running
from quiz_widgets.classroom.desk.submissions import keep
from tests.classroom import loops, postgres
from tests.classroom.room import QUIZ, SETTINGS, Ask, Room
from tests.classroom.small_class import HOUR, START, Class, sent

LEARNERS = 40
KILLED: dict[str, tuple[str, dict[str, Any]]] = {
    "a worker": ("postgresql", {"workers": 2, "meanwhile": classroom.kill_worker}),
    "PostgreSQL": ("postgresql", {"workers": 2, "meanwhile": classroom.crash_database}),
    "the proxy": ("sqlite", {"proxied": True, "meanwhile": classroom.kill_proxy}),
    "each third reply": ("sqlite", {"cut": 3}),
}


@pytest.mark.slow
@pytest.mark.classroom
@pytest.mark.parametrize("what", KILLED)
def test_whatever_is_killed_in_the_burst_nothing_is_lost_or_doubled(what: str) -> None:
    kind, how = KILLED[what]
    if kind == "sqlite":
        found = measure(what, classroom.sqlite, learners=LEARNERS, **how)
    else:
        with postgres.server() as url:
            found = measure(what, postgres.databases(url), learners=LEARNERS, **how)

    assert (found.lost, found.doubled) == (0, 0)
    assert found.stored == found.sent == LEARNERS * 8
    if what != "a worker":  # the other worker may have had every connection
        assert found.retries > 0


@pytest.mark.slow
@pytest.mark.classroom
def test_a_full_disk_acknowledges_nothing_that_is_not_stored(tmp_path: Path) -> None:
    url = classroom.sqlite(tmp_path)
    engine = connect(url)
    migrate(engine)
    learners = exam.make(engine, LEARNERS)
    engine.dispose()
    receipts = tmp_path / "receipts.jsonl"
    receipts.touch()
    with running(Stack(url, folder=tmp_path)) as stack:
        assert stack.desk is not None
        hall = Hall(learners, stack.port, PREFIX, receipts, connections=8, tries=2)
        loops.run(hall.open_all())
        files = [path.stat().st_size for path in tmp_path.glob("desk.sqlite*")]
        _, hard = resource.prlimit(stack.desk.pid, resource.RLIMIT_FSIZE)
        resource.prlimit(stack.desk.pid, resource.RLIMIT_FSIZE, (max(files) + 4096, hard))
        with pytest.raises(RuntimeError, match="no answer"):
            loops.run(hall.answer_at_once())
        found = audit(url, receipts)
        assert (found["lost"], found["doubled"]) == (0, 0)
        assert found["stored"] < LEARNERS * 8
        ticket = {"Authorization": f"token {learners[0].token}"}
        told = httpx.get(f"http://127.0.0.1:{stack.port}{PREFIX}{exam.PATH}", headers=ticket)
        assert told.status_code == 200  # what is there can be read

        resource.prlimit(stack.desk.pid, resource.RLIMIT_FSIZE, (hard, hard))
        hall.tries = 60
        loops.run(hall.answer_at_once())
        found = audit(url, receipts)
    assert (found["lost"], found["doubled"], found["stored"]) == (0, 0, LEARNERS * 8)


def test_two_workers_share_tickets_seals_and_attempts(postgres_database: str) -> None:
    engines = [connect(postgres_database) for _ in range(2)]
    room = Room(engines[0])

    async def work() -> None:
        apps = [make(desk_running(SETTINGS, lambda: room.now, engine)) for engine in engines]
        async with apps[0].router.lifespan_context(apps[0]), apps[1].router.lifespan_context(apps[1]):
            one, other = (httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://desk") for app in apps)
            known = {"Authorization": f"token {room.tokens['ada']}"}
            ticket = {"Authorization": f"token {(await one.get(QUIZ, headers=known)).json()['ticket']}"}
            opened = (await one.post(f"{QUIZ}/attempts", headers=ticket)).json()
            again = (await other.post(f"{QUIZ}/attempts", headers=ticket)).json()
            assert again["attempt"]["id"] == opened["attempt"]["id"]
            assert again["quiz"] == opened["quiz"]
            run, item = opened["attempt"]["id"], opened["quiz"]["items"][0]
            body = {
                "submissions": [
                    {"id": f"{run}/{item['id']}/1", "item": item["id"], "response": [item["options"][0]["id"]]}
                ]
            }
            path = f"{QUIZ}/attempts/{run}/submissions"
            told = await asyncio.gather(*(client.post(path, headers=ticket, json=body) for client in (one, other) * 8))
            assert len({reply.text for reply in told}) == 1
            receipt = told[0].json()["submissions"][0]["receipt"]
            with reading(engines[0]) as connection:
                [kept] = rows(connection, select(submission))
            assert all(app.state.desk.seals.holds(receipt, kept["person"]) for app in apps)
            await other.post(f"{QUIZ}/attempts/{run}/finish", headers=ticket)
            late = {"submissions": [{**body["submissions"][0], "id": f"{run}/{item['id']}/2"}]}
            refused = await one.post(path, headers=ticket, json=late)
            assert refused.json()["submissions"][0]["verdict"] == "finished"
            await asyncio.gather(*(app.state.desk.catch_up() for app in apps))
            for client in (one, other):
                await client.aclose()

    loops.run(work())
    with reading(engines[0]) as connection:
        [run] = rows(connection, select(attempt))
        won = rows(connection, select(outcome))
    assert run["scored"]
    assert len(won) == 16
    for engine in engines:
        engine.dispose()


def test_finishing_and_answering_race_without_a_contradiction(engine: Engine) -> None:
    with writing(engine) as connection:
        Class().make(connection, runs=40)

    def at_once(*work: Callable[[], Any]) -> list[Any]:
        gate = threading.Barrier(len(work))

        def one(job: Callable[[], Any]) -> Any:
            gate.wait()
            return job()

        with ThreadPoolExecutor(len(work)) as threads:
            return list(threads.map(one, work))

    for number in range(20):
        with writing(engine) as connection:
            run = Class().opened(connection, "ada", START + number)
        answer = sent(run, "loss-scaling", ("underflow",), arrived=START + number + 1)

        def answering(answer: Any = answer) -> str:
            with writing(engine) as connection:
                return keep(connection, [answer])[0].verdict

        def finishing(run: Any = run, now: int = START + number + 1) -> None:
            with writing(engine) as connection:
                attempts.finish(connection, run["id"], run["person"], now)

        verdict, _ = at_once(answering, finishing)
        with reading(engine) as connection:
            kept = rows(connection, select(submission).where(submission.c.attempt == run["id"]))
        assert (verdict, len(kept)) in (("recorded", 1), ("finished", 0))


def test_a_clock_that_goes_back_loses_and_doubles_nothing(engine: Engine) -> None:
    room = Room(engine)

    async def work(ask: Ask) -> list[Any]:
        opened = (await ask("ada", "POST", f"{QUIZ}/attempts")).json()
        run, item = opened["attempt"]["id"], opened["quiz"]["items"][0]
        options = [option["id"] for option in item["options"]]
        told = []
        for number, now in ((1, START + HOUR // 2), (2, START + 60_000), (1, START - HOUR)):
            room.now = now
            one = {"id": f"{run}/{item['id']}/{number}", "item": item["id"], "response": [options[number - 1]]}
            reply = await ask("ada", "POST", f"{QUIZ}/attempts/{run}/submissions", json={"submissions": [one]})
            told.append(reply.json()["submissions"][0])
        room.now = START + 2 * HOUR
        assert room.desk is not None
        await room.desk.catch_up()
        return told

    first, second, again = room.run(work)
    assert [one["verdict"] for one in (first, second, again)] == ["recorded"] * 3
    assert again == first
    with reading(engine) as connection:
        kept = {row["sequence"]: row["id"] for row in rows(connection, select(submission))}
        counted = [row["submission"] for row in rows(connection, select(outcome)) if row["submission"] is not None]
    assert len(kept) == 2
    assert [kept[one] for one in counted] == [second["id"]]  # the last that came in, not the last by that clock


@pytest.mark.parametrize(("after", "verdict"), [(0, "recorded"), (60_000, "recorded"), (60_001, "late")])
def test_arrival_counts_however_long_an_answer_queues(engine: Engine, after: int, verdict: str) -> None:
    room = Room(engine)

    async def work(ask: Ask) -> str:
        opened = (await ask("ada", "POST", f"{QUIZ}/attempts")).json()
        run, item = opened["attempt"]["id"], opened["quiz"]["items"][0]
        begun, go_on = threading.Event(), threading.Event()

        def stuck(_connection: Any) -> None:
            begun.set()
            assert go_on.wait(30)

        assert room.desk is not None
        room.now = START + HOUR + after
        busy = asyncio.create_task(room.desk.writer.run(stuck))
        await asyncio.to_thread(begun.wait, 30)
        one = {"id": f"{run}/{item['id']}/1", "item": item["id"], "response": [item["options"][0]["id"]]}
        reply = asyncio.ensure_future(
            ask("ada", "POST", f"{QUIZ}/attempts/{run}/submissions", json={"submissions": [one]})
        )
        for _ in range(1000):
            if room.desk.writer.waiting:
                break
            await asyncio.sleep(0.01)
        room.now = START + 3 * HOUR
        go_on.set()
        await busy
        found: str = (await reply).json()["submissions"][0]["verdict"]
        return found

    assert room.run(work) == verdict
