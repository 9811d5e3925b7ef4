"""``classroom lti``: from a new key to scores at a platform that listens, and what can be wrong, in words."""

from __future__ import annotations

import asyncio
import json
import re
import sqlite3
import stat
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from starlette.requests import Request
from starlette.responses import Response

from benchmarks.hall.stack import free_port
from quiz_widgets.classroom.desk import attempts, gradebook, rosters, submissions
from quiz_widgets.classroom.desk.clock import now
from quiz_widgets.classroom.desk.database.engine import connect, writing
from quiz_widgets.classroom.desk.library import Library
from quiz_widgets.classroom.desk.lti import keys
from tests.classroom.commanding import ask, desk, publish_here, run, serving
from tests.classroom.fake_platform import CLIENT, ISSUER, FakePlatform
from tests.classroom.serving import until
from tests.classroom.small_class import sent

__all__ = ["desk"]  # the fixture

CASES: dict[str, Any] = json.loads((Path(__file__).parent / "command_line_lti.json").read_text(encoding="utf-8"))


@pytest.fixture
def platform(desk: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[FakePlatform]:
    """A platform on loopback, which fetches the keys from the desk's file; the desk knows nothing of it yet."""
    with (desk / "desk.env").open("a", encoding="utf-8") as settings:
        settings.write(f"QUIZ_DESK_LTI_KEYS={desk / 'keys.json'}\n")
    made = FakePlatform(lambda: keys.public(keys.read(desk / "keys.json")), now, f"http://127.0.0.1:{free_port()}")
    with listening(made):
        yield made


@contextmanager
def listening(platform: FakePlatform) -> Iterator[None]:
    port = int(platform.host.rpartition(":")[2])
    server = uvicorn.Server(uvicorn.Config(platform.app, port=port, log_level="critical", lifespan="off"))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.01)
    yield
    server.should_exit = True
    thread.join()


def options(platform: FakePlatform) -> list[str]:
    """Of `lti set`, for this platform."""
    given = {f"--{name.replace('_', '-')}": value for name, value in platform.settings.items()}
    return [part for pair in given.items() for part in pair]


def finished(folder: Path, *names: str) -> None:
    """Everybody has finished, and the keys are shown."""
    engine = connect(f"sqlite:///{folder / 'desk.sqlite'}")
    with writing(engine) as connection:
        found = rosters.quiz_of(connection, "cs101", "exam")
        for name in names:
            who = rosters.member(connection, "cs101", name)
            run_ = attempts.open_one(connection, found, who, now())
            submissions.keep(connection, [sent(run_, "grad-bytes-fp32", ("four",), arrived=now())])
            attempts.finish(connection, run_["id"], run_["person"], now())
        gradebook.score_finished(connection, Library(), now())
    engine.dispose()


def test_from_a_key_to_scores(desk: Path, platform: FakePlatform, capsys: pytest.CaptureFixture[str]) -> None:
    publish_here(desk)
    (desk / "subjects.csv").write_text("name,lti_sub\nada,17\nbob,18\n", encoding="utf-8")
    assert run("roster", "cs101", "subjects.csv") == 0
    assert run("lti", "keys", "--new") == 0
    assert stat.S_IMODE((desk / "keys.json").stat().st_mode) == 0o600
    assert run("lti", "set", "cs101", *options(platform), "--off") == 0
    assert run("lti", "set", "cs101/exam", "--label", "The exam") == 0
    finished(desk, "ada", "bob")
    capsys.readouterr()

    assert run("lti", "dry-run", "cs101") == 0
    printed = capsys.readouterr().out
    assert re.search(r"^exam\tada\t17\t\d of 8\t\d{4}-.*Z\tafter the keys are shown$", printed, re.MULTILINE)
    assert "cs101: 2 scores would be sent; nothing was" in printed
    assert run("lti", "send", "cs101") == 0
    assert sum(platform.calls.values()) == 0
    assert run("schedule", "cs101/exam", "--due", "2001-01-01T00:00") == 0
    assert run("lti", "set", "cs101", "--on") == 0
    platform.users = {"17"}
    assert run("lti", "send", "cs101") == 1
    assert "exam\tbob\tfailed\t400 Incorrect score received 18" in capsys.readouterr().out
    platform.users = {"17", "18"}
    assert run("lti", "send", "cs101", "--retry") == 0
    assert run("lti", "show", "cs101") == 0
    shown = capsys.readouterr().out
    assert f"issuer\t{ISSUER}\nclient\t{CLIENT}\n" in shown
    assert "exam\ton, 8 points as 'The exam'\t0 held, 0 waiting, 2 sent, 0 failed" in shown
    assert [len(kept) for kept in platform.scores.values()] == [1, 1]
    assert (desk / "keys.json").read_text(encoding="utf-8")[:20] not in str(ask(desk, "select * from audit"))


