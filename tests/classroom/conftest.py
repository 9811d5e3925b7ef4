"""The desk's database, made fresh for each test on both kinds."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from sqlalchemy import Connection, Engine, create_engine, text

from quiz_widgets.classroom.desk.database.engine import connect
from quiz_widgets.classroom.desk.database.migrations import migrate
from tests.classroom import fresh, postgres
from tests.classroom.room import Room
from tests.classroom.serving import Served, served, sit

_SYS_ADMIN = 1 << 21  # the right to mount, which root has, and in a container not always


def _may_mount() -> bool:
    status = Path("/proc/self/status")
    found = re.search(r"^CapEff:\s+(\w+)$", status.read_text(), re.MULTILINE) if status.exists() else None
    return found is not None and bool(int(found[1], 16) & _SYS_ADMIN)


collect_ignore = [] if _may_mount() else ["test_full_disk.py"]


def pytest_report_header() -> str | None:
    """Say what is not run where no disk can be mounted."""
    if _may_mount():
        return None
    return "classroom: no right to mount, so tests/classroom/test_full_disk.py (a disk that is really full) is not run"


@pytest.fixture(scope="session")
def postgres_url() -> Iterator[str]:
    """A PostgreSQL with one migrated database, `made`, to be copied: a copy takes a twentieth of the time."""
    with postgres.server() as url:
        with _administering(url) as connection:
            connection.execute(text("create database made"))
        engine = connect(_named(url, "made"))
        migrate(engine)
        engine.dispose()
        yield url


@pytest.fixture
def postgres_database(postgres_url: str) -> str:
    """The address of a fresh database with the desk's tables."""
    with _administering(postgres_url) as connection:
        connection.execute(text("drop database if exists fresh with (force)"))
        connection.execute(text("create database fresh template made"))
    return _named(postgres_url, "fresh")


@pytest.fixture(params=["sqlite", "postgresql"])
def engine(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Engine]:
    """An empty database with the desk's tables."""
    if request.param == "sqlite":
        made = fresh.sqlite(tmp_path / "desk.sqlite")
    else:
        made = connect(request.getfixturevalue("postgres_database"))
    yield made
    made.dispose()


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Served]:
    """A desk on loopback with a class that has two attempts, in an environment in which Ada sits."""
    monkeypatch.setenv("QUIZ_WIDGETS_HOME", str(tmp_path / "home"))
    for name in ("JUPYTERHUB_API_TOKEN", "QUIZ_WIDGETS_DESK_TOKEN_FILE"):
        monkeypatch.delenv(name, raising=False)
    engine = fresh.sqlite(tmp_path / "desk.sqlite")
    with served(Room(engine, runs=2)) as made:
        monkeypatch.setenv("QUIZ_WIDGETS_DESK", made.url)
        sit(monkeypatch, made.room, "ada")
        yield made
    engine.dispose()


@contextmanager
def _administering(url: str) -> Iterator[Connection]:
    engine = create_engine(url, isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        yield connection
    engine.dispose()


def _named(url: str, database: str) -> str:
    return url.rpartition("/")[0] + f"/{database}"
