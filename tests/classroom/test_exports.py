"""Grades on their way out: every cell is what it says, every row is there, and a final gradebook cannot be changed."""

from __future__ import annotations

import csv
import io
import json
import secrets
import tracemalloc
import unicodedata
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import Connection, Engine, event, func, insert, select, update

from quiz_widgets import compiled
from quiz_widgets.classroom.desk import attempts, courses, gradebook, publishing
from quiz_widgets.classroom.desk.courses import Line
from quiz_widgets.classroom.desk.database.class_tables import poll_round
from quiz_widgets.classroom.desk.database.engine import connect, one_state, reading, writing
from quiz_widgets.classroom.desk.database.migrations import migrate
from quiz_widgets.classroom.desk.database.tables import (
    attempt,
    course,
    exception,
    membership,
    outcome,
    person,
    quiz,
    score,
    version,
)
from quiz_widgets.classroom.desk.exports import book as books
from quiz_widgets.classroom.desk.exports import cells, frozen, kept, marks, sheets
from quiz_widgets.classroom.desk.library import Library
from quiz_widgets.classroom.desk.operations import learners
from quiz_widgets.classroom.desk.refusals import Refused
from quiz_widgets.classroom.desk.submissions import keep
from quiz_widgets.cli import main
from tests.classroom.small_class import EXAM, HOUR, START, Class, a_choice, sent

TEXTS: dict[str, list[str]] = json.loads((Path(__file__).parent / "cells.json").read_text(encoding="utf-8"))
WHOLE = compiled.loads(EXAM.read_text(encoding="utf-8"))
ITEM = a_choice(WHOLE)
NUMBER = next(item for item in WHOLE.items if item.kind == "number")
MOST = cells.plain(sum((item.points for item in WHOLE.items), Decimal(0)))
NOW = START + 2 * HOUR
SIGNS = "=+-@"


@pytest.mark.parametrize("case", TEXTS)
def test_a_text_begins_no_formula(case: str) -> None:
    given_text, wanted = TEXTS[case]

    assert cells.safe(given_text) == wanted


TRICKY = (
    st.text(st.sampled_from(" \t\r\n;,\"'=+-@|\u00a0\u200b\ufeff\u200f\uff1d\uff0b\uff0d\uff20\u22121aé")) | st.text()
)


@given(
    st.lists(
        st.lists(
            TRICKY | st.integers() | st.decimals(allow_nan=False, allow_infinity=False, places=4) | st.none(),
            min_size=2,
        ),
        min_size=1,
    )
)
def test_no_cell_is_a_formula_whatever_takes_it_apart(table: list[list[Any]]) -> None:
    text = "".join(cells.lines(table))

    assert text.startswith("\ufeff")
    read = list(csv.reader(io.StringIO(text.removeprefix("\ufeff"), newline=""), strict=True))
    assert [len(row) for row in read] == [len(row) for row in table]
    for row, found in zip(table, read, strict=True):
        for value, cell in zip(row, found, strict=True):
            if value is None:
                assert cell == ""
            elif isinstance(value, str):
                assert cell.replace("'", "") == value.replace("'", "")
                for part in cell.replace("\t", ";").replace("\n", ";").replace("\r", ";").split(";"):
                    assert not is_formula(part)
            else:
                assert Decimal(cell) == value


def is_formula(cell: str) -> bool:
    """As a spreadsheet sees it: what shows first, in its usual width."""
    shown = [letter for letter in cell if not letter.isspace() and unicodedata.category(letter) not in ("Cc", "Cf")]
    return bool(shown) and unicodedata.normalize("NFKC", shown[0])[0] in SIGNS


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("-2.50", Decimal("-2.50")),
        ("1e3", Decimal(1000)),
        ("-2+3", "-2+3"),
        ("1e999", "1e999"),
        ("0x1F", "0x1F"),
        ("٣", "٣"),
        ("", ""),
        ("9" * 50, "9" * 50),
    ],
)
def test_only_plain_numbers_are_numbers(text: str, wanted: Decimal | str) -> None:
    assert cells.number(text) == wanted


