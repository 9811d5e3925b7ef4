"""What docs/classroom/privacy.md promises, held against every table of the database: also one that comes later."""

from __future__ import annotations

import json
import zlib
from decimal import Decimal
from pathlib import Path

import pytest
from sqlalchemy import Connection, Engine, event, insert, select, update

from quiz_widgets import compiled
from quiz_widgets.classroom.desk import attempts, contacts, gradebook, schedules
from quiz_widgets.classroom.desk.contacts import Heard
from quiz_widgets.classroom.desk.database.engine import connect, reading, writing
from quiz_widgets.classroom.desk.database.metadata import metadata
from quiz_widgets.classroom.desk.database.migrations import migrate
from quiz_widgets.classroom.desk.database.outside_tables import final_gradebook, outbox
from quiz_widgets.classroom.desk.database.rows import rows
from quiz_widgets.classroom.desk.database.tables import course, membership, person
from quiz_widgets.classroom.desk.exports import frozen, kept
from quiz_widgets.classroom.desk.identity import tokens
from quiz_widgets.classroom.desk.library import Library
from quiz_widgets.classroom.desk.operations import backups, learners
from quiz_widgets.classroom.desk.submissions import keep
from quiz_widgets.classroom.names import Name
from tests.classroom.small_class import EXAM, START, Class, a_single, sent

CLASS = Class()
WHOLE = compiled.loads(EXAM.read_text(encoding="utf-8"))
CHOICE = a_single(WHOLE)
NUMBER = next(item for item in WHOLE.items if item.kind == "number")
NOW = START + 10_000
NAME = "adalove"
ABOUT = {
    "hub_name": NAME,
    "display_name": "Lovelace",
    "student_number": "s-1843",
    "email": "countess@example.org",
    "lti_issuer": "https://moodle.example.org",
    "lti_subject": "lti-1843",
}
TYPED, REASON, SECTION, SAID = "1,843 bytes", "was ill", "Ockham Park", "no such user"
SECRET = (NAME, "Lovelace", "s-1843", "countess", "lti-1843", TYPED, REASON, SAID)
"""What of her is nowhere once she is erased."""
NAMING = {
    *(
        table.name
        for table in metadata.sorted_tables
        if any(key.column is person.c.id for column in table.columns for key in column.foreign_keys)
    ),
    *("person", "outcome", "final_gradebook", "token"),  # by an attempt, in a file, by the Hub's name
}
"""Tables with rows about single people."""


def a_learner(connection: Connection) -> str:
    """Her with a row in each of those tables; her id. Bob has handed in as well."""
    library = Library()
    CLASS.make(connection)
    connection.execute(update(person).where(person.c.hub_name == "ada").values(ABOUT))
    who, quiz = CLASS.who(connection, NAME), CLASS.quiz(connection)
    here = str(who["person"])
    connection.execute(update(membership).where(membership.c.person == here).values(section=SECTION))
    schedules.except_(connection, quiz, {"person": here}, {"reason": REASON, "time_factor": "1.5"}, "prof", NOW)
    for name, typed in ((NAME, TYPED), ("bob", "12")):
        run = CLASS.opened(connection, name)
        answers = [sent(run, CHOICE.id, (CHOICE.options[0].id,)), sent(run, NUMBER.id, (typed,))]
        assert [one.verdict for one in keep(connection, answers)] == ["recorded"] * 2
        attempts.finish(connection, run["id"], run["person"], NOW)
    gradebook.score_finished(connection, library, NOW)
    gradebook.override(connection, library, quiz, who, Decimal(3), reason=REASON, by="prof", now=NOW)
    contacts.write(connection, {(Name("cs101", "week-3"), NAME): Heard(NOW, 2)})
    connection.execute(
        insert(outbox).values(
            id="0" * 32, kind="ags", course="cs101", quiz=quiz["id"], person=here, unique_key="1", payload="{}",
            stamp=NOW, state="failed", tries=1, next_try=NOW, last_error=SAID, made=NOW,
        )
    )  # fmt: skip
    tokens.give(connection, NAME, "submit", NOW, lifetime=None, course="cs101")
    kept.keep(connection, "cs101", kept.packed(frozen.make(connection, library, "cs101", "prof", NOW)), "prof", NOW)
    return here


