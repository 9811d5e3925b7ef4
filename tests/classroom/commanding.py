"""A desk that is worked on by commands, as its owner would."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from benchmarks.hall.stack import free_port
from quiz_widgets import cli
from tests.classroom import loops
from tests.classroom.serving import until

ROOT = Path(__file__).parents[2]
EXAM = ROOT / "examples" / "exam"
ROSTER = "name,display_name,student_number,section,role,email\nada,Ada L.,s-111,A,learner,ada@example.org\nbob,,,B,,\n"


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A new desk with a course and its roster; commands run beside its settings."""
    for name in [name for name in os.environ if name.startswith(("QUIZ_", "JUPYTERHUB_"))]:
        monkeypatch.delenv(name)
    folder = tmp_path / "desk"
    assert cli.main(["classroom", "init", str(folder)]) == 0
    monkeypatch.chdir(folder)
    (folder / "roster.csv").write_text(ROSTER, encoding="utf-8")
    assert run("course", "create", "cs101", "--tz", "Europe/Berlin", "--instructor", "prof") == 0
    assert run("roster", "cs101", "roster.csv") == 0
    return folder


def run(*arguments: str) -> int:
    """One command's exit code. Apart: a command may begin a loop, where a browser of another test has left one."""
    try:
        return loops.apart(lambda: cli.main(["classroom", *arguments]))
    except SystemExit as stop:  # argparse
        return int(stop.code or 0)


def ask(folder: Path, statement: str) -> list[tuple[Any, ...]]:
    """What the database itself holds."""
    with closing(sqlite3.connect(folder / "desk.sqlite")) as database:
        return database.execute(statement).fetchall()


def ready(url: str) -> bool:
    """Whether the desk says so; it prints its address before it listens there."""
    try:
        return httpx.get(f"{url}/ready").status_code == 200
    except httpx.HTTPError:
        return False


@contextmanager
def serving(folder: Path) -> Iterator[tuple[str, dict[str, str]]]:
    """A desk without a Hub: its address, and the tokens that it printed."""
    port = free_port()
    command = [sys.executable, "-m", "quiz_widgets.cli", "classroom", "serve", "--standalone", "--port", str(port)]
    command += ["--course", "cs101", "--roster", "people.csv"]
    (folder / "people.csv").write_text("name,role\nada,\nbob,\nprof,instructor\n", encoding="utf-8")
    with (folder / "serve.err").open("wb") as errors:
        server = subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, stderr=errors, text=True)
    assert server.stdout is not None
    try:
        first = server.stdout.readline()
        lines = [server.stdout.readline().split("\t") for _ in range(3)]
        url = f"http://127.0.0.1:{port}"
        assert url in first, (folder / "serve.err").read_text(encoding="utf-8")
        until("the desk is ready", lambda: ready(url), 60)
        yield url, {name: token.strip() for name, _, token in lines}
    finally:
        server.send_signal(signal.SIGTERM)
        server.wait(timeout=60)
        server.stdout.close()


def publish_here(folder: Path) -> None:
    """The exam, published as the desk's page would do it."""
    from quiz_widgets import authoring, compiled
    from quiz_widgets.classroom.desk import clock, publishing
    from quiz_widgets.classroom.desk.database.engine import connect, writing

    engine = connect(f"sqlite:///{folder / 'desk.sqlite'}")
    with writing(engine) as connection:
        publishing.publish(connection, "cs101", "exam", compiled.dump(authoring.load(EXAM)), "prof", clock.now())
    engine.dispose()
