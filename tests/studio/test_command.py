"""``quiz-widgets preview``: one line with the address, a clean end, and wrong use told in a sentence."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
import urllib.error
import urllib.request
from pathlib import Path

import pytest

from quiz_widgets import cli


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str]:
    try:
        code = cli.main(["preview", *arguments])
    except SystemExit as stop:  # argparse
        code = int(stop.code or 0)
    printed = capsys.readouterr()
    assert printed.out == ""
    return code, printed.err


def test_it_prints_its_address_serves_and_ends_cleanly_on_control_c(quiz: Path) -> None:
    environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
    process = subprocess.Popen(
        [sys.executable, "-m", "quiz_widgets.cli", "preview", quiz.parent],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        found = re.fullmatch(r"preview: (http://127\.0\.0\.1:\d+/\S{20,}/) \(.*Ctrl\+C ends it\)\n", line)
        assert found is not None, line
        with urllib.request.urlopen(f"{found[1]}state", timeout=30) as answer:
            assert b"What is" in answer.read()
        with socket.create_connection(("127.0.0.1", int(found[1].split(":")[2].split("/")[0])), timeout=30):
            process.send_signal(signal.SIGINT)  # while somebody keeps a connection open
            out, err = process.communicate(timeout=30)
    finally:
        process.kill()

    assert (process.returncode, out.strip(), err) == (0, "", "")
    with pytest.raises(urllib.error.URLError):
        urllib.request.urlopen(found[1], timeout=30)


def test_on_a_hub_it_says_where_to_write_instead(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, quiz: Path
) -> None:
    monkeypatch.setenv("JUPYTERHUB_SERVICE_PREFIX", "/user/ada/")

    code, err = run(capsys, str(quiz))

    assert code == 2
    assert "%%quiz, after %load_ext quiz_widgets" in err


def test_a_port_that_is_taken_or_none_is_told(capsys: pytest.CaptureFixture[str], quiz: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        code, err = run(capsys, str(quiz), "--port", str(port))
    assert code == 2
    assert err == f"quiz-widgets: port {port}: Address already in use; leave --port out to take a free one\n"

    assert "port 70000: " in run(capsys, str(quiz), "--port", "70000")[1]
    assert run(capsys, str(quiz), "--port", "x")[0] == 2


def test_a_path_without_a_quiz_and_one_with_several_are_told(
    capsys: pytest.CaptureFixture[str], quiz: Path, tmp_path: Path
) -> None:
    empty = tmp_path / "empty"
    empty.mkdir()

    assert run(capsys, str(empty)) == (
        2,
        f"quiz-widgets: {empty}: there is no quiz here; give a quiz.yaml or the folder that holds one\n",
    )
    course = quiz.parents[1]
    assert run(capsys, str(course)) == (2, f"quiz-widgets: {course}: a preview shows one quiz; give {quiz}\n")
    code, err = run(capsys, str(tmp_path / "emtpy"))
    assert code == 2
    assert f"did you mean {empty}?" in err
