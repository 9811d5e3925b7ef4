"""A class at work as the desk tells it: right after each step, whatever order rows appear in, on both databases."""

from __future__ import annotations

import json
from typing import Any

import pytest
from sqlalchemy import Engine, delete, insert, select, update

from quiz_widgets.classroom.desk import attempts, contacts, courses, publishing
from quiz_widgets.classroom.desk.contacts import Heard
from quiz_widgets.classroom.desk.database.engine import reading, writing
from quiz_widgets.classroom.desk.database.rows import Row
from quiz_widgets.classroom.desk.database.tables import attempt, membership, submission
from quiz_widgets.classroom.desk.library import Library
from quiz_widgets.classroom.desk.live import reading as live
from quiz_widgets.classroom.desk.live import views
from quiz_widgets.classroom.desk.live.board import Board
from quiz_widgets.classroom.desk.live.views import View
from quiz_widgets.classroom.desk.live.watch import told
from quiz_widgets.classroom.desk.submissions import keep
from quiz_widgets.classroom.names import Name
from tests.classroom.small_class import EXAM, HOUR, START, Class, sent

CLASS = Class()


class Watching:
    """A board that is brought up to date when a test says so."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.library = Library()
        self.position = live.Position()
        self.seconds = 0.0
        self.view = views.nothing()
        with reading(engine) as connection:
            self.board = Board(CLASS.quiz(connection))
        self.look(whole=True)

    def look(self, *, whole: bool = False) -> View:
        with reading(self.engine) as connection:
            self.position.begin(connection, self.seconds)
            live.read_new(connection, self.library, [self.board], self.position, self.seconds)
            live.read_people(connection, self.board)
            if whole:
                live.read_all(connection, self.library, self.board)
        self.view = self.board.view(self.view, START)
        return self.view

    def line(self, name: str) -> views.Line:
        with reading(self.engine) as connection:
            return self.view.learners[CLASS.who(connection, name)["person"]]


@pytest.fixture
def made(engine: Engine) -> Engine:
    with writing(engine) as connection:
        CLASS.make(connection)
    return engine


def items(engine: Engine) -> list[str]:
    with reading(engine) as connection:
        whole = Library().quiz(connection, attempts.newest(connection, CLASS.quiz(connection)["id"]))
    return list(whole.sets)


def opened(engine: Engine, name: str) -> Row:
    with writing(engine) as connection:
        return CLASS.opened(connection, name)


def answer(engine: Engine, run: Row, item: str, number: int = 1, arrived: int = START + 1) -> None:
    with writing(engine) as connection:
        keep(connection, [sent(run, item, ("a",), number, arrived)])


def test_the_counts_are_right_after_each_step(made: Engine) -> None:
    known, watching = items(made), Watching(made)
    assert watching.view.totals == views.Totals(learners=2)
    assert list(watching.view.items) == known

    run = opened(made, "ada")
    watching.look()
    assert watching.view.totals == views.Totals(learners=2, opened=1, asked=len(known), open=len(known))
    assert watching.view.items[known[0]] == (known[0], 1, 0)

    for item, number in ((known[0], 1), (known[1], 1), (known[0], 2)):
        answer(made, run, item, number)
        watching.look()
    assert (watching.line("ada").answered, watching.line("ada").open) == (2, len(known) - 2)
    assert [watching.view.items[item].answered for item in known[:3]] == [1, 1, 0]

    answer(made, run, known[2], arrived=START + 2 * HOUR)
    watching.look()
    assert (watching.line("ada").answered, watching.line("ada").late, watching.view.totals.late) == (2, 1, 1)

    with writing(made) as connection:
        attempts.finish(connection, run["id"], run["person"], START + 3)
        contacts.write(connection, {(Name("cs101", "week-3"), "bob"): Heard(START, 4)})
    watching.look()
    assert (watching.line("ada").finished, watching.line("ada").by_desk, watching.line("ada").open) == (
        START + 3, False, 0,
    )  # fmt: skip
    assert (watching.line("bob").held, watching.view.totals.held) == (4, 4)
    assert Watching(made).view.learners == watching.view.learners
    assert Watching(made).view.items == watching.view.items


def test_a_second_attempt_takes_the_place_of_the_first(made: Engine) -> None:
    known, watching = items(made), Watching(made)
    run = opened(made, "ada")
    answer(made, run, known[0])
    watching.look()
    with writing(made) as connection:
        attempts.finish(connection, run["id"], run["person"], START + 3)
        connection.execute(insert(attempt).values({**run, "id": "a2" * 16, "number": 2, "finished": None}))
    watching.look()
    assert (watching.line("ada").answered, watching.line("ada").finished) == (0, None)
    assert watching.view.items[known[0]] == (known[0], 1, 0)


def test_a_row_that_appears_after_one_with_a_higher_number_is_seen(made: Engine) -> None:
    """As on PostgreSQL, where a transaction may commit after one that began later."""
    known, watching = items(made), Watching(made)
    run = opened(made, "ada")
    answer(made, run, known[0])
    watching.look()
    with reading(made) as connection:
        row = dict(connection.execute(select(submission)).mappings().one())

    def put(item: str, sequence: int) -> None:
        with writing(made) as connection:
            more = {"item": item, "sequence": sequence, "id": f"{run['id']}/{item}/1"}
            connection.execute(insert(submission).values(row | more))
        watching.look()

    put(known[2], row["sequence"] + 7)
    put(known[1], row["sequence"] + 3)
    assert watching.line("ada").answered == 3
    assert len(watching.position.missing) == 5
    watching.seconds = live.GAP_S + 1
    watching.look()
    assert watching.position.missing == {}
    put(known[3], row["sequence"] + 5)  # later than any transaction
    assert watching.line("ada").answered == 3
    watching.look(whole=True)
    assert watching.line("ada").answered == 4
    assert watching.view.items[known[3]].answered == 1


def test_a_row_that_was_under_way_when_the_watching_began_is_seen(made: Engine) -> None:
    known = items(made)
    run = opened(made, "ada")
    for item in known[:3]:
        answer(made, run, item)
    with writing(made) as connection:
        row = dict(connection.execute(select(submission).where(submission.c.item == known[1])).mappings().one())
        connection.execute(delete(submission).where(submission.c.item == known[1]))
    watching = Watching(made)
    assert watching.line("ada").answered == 2
    with writing(made) as connection:
        connection.execute(insert(submission).values(row))
    watching.look()
    assert watching.line("ada").answered == 3


def test_who_leaves_or_joins_is_told_and_labels_stay(made: Engine) -> None:
    known, watching = items(made), Watching(made)
    answer(made, opened(made, "ada"), known[0])
    watching.look()
    label = watching.line("ada").label
    with writing(made) as connection:
        bob = CLASS.who(connection, "bob")["person"]
        connection.execute(update(membership).where(membership.c.person == bob).values(active=False))
        CLASS.enrol(connection, "cem")
    watching.look()
    assert watching.view.gone == (bob,)
    assert (watching.line("ada").label, watching.line("cem").label, watching.view.totals.learners) == (label, 3, 2)
    assert watching.view.items[known[0]].answered == 1
    assert watching.board.teaching == {"prof"}


def test_answers_to_another_quiz_change_nothing(made: Engine) -> None:
    watching = Watching(made)
    before = watching.view
    with writing(made) as connection:
        other = Class(course="other", slug="theirs", learners=())
        courses.create(connection, "other", "Another", "UTC", "rival", "test", START)
        publishing.publish(connection, "other", "theirs", EXAM.read_text(encoding="utf-8"), "rival", START)
        ada = CLASS.who(connection, "ada")["person"]
        connection.execute(
            insert(membership).values(course="other", person=ada, role="learner", active=True, since=START)
        )
        run = other.opened(connection, "ada")
    answer(made, run, items(made)[0])
    assert watching.look() is before


def test_a_view_tells_what_changed_and_a_slow_reader_all(made: Engine) -> None:
    known, watching = items(made), Watching(made)
    first = watching.view
    run = opened(made, "ada")
    watching.look()
    answer(made, run, known[0])
    last = watching.look()
    assert watching.look() is last
    change = json.loads(last.change)
    assert [row[0] for row in change["learners"]] == [run["person"]]
    assert change["items"] == [[known[0], 1, 1]]
    assert len(json.loads(last.whole)["learners"]) == 2
    kinds = {known: told(last, known).split(b"\n")[0] for known in (0, first.sequence, 2, last.sequence)}
    assert kinds == {0: b"event: state", 1: b"event: state", 2: b"event: change", 3: b": "}


def test_nothing_that_is_told_holds_a_response_or_a_score(made: Engine) -> None:
    known = items(made)
    run = opened(made, "ada")
    with writing(made) as connection:
        keep(connection, [sent(run, known[0], ("canary-7f3a",))])
    watching = Watching(made)
    assert watching.line("ada").answered == 1
    assert b"canary" not in watching.view.whole
    found: dict[str, Any] = json.loads(watching.view.whole)
    assert set(found) == {"sequence", "at", "totals", "learners", "items"}
