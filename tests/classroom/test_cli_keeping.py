"""``quiz-widgets classroom`` and what is kept: copies of the database, and a learner's data, given out and erased."""

from __future__ import annotations

import json
import re
import sqlite3
import stat
import threading
from contextlib import closing
from pathlib import Path

import httpx
import pytest

from tests.classroom.commanding import ask, desk, publish_here, run, serving
from tests.classroom.serving import until

__all__ = ["desk"]  # the fixture


def test_a_backup_is_whole_while_the_desk_writes(desk: Path) -> None:
    ended = threading.Event()

    def write() -> None:
        with closing(sqlite3.connect(desk / "desk.sqlite", timeout=30)) as database:
            while not ended.is_set():
                for half in ("a", "b"):  # two rows in each transaction, or none
                    database.execute("insert into audit (at, who, what, object) values (0, 't', 'pair', ?)", (half,))
                database.commit()

    writer = threading.Thread(target=write)
    writer.start()
    try:
        codes = [run("backup", f"copy{number}.sqlite") for number in range(5)]
    finally:
        ended.set()
        writer.join()

    assert codes == [0] * 5
    for number in range(5):
        file = desk / f"copy{number}.sqlite"
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
        with closing(sqlite3.connect(file)) as copy:
            assert copy.execute("pragma integrity_check").fetchone() == ("ok",)
            counts = copy.execute("select count(*) from audit where what = 'pair' group by object").fetchall()
            assert len(set(counts)) <= 1
    assert run("backup", "copy0.sqlite") == 2


def test_a_backup_is_restored_and_the_former_database_kept(desk: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("backup", "copy.sqlite") == 0
    assert run("course", "create", "cs102", "--tz", "UTC", "--instructor", "prof") == 0
    assert run("erase", "ada") == 0
    capsys.readouterr()

    assert run("restore", "copy.sqlite") == 0
    assert "1 erased learners were erased again" in capsys.readouterr().out
    assert ask(desk, "select id from course") == [("cs101",)]
    assert ask(desk, "select hub_name from person where hub_name = 'ada'") == []
    with closing(sqlite3.connect(desk / "desk.sqlite.before")) as former:
        assert former.execute("select count(*) from course").fetchone() == (2,)
    whole = (desk / "copy.sqlite").read_bytes()
    (desk / "damaged.sqlite").write_bytes(whole[:8192] + b"\xff" * 8192 + whole[16384:])
    (desk / "other.sqlite").write_bytes(b"no database at all, but some bytes" * 100)
    for name in ("damaged.sqlite", "other.sqlite"):
        assert run("restore", name) == 2
        assert "no whole backup" in capsys.readouterr().err
    assert ask(desk, "select id from course") == [("cs101",)]


def test_all_that_is_kept_of_a_learner_is_written_and_then_erased(
    desk: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    publish_here(desk)
    with serving(desk) as (url, tokens):
        header = {"Authorization": f"token {tokens['ada']}"}
        path = f"{url}/api/v1/courses/cs101/quizzes/exam"
        opened = httpx.post(f"{path}/attempts", headers=header).json()
        attempt, items = opened["attempt"]["id"], opened["quiz"]["items"]
        item = next(item for item in items if item.get("kind", "single") == "single")
        answer = {"id": f"{attempt}/{item['id']}/1", "item": item["id"], "response": [item["options"][0]["id"]]}
        sent = httpx.post(f"{path}/attempts/{attempt}/submissions", headers=header, json={"submissions": [answer]})
        assert sent.status_code == 200
        finished = httpx.post(f"{path}/attempts/{attempt}/finish", headers=header)
        assert finished.status_code == 200
        until("the desk has scored", lambda: ask(desk, "select * from score"), 60)
    assert run("override", "cs101/exam", "ada", "3", "--reason", "Ada L. asked") == 0
    assert run("export", "ada", "ada.json") == 0
    told = json.loads((desk / "ada.json").read_text(encoding="utf-8"))
    assert stat.S_IMODE((desk / "ada.json").stat().st_mode) == 0o600
    assert {name: len(rows) for name, rows in told.items() if name != "audit"} == {
        "person": 1, "membership": 1, "exception": 0, "attempt": 1, "submission": 1,
        "outcome": len(items), "score": 1, "override": 1, "outbox": 0, "final_gradebook": 0, "contact": 0,
    }  # fmt: skip

    graded = ask(desk, "select * from score"), ask(desk, "select * from outcome")
    assert run("erase", "ada") == 0
    assert (ask(desk, "select * from score"), ask(desk, "select * from outcome")) == graded
    kept = b"".join(path.read_bytes() for path in desk.glob("desk.sqlite*"))
    for word in (b"Ada L.", b"s-111", b"ada@example.org"):
        assert word not in kept
    assert not re.search(rb"\bada\b", kept)
    assert b"Ada" not in (desk / "erased.jsonl").read_bytes()
    assert run("erase", "ada") == 1
    assert run("course", "set", "cs101", "--retain-until", "2001-01-01T00:00") == 0
    capsys.readouterr()
    assert run("purge") == 0
    assert "1 attempts of erased learners" in capsys.readouterr().out
    assert [ask(desk, f"select count(*) from {name}") for name in ("attempt", "submission", "score")] == [[(0,)]] * 3
