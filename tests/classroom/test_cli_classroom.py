"""``quiz-widgets classroom``: from an empty folder to a class, and everything that can be wrong, said in words."""

from __future__ import annotations

import io
import json
import os
import re
import shutil
import signal
import socket
import sqlite3
import stat
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from time import monotonic
from types import SimpleNamespace
from typing import Any

import httpx
import pytest

from quiz_widgets import cli
from quiz_widgets.classroom.desk.database import alone
from quiz_widgets.classroom.desk.database.engine import DatabaseError
from quiz_widgets.classroom.desk.polls import watching
from tests.classroom import loops
from tests.classroom.serving import until

ROOT = Path(__file__).parents[2]
EXAM = ROOT / "examples" / "exam"
ROSTER = "name,display_name,student_number,section,role,email\nada,Ada L.,s-111,A,learner,ada@example.org\nbob,,,B,,\n"
CASES: dict[str, Any] = json.loads((Path(__file__).parent / "command_line.json").read_text(encoding="utf-8"))


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


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port: int = found.getsockname()[1]
        return port


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


def test_a_new_desk_is_closed_to_others_and_made_once(desk: Path, capsys: pytest.CaptureFixture[str]) -> None:
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in desk.iterdir() if path.name != "roster.csv"}
    before = (desk / "desk.env").read_text(encoding="utf-8")

    assert stat.S_IMODE(desk.stat().st_mode) == 0o700
    assert {"desk.env", "desk.sqlite"} <= modes.keys()
    assert set(modes.values()) == {0o600}
    assert run("init", str(desk)) == 2
    assert "there already" in capsys.readouterr().err
    assert (desk / "desk.env").read_text(encoding="utf-8") == before


