"""Gradebooks in every format: their columns, their rows, and what writing them takes."""

from __future__ import annotations

import csv
import io
import secrets
import tracemalloc
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, Engine, event, func, insert, select, update

from quiz_widgets.classroom.desk import courses, publishing
from quiz_widgets.classroom.desk.courses import Line
from quiz_widgets.classroom.desk.database.class_tables import poll_round
from quiz_widgets.classroom.desk.database.engine import connect, one_state, reading, writing
from quiz_widgets.classroom.desk.database.migrations import migrate
from quiz_widgets.classroom.desk.database.tables import (
    attempt,
    exception,
    membership,
    outcome,
    person,
    quiz,
    score,
    version,
)
from quiz_widgets.classroom.desk.exports import book as books
from quiz_widgets.classroom.desk.exports import marks, sheets
from quiz_widgets.classroom.desk.library import Library
from quiz_widgets.classroom.desk.refusals import Refused
from tests.classroom.marked_class import ITEM, MOST, NOW, NUMBER, TITLE, WHOLE, a_class
from tests.classroom.small_class import EXAM, HOUR, START, Class


def written(connection: Connection, form: str) -> list[dict[str, str]]:
    text = "".join(sheets.gradebook(connection, Library(), "cs101", form, NOW))
    assert text.startswith("\ufeff")
    return list(csv.DictReader(io.StringIO(text.removeprefix("\ufeff"), newline=""), strict=True))


def test_the_wide_gradebook_has_a_row_for_each_learner(engine: Engine) -> None:
    with writing(engine) as connection:
        a_class(connection)
        bob, ada, cem = written(connection, "wide")

    assert list(ada) == [
        "student_number", "name", "display_name", "section", TITLE, "'+Week 4 (12)", "total", "out_of",
    ]  # fmt: skip
    assert list(ada.values()) == ["0042", "ada", '\'=Ada, "A"', "A", "1", "", "1", MOST]
    # not submitted is blank, and counts once the quiz is over; what is still open does not
    assert list(bob.values()) == ["0007", "bob", "Bob", "A", "", "", "0", MOST]
    assert list(cem.values()) == ["0100", "cem", "Cem", "A", "excused", "", "", ""]


def test_the_long_gradebook_has_a_row_for_each_answer(engine: Engine) -> None:
    with writing(engine) as connection:
        a_class(connection)
        told = written(connection, "long")
        kept = connection.execute(select(func.count()).select_from(outcome)).scalar_one()

    assert len(told) == kept == len(WHOLE.items)
    by_item = {row["item"]: row for row in told}
    assert [row["item"] for row in told] == sorted(by_item)
    assert {row["student_number"] for row in told} == {"0042"}
    assert [by_item[ITEM.id][name] for name in ("quiz", "version", "attempt", "answer", "points", "received")] == [
        "week-3", "1", "1", ITEM.key[0], "1", "2027-01-15T11:00:00.001+03:00",
    ]  # fmt: skip
    assert by_item[NUMBER.id]["answer"] == "-2.5"
    blank = next(row for name, row in by_item.items() if name not in (ITEM.id, NUMBER.id))
    assert [blank[name] for name in ("answer", "points", "max_points", "received")] == ["", "0", "1", ""]


def test_canvas_gets_its_columns_and_points(engine: Engine) -> None:
    with writing(engine) as connection:
        a_class(connection)
        possible, bob, ada, cem = written(connection, "canvas")

    # digits in brackets at a title's end would be an assignment's id
    assert list(ada) == ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", TITLE, "week-4"]
    assert list(possible.values()) == ["    Points Possible", "", "", "", "", MOST, MOST]
    assert list(ada.values()) == ['\'=Ada, "A"', "", "0042", "ada", "A", "1", ""]
    assert [bob[TITLE], cem[TITLE]] == ["", "EX"]


def test_moodle_gets_its_columns(engine: Engine) -> None:
    with writing(engine) as connection:
        a_class(connection)
        bob, ada, cem = written(connection, "moodle")

    assert list(ada) == ["ID number", "Username", "Full name", "Email address", TITLE, "'+Week 4 (12)"]
    assert list(ada.values()) == ["0042", "ada", '\'=Ada, "A"', "ada@example.org", "1", ""]
    assert [bob[TITLE], cem[TITLE]] == ["", ""]


