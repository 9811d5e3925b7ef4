"""The tables of both databases, brought up from each release with rows in them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import Engine, inspect, text

from quiz_widgets.classroom.desk import rosters
from quiz_widgets.classroom.desk.database import migrations
from quiz_widgets.classroom.desk.database.engine import DatabaseError, connect, reading, writing
from quiz_widgets.classroom.desk.database.rows import Row, rows
from tests.classroom.small_class import Class


def test_the_migrations_make_exactly_the_tables_that_the_desk_works_on(engine: Engine) -> None:
    with reading(engine) as connection:
        assert migrations.differences(connection) == []
        migrations.require_newest(connection)


def test_migrating_again_changes_nothing(engine: Engine) -> None:
    with writing(engine) as connection:
        Class().make(connection)
    migrations.migrate(engine)

    with reading(engine) as connection:
        assert Class().who(connection, "ada")["role"] == "learner"


ROWS = (Path(__file__).parent / "rows-0001.sql").read_text(encoding="utf-8").split(";\n")[:-1]
RELEASED = ["0001", "0002"]


@pytest.fixture(params=["sqlite", "postgresql"])
def empty(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Engine]:
    """A database without a table."""
    if request.param == "sqlite":
        made = connect(f"sqlite:///{tmp_path / 'old.sqlite'}")
    else:
        made = connect(request.getfixturevalue("postgres_database"))
        with writing(made) as connection:
            connection.execute(text("drop schema public cascade"))
            connection.execute(text("create schema public"))
    yield made
    made.dispose()


@pytest.mark.parametrize("released", RELEASED)
def test_rows_of_an_earlier_release_are_all_there_after_the_migration(empty: Engine, released: str) -> None:
    migrations.migrate(empty, released)
    with writing(empty) as connection:
        for statement in ROWS:
            connection.exec_driver_sql(statement)
    before = _all(empty)

    migrations.migrate(empty)

    after = _all(empty)
    assert before.keys() <= after.keys()
    for name, kept in before.items():
        now_is = [{column: row[column] for column in kept[0]} for row in after[name]] if kept else after[name]
        assert now_is == kept, name
    assert sum(map(len, before.values())) == len(ROWS) + 1  # two people in one statement
    with writing(empty) as connection:
        assert migrations.differences(connection) == []
        found = Class().quiz(connection)
        assert found["late_join"] is None
        assert found["kind"] == "exam"
        assert Class().who(connection, "ada")["source"] == "roster"
        assert rosters.window_of(connection, found, Class().who(connection, "ada")).runs == 3


def _all(engine: Engine) -> dict[str, list[Row]]:
    """Every row of every table, but the revision's own."""
    with reading(engine) as connection:
        names = [name for name in inspect(connection).get_table_names() if name != "alembic_version"]
        return {name: rows(connection, text(f"select * from {name} order by 1, 2")) for name in names}


def test_a_database_without_tables_is_refused_with_the_command_that_makes_them(engine: Engine) -> None:
    with writing(engine) as connection:
        connection.execute(text("drop table alembic_version"))

    with reading(engine) as connection, pytest.raises(DatabaseError, match="quiz-widgets classroom migrate"):
        migrations.require_newest(connection)


def test_a_database_of_a_later_release_is_left_alone(engine: Engine) -> None:
    with writing(engine) as connection:
        connection.execute(text("update alembic_version set version_num = '9999'"))

    with pytest.raises(DatabaseError, match="a later release"):
        migrations.migrate(engine)