@pytest.mark.parametrize(
    ("number", "wanted"), [("1E+3", "1000"), ("0.50", "0.5"), ("-0.00", "0"), ("100", "100"), ("2.0000", "2")]
)
def test_numbers_are_written_in_digits(number: str, wanted: str) -> None:
    assert cells.plain(Decimal(number)) == wanted


def test_times_are_written_as_the_course_s_clock_shows_them() -> None:
    berlin = ZoneInfo("Europe/Berlin")

    assert cells.moment(1_800_000_000_001, berlin) == "2027-01-15T09:00:00.001+01:00"
    # the hour that comes twice
    assert cells.moment(1_792_888_200_000, berlin) == "2026-10-25T02:30:00.000+02:00"
    assert cells.moment(1_792_891_800_000, berlin) == "2026-10-25T02:30:00.000+01:00"


def a_class(connection: Connection) -> None:
    """Ada has one right answer at the first quiz, bob took none, cem is excused, dee dropped; a second quiz is open."""
    small = Class(learners=("ada", "bob", "cem", "dee"))
    small.make(connection)
    for name, number, shown in [("ada", "0042", '=Ada, "A"'), ("bob", "0007", "Bob"), ("cem", "0100", "Cem")]:
        courses.enrol(connection, "cs101", Line(name, shown, number, "A", email=f"{name}@example.org"), "prof", START)
    run = small.opened(connection, "ada")
    batch = [sent(run, ITEM.id, ITEM.key, arrived=START + 1), sent(run, NUMBER.id, ("-2.50",), arrived=START + 1_234)]
    keep(connection, batch)
    attempts.finish(connection, run["id"], run["person"], START + 2_000)
    while gradebook.score_finished(connection, Library(), START + 3_000):
        pass
    connection.execute(
        insert(exception).values(
            id=secrets.token_hex(16), quiz=small.quiz(connection)["id"], person=small.who(connection, "cem")["person"],
            time_factor="1", extra_runs=0, excused=True, reason="ill", made_by="prof", made=START,
        )
    )  # fmt: skip
    courses.drop(connection, "cs101", "dee", "prof", START)
    publishing.publish(connection, "cs101", "week-4", EXAM.read_text(encoding="utf-8"), "prof", START)
    connection.execute(
        update(quiz).where(quiz.c.slug == "week-4").values(title="+Week 4 (12)", opens=START, due=NOW + HOUR)
    )


def written(connection: Connection, form: str) -> list[dict[str, str]]:
    text = "".join(sheets.gradebook(connection, Library(), "cs101", form, NOW))
    assert text.startswith("\ufeff")
    return list(csv.DictReader(io.StringIO(text.removeprefix("\ufeff"), newline=""), strict=True))


TITLE = WHOLE.title.rendered("en").plain


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


def final(connection: Connection) -> str:
    text = frozen.make(connection, Library(), "cs101", "prof", NOW)
    kept.keep(connection, "cs101", kept.packed(text), "prof", NOW)
    return text


def test_a_final_gradebook_is_known_and_verified(engine: Engine) -> None:
    with writing(engine) as connection:
        a_class(connection)
        text = final(connection)
        found = frozen.verify(text)

        assert frozen.is_known(connection, found)
    assert found["finalised"] == "2027-01-15T13:00:00.000+03:00"
    assert [learner["student_number"] for learner in found["learners"]] == ["0007", "0042", "0100"]
    assert [learner["marks"][0]["state"] for learner in found["learners"]] == ["missing", "scored", "excused"]
    assert found["learners"][1]["marks"][0] == {
        "quiz": "week-3",
        "state": "scored",
        "points": "1",
        "out_of": MOST,
        "late_penalty": "0",
        "received": "2027-01-15T11:00:01.234+03:00",
    }
    # laid out anew it is the same gradebook
    assert frozen.verify(json.dumps(found, sort_keys=True)) == found


