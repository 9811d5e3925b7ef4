"""Opening the database: SQLite in one process with one writer, PostgreSQL with any number."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event, make_url
from sqlalchemy.exc import ArgumentError, NoSuchModuleError
from sqlalchemy.pool import QueuePool

BUSY_MS = 30_000
STATEMENT_MS = 30_000
PLAIN = "sqlite:////var/lib/quiz/desk.sqlite or postgresql+psycopg://desk@/desk"


class DatabaseError(Exception):
    """The database cannot be used as it was named; the message says why and what to name instead."""


def connect(url: str, *, readers: int = 4) -> Engine:
    """An engine for the database at `url`; `DatabaseError` for one that the desk cannot use.

    On SQLite every write transaction begins with ``BEGIN IMMEDIATE`` (see `writing`): a transaction that reads first
    and writes later could not be carried through beside another writer.
    """
    try:
        parsed = make_url(url)
    except ArgumentError:
        raise DatabaseError(f"the database's address cannot be read; give {PLAIN}") from None
    backend = parsed.get_backend_name()
    if backend == "sqlite":
        if not parsed.database or parsed.database == ":memory:":
            raise DatabaseError(f"SQLite needs a file, or every connection would have its own; give {PLAIN}")
        if not Path(parsed.database).parent.is_dir():
            raise DatabaseError(f"there is no folder {Path(parsed.database).parent}; make it, for the desk alone")
        made = create_engine(
            parsed,
            hide_parameters=True,
            poolclass=QueuePool,
            pool_size=readers,
            connect_args={"check_same_thread": False, "timeout": 30},
        )
        event.listen(made, "connect", _prepare_sqlite)
        event.listen(made, "begin", _begin_sqlite)
        return made
    if backend != "postgresql":
        raise DatabaseError(f"{backend} is no database for the desk; give {PLAIN}")
    try:
        return create_engine(
            parsed.set(drivername="postgresql+psycopg"),
            hide_parameters=True,  # errors are logged, and parameters are answers
            pool_size=readers,
            max_overflow=4,
            pool_pre_ping=True,
            connect_args={"options": f"-c statement_timeout={STATEMENT_MS} -c timezone=UTC"},
        )
    except (NoSuchModuleError, ImportError):
        raise DatabaseError("PostgreSQL needs psycopg: pip install 'quiz_widgets[postgres]'") from None


@contextlib.contextmanager
def writing(engine: Engine) -> Iterator[Connection]:
    """A transaction that writes; committed at the end, rolled back on an error."""
    with engine.connect().execution_options(writing=True) as connection, connection.begin():
        yield connection


@contextlib.contextmanager
def reading(engine: Engine) -> Iterator[Connection]:
    """A transaction that only reads. Each of its statements sees what is committed then; see `one_state`."""
    with engine.connect() as connection, connection.begin():
        yield connection


@contextlib.contextmanager
def one_state(engine: Engine, *, writes: bool = False) -> Iterator[Connection]:
    """A transaction of many statements that all see the same state of the database, as on SQLite every one does."""
    options: dict[str, Any] = {"writing": writes}
    if engine.dialect.name == "postgresql":  # else each statement sees what was committed before it
        options["isolation_level"] = "REPEATABLE READ"
    with engine.connect().execution_options(**options) as connection, connection.begin():
        yield connection


def is_sqlite(connection: Connection) -> bool:
    """Whether this is SQLite; else it is PostgreSQL."""
    return connection.dialect.name == "sqlite"


def _prepare_sqlite(connection: sqlite3.Connection, _record: object) -> None:
    connection.isolation_level = None  # the driver would begin by itself, and too late
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", f"busy_timeout={BUSY_MS}"):
        connection.execute(f"PRAGMA {pragma}")


def _begin_sqlite(connection: Connection) -> None:
    writes: Any = connection.get_execution_options().get("writing")
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")
