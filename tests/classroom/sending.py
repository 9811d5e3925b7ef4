"""A class whose scores go to a fake platform, and workers that send them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from sqlalchemy import Engine, select, update

from quiz_widgets.classroom.desk import attempts, gradebook, schedules, submissions
from quiz_widgets.classroom.desk.database.engine import reading, writing
from quiz_widgets.classroom.desk.database.outside_tables import lti_platform, outbox
from quiz_widgets.classroom.desk.database.rows import Row, rows
from quiz_widgets.classroom.desk.database.tables import person
from quiz_widgets.classroom.desk.library import Library
from quiz_widgets.classroom.desk.lti import failures, keys, platforms
from quiz_widgets.classroom.desk.lti.worker import Work, Worker
from tests.classroom import loops
from tests.classroom.fake_platform import ISSUER, FakePlatform
from tests.classroom.small_class import HOUR, START, Class, sent

ITEM = "loss-scaling"  # one point of the exam's sixteen
RIGHT, WRONG = ("underflow",), ("full-disk",)
DAY = 24 * HOUR
REVEALED = START + HOUR + 60_001  # due, and the grace


class Sending:
    """One course with its platform; every learner has the subject ``lti-`` and their name there."""

    def __init__(self, engine: Engine, folder: Path, learners: tuple[str, ...] = ("ada", "bob")) -> None:
        self.engine, self.now, self.library = engine, START, Library()
        self.class_ = Class(learners=learners)
        self.file = folder / "keys.json"
        self.kid = keys.make(self.file)
        self.platform = FakePlatform(lambda: keys.public(keys.read(self.file)), lambda: self.now)
        self.platform.users = {f"lti-{name}" for name in learners}
        with writing(engine) as connection:
            self.class_.make(connection)
            platforms.change(connection, "cs101", self.platform.settings, "prof", START)
            for name in learners:
                connection.execute(
                    update(person).where(person.c.hub_name == name).values(lti_issuer=ISSUER, lti_subject=f"lti-{name}")
                )
            self.send_quiz(connection)
        self._worker: Worker | None = None

    def send_quiz(self, connection: Any, label: str = "Week 3", most: str = "16", *, active: bool = True) -> None:
        platforms.send_quiz(connection, self.class_.quiz(connection), label, most, "prof", self.now, active=active)

    def take(self, name: str, response: tuple[str, ...] = RIGHT, at: int = START + 1) -> Row:
        """Open, answer one item, finish, and be scored."""
        with writing(self.engine) as connection:
            run = self.class_.opened(connection, name, at)
            submissions.keep(connection, [sent(run, ITEM, response, arrived=at)])
            attempts.finish(connection, run["id"], run["person"], at + 5)
            gradebook.score_finished(connection, self.library, at + 10)
        return run

    def ready(self, *names: str) -> None:
        """Scores of these learners, which may be sent."""
        for name in names:
            self.take(name)
        self.now = REVEALED

    def override(self, name: str, points: str | None) -> None:
        """A score by hand."""
        given = None if points is None else Decimal(points)
        with writing(self.engine) as connection:
            quiz, who = self.class_.quiz(connection), self.class_.who(connection, name)
            gradebook.override(connection, self.library, quiz, who, given, reason="r", by="prof", now=self.now)

    def excuse(self, name: str) -> str:
        """The id of the exception that is made for who was ill."""
        asked = {"excused": True, "reason": "ill"}
        with writing(self.engine) as connection:
            quiz, who = self.class_.quiz(connection), self.class_.who(connection, name)
            return schedules.except_(connection, quiz, {"person": who["person"]}, asked, "prof", self.now)

    def worker(self, engine: Engine | None = None, write: Callable[[Work], Any] | None = None) -> Worker:
        """A worker with a client and tokens of its own."""
        used = engine or self.engine

        def in_reading(work: Work) -> Any:
            with reading(used) as connection:
                return work(connection)

        def in_writing(work: Work) -> Any:
            with writing(used) as connection:
                return work(connection)

        async def read(work: Work) -> Any:
            return await asyncio.to_thread(in_reading, work)

        async def written(work: Work) -> Any:
            return await asyncio.to_thread(write or in_writing, work)

        return Worker(self.platform.client(), self.file, lambda: self.now, read, written)

    def send(self, after: int = 0) -> int:
        """One round of a worker that lives as long as this, `after` ms later."""
        self._worker = self._worker or self.worker()
        self.now += after
        return loops.run(self._worker.send_due())

    def rows(self, name: str | None = None) -> list[Row]:
        """The outbox, the earliest first; of one learner or of all."""
        asked = select(outbox, person.c.hub_name).join(person, person.c.id == outbox.c.person)
        with reading(self.engine) as connection:
            found = rows(connection, asked.order_by(outbox.c.stamp, person.c.hub_name))
        return [one for one in found if name in (None, one["hub_name"])]

    def states(self, name: str) -> list[str]:
        return [one["state"] for one in self.rows(name)]

    def rests(self) -> Row:
        with reading(self.engine) as connection:
            return rows(connection, select(lti_platform))[0]


@pytest.fixture
def sending(engine: Engine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Sending:
    without_jitter(monkeypatch)
    return Sending(engine, tmp_path)


def without_jitter(monkeypatch: pytest.MonkeyPatch) -> None:
    """Waits are as long as they may be."""
    monkeypatch.setattr(failures, "_jitter", SimpleNamespace(uniform=lambda _least, most: most))