def test_the_same_gradebook_has_the_same_hash(engine: Engine) -> None:
    with writing(engine) as connection:
        a_class(connection)

        assert final(connection) == final(connection)


def test_the_desk_keeps_final_gradebooks_and_gives_them_out_as_they_were(engine: Engine) -> None:
    with writing(engine) as connection:
        a_class(connection)
        courses.create(connection, "other", "Another", "UTC", "rival", "test", START)
        made = final(connection)
        [row] = kept.listed(connection, "cs101")

        assert kept.text(connection, "cs101", row["id"]) == made
        assert [row[name] for name in ("made", "made_by", "learners", "erased")] == [NOW, "prof", 3, None]
        assert row["sha256"] == frozen.verify(made)["sha256"]
        assert kept.listed(connection, "other") == []
        with pytest.raises(Refused, match="no such final gradebook"):
            kept.text(connection, "other", row["id"])


@pytest.mark.parametrize("wholly", [False, True])
def test_somebody_erased_is_in_no_final_gradebook_and_both_are_known(engine: Engine, wholly: bool) -> None:
    with writing(engine) as connection:
        a_class(connection)
        before = frozen.verify(final(connection))
        ada = before["learners"][1]["id"]
        assert [one["name"] for one in kept.of_person(connection, ada)] == ["ada"]

        for times in (1, 0):
            course = "cs101" if wholly else None
            assert kept.erase(connection, ada, "root", NOW + 1, course=course) == times
        [row] = kept.listed(connection, "cs101")
        after = frozen.verify(kept.text(connection, "cs101", row["id"]))

        assert row["erased"] == NOW + 1
        assert row["sha256"] == after["sha256"] != before["sha256"]
        assert frozen.is_known(connection, before)
        assert frozen.is_known(connection, after)
    told = {one["id"]: one for one in after["learners"]}
    rest = {one["id"]: one for one in before["learners"]}
    if wholly:
        assert told == {who: one for who, one in rest.items() if who != ada}
    else:
        names = ("student_number", "name", "display_name", "section")
        assert told == {**rest, ada: {**rest[ada], **dict.fromkeys(names)}}


def test_erasing_and_purging_a_learner_reaches_final_gradebooks(engine: Engine) -> None:
    with writing(engine) as connection:
        a_class(connection)
        final(connection)
        [row] = kept.listed(connection, "cs101")
        [mine] = learners.export(connection, "ada")["final_gradebook"]
        assert (mine["course"], mine["name"], mine["total"]) == ("cs101", "ada", "1")

        learners.erase(connection, "ada", "root", NOW + 1)
        assert not any(name in kept.text(connection, "cs101", row["id"]) for name in ("ada", "0042", "Ada"))
        assert mine["id"] in kept.text(connection, "cs101", row["id"])
        connection.execute(update(course).values(retained_until=NOW + 2))
        learners.purge(connection, "root", NOW + 3)
        assert mine["id"] not in kept.text(connection, "cs101", row["id"])


@pytest.mark.parametrize(
    "change",
    [
        lambda found: found["learners"][1]["marks"][0].update(points="8"),
        lambda found: found["learners"].pop(),
        lambda found: found.update(finalised="2020-01-01T00:00:00.000+03:00"),
        lambda found: found.update(more=True),
        lambda found: found.pop("sha256"),
    ],
    ids=["points", "a learner less", "date", "a field more", "no hash"],
)
def test_a_final_gradebook_that_was_changed_is_found_out(engine: Engine, change: Any) -> None:
    with writing(engine) as connection:
        a_class(connection)
        found = json.loads(final(connection))
    change(found)

    with pytest.raises(Refused, match="was changed"):
        frozen.verify(json.dumps(found))


