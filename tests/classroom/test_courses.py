"""Courses and rosters: what is enrolled, and what is said of a file that cannot be."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine, select

from quiz_widgets.classroom.desk import courses
from quiz_widgets.classroom.desk.courses import Line
from quiz_widgets.classroom.desk.database.engine import writing
from quiz_widgets.classroom.desk.database.tables import audit, membership
from quiz_widgets.classroom.desk.refusals import Refused
from tests.classroom.small_class import START, Class

ROSTERS: dict[str, Any] = json.loads((Path(__file__).parent / "rosters.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("case", ROSTERS)
def test_a_roster_is_read_or_told_what_is_wrong(case: str) -> None:
    lines, faults = courses.roster(ROSTERS[case]["text"])

    assert faults == ROSTERS[case].get("faults", [])
    if "names" in ROSTERS[case]:
        assert [[line.name, line.display_name, line.section, line.role] for line in lines] == ROSTERS[case]["names"]


def test_enrolling_again_changes_and_brings_back(engine: Engine) -> None:
    with writing(engine) as connection:
        Class().make(connection)
        courses.drop(connection, "cs101", "ada", "prof", START)
        with pytest.raises(Refused):
            Class().who(connection, "ada")
        courses.enrol(connection, "cs101", Line("ada", section="B"), "prof", START)
        assert Class().who(connection, "ada")["section"] == "B"
        logged = connection.execute(select(audit.c.what).order_by(audit.c.sequence)).scalars().all()

        assert logged[-2:] == ["drop", "enrol"]
        assert connection.execute(select(membership)).all()


@pytest.mark.parametrize(
    ("name", "zone", "code"),
    [("cs101", "UTC", "taken"), ("CS 101", "UTC", "bad_name"), ("cs102", "Mars/Olympus", "bad_zone")],
)
def test_a_course_that_cannot_be_made_is_refused(engine: Engine, name: str, zone: str, code: str) -> None:
    with writing(engine) as connection:
        Class().make(connection)
        with pytest.raises(Refused) as refused:
            courses.create(connection, name, "A course", zone, "prof", "admin", START)

    assert refused.value.code == code
