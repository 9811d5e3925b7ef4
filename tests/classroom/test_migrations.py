"""The tables of both databases, brought up from each release with rows in them."""

from __future__ import annotations

import pytest
from sqlalchemy import Engine, text

from quiz_widgets.classroom.desk.database import migrations
from quiz_widgets.classroom.desk.database.engine import DatabaseError, reading, writing
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
