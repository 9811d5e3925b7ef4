"""``quiz-widgets classroom``: from an empty folder to a class, and everything that can be wrong, said in words."""

from __future__ import annotations

import json
import os
import re
import stat
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from benchmarks.hall.stack import free_port
from quiz_widgets.classroom.desk.database import alone
from quiz_widgets.classroom.desk.database.engine import DatabaseError
from tests.classroom.commanding import ask, desk, publish_here, run

__all__ = ["desk"]  # the fixture

CASES: dict[str, Any] = json.loads((Path(__file__).parent / "command_line.json").read_text(encoding="utf-8"))


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


@pytest.mark.parametrize("kind", ["nfs4", "cifs", "fuse.sshfs"])
def test_a_network_file_system_is_refused(tmp_path: Path, kind: str) -> None:
    mounts = tmp_path / "mounts"
    mounts.write_text(f"/dev/root / ext4 rw 0 0\nserver:/x {tmp_path}/a\\040b {kind} rw 0 0\n", encoding="utf-8")
    (tmp_path / "a b").mkdir()

    with pytest.raises(DatabaseError, match=f"lies on {kind}, where SQLite's locks do not hold"):
        alone.claim(tmp_path / "a b" / "desk.sqlite", mounts)
    os.close(alone.claim(tmp_path / "desk.sqlite", mounts))


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


def test_a_token_is_written_for_its_owner_alone(desk: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("token", "cs101", "prof", "--to", "token") == 0
    written = (desk / "token").read_text(encoding="utf-8").strip()

    assert stat.S_IMODE((desk / "token").stat().st_mode) == 0o600
    assert written not in capsys.readouterr().out
    assert written not in str(ask(desk, "select * from token"))
    assert run("token", "cs101", "prof", "--to", "token") == 2
    assert len(ask(desk, "select * from token")) == 1


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
