"""A fresh SQLite database with the desk's tables: migrated once a run, then copied."""

from __future__ import annotations

import shutil
import tempfile
from functools import cache
from pathlib import Path

from sqlalchemy import Engine

from quiz_widgets.classroom.desk.database.engine import connect
from quiz_widgets.classroom.desk.database.migrations import migrate


def sqlite(file: Path) -> Engine:
    """The database in that file, which must not be there yet."""
    shutil.copyfile(_made(), file)
    return connect(f"sqlite:///{file}")


@cache
def _made() -> Path:
    file = Path(tempfile.mkdtemp(prefix="quiz-fresh-")) / "desk.sqlite"
    engine = connect(f"sqlite:///{file}")
    migrate(engine)
    with engine.connect() as connection:
        connection.exec_driver_sql("pragma wal_checkpoint(truncate)")
    engine.dispose()
    return file