def test_nbgrader_gets_its_columns_with_blanks_for_what_is_missing(engine: Engine) -> None:
    with writing(engine) as connection:
        a_class(connection)
        connection.execute(update(score).values(score="0.75", late_penalty="0.25"))
        told = {(row["assignment"], row["student_id"]): row for row in written(connection, "nbgrader")}

    assert list(told) == [(name, who) for who in ("bob", "ada", "cem") for name in ("week-3", "week-4")]
    assert told["week-3", "ada"] == {
        "assignment": "week-3",
        "duedate": "2027-01-15T12:00:00.000+03:00",
        "timestamp": "2027-01-15T11:00:01.234+03:00",
        "student_id": "ada",
        "last_name": '\'=Ada, "A"',
        "first_name": "",
        "email": "ada@example.org",
        "raw_score": "1",
        "late_submission_penalty": "0.25",
        "score": "0.75",
        "max_score": MOST,
        "student_number": "0042",
    }
    marks = ("timestamp", "raw_score", "late_submission_penalty", "score", "max_score")
    assert [told["week-3", "bob"][name] for name in marks] == ["", "", "", "", MOST]
    assert [told["week-3", "cem"][name] for name in marks] == ["", "", "", "", ""]


def test_another_maximum_is_scaled_to_the_column_s(engine: Engine) -> None:
    with writing(engine) as connection:
        a_class(connection)
        connection.execute(update(score).values(score="1", max_score="3"))
        canvas, wide = written(connection, "canvas")[2], written(connection, "wide")[1]

    assert Decimal(canvas[TITLE]) == round(Decimal(MOST) / 3, 4)
    assert [wide[TITLE], wide["total"], wide["out_of"]] == ["1", "1", "3"]


@pytest.mark.parametrize("title", ["An exam", "total", ""])
def test_quizzes_of_one_title_or_of_a_column_s_are_told_apart(engine: Engine, title: str) -> None:
    with writing(engine) as connection:
        a_class(connection)
        connection.execute(update(quiz).values(title=title))

        headings = list(written(connection, "wide")[0])[4:6]
    assert headings == [f"{title} [week-3]".strip(), f"{title} [week-4]".strip()]


def test_a_course_that_is_not_there_is_refused_before_a_line_is_written(engine: Engine) -> None:
    with reading(engine) as connection, pytest.raises(Refused, match="no such course"):
        sheets.gradebook(connection, Library(), "cs102", "wide", NOW)


def test_the_gradebook_is_of_one_moment_though_others_write(engine: Engine) -> None:
    with writing(engine) as connection:
        a_class(connection)
    with one_state(engine) as connection:
        before = written(connection, "wide")
        with writing(engine) as other:
            other.execute(update(score).values(score="0"))

        assert written(connection, "wide") == before
    with one_state(engine) as connection:
        assert written(connection, "wide") != before


def a_large_course(connection: Connection, learners: int, runs: int) -> None:
    """So many learners, each with so many attempts at the one quiz, and an answer to each of its items."""
    found = Class(learners=()).make(connection)
    newest = connection.execute(select(version.c.id)).scalar_one()
    people = [f"p{number:05}" for number in range(learners)]
    connection.execute(
        insert(person), [{"id": who, "hub_name": who, "student_number": who, "created": 0} for who in people]
    )
    connection.execute(
        insert(membership),
        [{"course": "cs101", "person": who, "role": "learner", "active": True, "since": 0} for who in people],
    )
    for who in people:
        numbers = range(1, runs + 1)
        made = [
            {"id": f"{who}-{number}", "quiz": found["id"], "version": newest, "person": who, "number": number,
             "opened": 0, "finished": 1, "finished_by": "learner", "scored": True}
            for number in numbers
        ]  # fmt: skip
        connection.execute(insert(attempt), made)
        answers = [(run["id"], item.id) for run in made for item in WHOLE.items]
        connection.execute(
            insert(outcome),
            [{"attempt": run, "item": item, "score": "1", "max_score": "1", "computed": 1} for run, item in answers],
        )


def test_the_long_gradebook_takes_no_more_memory_for_more_learners(tmp_path: Path) -> None:
    peaks = {}
    for size in (10, 60):
        made = connect(f"sqlite:///{tmp_path / f'{size}.sqlite'}")
        migrate(made)
        with writing(made) as connection:
            a_large_course(connection, size, runs=5)
        with reading(made) as connection:
            sum(1 for _ in sheets.gradebook(connection, Library(), "cs101", "long", NOW))  # what is loaded once
            tracemalloc.start()
            count = sum(1 for _ in sheets.gradebook(connection, Library(), "cs101", "long", NOW))
            peaks[size] = tracemalloc.get_traced_memory()[1]
            tracemalloc.stop()
        made.dispose()
        assert count == 1 + size * 5 * len(WHOLE.items)

    assert peaks[60] < 1.5 * peaks[10]


