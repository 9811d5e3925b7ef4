"""Where a desk's settings are kept: a file of variables that only its owner reads, as systemd reads it too."""

from __future__ import annotations

import argparse
import contextlib
import os
import secrets
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from quiz_widgets.cli.common import UsageError, require

if TYPE_CHECKING:
    from sqlalchemy import Connection, Engine

    from quiz_widgets.classroom.desk.database.rows import Row
    from quiz_widgets.classroom.desk.settings import Settings

FILE = "desk.env"


def add_option(command: argparse.ArgumentParser) -> None:
    """Let a command take ``--env``."""
    command.add_argument(
        "--env", type=Path, metavar="FILE", help=f"the desk's settings (default: {FILE} here, else the environment)"
    )


def write(folder: Path, database: str | None) -> Path:
    """Make the folder and its settings, closed to others. `UsageError` where there are settings already."""
    file = folder / FILE
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    if os.name == "posix" and stat.S_IMODE(folder.stat().st_mode) & 0o077:
        raise UsageError(f"others may look into {folder}: chmod 700 {folder}, or name a new folder")
    url = database or f"sqlite:///{(folder / 'desk.sqlite').resolve()}"
    text = (
        "# The desk's settings. Nobody but the desk may read this file.\n"
        f"QUIZ_DESK_DATABASE={url}\n"
        "# Newest first; put a new one in front to change it, and remove the old one a day later.\n"
        f"QUIZ_DESK_SECRETS={secrets.token_hex(32)}\n"
        "# Whoever sends this may read /metrics.\n"
        f"QUIZ_DESK_METRICS_TOKEN={secrets.token_hex(32)}\n"
    )
    try:
        handle = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        raise UsageError(f"{file} is there already; remove it to begin anew, or go on with it") from None
    with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as opened:
        opened.write(text)
    return file


def variables(file: Path) -> dict[str, str]:
    """The variables in a file of ``NAME=value`` lines. `UsageError` when others may read it."""
    try:
        mode = stat.S_IMODE(file.stat().st_mode)
        lines = file.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{file} cannot be read: {getattr(error, 'strerror', None) or error}") from None
    if os.name == "posix" and mode & 0o077:
        raise UsageError(f"{file} holds secrets, and others may read it: chmod 600 {file}")
    pairs = (line.partition("=") for line in lines if line.strip() and not line.lstrip().startswith("#"))
    return {name.strip(): value.strip() for name, _, value in pairs}


def text_of(file: Path) -> str:
    """The text of a file that an option names; `UsageError` for one that is missing or no UTF-8."""
    require(file)
    try:
        return file.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise UsageError(f"{file} is no UTF-8 text (byte {error.start}); save it as CSV UTF-8") from None


def new_file(file: Path, text: str) -> None:
    """Write a new file for this account alone. `UsageError` where there is one: it may be read by others."""
    try:
        handle = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        raise UsageError(f"{file} is there already; name a new file") from None
    with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as opened:
        opened.write(text)


@contextlib.contextmanager
def for_me_alone() -> Iterator[None]:
    """Files that are made here are closed to others: SQLite makes its own as the account's mask says."""
    former = os.umask(0o077)
    try:
        yield
    finally:
        os.umask(former)


def settings(options: argparse.Namespace) -> Settings:
    """The desk's settings: from ``--env``, from the file in this folder, or from the environment."""
    from quiz_widgets.classroom.desk.settings import read

    return read({**os.environ, **of_file(options)})


def of_file(options: argparse.Namespace) -> dict[str, str]:
    """The variables of the desk's file: the one that is named, or the one in this folder; none where neither is."""
    file: Path | None = options.env
    if file is None and "QUIZ_DESK_DATABASE" not in os.environ and Path(FILE).is_file():
        file = Path(FILE)
    return {} if file is None else variables(file)


@contextlib.contextmanager
def database(options: argparse.Namespace) -> Iterator[Engine]:
    """The desk's database, with the tables of this release."""
    from quiz_widgets.classroom.desk.database.engine import connect, reading
    from quiz_widgets.classroom.desk.database.migrations import require_newest

    engine = connect(settings(options).database)
    try:
        with reading(engine) as connection:
            require_newest(connection)
        yield engine
    finally:
        engine.dispose()


@contextlib.contextmanager
def writing(options: argparse.Namespace) -> Iterator[Connection]:
    """One transaction in the desk's database, beside a desk that may be running."""
    from quiz_widgets.classroom.desk.database import engine as opened

    with database(options) as engine, opened.writing(engine) as connection:
        yield connection


def quiz(connection: Connection, text: str) -> Row:
    """The quiz that is named ``COURSE/QUIZ``."""
    from quiz_widgets.classroom.desk import rosters
    from quiz_widgets.classroom.names import parse

    name = parse(text)
    if name is None:
        raise UsageError(f"{text} is no name of a graded quiz: give COURSE/QUIZ")
    return rosters.quiz_of(connection, name.course, name.quiz)


def course(connection: Connection, name: str) -> Row:
    """The course of that name."""
    from sqlalchemy import select

    from quiz_widgets.classroom.desk.database.rows import first
    from quiz_widgets.classroom.desk.database.tables import course as courses

    found = first(connection, select(courses).where(courses.c.id == name))
    if found is None:
        raise UsageError(f"there is no course {name!r}")
    return found


def me() -> str:
    """Who the audit log says did it: the account on the desk's machine."""
    import getpass

    try:
        return f"{getpass.getuser()} (command line)"
    except (KeyError, OSError):
        return f"uid {os.getuid()} (command line)"
