"""Whatever an instructor and a class do, in whatever order: a vote counts if its round was open when it arrived.

And of two votes in a round the later one counts, of two rounds the higher one, however long a vote queued.
"""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule, run_state_machine_as_test
from sqlalchemy import Engine, delete, select

from quiz_widgets.classroom.desk import gradebook
from quiz_widgets.classroom.desk.database.engine import reading, writing
from quiz_widgets.classroom.desk.database.metadata import metadata
from quiz_widgets.classroom.desk.database.rows import Row
from quiz_widgets.classroom.desk.database.tables import outcome, submission
from quiz_widgets.classroom.desk.polls import kinds, steps, votes
from quiz_widgets.classroom.desk.refusals import Refused
from quiz_widgets.classroom.desk.submissions import Sent, keep
from quiz_widgets.model import Item
from tests.classroom.small_class import START
from tests.classroom.test_polls import CLASS, ITEMS, LIBRARY, NAMES, WHOLE, vote

_Place = tuple[str, str]


class Lecture(RuleBasedStateMachine):
    """Two learners, two items, and a model of the rules that knows nothing of the desk's."""

    engine: Engine

    def __init__(self) -> None:
        super().__init__()
        self.now = START
        self.rounds: dict[str, list[list[int | None]]] = {name: [] for name in NAMES}  # opened, closed
        self.revealed: set[str] = set()
        self.at_hand: str | None = None
        self.open = self.ended = False
        self.sequence = 0
        self.queued: list[Sent] = []
        self.counts: dict[_Place, dict[int, tuple[str, ...]]] = {}
        self.number = 0
        with writing(self.engine) as connection:
            for table in reversed(metadata.sorted_tables):
                connection.execute(delete(table))
            found = CLASS.make(connection)
            kinds.change(connection, found, "poll", "prof", START)
            self.runs: dict[str, Row] = {who: CLASS.opened(connection, who) for who in CLASS.learners}

    @rule()
    def time_passes(self) -> None:
        self.now += 1

    def pressed(self, step: str, item: str | None, behind: int = 0) -> str:
        """What the desk says to a step: nothing, or the code of its refusal."""
        try:
            with writing(self.engine) as connection:
                found = CLASS.quiz(connection)
                steps.take(connection, LIBRARY, found, step, item, self.sequence - behind, "prof", lambda: self.now)
        except Refused as refused:
            return refused.code
        return ""

    def take(self, step: str, item: str | None, *, allowed: bool) -> bool:
        """The desk takes the step, if and only if the model allows it."""
        assert self.pressed(step, item) == ("" if allowed else "not_now")
        self.sequence += allowed
        return allowed

    @rule(item=st.sampled_from([*NAMES, "gone"]))
    def opens(self, item: str) -> None:
        if self.take("open", item, allowed=not self.open and not self.ended and item in set(NAMES) - self.revealed):
            self.rounds[item].append([self.now, None])
            self.open, self.at_hand = True, item

    @rule()
    def closes(self) -> None:
        if self.take("close", None, allowed=self.open):
            assert self.at_hand
            self.rounds[self.at_hand][-1][1] = self.now
            self.open = False

    @rule(item=st.sampled_from(NAMES))
    def reveals(self, item: str) -> None:
        fits = bool(self.rounds[item]) and item not in self.revealed
        if self.take("reveal", item, allowed=fits and not self.open and not self.ended):
            self.revealed.add(item)

    @rule(really=st.integers(0, 3))
    def ends(self, really: int) -> None:
        if really == 0 and self.take("end", None, allowed=not self.open and not self.ended):
            self.ended = True

    @rule()
    def goes_on(self) -> None:
        if self.take("resume", None, allowed=self.ended):
            self.ended = False

    @rule(step=st.sampled_from(steps.STEPS), behind=st.integers(1, 3))
    def presses_on_an_old_page(self, step: str, behind: int) -> None:
        assert self.pressed(step, NAMES[0], behind) == steps.STALE

    @rule(
        who=st.sampled_from(CLASS.learners),
        item=st.sampled_from(ITEMS),
        which=st.integers(0, 2),
        turn=st.integers(-1, 1),
    )
    def votes(self, who: str, item: Item, which: int, turn: int) -> None:
        """A vote arrives, and queues."""
        self.number += 1
        number = max(0, len(self.rounds[item.id]) + turn)
        self.queued.append(vote(self.runs[who], item, which, number, self.number, self.now))

    @precondition(lambda self: self.queued)
    @rule(data=st.data())
    def a_worker_writes(self, data: st.DataObject) -> None:
        """Some of the queue, in any order: another worker has the rest."""
        chosen = data.draw(st.lists(st.sampled_from(range(len(self.queued))), min_size=1, unique=True))
        self.write([self.queued[index] for index in chosen])

    def write(self, batch: list[Sent]) -> None:
        """A batch is committed; every vote gets what the model says."""
        self.queued = [one for one in self.queued if one not in batch]
        with writing(self.engine) as connection:
            kept = keep(connection, batch)
        for one, result in zip(batch, kept, strict=True):
            rounds = self.rounds[one.item]
            [_, closed] = rounds[one.round - 1] if 0 < one.round <= len(rounds) else [0, 0]
            counts = closed is None or one.arrived < closed
            assert result.verdict == ("unfit" if not rounds else "recorded" if counts else "late")
            if result.verdict == "recorded":
                self.counts.setdefault((one.attempt, one.item), {})[one.round] = one.response

    @invariant()
    def the_state_is_that_of_the_model(self) -> None:
        with reading(self.engine) as connection:
            now = steps.standing(connection, LIBRARY, CLASS.quiz(connection))
        assert now.state["sequence"] == self.sequence
        assert (now.state["phase"] == "open", now.ended, set(now.revealed)) == (self.open, self.ended, self.revealed)
        assert {name: len(now.rounds.get(name, ())) for name in NAMES} == {n: len(r) for n, r in self.rounds.items()}

    @invariant()
    def histograms_hold_each_learner_s_last_vote(self) -> None:
        expected: dict[tuple[str, int], dict[tuple[str, ...], int]] = {}
        for (_, item), by_round in self.counts.items():
            for number, response in by_round.items():
                bars = expected.setdefault((item, number), {})
                bars[response] = bars.get(response, 0) + 1
        with reading(self.engine) as connection:
            found = CLASS.quiz(connection)
            made = votes.counted(connection, found, NAMES)
            for item, number in expected:
                assert votes.voted(connection, found, item, number) == made[item, number].voters
        assert {place: dict(one.responses) for place, one in made.items()} == expected

    def teardown(self) -> None:
        """At the end all is scored: the last vote of the highest round, and nothing for what was never opened."""
        if self.queued:
            self.write(list(self.queued))
        if self.open:
            self.closes()
        if not self.ended:
            self.take("end", None, allowed=True)
        with writing(self.engine) as connection:
            while gradebook.score_finished(connection, LIBRARY, self.now):
                pass
            won = connection.execute(
                select(outcome.c.attempt, outcome.c.item, outcome.c.score, outcome.c.max_score, submission.c.response)
                .outerjoin(submission, submission.c.sequence == outcome.c.submission)
                .where(outcome.c.item.in_(NAMES))
            ).all()
        assert len(won) == len(self.runs) * len(NAMES)
        for run, item, score, most, _ in won:
            last = self.counts.get((run, item), {})
            right = bool(last) and last[max(last)] == WHOLE.item(item).key
            assert (float(score), float(most)) == (float(right), float(bool(self.rounds[item])))


@pytest.mark.slow
def test_a_vote_counts_if_its_round_was_open_when_it_arrived(engine: Engine) -> None:
    machine = type("Machine", (Lecture,), {"engine": engine})

    run_state_machine_as_test(
        machine,
        settings=settings(
            max_examples=12,
            stateful_step_count=40,
            deadline=None,
            suppress_health_check=list(HealthCheck),
            derandomize=True,
        ),
    )
