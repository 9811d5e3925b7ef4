"""The desk's database, made fresh for each test on both kinds."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import Engine, text

from quiz_widgets.classroom.desk.database.engine import connect
from quiz_widgets.classroom.desk.database.tables import metadata
from tests.classroom import postgres


@pytest.fixture(scope="session")
def postgres_url() -> Iterator[str]:
    with postgres.server() as url:
        yield url


@pytest.fixture(params=["sqlite", "postgresql"])
def engine(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Engine]:
    """An empty database with the desk's tables."""
    if request.param == "sqlite":
        made = connect(f"sqlite:///{tmp_path / 'desk.sqlite'}")
    else:
        made = connect(request.getfixturevalue("postgres_url"))
        with made.begin() as connection:
            connection.execute(text("drop schema public cascade"))
            connection.execute(text("create schema public"))
    metadata.create_all(made)
    yield made
    made.dispose()
