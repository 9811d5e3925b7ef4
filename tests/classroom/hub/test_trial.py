"""``make classroom``: it says where everything is, works, and leaves nothing behind."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import urllib.request
from pathlib import Path

from tests.hosts.hosting import wait_until
from tools.classroom.room import ROOT


def test_a_trial_prints_where_it_is_and_ends_whole(tmp_path: Path) -> None:
    written = tmp_path / "out"
    with written.open("w") as out:
        was = signal.signal(signal.SIGINT, signal.SIG_IGN)  # as a shell does for what it begins with `&`
        trial = subprocess.Popen([sys.executable, "-m", "tools.classroom"], cwd=ROOT, stdout=out, env=_in(tmp_path))
        signal.signal(signal.SIGINT, was)
    try:
        said = wait_until("the classroom to stand", lambda: _said(written, trial), 600)
        for name in ("ada", "bob", "prof"):
            assert re.search(rf"^  {name} +\S{{12}} ", said, re.MULTILINE)
        apart = "Each learner's server has a uid of its own." if os.getuid() == 0 else "trial: all share one account"
        assert apart in said
        settings = re.search(r"--env (\S+)", said)
        assert settings
        assert Path(settings[1]).is_file()
        url = re.search(r"JupyterHub: +(\S+)", said)
        assert url
        with urllib.request.urlopen(f"{url[1]}/services/quiz/ready", timeout=30) as reply:
            assert reply.status == 200
        begun = _of(tmp_path)
        folder = re.search(rb"HOME=(/\S*quiz-classroom-[^/\0]+)", b"".join(_environ(pid) for pid in begun))
        assert folder
        assert len(begun) >= 3  # the desk, the Hub and its proxy
        trial.send_signal(signal.SIGINT)
        assert trial.wait(timeout=120) == 0
    finally:
        trial.terminate()
        trial.wait(timeout=120)
    wait_until("everything to end", lambda: _of(tmp_path) == [], 30)
    assert not Path(os.fsdecode(folder[1])).exists()


def _in(folder: Path) -> dict[str, str]:
    """The environment with a mark by which whatever it begins is known."""
    return {**os.environ, "SEEN_BY_TEST": str(folder)}


def _of(folder: Path) -> list[int]:
    mark = f"SEEN_BY_TEST={folder}".encode()
    return [int(path.name) for path in Path("/proc").glob("[0-9]*") if mark in _environ(int(path.name))]


def _environ(pid: int) -> bytes:
    try:
        return Path(f"/proc/{pid}/environ").read_bytes()
    except OSError:
        return b""


def _said(written: Path, trial: subprocess.Popen[bytes]) -> str | None:
    assert trial.poll() is None, written.read_text()
    text = written.read_text()
    return text if "Ctrl+C" in text else None
