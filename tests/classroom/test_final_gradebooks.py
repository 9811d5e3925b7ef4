"""A final gradebook: kept as it was made, known again, and nothing in it can be changed without its being seen."""

from __future__ import annotations

import json
from typing import Any

import pytest
from sqlalchemy import Connection, Engine, update

from quiz_widgets.classroom.desk import courses
from quiz_widgets.classroom.desk.database.engine import writing
from quiz_widgets.classroom.desk.database.tables import (
    course,
)
from quiz_widgets.classroom.desk.exports import frozen, kept
from quiz_widgets.classroom.desk.library import Library
from quiz_widgets.classroom.desk.operations import learners
from quiz_widgets.classroom.desk.refusals import Refused
from tests.classroom.marked_class import MOST, NOW, a_class
from tests.classroom.small_class import START, Class


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
