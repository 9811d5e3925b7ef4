"""``classroom backup``, ``restore``, ``export`` and ``erase``: care for what the desk keeps."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import TYPE_CHECKING

from quiz_widgets.cli.classroom import place
from quiz_widgets.cli.common import UsageError, require

if TYPE_CHECKING:
    from quiz_widgets.cli.common import Commands


def add(commands: Commands) -> None:
    """Add these subcommands."""
    command = commands.add_parser("backup", help="copy the SQLite database while the desk runs", allow_abbrev=False)
    command.add_argument("file", type=Path, metavar="FILE", help="a new file")
    place.add_option(command)
    command.set_defaults(act=_backup)

    command = commands.add_parser("restore", help="put a backup in the SQLite database's place", allow_abbrev=False)
    command.add_argument("file", type=Path, metavar="FILE", help="made by `backup`")
    place.add_option(command)
    command.set_defaults(act=_restore)

    command = commands.add_parser("export", help="write everything kept of one learner", allow_abbrev=False)
    command.add_argument("name", metavar="NAME", help="the learner's name at the Hub")
    command.add_argument("file", type=Path, metavar="FILE", help="a new JSON file, for you alone")
    place.add_option(command)
    command.set_defaults(act=_export)

    command = commands.add_parser("erase", help="erase who a learner was", allow_abbrev=False)
    command.add_argument("name", metavar="NAME", help="the learner's name at the Hub")
    place.add_option(command)
    command.set_defaults(act=_erase)

    command = commands.add_parser(
        "purge", help="delete what is left of erased learners in courses whose retention is over", allow_abbrev=False
    )
    place.add_option(command)
    command.set_defaults(act=_purge)


def _backup(options: argparse.Namespace) -> int:
    from quiz_widgets.classroom.desk.operations import backups

    backups.backup(_sqlite(options), options.file)
    print(f"{options.file}: written")
    return 0


def _restore(options: argparse.Namespace) -> int:
    from quiz_widgets.classroom.desk.operations import backups

    require(options.file)
    again = backups.restore(options.file, _sqlite(options))
    print(f"restored; {again} erased learners were erased again")
    return 0


def _sqlite(options: argparse.Namespace) -> Path:
    file = place.settings(options).sqlite_file
    if file is None:
        raise UsageError("this is for SQLite; PostgreSQL has pg_dump and pg_restore (docs/classroom/operating.md)")
    return file


def _export(options: argparse.Namespace) -> int:
    from quiz_widgets.classroom.desk.operations import learners

    with place.writing(options) as connection:
        found = learners.export(connection, options.name)
    place.new_file(options.file, json.dumps(found, ensure_ascii=False, indent=1))
    print(f"{options.file}: {sum(len(rows) for rows in found.values())} rows of {options.name}")
    return 0


def _erase(options: argparse.Namespace) -> int:
    from quiz_widgets.classroom.desk.clock import now
    from quiz_widgets.classroom.desk.database.engine import writing
    from quiz_widgets.classroom.desk.operations import learners

    settings = place.settings(options)
    with place.database(options) as engine:
        with writing(engine) as connection:
            person = learners.erase(connection, options.name, place.me(), now())
            # Before the commit: who is erased here must not come back with a backup.
            learners.remember(settings.erased_file, person, now())
        clean = learners.scrub(engine)
    print(f"{options.name}: erased; their work is kept under a name that means nothing")
    if not clean:
        print("the desk reads at this moment: run `quiz-widgets classroom purge` later, which empties SQLite's log too")
    return 0


def _purge(options: argparse.Namespace) -> int:
    from quiz_widgets.classroom.desk.clock import now
    from quiz_widgets.classroom.desk.database.engine import writing
    from quiz_widgets.classroom.desk.operations import learners

    with place.database(options) as engine:
        with writing(engine) as connection:
            gone = learners.purge(connection, place.me(), now())
        clean = learners.scrub(engine)
    print(f"{gone} attempts of erased learners deleted, from courses whose retention is over")
    if not clean:
        print("the desk reads at this moment, so SQLite's log was not emptied; run this again later")
    return 0
