"""A class that has answered everything, for the live page: written straight into the database, a million cells."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import Engine, insert, select, update

from benchmarks.hall import exam
from benchmarks.hall.exam import COURSE
from quiz_widgets import compiled
from quiz_widgets.classroom.desk import clock, publishing
from quiz_widgets.classroom.desk.database.engine import reading, writing
from quiz_widgets.classroom.desk.database.tables import attempt, membership, outcome, person, quiz, submission, version

QUIZ, TEACHER = "lecture", "prof"


@dataclass(frozen=True, slots=True)
class Lecture:
    """What was made: the learners' ids, their second attempts, which are open, and the items."""

    learners: list[str]
    runs: dict[str, str]
    items: list[str]


def make(engine: Engine, learners: int, items: int) -> Lecture:
    """A course of so many learners, each with a scored attempt of so many answers and an open one without any."""
    exam.make(engine, learners)
    now = clock.now()
    names = [f"item-{number:03d}" for number in range(items)]
    with writing(engine) as connection:
        publishing.publish(connection, COURSE, QUIZ, _quiz(names), "benchmark", now)
        connection.execute(update(quiz).where(quiz.c.slug == QUIZ).values(runs=2))
        made = connection.execute(select(quiz.c.id, version.c.id).join(version).where(quiz.c.slug == QUIZ)).one()
        people = list(connection.execute(select(membership.c.person).where(membership.c.role == "learner")).scalars())
        connection.execute(insert(person).values(id="0" * 32, hub_name=TEACHER, created=now))
        connection.execute(
            insert(membership).values(course=COURSE, person="0" * 32, role="instructor", active=True, since=now)
        )
        first = {who: secrets.token_hex(16) for who in people}
        second = {who: secrets.token_hex(16) for who in people}
        common = {"quiz": made[0], "version": made[1], "opened": now}
        over = {"number": 1, "finished": now, "finished_by": "learner", "scored": True}
        going = {"number": 2, "finished": None, "finished_by": None, "scored": False}
        connection.execute(insert(attempt), [{"id": first[who], "person": who, **common, **over} for who in people])
        connection.execute(insert(attempt), [{"id": second[who], "person": who, **common, **going} for who in people])
        for item in names:
            connection.execute(insert(submission), [answer(who, first[who], item, now) for who in people])
        kept = connection.execute(select(submission.c.sequence, submission.c.attempt, submission.c.item)).all()
        for part in _parts([_outcome(*row, now) for row in kept]):
            connection.execute(insert(outcome), part)
    return Lecture(people, second, names)


def answer(who: str, run: str, item: str, now: int) -> dict[str, Any]:
    """A row of `submission`."""
    return {
        "person": who, "id": f"{run}/{item}/1", "attempt": run, "item": item, "response": '["a"]', "digest": "d" * 64,
        "received": now, "status": "recorded",
    }  # fmt: skip


def scored(engine: Engine) -> int:
    """How many rows of outcomes the database has."""
    with reading(engine) as connection:
        return len(connection.execute(select(outcome.c.item)).all())


def _outcome(sequence: int, run: str, item: str, now: int) -> dict[str, Any]:
    return {
        "attempt": run, "item": item, "submission": sequence, "score": "1", "max_score": "1", "computed": now,
    }  # fmt: skip


def _parts(rows: list[dict[str, Any]]) -> Iterator[list[dict[str, Any]]]:
    for start in range(0, len(rows), 10_000):
        yield rows[start : start + 10_000]


def _quiz(names: list[str]) -> str:
    whole = compiled.read("mixed-precision")
    single = next(item for item in whole.items if item.kind == "single")
    return compiled.dump(replace(whole, items=tuple(replace(single, id=name) for name in names), pools=()))