def all_rows(connection: Connection, but: tuple[str, ...] = ()) -> dict[str, str]:
    """Every table as text, final gradebooks inflated."""
    told = {}
    for table in metadata.sorted_tables:
        if table.name not in but:
            found = rows(connection, select(table))
            if table is final_gradebook:
                found = [{**row, "body": zlib.decompress(row["body"]).decode()} for row in found]
            told[table.name] = json.dumps(found, ensure_ascii=False)
    return told


def test_all_about_a_learner_is_handed_out(engine: Engine) -> None:
    with writing(engine) as connection:
        here = a_learner(connection)
        told = learners.export(connection, NAME)
        assert {name for name in NAMING if not told.get(name)} == {"token"}  # of which a hash is all that there is
        assert {row["person"] for name in told for row in told[name] if "person" in row} == {here}
        assert [row["what"] for row in told["audit"]] == ["override"]


def test_an_erased_learner_is_named_in_no_table(engine: Engine) -> None:
    with writing(engine) as connection:
        here = a_learner(connection)
        before = all_rows(connection)
        assert {word for word in SECRET if not any(word in text for text in before.values())} == set()
        learners.erase(connection, NAME, "root", NOW)
        after = all_rows(connection)
    assert {(table, word) for table, text in after.items() for word in SECRET if word in text} == set()
    assert SECTION not in after["membership"] + after["final_gradebook"]
    assert {table for table in NAMING if after[table] == "[]"} == {"contact", "token"}
    assert [after[table] for table in ("score", "outcome", "attempt")] == [
        before[table] for table in ("score", "outcome", "attempt")
    ]
    assert f'[\\"{CHOICE.options[0].id}\\"]' in after["submission"]
    assert here in after["final_gradebook"]


@pytest.mark.parametrize(("until", "goes"), [(None, False), (NOW + 1, False), (NOW, True)])
def test_what_is_left_goes_once_the_course_s_time_is_over(engine: Engine, until: int | None, goes: bool) -> None:
    with writing(engine) as connection:
        here = a_learner(connection)
        learners.erase(connection, NAME, "root", NOW)
        connection.execute(update(course).values(retained_until=until))
        before = all_rows(connection)
        gone = learners.purge(connection, "root", NOW)
        after = all_rows(connection, but=("audit",))
        bob = str(CLASS.who(connection, "bob")["person"])
    assert gone == (1 if goes else 0)
    assert any(here in text for text in after.values()) is not goes
    assert {name: text.count(bob) for name, text in after.items()} == {name: before[name].count(bob) for name in after}


def test_who_was_not_erased_stays_after_the_course_s_time(engine: Engine) -> None:
    with writing(engine) as connection:
        a_learner(connection)
        connection.execute(update(course).values(retained_until=NOW))
        before = all_rows(connection)
        assert learners.purge(connection, "root", NOW) == 0
        assert all_rows(connection) == before


def careless(url: str) -> Engine:
    """An engine whose SQLite leaves what was deleted in the file, as most do; Debian's does not."""
    engine = connect(url)
    event.listen(engine, "connect", lambda raw, _: raw.execute("pragma secure_delete = off"))
    return engine


def test_a_restored_backup_names_nobody_who_was_erased_meanwhile(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(backups, "connect", careless)
    file = tmp_path / "desk.sqlite"
    engine = connect(f"sqlite:///{file}")
    migrate(engine)
    with writing(engine) as connection:
        here = a_learner(connection)
    backups.backup(file, tmp_path / "copy.sqlite")
    with writing(engine) as connection:
        learners.erase(connection, NAME, "root", NOW)
    learners.remember(file.with_name("erased.jsonl"), here, NOW)
    engine.dispose()

    assert backups.restore(tmp_path / "copy.sqlite", file) == 1

    engine = connect(f"sqlite:///{file}")
    with reading(engine) as connection:
        told = all_rows(connection)
    engine.dispose()
    assert {(table, word) for table, text in told.items() for word in SECRET if word in text} == set()
    assert [word for word in SECRET if word.encode() in file.read_bytes()] == []
