"""``quiz-widgets classroom serve``: a desk without a Hub takes answers, listens here alone, and ends when asked."""

from __future__ import annotations

import io
import socket
import sqlite3
import sys
from contextlib import closing
from pathlib import Path
from time import monotonic

import httpx
import pytest

from benchmarks.hall.stack import free_port
from quiz_widgets.classroom.desk.polls import watching
from tests.classroom.commanding import EXAM, ask, desk, publish_here, run, serving

__all__ = ["desk"]  # the fixture


def test_a_desk_without_a_hub_publishes_and_keeps_answers(
    desk: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with serving(desk) as (url, tokens):
        key = desk / "token"
        key.write_text(tokens["prof"], encoding="utf-8")
        key.chmod(0o644)
        here = ["publish", str(EXAM), "--course", "cs101", "--desk", url]
        assert run(*here, "--token-file", "token") == 2
        assert "chmod 600" in capsys.readouterr().err
        key.chmod(0o600)
        assert run(*here, "--token-file", "token") == 0
        assert "version 1 is published" in capsys.readouterr().out
        assert run(*here, "--as", "votes", "--poll", "--token-file", "token") == 0
        assert ask(desk, "select slug, kind from quiz order by slug") == [("exam", "exam"), ("votes", "poll")]
        key.write_text(tokens["ada"], encoding="utf-8")
        assert run(*here, "--token-file", "token") == 1
        assert "may not do that" in capsys.readouterr().out
        monkeypatch.setattr(sys, "stdin", io.StringIO("\n"))
        assert run(*here) == 2
        assert "no token was given" in capsys.readouterr().err

        second = ["serve", "--standalone", "--course", "cs101", "--roster", "people.csv", "--port", str(free_port())]
        assert run(*second) == 2
        assert "another process has" in capsys.readouterr().err
        header = {"Authorization": f"token {tokens['ada']}"}  # the first one's tokens still hold
        path = f"{url}/api/v1/courses/cs101/quizzes/exam"
        opened = httpx.post(f"{path}/attempts", headers=header).json()
        attempt, item = opened["attempt"]["id"], opened["quiz"]["items"][0]
        answer = {"id": f"{attempt}/{item['id']}/1", "item": item["id"], "response": [item["options"][0]["id"]]}
        sent = httpx.post(f"{path}/attempts/{attempt}/submissions", headers=header, json={"submissions": [answer]})
        assert sent.json()["submissions"][0]["verdict"] == "recorded"
        assert run("backup", "copy.sqlite") == 0  # while it serves
        assert run("restore", "copy.sqlite") == 2
        assert "another process has" in capsys.readouterr().err
    assert "Traceback" not in (desk / "serve.err").read_text(encoding="utf-8")
    with closing(sqlite3.connect(desk / "copy.sqlite")) as copy:
        assert copy.execute("select count(*) from submission").fetchone() == (1,)


def test_a_desk_ends_soon_though_somebody_waits_for_a_poll(desk: Path) -> None:
    publish_here(desk)
    assert run("set", "cs101/exam", "--kind", "poll") == 0
    with serving(desk) as (url, tokens), closing(socket.create_connection(("127.0.0.1", int(url[-5:])))) as waiting:
        path = "/api/v1/courses/cs101/quizzes/exam/poll?after=0"
        head = f"GET {path} HTTP/1.1\r\nHost: desk\r\nAuthorization: token {tokens['ada']}\r\n\r\n"
        waiting.sendall(head.encode("ascii"))
        waiting.settimeout(1)
        with pytest.raises(TimeoutError):
            waiting.recv(1)
        began = monotonic()
    assert monotonic() - began < watching.LONGEST_S - 5  # also where the desk takes long to end
    assert "Traceback" not in (desk / "serve.err").read_text(encoding="utf-8")


def test_a_desk_without_a_hub_listens_here_alone(desk: Path, capsys: pytest.CaptureFixture[str]) -> None:
    serve = ["serve", "--standalone", "--course", "cs101", "--roster", "roster.csv"]

    assert run(*serve, "--host", "0.0.0.0") == 2
    assert "this machine only" in capsys.readouterr().err
    assert run(*serve, "--workers", "2") == 2
    assert "SQLite takes one worker" in capsys.readouterr().err
    assert ask(desk, "select * from token") == []


def test_a_port_that_is_taken_is_named(desk: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        code = run("serve", "--standalone", "--course", "cs101", "--roster", "roster.csv", "--port", port)

    assert code == 2
    assert f"port {port}" in capsys.readouterr().err
    assert ask(desk, "select * from token") == []
