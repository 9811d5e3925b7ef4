"""Filling boards from the database: all of a quiz once, then what is new, and all of it again now and then.

What is new is found by `submission.sequence`. PostgreSQL gives numbers out before it commits, so a row may become
visible after one with a higher number: numbers that are missing are looked for until no transaction can hold them any
more. What was missed all the same, or deleted, is put right when everything is read again.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from sqlalchemy import Connection, func, literal_column, select

from quiz_widgets.classroom.desk import attempts, rosters
from quiz_widgets.classroom.desk.contacts import Heard
from quiz_widgets.classroom.desk.database.class_tables import contact
from quiz_widgets.classroom.desk.database.tables import attempt, membership, person, submission
from quiz_widgets.classroom.desk.library import Library
from quiz_widgets.classroom.desk.live.board import Board, Member, Run

GAP_S = 120.0  # a statement is ended after 30 s, and a transaction of the desk has a few
GAPS = 1_000  # numbers looked for at once; more of them come only from a bulk load, which the next full reading finds
_BREAK = "\n"  # between items; none holds one
_LATE = submission.c.status == literal_column("'late'")  # not as a parameter: it is the condition of the index


@dataclass(slots=True)
class Position:
    """How far the submissions of all quizzes are read."""

    last: int = -1
    missing: dict[int, float] = field(default_factory=dict)

    def begin(self, connection: Connection, now: float) -> None:
        """Begin at the newest one; of those just before it, note which are not there yet. `now`: seconds, monotonic."""
        if self.last >= 0:
            return
        self.last = connection.execute(select(func.max(submission.c.sequence))).scalar() or 0
        first = max(0, self.last - GAPS)
        there = connection.execute(select(submission.c.sequence).where(submission.c.sequence > first)).scalars()
        self._miss(set(range(first + 1, self.last)).difference(there), now)

    def new(self, connection: Connection, now: float) -> list[tuple[int, str, str, str]]:
        """Submissions that were not read yet: sequence, attempt, item and status."""
        asked = select(submission.c.sequence, submission.c.attempt, submission.c.item, submission.c.status)
        later = asked.where(submission.c.sequence > self.last)
        found = [(one, run, item, status) for one, run, item, status in connection.execute(later)]
        if self.missing:
            looked = asked.where(submission.c.sequence.in_(list(self.missing)))
            found += [(one, run, item, status) for one, run, item, status in connection.execute(looked)]
        there = {row[0] for row in found}
        highest = max(there, default=self.last)
        fresh = range(max(self.last, highest - GAPS) + 1, highest)
        self.missing = {one: since for one, since in self.missing.items() if one not in there and now - since < GAP_S}
        self._miss(set(fresh) - there, now)
        self.last = max(self.last, highest)
        return found

    def _miss(self, numbers: Iterable[int], now: float) -> None:
        for number in sorted(numbers):
            self.missing.setdefault(number, now)
        while len(self.missing) > GAPS:
            del self.missing[next(iter(self.missing))]


def read_new(connection: Connection, library: Library, boards: Iterable[Board], position: Position, now: float) -> None:
    """Bring boards up to date: submissions first, so that the attempts read after them are there for each of them."""
    found = position.new(connection, now)
    for board in boards:
        _read_runs(connection, library, board)
        for sequence, run, item, status in found:
            if run in board.runs:
                board.take(run, item, status, sequence)


def read_people(connection: Connection, board: Board) -> None:
    """Who learns and who teaches in the board's course now, and who is excused."""
    board.quiz = rosters.quiz_of(connection, board.quiz["course"], board.quiz["slug"])
    excused = {who for who, window in rosters.windows_of(connection, board.quiz).items() if window.excused}
    found = connection.execute(
        select(membership.c.person, membership.c.role, person.c.hub_name, person.c.display_name)
        .join(person, person.c.id == membership.c.person)
        .where(membership.c.course == board.quiz["course"], membership.c.active)
    ).all()
    board.enrol(
        Member(who, display or name or "", who in excused) for who, role, name, display in found if role == "learner"
    )
    board.teaching = frozenset(name for _, role, name, _ in found if name and role in rosters.TEACHING)


def read_all(connection: Connection, library: Library, board: Board) -> None:
    """Everything that was submitted, by attempt; for a new board, and to put right what was missed."""
    newest = attempts.newest(connection, board.quiz["id"])
    board.learn(newest, library.quiz(connection, newest))  # its questions are shown before anybody opens it
    _read_runs(connection, library, board)
    mine = select(attempt.c.id).where(attempt.c.quiz == board.quiz["id"])
    late: dict[str, set[int]] = {}
    for run, sequence in connection.execute(
        select(submission.c.attempt, submission.c.sequence).where(_LATE, submission.c.attempt.in_(mine))
    ):
        late.setdefault(run, set()).add(sequence)
    answered = (  # from the index alone: the rows themselves are ten times as much to read
        select(submission.c.attempt, func.aggregate_strings(submission.c.item, _BREAK))
        .join(attempt, attempt.c.id == submission.c.attempt)
        .where(attempt.c.quiz == board.quiz["id"])
        .group_by(submission.c.attempt)
    )
    board.answered = {}
    for run, items in connection.execute(answered):
        board.take_all(run, set(items.split(_BREAK)))
    for run in late:
        counted = select(submission.c.item).where(submission.c.attempt == run, submission.c.status == "recorded")
        board.take_all(run, connection.execute(counted).scalars())
    board.late = late


def _read_runs(connection: Connection, library: Library, board: Board) -> None:
    asked = select(
        attempt.c.id,
        attempt.c.person,
        attempt.c.version,
        attempt.c.number,
        attempt.c.opened,
        attempt.c.finished,
        attempt.c.finished_by,
    ).where(attempt.c.quiz == board.quiz["id"])
    runs = {row[0]: Run(*row) for row in connection.execute(asked)}
    for version in {run.version for run in runs.values()}:
        if not board.knows(version):
            board.learn(version, library.quiz(connection, version))
    told = select(contact.c.person, contact.c.at, contact.c.waiting).where(contact.c.quiz == board.quiz["id"])
    board.read(runs, {who: Heard(at, waiting) for who, at, waiting in connection.execute(told)})