@pytest.mark.parametrize("text", ["", "[]", "{}", "not json", "[" * 100_000, '{"format": "another 1"}'])
def test_what_is_no_final_gradebook_is_said_to_be_none(text: str) -> None:
    with pytest.raises(Refused, match="no final gradebook"):
        frozen.verify(text)


def test_nothing_is_final_while_an_attempt_is_open(engine: Engine) -> None:
    with writing(engine) as connection:
        a_class(connection)
        Class().opened(connection, "bob")
        with pytest.raises(Refused, match="1 attempts are open or not scored"):
            final(connection)


@pytest.fixture
def desk(engine: Engine, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A class in a desk's database that the command line finds; the folder for its files."""
    with writing(engine) as connection:
        a_class(connection)
    monkeypatch.setenv("QUIZ_DESK_DATABASE", engine.url.render_as_string(hide_password=False))
    monkeypatch.setenv("QUIZ_DESK_SECRETS", "ab" * 32)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("form", sheets.FORMATS)
def test_the_command_writes_a_gradebook_for_its_owner_alone(
    desk: Path, form: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["classroom", "gradebook", "cs101", "--format", form, "-o", "grades.csv"]) == 0
    text = (desk / "grades.csv").read_bytes().decode("utf-8")

    assert text.startswith("\ufeff")
    assert "\r\r\n" not in text
    rows = len(list(csv.reader(io.StringIO(text, newline="")))) - 1
    assert capsys.readouterr().out == f"grades.csv: {rows} rows\n"
    assert (desk / "grades.csv").stat().st_mode & 0o777 == 0o600
    assert main(["classroom", "gradebook", "cs101", "-o", "grades.csv"]) == 2
    assert "is there already" in capsys.readouterr().err


def test_the_command_writes_only_the_quizzes_that_it_is_given(desk: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["classroom", "gradebook", "cs101", "--quiz", "week-3", "-o", "one.csv"]) == 0
    header = (desk / "one.csv").read_text(encoding="utf-8-sig").splitlines()[0]

    assert header == f'"student_number","name","display_name","section","{TITLE}","total","out_of"'
    assert main(["classroom", "gradebook", "cs101", "--quiz", "week-9", "-o", "none.csv"]) == 1
    assert "no such quiz" in capsys.readouterr().err
    assert not (desk / "none.csv").exists()


def test_the_command_writes_an_analysis(desk: Path) -> None:
    assert main(["classroom", "analysis", "cs101/week-3", "-o", "items.csv"]) == 0
    first = (desk / "items.csv").read_text(encoding="utf-8-sig").splitlines()[1]

    assert first.startswith('"week-3",1,"first",,,,1,')


def test_the_command_finalises_and_checks(desk: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["classroom", "finalise", "cs101", "-o", "final.json"]) == 0
    assert "3 learners, SHA-256 " in capsys.readouterr().out
    assert main(["classroom", "finalise", "cs101", "--check", "final.json"]) == 0
    assert "final.json: unchanged since 2" in capsys.readouterr().out

    found = json.loads((desk / "final.json").read_text(encoding="utf-8"))
    other = {**found, "by": "somebody else"}
    other["sha256"] = frozen.digest(other)
    (desk / "other.json").write_text(json.dumps(other), encoding="utf-8")
    assert main(["classroom", "finalise", "cs101", "--check", "other.json"]) == 1
    assert "log knows no such gradebook" in capsys.readouterr().out


def test_a_file_that_could_not_be_filled_is_not_left_behind(
    desk: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken(*_: Any) -> Any:
        yield "a line\r\n"
        raise OSError("the disk is full")

    monkeypatch.setattr(sheets, "gradebook", broken)

    assert main(["classroom", "gradebook", "cs101", "-o", "grades.csv"]) == 1
    assert "the disk is full" in capsys.readouterr().err
    assert not (desk / "grades.csv").exists()
