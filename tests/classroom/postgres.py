"""A PostgreSQL of the tests' own: on loopback, in a folder that is thrown away, ended by the program that began it."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory

from sqlalchemy import create_engine, text

from benchmarks.hall.stack import free_port


def programs() -> Path | None:
    """Where `initdb` and `pg_ctl` are: the newest of Debian's, or those on the PATH; `None` without PostgreSQL."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: int(path.parts[-3]))
    if found:
        return found[-1].parent
    named = shutil.which("initdb")
    return Path(named).parent if named else None


@contextmanager
def server() -> Iterator[str]:
    """A running server; its SQLAlchemy address. PostgreSQL refuses root: then the account `postgres` runs it."""
    # pytest's own folders are closed to other accounts
    with TemporaryDirectory(prefix="quiz-postgres-") as made, _running(Path(made) / "server") as url:
        yield url


def databases(url: str) -> Callable[[Path], str]:
    """Makes a fresh database of that server at each call; the address of it."""
    number = count(1)

    def fresh(_folder: Path) -> str:
        name = f"fresh{next(number)}"
        engine = create_engine(url, isolation_level="AUTOCOMMIT")
        with engine.connect() as connection:
            connection.execute(text(f"create database {name}"))
        engine.dispose()
        return f"{url.rpartition('/')[0]}/{name}"

    return fresh


def crash(url: str) -> None:
    """Stop the server at this address at once, without a last word to its clients, and start it again."""
    engine = create_engine(url)
    with engine.connect() as connection:
        data = str(connection.execute(text("show data_directory")).scalar_one())
    engine.dispose()
    bin_ = programs()
    assert bin_ is not None
    log = Path(data).parent / "log"
    account = "postgres" if os.geteuid() == 0 else None
    command: list[str | Path] = [bin_ / "pg_ctl", "--pgdata", data, "--log", log, "--mode=immediate", "--wait"]
    _run([*command, "restart"], account)


@contextmanager
def _running(folder: Path) -> Iterator[str]:
    bin_ = programs()
    assert bin_ is not None, "PostgreSQL is missing: apt-get install postgresql (what .ci/run does)"
    data, port = folder / "data", free_port()
    folder.mkdir()
    account = _account(folder)
    _run([bin_ / "initdb", "--pgdata", data, "--auth=trust", "--username=desk", "--encoding=UTF8"], account)
    options = f"-c listen_addresses=127.0.0.1 -c port={port} -c unix_socket_directories= -c max_connections=60"
    log = folder / "log"
    _run([bin_ / "pg_ctl", "--pgdata", data, "--log", log, "--options", options, "--wait", "start"], account)
    try:
        yield f"postgresql+psycopg://desk@127.0.0.1:{port}/postgres"
    finally:
        _run([bin_ / "pg_ctl", "--pgdata", data, "--mode=immediate", "stop"], account)


def _account(folder: Path) -> str | None:
    if os.geteuid() != 0:
        return None
    postgres = pwd.getpwnam("postgres")
    for path in (folder.parent, folder):
        os.chown(path, postgres.pw_uid, postgres.pw_gid)
    return "postgres"


def _run(command: list[str | Path], account: str | None) -> None:
    ran = subprocess.run(
        [str(part) for part in command],
        user=account,
        group=account,
        extra_groups=[] if account else None,
        cwd="/",
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL if {"start", "restart"} & set(command) else subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stdout
