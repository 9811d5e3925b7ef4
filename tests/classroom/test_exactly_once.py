"""Whatever is sent, repeated, killed and finished, in whatever order: what was acknowledged is stored, and once."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule, run_state_machine_as_test
from sqlalchemy import Engine, delete, select

from quiz_widgets import compiled
from quiz_widgets.classroom.desk import attempts, gradebook
from quiz_widgets.classroom.desk.database.engine import reading, writing
from quiz_widgets.classroom.desk.database.metadata import metadata
from quiz_widgets.classroom.desk.database.rows import Row, rows
from quiz_widgets.classroom.desk.database.tables import attempt, outcome, score, submission
from quiz_widgets.classroom.desk.library import Library
from quiz_widgets.classroom.desk.refusals import Refused
from quiz_widgets.classroom.desk.submissions import Sent, keep
from tests.classroom.small_class import EXAM, HOUR, START, Class, sent

CLASS = Class()
WHOLE = compiled.loads(EXAM.read_text(encoding="utf-8"))
ITEMS = [item for item in WHOLE.items if item.kind == "single"][:2]
GRACE = 60_000
RUNS = 2


class Power(Exception):
    """The power went before the commit."""


def power(*, fails: bool) -> None:
    """Go on, or not."""
    if fails:
        raise Power


class Hall(RuleBasedStateMachine):
    """Two learners at one desk, with a clock that only goes forward."""

    engine: Engine

    def __init__(self) -> None:
        super().__init__()
        self.now = START
        self.library = Library()
        self.acknowledged: dict[tuple[str, str], Any] = {}
        self.sent: list[Sent] = []
        self.runs: dict[str, Row] = {}
        with writing(self.engine) as connection:
            for table in reversed(metadata.sorted_tables):
                connection.execute(delete(table))
            CLASS.make(connection, runs=RUNS)

    @rule(who=st.sampled_from(CLASS.learners))
    def opens(self, who: str) -> None:
        codes: list[str] = []
        try:
            with writing(self.engine) as connection:
                self.runs[who] = CLASS.opened(connection, who, self.now)
        except Refused as refused:
            codes.append(refused.code)
        assert set(codes) <= {"closed", "no_attempts_left"}

    @precondition(lambda self: self.runs)
    @rule(data=st.data(), copies=st.integers(1, 3), killed=st.booleans())
    def submits(self, data: st.DataObject, copies: int, killed: bool) -> None:
        run = self.runs[data.draw(st.sampled_from(sorted(self.runs)))]
        item = data.draw(st.sampled_from(ITEMS))
        option = data.draw(st.sampled_from(item.options))
        made = sent(run, item.id, (option.id,), data.draw(st.integers(1, 4)), self.now)
        self.sent.append(made)
        self.deliver([made] * copies, killed=killed)

    @precondition(lambda self: self.sent)
    @rule(data=st.data(), killed=st.booleans())
    def repeats(self, data: st.DataObject, killed: bool) -> None:
        again = data.draw(st.lists(st.sampled_from(self.sent), min_size=1, max_size=5))
        self.deliver([_arriving(one, self.now) for one in again], killed=killed)

    def deliver(self, batch: list[Sent], *, killed: bool) -> None:
        try:
            with writing(self.engine) as connection:
                answers = keep(connection, batch)
                power(fails=killed)
        except Power:
            return  # nobody was answered
        for one, kept in zip(batch, answers, strict=True):
            place = (one.person, one.id)
            if kept.receipt is not None:
                assert self.acknowledged.setdefault(place, kept.receipt) == kept.receipt
            else:  # a repeat of what was acknowledged has its receipt again, always
                assert kept.verdict == "reused" or (kept.verdict == "finished" and place not in self.acknowledged)

    @precondition(lambda self: self.runs)
    @rule(data=st.data())
    def finishes(self, data: st.DataObject) -> None:
        who = data.draw(st.sampled_from(sorted(self.runs)))
        with writing(self.engine) as connection:
            attempts.finish(connection, self.runs[who]["id"], self.runs[who]["person"], self.now)

    @rule(minutes=st.sampled_from([1, 20, 59, 90]))
    def time_passes(self, minutes: int) -> None:
        self.now += minutes * 60_000
        with writing(self.engine) as connection:
            attempts.finish_overdue(connection, self.now)
            while gradebook.score_finished(connection, self.library, self.now):
                pass

    @invariant()
    def what_was_acknowledged_is_stored_once(self) -> None:
        with reading(self.engine) as connection:
            kept = rows(connection, select(submission))
            runs = rows(connection, select(attempt))
        places = [(row["person"], row["id"]) for row in kept]
        assert len(places) == len(set(places))
        assert self.acknowledged.keys() <= set(places)
        assert set(places) <= {(one.person, one.id) for one in self.sent}
        for row in kept:
            told = self.acknowledged.get((row["person"], row["id"]))
            assert told is None or (told["received"], told["status"]) == (row["received"], row["status"])
            assert row["status"] == ("recorded" if row["received"] <= START + HOUR + GRACE else "late")
        for who in {run["person"] for run in runs}:
            mine = sorted(run["number"] for run in runs if run["person"] == who)
            assert mine == list(range(1, len(mine) + 1))
            assert len(mine) <= RUNS

    @invariant()
    def scores_follow_from_submissions(self) -> None:
        with reading(self.engine) as connection:
            scored = rows(connection, select(attempt).where(attempt.c.scored))
            for run in scored:
                won = rows(connection, select(outcome).where(outcome.c.attempt == run["id"]))
                kept = rows(connection, select(submission).where(submission.c.attempt == run["id"]))
                assert {one["item"] for one in won} == {item.id for item in WHOLE.items}
                for one in won:
                    last = [row for row in kept if row["item"] == one["item"] and row["status"] == "recorded"]
                    expected = (
                        max(last, key=lambda row: (row["received"], row["sequence"]))["sequence"] if last else None
                    )
                    assert one["submission"] == expected
            assert len(rows(connection, select(score))) == len({run["person"] for run in scored})


def _arriving(one: Sent, now: int) -> Sent:
    return Sent(**{name: getattr(one, name) for name in Sent.__slots__} | {"arrived": now})


@pytest.mark.slow
def test_no_order_of_events_loses_or_doubles_an_answer(engine: Engine) -> None:
    machine = type("Machine", (Hall,), {"engine": engine})

    run_state_machine_as_test(
        machine,
        settings=settings(
            max_examples=8,
            stateful_step_count=20,
            deadline=None,
            suppress_health_check=list(HealthCheck),
            derandomize=True,
        ),
    )
