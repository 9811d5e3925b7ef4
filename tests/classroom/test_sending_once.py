"""Scores on their way to a platform: each once and the newest last, whatever workers and clocks go through."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from quiz_widgets.classroom.desk.database.engine import connect, writing
from quiz_widgets.classroom.desk.lti import claiming, failures
from tests.classroom import loops
from tests.classroom.sending import DAY, Sending, sending, without_jitter
from tests.classroom.small_class import START

__all__ = ["sending"]  # the fixture


def test_a_newer_score_takes_the_place_of_one_that_waits(sending: Sending) -> None:
    sending.ready("ada")
    sending.override("ada", "5")
    sending.override("ada", "6")
    assert sending.states("ada") == ["replaced", "replaced", "waiting"]
    sending.send()
    assert sending.platform.given("lti-ada") == [6]


def test_times_rise_though_the_clock_goes_back(sending: Sending) -> None:
    sending.ready("ada")
    sending.send()
    for points in ("5", "6", "7"):
        there, sending.now = sending.now, START - DAY
        sending.override("ada", points)
        sending.now = there
        sending.send(60_000)

    assert sending.platform.given("lti-ada") == [1, 5, 6, 7]
    assert sending.platform.refused == []


def test_a_worker_that_dies_before_it_writes_it_down_sends_nothing_twice(sending: Sending) -> None:
    sending.ready("ada")

    def dies(work: Any) -> Any:
        with writing(sending.engine) as connection:
            if sending.platform.scores:
                raise KeyboardInterrupt
            return work(connection)

    with pytest.raises(KeyboardInterrupt):
        loops.run(sending.worker(write=dies).send_due())
    assert sending.platform.given("lti-ada") == [1]
    assert sending.states("ada") == ["waiting"]

    assert sending.send() == 0  # it may be alive
    assert sending.send(claiming.CLAIM_MS) == 1
    assert sending.platform.given("lti-ada") == [1]
    assert sending.states("ada") == ["sent"]
    assert len(sending.platform.refused) == 1  # the same time again, which counts as done


def test_a_newer_score_waits_for_the_one_that_is_on_its_way(sending: Sending) -> None:
    sending.ready("ada")
    with writing(sending.engine) as connection:
        claiming.release(connection, sending.now)
        claimed = claiming.claim(connection, sending.now)
    assert isinstance(claimed, claiming.Claimed)
    sending.override("ada", "5")
    assert sending.states("ada") == ["waiting", "waiting"]
    assert sending.send() == 0
    with writing(sending.engine) as connection:
        claiming.later(connection, claimed, failures.Later("500", unsure=True), sending.now)
    assert sending.states("ada") == ["replaced", "waiting"]
    assert sending.send(60_000) == 1
    assert sending.platform.given("lti-ada") == [5]


def test_two_workers_share_one_database_and_each_score_is_sent_once(
    postgres_database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    without_jitter(monkeypatch)
    engine, other = connect(postgres_database), connect(postgres_database)
    names = tuple(f"learner-{number:02}" for number in range(40))
    sending = Sending(engine, tmp_path, names)
    sending.ready(*names)
    with writing(engine) as connection:
        claiming.release(connection, sending.now)

    async def both() -> list[int]:
        workers = [sending.worker(one) for one in (engine, other)]
        tried = [0, 0]
        for _ in range(200):
            for number, count in enumerate(await asyncio.gather(*(worker.send_due() for worker in workers))):
                tried[number] += count
            if all(one["state"] == "sent" for one in sending.rows()):
                break
            sending.now += 6_000
        return tried

    tried = loops.run(both())
    assert {len(kept) for kept in sending.platform.scores.values()} == {1}
    assert len(sending.platform.scores) == len(names)
    assert (sending.platform.refused, len(sending.platform.items)) == ([], 1)
    assert min(tried) > 0
    for one in (engine, other):
        one.dispose()
