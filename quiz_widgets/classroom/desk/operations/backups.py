"""Copies of an SQLite database, made while the desk writes, and put back while it does not run."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from pathlib import Path

from quiz_widgets.classroom.desk.clock import now
from quiz_widgets.classroom.desk.database import alone
from quiz_widgets.classroom.desk.database.engine import DatabaseError, connect, writing
from quiz_widgets.classroom.desk.database.migrations import migrate
from quiz_widgets.classroom.desk.operations import learners


def backup(database: Path, target: Path) -> None:
    """Write a whole copy of the database to a new file. `DatabaseError` when there is none, or the file is there."""
    if not database.is_file():
        raise DatabaseError(f"there is no database {database}")
    try:
        os.close(os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    except FileExistsError:
        raise DatabaseError(f"{target} is there already; name a new file") from None
    try:
        with closing(sqlite3.connect(database)) as source, closing(sqlite3.connect(target)) as copy:
            source.backup(copy)
    except sqlite3.Error as error:  # a disk that is full, or a file that is no database
        target.unlink()
        raise DatabaseError(f"{database} cannot be copied to {target}: {error}") from None


def restore(source: Path, database: Path) -> int:
    """Put a backup in the database's place, brought to this release; how many erased learners were erased again.

    `DatabaseError` while a desk has the database open, and for a file that is no whole backup. The former database is
    kept beside it, with ``.before`` at the end of its name.
    """
    lock = alone.claim(database)
    try:
        draft = database.with_name(f"{database.name}.restoring")
        draft.unlink(missing_ok=True)
        try:
            backup(source, draft)
        except DatabaseError as error:
            raise DatabaseError(f"{source} is no whole backup of a desk: {error}") from None
        _require_whole(draft, source)
        engine = connect(f"sqlite:///{draft}")
        migrate(engine)
        with writing(engine) as connection:
            erased = learners.remembered(database.with_name("erased.jsonl"))
            again = sum(learners.erase_again(connection, person, now()) for person in erased)
        learners.scrub(engine)
        engine.dispose()
        for tail in ("-wal", "-shm"):
            draft.with_name(draft.name + tail).unlink(missing_ok=True)
        if database.exists():
            backup(database, _unused(database))
        for tail in ("-wal", "-shm"):  # of the former one: they must not be taken for the restored one's
            database.with_name(database.name + tail).unlink(missing_ok=True)
        draft.replace(database)
    finally:
        os.close(lock)
    return again


def _require_whole(file: Path, source: Path) -> None:
    try:
        with closing(sqlite3.connect(file)) as opened:
            found = opened.execute("pragma integrity_check").fetchone()[0]
            opened.execute("select count(*) from alembic_version")
    except sqlite3.DatabaseError as error:
        found = str(error)
    if found != "ok":
        file.unlink(missing_ok=True)
        raise DatabaseError(f"{source} is no whole backup of a desk: {found}")


def _unused(database: Path) -> Path:
    """A name for the former database that no file has."""
    number = 0
    while True:
        found = database.with_name(f"{database.name}.before{number or ''}")
        if not found.exists():
            return found
        number += 1
