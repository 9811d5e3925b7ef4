"""Enrolling and dropping: whole rosters at once, the last instructor, ids of a learning platform."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable

import pytest
from sqlalchemy import Connection, Engine, insert, select, update

from quiz_widgets.classroom.desk import courses, enrolling, people, rosters
from quiz_widgets.classroom.desk.database.engine import reading, writing
from quiz_widgets.classroom.desk.database.rows import Row, rows
from quiz_widgets.classroom.desk.database.tables import attempt, audit, exception, membership, person
from quiz_widgets.classroom.desk.enrolling import Line
from quiz_widgets.classroom.desk.refusals import Refused
from tests.classroom.small_class import HOUR, START, Class

COURSE = "cs101"


def by_name(connection: Connection) -> dict[str, Row]:
    return {one["hub_name"]: one for one in people.members(connection, COURSE)}


def logged(connection: Connection) -> list[tuple[str, str | None, str | None]]:
    found = connection.execute(select(audit.c.what, audit.c.before, audit.c.after).order_by(audit.c.sequence))
    return [(what, before, after) for what, before, after in found]


def test_a_whole_roster_makes_changes_and_brings_back(engine: Engine) -> None:
    with writing(engine) as connection:
        Class().make(connection)
        courses.drop(connection, COURSE, "bob", "prof", START)
        before = len(logged(connection))
        lines = [Line("new", "New One", "7", lti_sub="s-7"), Line("ada", section="A", email=""), Line("bob")]
        taken = people.take_roster(connection, COURSE, lines, "prof", START + 1)
        found = by_name(connection)
        again = people.take_roster(connection, COURSE, lines, "prof", START + 2)
        told = logged(connection)[before:]

    assert (taken, again) == (people.Taken(3, 0), people.Taken(3, 0))
    assert {name: (one["role"], one["section"], one["active"]) for name, one in found.items()} == {
        "new": ("learner", None, True),
        "ada": ("learner", "A", True),
        "bob": ("learner", None, True),
        "prof": ("instructor", None, True),
    }
    assert found["ada"]["display_name"] == "Ada"  # the roster says nothing of it
    assert (found["new"]["lti_subject"], found["new"]["since"]) == ("s-7", START + 1)
    assert found["bob"]["since"] == START
    assert [what for what, _, _ in told] == ["enrol"] * 3  # and nothing for what the second one left as it was


def test_what_is_known_of_somebody_stays_or_goes_and_only_its_name_is_logged(engine: Engine) -> None:
    with writing(engine) as connection:
        Class().make(connection)
        courses.enrol(connection, COURSE, Line("ada", "Ada L.", "12", email="ada@x"), "prof", START)
        courses.enrol(connection, COURSE, Line("ada", email=""), "prof", START)
        ada = by_name(connection)["ada"]
        told = [after for what, _, after in logged(connection) if what == "person"]

    assert (ada["display_name"], ada["student_number"], ada["email"]) == ("Ada L.", "12", None)
    assert [json.loads(after or "") for after in told] == [["display_name", "email", "student_number"], ["email"]]


LAST: dict[str, Callable[[Connection], object]] = {
    "dropped": lambda connection: courses.drop(connection, COURSE, "prof", "prof", START),
    "made an assistant": lambda connection: courses.enrol(
        connection, COURSE, Line("prof", role="assistant"), "prof", START
    ),
    "made a learner by a roster": lambda connection: people.take_roster(
        connection, COURSE, [Line("new"), Line("prof")], "prof", START
    ),
}


@pytest.mark.parametrize("case", LAST)
def test_the_last_instructor_stays(engine: Engine, case: str) -> None:
    with writing(engine) as connection:
        Class().make(connection)
        Class().enrol(connection, "helper", "assistant")
    with pytest.raises(Refused) as refused, writing(engine) as connection:
        LAST[case](connection)
    with reading(engine) as connection:
        assert by_name(connection)["prof"]["role"] == "instructor"
        assert "new" not in by_name(connection)
    assert refused.value.code == "last_instructor"


def test_a_roster_hands_a_course_over(engine: Engine) -> None:
    with writing(engine) as connection:
        Class().make(connection)
        people.take_roster(
            connection, COURSE, [Line("prof", role="assistant"), Line("next", role="instructor")], "prof", START
        )
        found = by_name(connection)
    assert (found["prof"]["role"], found["next"]["role"]) == ("assistant", "instructor")


def test_of_two_who_drop_each_other_at_once_one_stays(engine: Engine) -> None:
    with writing(engine) as connection:
        Class().make(connection)
        courses.enrol(connection, COURSE, Line("second", role="instructor"), "prof", START)
    refused: list[str] = []

    def drop_prof() -> None:
        try:
            with writing(engine) as connection:
                courses.drop(connection, COURSE, "prof", "second", START)
        except Refused as error:
            refused.append(error.code)

    thread = threading.Thread(target=drop_prof)
    with writing(engine) as connection:
        courses.drop(connection, COURSE, "second", "prof", START)
        thread.start()
        thread.join(0.5)  # it waits for this transaction
    thread.join(30)
    with reading(engine) as connection:
        left = [one for one in by_name(connection).values() if one["role"] == "instructor" and one["active"]]
    assert (refused, len(left)) == (["last_instructor"], 1)


def test_only_learners_of_rosters_are_dropped_with_the_others(engine: Engine) -> None:
    with writing(engine) as connection:
        Class().make(connection)
        Class().enrol(connection, "helper", "assistant")
        Class().enrol(connection, "grouped")
        grouped = select(person.c.id).where(person.c.hub_name == "grouped").scalar_subquery()
        connection.execute(update(membership).where(membership.c.person == grouped).values(source="hub_group"))
        taken = people.take_roster(connection, COURSE, [Line("ada")], "prof", START, drop_others=True)
        found = by_name(connection)

    assert taken == people.Taken(1, 1)
    assert [name for name, one in found.items() if not one["active"]] == ["bob"]


SUBJECTS = {
    "two lines": ([Line("new", lti_sub="x"), Line("bob", lti_sub="x")], "`lti_sub` x is that of `new` too"),
    "somebody who is there": ([Line("bob", lti_sub="held", at=2)], "line 2: `lti_sub` held is that of `ada` too"),
    "somebody in the file": ([Line("ada"), Line("bob", lti_sub="held")], "`lti_sub` held is that of `ada` too"),
    "handed on": ([Line("ada", lti_sub="y"), Line("bob", lti_sub="held")], None),
    "removed": ([Line("ada", lti_sub=""), Line("bob", lti_sub="held")], None),
}  # fmt: skip


@pytest.mark.parametrize("case", SUBJECTS)
def test_two_people_never_have_one_id_at_the_platform(engine: Engine, case: str) -> None:
    lines, fault = SUBJECTS[case]
    with writing(engine) as connection:
        Class().make(connection)
        courses.enrol(connection, COURSE, Line("ada", lti_sub="held"), "prof", START)
        assert enrolling.subject_faults(connection, COURSE, lines) == ([fault] if fault else [])
        if fault:
            with pytest.raises(Refused):
                enrolling.enrol_all(connection, COURSE, lines, "prof", START)
        else:
            enrolling.enrol_all(connection, COURSE, lines, "prof", START)
            assert by_name(connection)["bob"]["lti_subject"] == "held"


def test_an_open_attempt_has_the_times_of_the_new_section(engine: Engine) -> None:
    with writing(engine) as connection:
        found = Class().make(connection)
        run = Class().opened(connection, "ada")
        connection.execute(
            insert(exception).values(
                id="e", quiz=found["id"], section="B", due=START + 3 * HOUR, made_by="prof", made=START
            )
        )
        courses.enrol(connection, COURSE, Line("ada", section="B"), "prof", START)
        [after] = rows(connection, select(attempt).where(attempt.c.id == run["id"]))
    assert (run["due"], after["due"]) == (START + HOUR, START + 3 * HOUR)


def test_a_roster_of_thousands_takes_few_statements(engine: Engine) -> None:
    lines = [Line(f"learner-{n}", f"Learner {n}", str(n)) for n in range(1_200)]
    with writing(engine) as connection:
        Class().make(connection)
        people.take_roster(connection, COURSE, lines, "prof", START)
        assert len(rosters.windows_of(connection, Class().quiz(connection))) == 1_202
        moved = [Line(f"learner-{n}", section="B") for n in range(1_200)]
        people.take_roster(connection, COURSE, moved, "prof", START, drop_others=True)
        found = people.members(connection, COURSE)
    assert sum(one["section"] == "B" for one in found) == 1_200
    assert [one["hub_name"] for one in found if not one["active"]] == ["ada", "bob"]


PEOPLE = [
    {"hub_name": "u1", "display_name": "Ayşe Işık", "student_number": "0042", "email": None, "section": "A"},
    {"hub_name": "u2", "display_name": "نورُ الهدى", "student_number": None, "email": None, "section": None},
    {"hub_name": "u3", "display_name": None, "student_number": None, "email": "u3@example.org", "section": None},
    {"hub_name": "u4", "display_name": "Bob", "student_number": "7", "email": None, "section": ""},
]
SEARCHES = [
    ("", None, 4), ("isik", None, 1), ("IŞIK", None, 1), ("ayşe işik", None, 1), ("0042", None, 1), ("نور", None, 1),
    ("example", None, 1), ("", "A", 1), ("", "", 3), ("ayse", "A", 1), ("ayse", "", 0), ("nobody", None, 0),
]  # fmt: skip


@pytest.mark.parametrize(("text", "section", "count"), SEARCHES)
def test_people_are_found_by_words_however_they_are_written(text: str, section: str | None, count: int) -> None:
    assert len(people.matching(PEOPLE, section, text)) == count
