"""Every submission is kept exactly once, and every one of them gets the answer that its state deserves."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from typing import Any, TypeVar

import pytest
from sqlalchemy import Engine, event, func, select
from sqlalchemy.engine.interfaces import CacheStats

from quiz_widgets import compiled
from quiz_widgets.classroom.desk import attempts, gradebook
from quiz_widgets.classroom.desk.database.engine import connect, reading, writing
from quiz_widgets.classroom.desk.database.metadata import metadata
from quiz_widgets.classroom.desk.database.tables import outcome, score, submission
from quiz_widgets.classroom.desk.library import Library
from quiz_widgets.classroom.desk.refusals import Refused, Unavailable
from quiz_widgets.classroom.desk.submissions import keep
from quiz_widgets.classroom.desk.writer import Writer
from tests.classroom import loops
from tests.classroom.small_class import EXAM, HOUR, START, Class, a_single, attempt_row, sent

WHOLE = compiled.loads(EXAM.read_text(encoding="utf-8"))
ITEM = a_single(WHOLE)
RIGHT = ITEM.key
WRONG = tuple(option.id for option in ITEM.options if not option.correct)[:1]
CLASS = Class()
_Made = TypeVar("_Made")


def with_writer(engine: Engine, work: Callable[[Writer], Awaitable[_Made]], **options: Any) -> _Made:
    async def run() -> _Made:
        writer = Writer(engine, **options)
        await writer.start()
        try:
            return await work(writer)
        finally:
            await writer.stop()

    return loops.run(run())


def count(engine: Engine) -> int:
    with reading(engine) as connection:
        return int(connection.execute(select(func.count()).select_from(submission)).scalar_one())


def test_a_submission_is_recorded_with_a_receipt(engine: Engine) -> None:
    with writing(engine) as connection:
        CLASS.make(connection)
        run = CLASS.opened(connection, "ada")
        [kept] = keep(connection, [sent(run, ITEM.id, RIGHT)])

    assert kept.verdict == "recorded"
    assert kept.receipt == {
        "submission": f"{run['id']}/{ITEM.id}/1",
        "attempt": run["id"],
        "item": ITEM.id,
        "received": START + 1,
        "status": "recorded",
    }
    assert count(engine) == 1


def test_a_replay_is_answered_as_the_first_time_and_kept_once(engine: Engine) -> None:
    with writing(engine) as connection:
        CLASS.make(connection)
        run = CLASS.opened(connection, "ada")
        first = sent(run, ITEM.id, RIGHT)
        again = sent(run, ITEM.id, RIGHT, arrived=START + 5000)
        results = keep(connection, [first, again, first])
    with writing(engine) as connection:
        results += keep(connection, [again])

    assert {str(kept) for kept in results} == {str(results[0])}
    assert count(engine) == 1


def test_a_used_id_takes_no_other_answer(engine: Engine) -> None:
    with writing(engine) as connection:
        CLASS.make(connection)
        run = CLASS.opened(connection, "ada")
        results = keep(connection, [sent(run, ITEM.id, RIGHT), sent(run, ITEM.id, WRONG)])
        results += keep(connection, [sent(run, ITEM.id, WRONG)])

    assert [kept.verdict for kept in results] == ["recorded", "reused", "reused"]
    assert count(engine) == 1


def test_no_batch_but_the_first_makes_statements_anew(engine: Engine) -> None:
    seen: list[CacheStats] = []

    @event.listens_for(engine, "before_cursor_execute")
    def look(_connection: object, _cursor: object, _text: str, _given: object, context: Any, _many: bool) -> None:
        if context.compiled is not None:
            seen.append(context.cache_hit)

    with writing(engine) as connection:
        CLASS.make(connection)
        run = CLASS.opened(connection, "ada")
        keep(connection, [sent(run, ITEM.id, RIGHT, number) for number in (1, 2)])
        seen.clear()
        keep(connection, [sent(run, ITEM.id, RIGHT, number) for number in range(3, 40)])

    assert seen == [CacheStats.CACHE_HIT] * 3
    assert count(engine) == 39


def test_nobody_answers_in_somebody_else_s_attempt(engine: Engine) -> None:
    with writing(engine) as connection:
        CLASS.make(connection)
        run = CLASS.opened(connection, "ada")
        theirs = {**run, "person": CLASS.who(connection, "bob")["person"]}
        [kept] = keep(connection, [sent(theirs, ITEM.id, RIGHT)])

    assert kept.verdict == "unknown"
    assert count(engine) == 0


@pytest.mark.parametrize(
    ("after_closing", "verdict"), [(0, "recorded"), (60_000, "recorded"), (60_001, "late"), (10 * HOUR, "late")]
)
def test_arrival_decides_what_is_late(engine: Engine, after_closing: int, verdict: str) -> None:
    with writing(engine) as connection:
        CLASS.make(connection)
        run = CLASS.opened(connection, "ada")
        [kept] = keep(connection, [sent(run, ITEM.id, RIGHT, arrived=START + HOUR + after_closing)])

    assert kept.verdict == verdict
    assert kept.receipt is not None
    assert kept.receipt["status"] == verdict
    assert count(engine) == 1


def test_nothing_is_taken_after_the_learner_finished_but_replays_are_still_answered(engine: Engine) -> None:
    with writing(engine) as connection:
        CLASS.make(connection)
        run = CLASS.opened(connection, "ada")
        [before] = keep(connection, [sent(run, ITEM.id, RIGHT)])
        attempts.finish(connection, run["id"], run["person"], START + 10)
        [replay, new] = keep(connection, [sent(run, ITEM.id, RIGHT), sent(run, ITEM.id, WRONG, 2)])

    assert replay == before
    assert new.verdict == "finished"


def test_what_queued_past_the_end_still_counts_when_it_arrived_in_time(engine: Engine) -> None:
    library = Library()
    with writing(engine) as connection:
        CLASS.make(connection)
        run = CLASS.opened(connection, "ada")
        assert attempts.finish_overdue(connection, START + 2 * HOUR) == 1
        assert gradebook.score_finished(connection, library, START + 2 * HOUR) == 1
        [kept] = keep(connection, [sent(run, ITEM.id, RIGHT, arrived=START + HOUR)])
        assert kept.verdict == "recorded"
        assert gradebook.score_finished(connection, library, START + 2 * HOUR) == 1
        won = connection.execute(select(score.c.score)).scalar_one()
        rows = connection.execute(select(outcome.c.score).where(outcome.c.item == ITEM.id)).scalars().all()

    assert [float(one) for one in rows] == [1.0]
    assert float(won) == 1.0


def test_the_last_answer_by_arrival_counts(engine: Engine) -> None:
    with writing(engine) as connection:
        CLASS.make(connection)
        run = CLASS.opened(connection, "ada")
        keep(connection, [sent(run, ITEM.id, RIGHT, 1, START + 1), sent(run, ITEM.id, WRONG, 2, START + 2)])
        attempts.finish(connection, run["id"], run["person"], START + 10)
        gradebook.score_finished(connection, Library(), START + 20)
        won = connection.execute(select(score.c.score)).scalar_one()

        assert float(won) == 0.0
        assert attempt_row(connection, run["id"])["scored"]


def test_the_last_answer_counts_whatever_round_an_exam_s_answer_claims(engine: Engine) -> None:
    with writing(engine) as connection:
        CLASS.make(connection)
        run = CLASS.opened(connection, "ada")
        keep(connection, [replace(sent(run, ITEM.id, RIGHT), round=7), sent(run, ITEM.id, WRONG, 2)])
        attempts.finish(connection, run["id"], run["person"], START + 10)
        gradebook.score_finished(connection, Library(), START + 20)

        assert float(connection.execute(select(score.c.score)).scalar_one()) == 0.0


def test_opening_twice_gives_the_same_attempt_and_no_more_than_there_are(engine: Engine) -> None:
    with writing(engine) as connection:
        CLASS.make(connection, runs=2)
        first, again = CLASS.opened(connection, "ada"), CLASS.opened(connection, "ada", START + 5)
        attempts.finish(connection, first["id"], first["person"], START + 10)
        second = CLASS.opened(connection, "ada", START + 20)
        attempts.finish(connection, second["id"], second["person"], START + 30)
        with pytest.raises(Refused, match="all attempts"):
            CLASS.opened(connection, "ada", START + 40)

    assert first == again
    assert (first["number"], second["number"]) == (1, 2)


@pytest.mark.parametrize(("now", "code"), [(START - 1, "not_open"), (START + HOUR, "closed")])
def test_no_attempt_is_opened_outside_the_window(engine: Engine, now: int, code: str) -> None:
    with writing(engine) as connection:
        CLASS.make(connection)
        with pytest.raises(Refused) as refused:
            CLASS.opened(connection, "ada", now)

    assert refused.value.code == code


def test_copies_sent_at_the_same_moment_are_one_row(engine: Engine) -> None:
    with writing(engine) as connection:
        CLASS.make(connection)
        runs = [CLASS.opened(connection, name) for name in CLASS.learners]

    async def flood(writer: Writer) -> list[str]:
        copies = [writer.keep([sent(run, ITEM.id, RIGHT)]) for run in runs for _ in range(40)]
        return [kept.verdict for [kept] in await asyncio.gather(*copies)]

    assert with_writer(engine, flood, batch=16) == ["recorded"] * 80
    assert count(engine) == 2


def test_two_writers_on_one_database_keep_each_once(postgres_database: str) -> None:
    engine = connect(postgres_database)
    with writing(engine) as connection:
        CLASS.make(connection)
        runs = [CLASS.opened(connection, name) for name in CLASS.learners]

    async def flood() -> list[str]:
        writers = [Writer(engine, batch=8), Writer(engine, batch=8)]
        for writer in writers:
            await writer.start()
        answers = [
            writer.keep([sent(run, ITEM.id, RIGHT, number)])
            for number in range(1, 30)
            for run in runs
            for writer in writers
        ]
        verdicts: list[str] = [kept.verdict for [kept] in await asyncio.gather(*answers)]
        for writer in writers:
            await writer.stop()
        return verdicts

    assert set(loops.run(flood())) == {"recorded"}
    assert count(engine) == 29 * 2
    engine.dispose()


def test_refused_work_undoes_itself_and_leaves_the_rest_of_its_batch(engine: Engine) -> None:
    with writing(engine) as connection:
        CLASS.make(connection)
        run = CLASS.opened(connection, "ada")

    def fails(connection: Any) -> None:
        CLASS.enrol(connection, "eve")
        raise Refused("no", "no")

    async def both(writer: Writer) -> str:
        kept, refused = await asyncio.gather(
            writer.keep([sent(run, ITEM.id, RIGHT)]), writer.run(fails), return_exceptions=True
        )
        assert isinstance(refused, Refused)
        assert isinstance(kept, list)
        return kept[0].verdict

    assert with_writer(engine, both) == "recorded"
    with reading(engine) as connection, pytest.raises(Refused):
        CLASS.who(connection, "eve")


def test_a_full_queue_asks_to_come_back(engine: Engine) -> None:
    with writing(engine) as connection:
        CLASS.make(connection)
        run = CLASS.opened(connection, "ada")

    async def flood(writer: Writer) -> list[Any]:
        return await asyncio.gather(
            *(writer.keep([sent(run, ITEM.id, RIGHT, number)]) for number in range(1, 20)), return_exceptions=True
        )

    answers = with_writer(engine, flood, waiting=4)
    refused = [answer for answer in answers if isinstance(answer, Unavailable)]
    kept = [answer for answer in answers if not isinstance(answer, Unavailable)]
    assert len(refused) == 15
    assert count(engine) == len(kept) == 4


def test_where_the_commit_fails_nobody_is_told_that_it_is_kept(engine: Engine) -> None:
    with writing(engine) as connection:
        CLASS.make(connection)
        run = CLASS.opened(connection, "ada")
    metadata.drop_all(engine)

    async def one(writer: Writer) -> Sequence[Any]:
        return await asyncio.gather(writer.keep([sent(run, ITEM.id, RIGHT)]), return_exceptions=True)

    [answer] = with_writer(engine, one)
    assert isinstance(answer, Unavailable)