@pytest.mark.parametrize(("form", "each"), [("wide", 0), ("canvas", 0), ("moodle", 0), ("nbgrader", 0), ("long", 1)])
def test_a_gradebook_takes_no_statement_for_each_learner_or_quiz(engine: Engine, form: str, each: int) -> None:
    """But the long one, of which no more than one learner's answers are in memory."""
    library = Library()
    with writing(engine) as connection:
        a_large_course(connection, 30, runs=1)
        small = statements(connection, lambda: list(sheets.gradebook(connection, library, "cs101", form, NOW)))
        for number in range(5):
            publishing.publish(connection, "cs101", f"more-{number}", EXAM.read_text(encoding="utf-8"), "prof", START)
        list(sheets.gradebook(connection, library, "cs101", form, NOW))  # the new quizzes are read once
        more = statements(connection, lambda: list(sheets.gradebook(connection, library, "cs101", form, NOW)))
        connection.execute(update(membership).where(membership.c.person >= "p00010").values(active=False))
        fewer = statements(connection, lambda: list(sheets.gradebook(connection, library, "cs101", form, NOW)))

    assert more <= small  # the first time it reads the quiz
    assert more - fewer == each * 20


def statements(connection: Connection, work: Callable[[], object]) -> int:
    """How many statements the work takes."""
    seen: list[str] = []

    def note(_connection: Any, _cursor: Any, statement: str, *_more: Any) -> None:
        seen.append(statement)

    event.listen(connection, "before_cursor_execute", note)
    try:
        work()
    finally:
        event.remove(connection, "before_cursor_execute", note)
    return len(seen)


def test_learners_beyond_one_statement_have_their_own_marks(engine: Engine) -> None:
    with writing(engine) as connection:
        found = Class(learners=()).make(connection)
        people = [f"p{number:03}" for number in range(2 * marks.AT_ONCE + 3)]
        connection.execute(insert(person), [{"id": who, "hub_name": who, "created": 0} for who in people])
        connection.execute(
            insert(membership),
            [{"course": "cs101", "person": who, "role": "learner", "active": True, "since": 0} for who in people],
        )
        connection.execute(
            insert(score),
            [
                {"quiz": found["id"], "person": who, "score": str(place), "max_score": "999", "computed": 1}
                for place, who in enumerate(people)
            ],
        )
        told = written(connection, "wide")

    assert [(row["name"], row["total"]) for row in told] == [(who, str(place)) for place, who in enumerate(people)]


def test_only_the_chosen_quizzes_are_in_it_and_in_the_total(engine: Engine) -> None:
    def chosen(*slugs: str) -> list[dict[str, str]]:
        text = "".join(sheets.gradebook(connection, Library(), "cs101", "wide", NOW + 2 * HOUR, slugs))
        return list(csv.DictReader(io.StringIO(text.removeprefix("\ufeff"), newline="")))

    with writing(engine) as connection:
        a_class(connection)
        both, first, second = chosen("week-3", "week-4")[1], chosen("week-3")[1], chosen("week-4")[1]
        with pytest.raises(Refused, match="no such quiz"):
            chosen("week-3", "week-9")

    assert [TITLE in row for row in (both, first, second)] == [True, True, False]
    assert [row["total"] for row in (both, first, second)] == ["1", "1", "0"]
    assert Decimal(both["out_of"]) == Decimal(first["out_of"]) + Decimal(second["out_of"])


def test_a_section_can_be_excused(engine: Engine) -> None:
    with writing(engine) as connection:
        a_class(connection)
        courses.enrol(connection, "cs101", Line("bob", section="B"), "prof", START)
        connection.execute(
            insert(exception).values(
                id=secrets.token_hex(16), quiz=Class().quiz(connection)["id"], section="B", time_factor="1",
                extra_runs=0, excused=True, reason="", made_by="prof", made=START,
            )
        )  # fmt: skip
        told = {row["name"]: row[TITLE] for row in written(connection, "wide")}

    assert told == {"bob": "excused", "ada": "1", "cem": "excused"}


def test_of_a_poll_only_what_was_asked_can_be_won(engine: Engine) -> None:
    with writing(engine) as connection:
        a_class(connection)
        poll = connection.execute(select(quiz.c.id).where(quiz.c.slug == "week-4")).scalar_one()
        connection.execute(update(quiz).where(quiz.c.id == poll).values(kind="poll"))
        connection.execute(insert(poll_round).values(quiz=poll, item=ITEM.id, number=1, opened=START))

        assert [column.most for column in books.read(connection, Library(), "cs101", NOW).columns] == [
            Decimal(MOST),
            ITEM.points,
        ]
