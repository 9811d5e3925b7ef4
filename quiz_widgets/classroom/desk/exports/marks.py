"""The marks of a gradebook, learner by learner in its order, read for `AT_ONCE` learners at a time.

A quiz that was not taken is no zero: its mark has no score, and counts in what the total is out of only once it is over
for that learner. An excused quiz counts in neither.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cache
from itertools import islice
from typing import Literal, NamedTuple, TypeVar

from sqlalchemy import Connection, func, select

from quiz_widgets.classroom.desk import windows
from quiz_widgets.classroom.desk.database.rows import Row
from quiz_widgets.classroom.desk.database.tables import outcome, quiz, score, submission
from quiz_widgets.classroom.desk.exports.book import Book, Column, Learner

AT_ONCE = 100  # learners in one statement and in memory: a statement for each would take longer than its rows
State = Literal["scored", "excused", "missing", "open"]
_One = TypeVar("_One")
_NOTHING = Decimal(0)


class Mark(NamedTuple):
    """What a learner has at one quiz; `missing`: not taken and over, `open`: not taken yet.

    `score` is what counts, after `penalty`. Both are `None` where there is no score, and where it is excused.
    """

    state: State
    most: Decimal
    score: Decimal | None = None
    penalty: Decimal | None = None
    attempt: str | None = None


@dataclass(frozen=True, slots=True)
class Line:
    """One learner's marks, in the order of the columns; `total` points of `out_of`."""

    learner: Learner
    marks: tuple[Mark, ...]
    total: Decimal
    out_of: Decimal


def lines(connection: Connection, book: Book, learners: Iterable[Learner] | None = None) -> Iterator[Line]:
    """The lines of these learners, or of all."""
    number = cache(Decimal)  # few texts, many rows

    @cache
    def is_over(place: int, since: int) -> bool:
        return _window(book, book.columns[place], since, ()).after(book.now)

    for group in batches(book.learners if learners is None else learners):
        found = _scored(connection, book, group)
        for learner in group:
            had = found[learner.id]
            marks = []
            for place, column in enumerate(book.columns):
                made = book.exceptions[column.id].of(learner) if column.id in book.exceptions else ()
                if made and _window(book, column, learner.since, made).excused:
                    mark = Mark("excused", column.most)
                elif (scored := had.get(column.id)) is not None:
                    points, most, penalty, attempt = scored
                    mark = Mark("scored", number(most), number(points), number(penalty), attempt)
                else:
                    over = (
                        _window(book, column, learner.since, made).after(book.now)
                        if made
                        else is_over(place, learner.since)
                    )
                    mark = Mark("missing" if over else "open", column.most)
                marks.append(mark)
            yield _summed_up(learner, marks)


def batches(every: Iterable[_One], size: int = AT_ONCE) -> Iterator[list[_One]]:
    """The same in lists of that size; the last one may be shorter."""
    left = iter(every)
    while batch := list(islice(left, size)):
        yield batch


def arrivals(connection: Connection, book: Book, group: Iterable[Line]) -> dict[str, int]:
    """When the last answer that counts arrived, by the attempt whose score counts; nothing for an empty one."""
    found = connection.execute(
        select(outcome.c.attempt, func.max(submission.c.received))
        .join(score, score.c.attempt == outcome.c.attempt)
        .join(quiz, quiz.c.id == score.c.quiz)
        .join(submission, submission.c.sequence == outcome.c.submission)
        .where(quiz.c.course == book.course, score.c.person.in_([line.learner.id for line in group]))
        .group_by(outcome.c.attempt)
    )
    return {run: int(last) for run, last in found}


def _scored(
    connection: Connection, book: Book, group: Sequence[Learner]
) -> dict[str, dict[str, tuple[str, str, str, str | None]]]:
    """By person and quiz: points, points that there were, what lateness took, and the attempt, as texts."""
    asked = (
        select(score.c.person, score.c.quiz, score.c.score, score.c.max_score, score.c.late_penalty, score.c.attempt)
        .join(quiz, quiz.c.id == score.c.quiz)
        .where(quiz.c.course == book.course, score.c.person.in_([learner.id for learner in group]))
    )
    found: dict[str, dict[str, tuple[str, str, str, str | None]]] = {learner.id: {} for learner in group}
    for who, which, *told in connection.execute(asked):
        found[who][which] = tuple(told)
    return found


def _summed_up(learner: Learner, marks: Sequence[Mark]) -> Line:
    total = out_of = _NOTHING
    for state, most, points, _, _ in marks:
        if state in ("scored", "missing"):
            out_of += most
            if points is not None:
                total += points
    return Line(learner, tuple(marks), total, out_of)


def _window(book: Book, column: Column, since: int, made: Sequence[Row]) -> windows.Window:
    late = windows.late_start(column.settings["opens"], since, book.late_join)
    return windows.window(column.settings, made, late)
