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

from quiz_widgets.cli.common import UsageError

if TYPE_CHECKING:
    from sqlalchemy import Connection, Engine

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
    url = database or f"sqlite:///{(folder / 'desk.sqlite').resolve()}"
    text = (
        "# The desk's settings. Nobody but the desk may read this file.\n"
        f"QUIZ_DESK_DATABASE={url}\n"
        "# Newest first; put a new one in front to change it, and remove the old one a day later.\n"
        f"QUIZ_DESK_SECRETS={secrets.token_hex(32)}\n"
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


def settings(options: argparse.Namespace) -> Settings:
    """The desk's settings: from ``--env``, from the file in this folder, or from the environment."""
    from quiz_widgets.classroom.desk.settings import read

    file: Path | None = options.env
    if file is None and "QUIZ_DESK_DATABASE" not in os.environ and Path(FILE).is_file():
        file = Path(FILE)
    return read({**os.environ, **(variables(file) if file is not None else {})})


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


def me() -> str:
    """Who the audit log says did it: the account on the desk's machine."""
    import getpass

    try:
        return f"{getpass.getuser()} (command line)"
    except (KeyError, OSError):
        return f"uid {os.getuid()} (command line)"