def set_up(folder: Path, platform: FakePlatform, *names: str) -> None:
    """Everything is switched on, these learners have finished, and the keys are shown."""
    publish_here(folder)
    lines = "".join(f"{name},lti-{name}\n" for name in names)
    (folder / "subjects.csv").write_text(f"name,lti_sub\n{lines}", encoding="utf-8")
    platform.users = {f"lti-{name}" for name in names}
    assert run("roster", "cs101", "subjects.csv") == 0
    assert run("lti", "keys", "--new") == 0
    assert run("lti", "set", "cs101", *options(platform)) == 0
    assert run("lti", "set", "cs101/exam") == 0
    finished(folder, *names)
    assert run("schedule", "cs101/exam", "--due", "2001-01-01T00:00") == 0


def test_a_desk_that_runs_sends_by_itself(desk: Path, platform: FakePlatform) -> None:
    set_up(desk, platform, "ada", "bob")
    with serving(desk):
        until("both scores are there", lambda: ask(desk, "select state from outbox") == [("sent",)] * 2)
    assert [len(kept) for kept in platform.scores.values()] == [1, 1]
    assert platform.calls["token"] == 1
    assert "Traceback" not in (desk / "serve.err").read_text(encoding="utf-8")


def test_a_command_that_is_killed_while_it_sends_loses_and_doubles_nothing(desk: Path, platform: FakePlatform) -> None:
    set_up(desk, platform, "ada", "bob")
    took, go_on = threading.Event(), threading.Event()

    async def takes_and_waits(request: Request) -> Response:
        reply: Response = await platform.score(request)
        took.set()
        await asyncio.to_thread(go_on.wait, 30)
        return reply

    platform.faults["scores"] = [takes_and_waits]
    command = [sys.executable, "-m", "quiz_widgets.cli", "classroom", "lti", "send", "cs101"]
    with subprocess.Popen(command, cwd=desk) as sender:
        assert took.wait(30)
        sender.kill()
    go_on.set()
    assert sorted(ask(desk, "select state, claimed is null from outbox")) == [("waiting", 0), ("waiting", 1)]
    with closing(sqlite3.connect(desk / "desk.sqlite")) as database:  # three minutes later
        database.execute("update outbox set claimed = 1 where claimed is not null")
        database.commit()

    assert run("lti", "send", "cs101") == 0
    assert [len(kept) for kept in platform.scores.values()] == [1, 1]
    assert len(platform.refused) == 1
    assert ask(desk, "select state from outbox") == [("sent",)] * 2


def test_keys_change_without_a_gap(desk: Path, platform: FakePlatform, capsys: pytest.CaptureFixture[str]) -> None:
    file = desk / "keys.json"
    assert run("lti", "keys", "--new") == run("lti", "keys", "--new") == 0
    first, second = (one["kid"] for one in keys.read(file))
    capsys.readouterr()
    assert run("lti", "keys") == 0
    shown = json.loads(capsys.readouterr().out)
    assert [one["kid"] for one in shown["keys"]] == [first, second]
    assert all(set(one) == {"kty", "n", "e", "kid", "alg", "use"} for one in shown["keys"])
    assert run("lti", "keys", "--drop", first) == 2
    assert "signs; let another key sign first" in capsys.readouterr().err
    assert run("lti", "keys", "--sign", second) == 0
    assert [one["kid"] for one in keys.read(file)] == [second, first]
    assert run("lti", "keys", "--drop", first) == 0
    assert [one["kid"] for one in keys.read(file)] == [second]
    file.chmod(0o640)
    assert run("lti", "keys") == 2
    assert "chmod 600" in capsys.readouterr().err
    assert stat.S_IMODE(file.stat().st_mode) == 0o640


@pytest.mark.parametrize("case", CASES)
def test_what_cannot_be_is_said(
    desk: Path, platform: FakePlatform, capsys: pytest.CaptureFixture[str], case: str
) -> None:
    publish_here(desk)
    for name, text in CASES[case].get("files", {}).items():
        (desk / name).write_text(text, encoding="utf-8")
        (desk / name).chmod(0o600)
    capsys.readouterr()
    assert run(*CASES[case]["command"]) == CASES[case]["code"]
    printed = capsys.readouterr()
    assert re.search(CASES[case]["says"], printed.out + printed.err)
    assert "Traceback" not in printed.err
