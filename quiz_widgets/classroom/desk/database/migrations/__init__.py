"""Every change of the desk's tables since the first release, one file each; `migrate` carries them out."""

from __future__ import annotations

from pathlib import Path

from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, Engine

from quiz_widgets.classroom.desk.database import class_tables, outside_tables, tables
from quiz_widgets.classroom.desk.database.engine import DatabaseError, writing

NEWEST = "head"
_EVERY = {module.metadata for module in (tables, class_tables, outside_tables)}  # one: they must all have been read


def migrate(engine: Engine, to: str = NEWEST) -> str:
    """Bring the database's tables to a revision, the newest one by default; the revision it then has.

    All of it is one transaction: a migration that fails leaves the database as it was. `DatabaseError` when the
    database was made by a later release.
    """
    with writing(engine) as connection:
        _refuse_later(connection)
        command.upgrade(_config(connection), to)
        return str(MigrationContext.configure(connection).get_current_revision())


def revision(connection: Connection) -> str | None:
    """The revision of the database's tables; `None` for an empty database."""
    return MigrationContext.configure(connection).get_current_revision()


def require_newest(connection: Connection) -> None:
    """`DatabaseError` unless the tables are those that this release works on."""
    found, newest = revision(connection), _scripts().get_current_head()
    if found != newest:
        raise DatabaseError(
            f"the database's tables are of revision {found or 'none'}, and this release needs {newest}: "
            "make a backup, then run `quiz-widgets classroom migrate`"
        )


def differences(connection: Connection) -> list[object]:
    """What the database's tables lack of those in `tables`, or have too much; empty when they agree."""
    context = MigrationContext.configure(connection, opts={"compare_type": True})
    [metadata] = _EVERY
    return list(compare_metadata(context, metadata))


def _refuse_later(connection: Connection) -> None:
    found = revision(connection)
    if found is not None and found not in {script.revision for script in _scripts().walk_revisions()}:
        raise DatabaseError(f"the database was made by a later release (its revision is {found}); install that one")


def _scripts() -> ScriptDirectory:
    return ScriptDirectory.from_config(_config())


def _config(connection: Connection | None = None) -> Config:
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent))
    config.attributes["connection"] = connection
    return config
