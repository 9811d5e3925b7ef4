"""The rules of a poll, one by one: what counts, who is heard, what a poll may be."""

from __future__ import annotations

import json
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import replace

import pytest
from sqlalchemy import Engine, select

from quiz_widgets import compiled
from quiz_widgets.classroom.desk import gradebook
from quiz_widgets.classroom.desk.database.engine import connect, writing
from quiz_widgets.classroom.desk.database.rows import Row
from quiz_widgets.classroom.desk.database.tables import outcome, submission
from quiz_widgets.classroom.desk.library import Library
from quiz_widgets.classroom.desk.polls import kinds, steps
from quiz_widgets.classroom.desk.refusals import Refused
from quiz_widgets.classroom.desk.submissions import Kept, Sent, digest, keep
from quiz_widgets.model import Item, Pool
from tests.classroom.small_class import EXAM, START, Class, sent

CLASS = Class()
WHOLE = compiled.loads(EXAM.read_text(encoding="utf-8"))
ITEMS = [item for item in WHOLE.items if item.kind == "single"][:2]
NAMES = [item.id for item in ITEMS]
LIBRARY = Library()


def vote(run: Row, item: Item, which: int, round_: int, number: int, arrived: int) -> Sent:
    """A vote for one of the item's options."""
    response = (item.options[which].id,)
    said = digest(item.id, response, None, round_)
    return replace(sent(run, item.id, response, number, arrived), round=round_, digest=said)


class Held:
    """One learner and one item, by hand: what was sent is written when the test says so."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        with writing(engine) as connection:
            kinds.change(connection, CLASS.make(connection), "poll", "prof", START)
            self.run = CLASS.opened(connection, "ada")

    def step(self, step: str, at: int, item: str | None = None) -> None:
        with writing(self.engine) as connection:
            found = CLASS.quiz(connection)
            sequence = steps.state(connection, found["id"])["sequence"]
            steps.take(connection, LIBRARY, found, step, item, sequence, "prof", lambda: at)

    def write(self, *batch: Sent) -> list[Kept]:
        with writing(self.engine) as connection:
            return keep(connection, batch)

    def responses(self) -> Sequence[tuple[str, ...]]:
        """What counts for the learner's score."""
        with writing(self.engine) as connection:
            gradebook.score_finished(connection, LIBRARY, START)
            asked = select(submission.c.response).join(outcome, outcome.c.submission == submission.c.sequence)
            return [tuple(json.loads(text)) for text in connection.execute(asked).scalars()]


@pytest.fixture
def held(engine: Engine) -> Held:
    return Held(engine)


ONE = ITEMS[0]
FIRST, SECOND, THIRD = [(option.id,) for option in ONE.options[:3]]


@pytest.mark.parametrize(("arrived", "verdict"), [(9, "recorded"), (10, "late"), (11, "late")])
def test_a_vote_that_queued_past_the_closing_counts_if_it_had_arrived_before(
    held: Held, arrived: int, verdict: str
) -> None:
    held.step("open", START, ONE.id)
    held.step("close", START + 10)
    [kept] = held.write(vote(held.run, ONE, 0, 1, 1, START + arrived))
    assert kept.verdict == verdict


def test_the_highest_round_counts_even_if_a_vote_of_an_earlier_one_is_written_last(held: Held) -> None:
    held.step("open", START, ONE.id)
    early = vote(held.run, ONE, 0, 1, 1, START + 1)
    held.step("close", START + 2)
    held.step("open", START + 3, ONE.id)
    held.write(vote(held.run, ONE, 1, 2, 2, START + 4), vote(held.run, ONE, 2, 2, 3, START + 5))
    held.write(early)
    held.step("close", START + 6)
    held.step("end", START + 7)
    assert held.responses() == [THIRD]


def test_a_vote_that_is_written_after_the_end_is_scored_too(held: Held) -> None:
    held.step("open", START, ONE.id)
    held.write(vote(held.run, ONE, 0, 1, 1, START + 1))
    held.step("close", START + 3)
    held.step("end", START + 4)
    assert held.responses() == [FIRST]
    held.write(vote(held.run, ONE, 1, 1, 2, START + 2))
    assert held.responses() == [SECOND]


def test_another_worker_s_vote_and_the_closing_wait_for_each_other(postgres_database: str) -> None:
    """Each is in the database before the other looks: no vote is kept as in time that came after the closing."""
    engine = connect(postgres_database)
    held = Held(engine)
    held.step("open", START, ONE.id)
    with ThreadPoolExecutor(1) as other:
        with writing(engine) as connection:  # a vote is written, and not committed yet
            [kept] = keep(connection, [vote(held.run, ONE, 0, 1, 1, START + 9)])
            closing = other.submit(held.step, "close", START + 10)
            wait([closing], 0.3)
            assert not closing.done()
        closing.result(10)
        held.step("open", START + 20, ONE.id)
        with writing(engine) as connection:  # a round is closed, and not committed yet
            found = CLASS.quiz(connection)
            sequence = steps.state(connection, found["id"])["sequence"]
            steps.take(connection, LIBRARY, found, "close", None, sequence, "prof", lambda: START + 30)
            late = other.submit(held.write, vote(held.run, ONE, 1, 2, 2, START + 31))
            wait([late], 0.3)
            assert not late.done()
        verdicts = [kept.verdict, late.result(10)[0].verdict]
    engine.dispose()
    assert verdicts == ["recorded", "late"]


def test_the_first_of_two_instructors_is_heard(held: Held) -> None:
    with writing(held.engine) as connection:
        found = CLASS.quiz(connection)
        steps.take(connection, LIBRARY, found, "open", ONE.id, 0, "prof", lambda: START)
        with pytest.raises(Refused, match="moved on"):
            steps.take(connection, LIBRARY, found, "open", ITEMS[1].id, 0, "second", lambda: START)
        with pytest.raises(Refused, match="allowed are: close"):
            steps.take(connection, LIBRARY, found, "reveal", ONE.id, 1, "prof", lambda: START)


def test_a_quiz_that_was_opened_stays_what_it_is(held: Held) -> None:
    with writing(held.engine) as connection:
        found = CLASS.quiz(connection)
        kinds.change(connection, found, "poll", "prof", START)
        with pytest.raises(Refused, match="has opened it as poll"):
            kinds.change(connection, found, "exam", "prof", START)


def test_a_quiz_with_a_pool_is_no_poll() -> None:
    pooled = replace(WHOLE, pools=(Pool("p", 1, tuple(NAMES)),))
    with pytest.raises(Refused, match="pool `p`"):
        kinds.require_fit(pooled)