def test_a_folder_that_others_may_look_into_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    tmp_path.chmod(0o755)

    assert run("init", str(tmp_path)) == 2
    assert "chmod 700" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_a_database_that_does_not_answer_leaves_no_settings_behind(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    nowhere = f"postgresql+psycopg://desk:secret@127.0.0.1:{free_port()}/desk"

    assert run("init", str(tmp_path / "new"), "--database", nowhere) == 2
    told = capsys.readouterr().err
    assert "the database cannot be used" in told
    assert "secret" not in told
    assert run("init", str(tmp_path / "new")) == 0


def test_the_roster_is_enrolled(desk: Path) -> None:
    people = ask(desk, "select hub_name, section, role from membership join person on id = person order by hub_name")

    assert people == [("ada", "A", "learner"), ("bob", "B", "learner"), ("prof", None, "instructor")]


def test_learners_whom_a_roster_no_longer_names_are_dropped(desk: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (desk / "roster.csv").write_text("name;lti_sub\nada;s-1\nnew;\n", encoding="utf-8")

    assert run("roster", "cs101", "roster.csv", "--drop-others") == 0
    assert capsys.readouterr().out.endswith("cs101: 2 enrolled, 1 dropped\n")
    people = ask(
        desk, "select hub_name, lti_subject, active from membership join person on id = person order by hub_name"
    )
    assert people == [("ada", "s-1", 1), ("bob", None, 0), ("new", None, 1), ("prof", None, 1)]


def test_groups_of_the_hub_are_mapped_and_listed(desk: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("course", "group", "cs101", "class-a", "--section", "A") == 0
    assert run("course", "group", "cs101", "staff", "--role", "instructor") == 0
    assert run("course", "group", "cs101", "others") == 0
    assert run("course", "group", "cs101", "others", "--remove") == 0
    capsys.readouterr()
    assert run("course", "group", "cs101") == 0
    assert capsys.readouterr().out == "class-a\tlearner\tA\nstaff\tinstructor\t-\n"


@pytest.mark.parametrize("case", CASES)
def test_what_is_wrong_is_said_in_words(desk: Path, capsys: pytest.CaptureFixture[str], case: str) -> None:
    given = CASES[case]
    for name, text in given.get("files", {}).items():
        (desk / name).write_bytes(text.encode("latin-1"))
    if given.get("published"):
        publish_here(desk)
    capsys.readouterr()

    assert run(*given["command"]) == given["code"]
    printed = capsys.readouterr()
    assert re.search(given["says"], printed.out + printed.err), printed
    assert "Traceback" not in printed.out + printed.err


def publish_here(folder: Path) -> None:
    """The exam, published as the desk's page would do it."""
    from quiz_widgets import authoring, compiled
    from quiz_widgets.classroom.desk import clock, publishing
    from quiz_widgets.classroom.desk.database.engine import connect, writing

    engine = connect(f"sqlite:///{folder / 'desk.sqlite'}")
    with writing(engine) as connection:
        publishing.publish(connection, "cs101", "exam", compiled.dump(authoring.load(EXAM)), "prof", clock.now())
    engine.dispose()


def test_times_are_those_of_the_course_s_clock(desk: Path, capsys: pytest.CaptureFixture[str]) -> None:
    publish_here(desk)
    times = ["--opens", "2027-03-27T10:00", "--due", "2027-03-28T10:00", "--closes", "2027-03-28T10:00+00:00"]

    assert run("schedule", "cs101/exam", *times, "--runs", "2", "--time-limit", "45", "--policy", "best") == 0
    [(opens, due, closes, runs, limit, policy)] = ask(
        desk, "select opens, due, closes, runs, time_limit, policy from quiz"
    )
    assert due - opens == 23 * 3_600_000  # the clocks go forward in that night
    assert closes - due == 2 * 3_600_000
    assert (runs, limit, policy) == (2, 45 * 60_000, "best")
    assert run("schedule", "cs101/exam", "--closes", "none") == 0
    assert ask(desk, "select closes from quiz") == [(None,)]


def test_a_quiz_becomes_a_poll_without_times_and_an_exam_again(desk: Path, capsys: pytest.CaptureFixture[str]) -> None:
    publish_here(desk)
    assert run("schedule", "cs101/exam", "--due", "2030-01-01T10:00") == 0
    assert run("set", "cs101/exam", "--kind", "poll") == 0
    assert ask(desk, "select kind, due, reveal from quiz") == [("poll", None, "manual")]
    assert ask(desk, "select phase, sequence from poll") == [("waiting", 0)]
    assert run("schedule", "cs101/exam", "--due", "2030-01-01T10:00") == 1
    assert run("except", "cs101/exam", "--learner", "ada", "--extra-attempts", "1") == 1
    printed = capsys.readouterr().err
    assert "a poll has no due" in printed
    assert "a poll has no times and one attempt" in printed
    assert run("set", "cs101/exam", "--kind", "exam") == 0
    assert ask(desk, "select kind, due, reveal from quiz") == [("exam", None, "closed")]
    assert ask(desk, "select * from poll") == []
    assert run("schedule", "cs101/exam", "--due", "2030-01-01T10:00") == 0


def test_an_instructor_s_decisions_are_kept(desk: Path, capsys: pytest.CaptureFixture[str]) -> None:
    publish_here(desk)
    assert run("schedule", "cs101/exam", "--due", "2030-01-01T10:00") == 0
    capsys.readouterr()
    assert run("except", "cs101/exam", "--learner", "ada", "--time-factor", "1.5", "--reason", "Ada was ill") == 0
    made = capsys.readouterr().out.split()[-1]
    assert run("except", "cs101/exam", "--section", "B", "--due", "2030-01-02T10:00", "--extra-attempts", "1") == 0
    [(due,)] = ask(desk, "select due from quiz")
    assert run("move", "cs101", "30") == 0
    assert run("regrade", "cs101/exam", "grad-bytes-fp32", "--kind", "also", "--response", "two", "--reason", "!") == 0
    assert run("override", "cs101/exam", "ada", "7.5", "--reason", "by hand") == 0
    assert run("course", "set", "cs101", "--late-join", "7", "--retain-until", "2031-01-01T00:00") == 0

    assert ask(desk, "select time_factor, extra_runs, section from exception order by section is not null") == [
        ("1.5", 0, None),
        ("1", 1, "B"),
    ]
    assert ask(desk, "select due from quiz") == [(due + 30 * 60_000,)]
    assert ask(desk, "select kind, body from key_change") == [("also", '[["two"]]')]
    assert ask(desk, "select score, max_score from score") == [("7.5", "8")]
    assert ask(desk, "select late_join from course") == [(7 * 86_400_000,)]
    assert run("except", "cs101/exam", "--take-back", made) == 0
    assert len(ask(desk, "select * from exception")) == 1
    logged = [what for (what,) in ask(desk, "select what from audit")]
    assert {"exception", "exception taken back", "schedule", "key change", "override", "course"} <= set(logged)
    assert not any("ill" in str(row) for row in ask(desk, "select * from audit"))


def test_a_token_is_written_for_its_owner_alone(desk: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("token", "cs101", "prof", "--to", "token") == 0
    written = (desk / "token").read_text(encoding="utf-8").strip()

    assert stat.S_IMODE((desk / "token").stat().st_mode) == 0o600
    assert written not in capsys.readouterr().out
    assert written not in str(ask(desk, "select * from token"))
    assert run("token", "cs101", "prof", "--to", "token") == 2
    assert len(ask(desk, "select * from token")) == 1


def test_a_bundle_is_written_for_its_owner_alone(desk: Path) -> None:
    assert run("publish", str(EXAM), "--course", "cs101", "-o", "exam.json") == 0

    assert stat.S_IMODE((desk / "exam.json").stat().st_mode) == 0o600
    assert json.loads((desk / "exam.json").read_text(encoding="utf-8"))["id"] == "exam"


def test_what_learners_have_is_no_exam(desk: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shipped = ROOT / "content" / "mixed-precision"
    copied = desk / "copied" / "exam"
    copied.mkdir(parents=True)
    shutil.copy(EXAM / "quiz.yaml", copied)
    own = (copied / "quiz.yaml").read_text(encoding="utf-8")
    for item in re.findall(r"^  - id: (\S+)", (shipped / "quiz.yaml").read_text(encoding="utf-8"), re.MULTILINE)[:1]:
        (copied / "quiz.yaml").write_text(own.replace("id: grad-bytes-fp32", f"id: {item}"), encoding="utf-8")

    assert run("publish", str(shipped), "--course", "cs101", "-o", "a.json") == 1
    assert "this is no exam" in capsys.readouterr().out
    assert run("publish", str(copied), "--course", "cs101", "-o", "a.json") == 1
    assert "Learners have that with its key" in capsys.readouterr().out
    assert not (desk / "a.json").exists()


def test_a_quiz_with_problems_is_not_published(desk: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shutil.copytree(EXAM, desk / "broken")
    file = desk / "broken" / "quiz.yaml"
    file.write_text(file.read_text(encoding="utf-8").replace("correct: true", "correct: maybe", 1), encoding="utf-8")

    assert run("publish", str(desk / "broken"), "--course", "cs101", "-o", "a.json") == 1
    printed = capsys.readouterr()
    assert "nothing was published" in printed.err
    assert str(file) in printed.out
    assert not (desk / "a.json").exists()


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


@pytest.mark.parametrize("kind", ["nfs4", "cifs", "fuse.sshfs"])
def test_a_network_file_system_is_refused(tmp_path: Path, kind: str) -> None:
    mounts = tmp_path / "mounts"
    mounts.write_text(f"/dev/root / ext4 rw 0 0\nserver:/x {tmp_path}/a\\040b {kind} rw 0 0\n", encoding="utf-8")
    (tmp_path / "a b").mkdir()

    with pytest.raises(DatabaseError, match=f"lies on {kind}, where SQLite's locks do not hold"):
        alone.claim(tmp_path / "a b" / "desk.sqlite", mounts)
    os.close(alone.claim(tmp_path / "desk.sqlite", mounts))


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


def test_what_the_hub_needs_is_python_with_every_scope(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("QUIZ_SERVICE_TOKEN", "t0ken")
    assert run("hub-config", "--hub-url", "http://127.0.0.1:8123/", "--desk-url", "http://quiz:10301") == 0
    text = capsys.readouterr().out
    c = SimpleNamespace(
        JupyterHub=SimpleNamespace(services=[]),
        Spawner=SimpleNamespace(environment={}),
        Authenticator=SimpleNamespace(),
    )

    exec(compile(text, "jupyterhub_config.py", "exec"), {"c": c})

    kernel = set(c.Spawner.server_token_scopes)
    assert {"users:activity!user", "access:servers!server"} <= kernel
    assert {"access:services!service=quiz", "custom:quiz:submit"} <= kernel
    assert not any("teach" in scope or scope == "inherit" for scope in kernel)
    roles = {role["name"]: role for role in c.JupyterHub.load_roles}
    assert {"self", "access:services!service=quiz", "custom:quiz:submit"} <= set(roles["user"]["scopes"])
    teaching = [role for role in roles.values() if "custom:quiz:teach" in role["scopes"]]
    assert [role["groups"] for role in teaching] == [["quiz-instructors"]]
    assert set(c.JupyterHub.custom_scopes) == {"custom:quiz:submit", "custom:quiz:teach"}
    [service] = c.JupyterHub.services
    assert (service["name"], service["url"], service["api_token"]) == ("quiz", "http://quiz:10301", "t0ken")
    assert c.Spawner.environment["QUIZ_WIDGETS_DESK"] == "http://127.0.0.1:8123/services/quiz"
    assert run("hub-config", "--hub-url", "x'); import os #") == 2
