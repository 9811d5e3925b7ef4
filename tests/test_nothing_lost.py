"""Every record that was acknowledged is on disk once: killed kernels, full and read-only disks, many at once."""

from __future__ import annotations

import errno
import json
import os
import signal
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from quiz_widgets import Quiz, load_quiz
from quiz_widgets.progress import files
from quiz_widgets.progress.history import history

SUMS = Path(__file__).parent / "hosts" / "sums" / "quiz.yaml"
EVENTS = 40

# A kernel: records what a page of one attempt sends, one event after another, and says which are on record.
KERNEL = """
import json, sys
from quiz_widgets import load_quiz
recorder = load_quiz(sys.argv[1])._recorder
attempt = recorder.attempt()["id"]
print("ready", attempt, flush=True)
go = sys.stdin.readline()
for event in json.loads(sys.argv[2].replace("ATTEMPT", attempt)):
    for known in recorder.record([event]):
        print(known, flush=True)
print("fault", recorder.fault, flush=True)
"""
# The same on a disk that is full once a file has this many bytes: writes are cut in the middle of a line.
FULL_DISK = """
import resource, signal
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (1000, resource.RLIM_INFINITY))
"""


def events(attempt: str) -> list[dict[str, Any]]:
    return [
        {
            "id": f"{attempt}/two-and-two/{number}",
            "attempt": attempt,
            "kind": "submit",
            "item": "two-and-two",
            "round": 0,
            "response": ["four"],
            "at": 1000 + number,
        }
        for number in range(1, EVENTS + 1)
    ]


class Kernel:
    """A process that records; `acknowledged` are the ids that a page would have shown as recorded."""

    def __init__(self, home: Path, before: str = "") -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-c", before + KERNEL, str(SUMS), json.dumps(events("ATTEMPT"))],
            env={**os.environ, "QUIZ_WIDGETS_HOME": str(home)},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self.process.stdout
        self.attempt = self.process.stdout.readline().split()[1]
        self.acknowledged: list[str] = []

    def go(self) -> None:
        assert self.process.stdin
        self.process.stdin.write("\n")
        self.process.stdin.flush()

    def hear(self, count: int) -> None:
        """Wait for that many acknowledgements."""
        assert self.process.stdout
        self.acknowledged += [self.process.stdout.readline().strip() for _ in range(count)]

    def rest(self) -> str:
        """Wait for its end; what it said last."""
        out, _ = self.process.communicate(timeout=120)
        *more, last = [*self.acknowledged, *out.splitlines()]
        self.acknowledged = more
        return last


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "kept"


def on_disk(home: Path) -> Counter[str]:
    """How often each event stands in whole lines, in the files of all kernels."""
    found: Counter[str] = Counter()
    for path in home.rglob("*.jsonl"):
        for line in path.read_bytes().split(b"\n")[:-1]:
            try:
                found[json.loads(line)["event"]["id"]] += 1
            except ValueError:
                continue
    return found


def reopened(home: Path, monkeypatch: pytest.MonkeyPatch) -> Quiz:
    monkeypatch.setenv("QUIZ_WIDGETS_HOME", str(home))
    return load_quiz(SUMS)


@pytest.mark.parametrize("heard", [1, 7, 17])
def test_a_kernel_killed_while_it_records_loses_nothing_that_was_acknowledged(
    home: Path, monkeypatch: pytest.MonkeyPatch, heard: int
) -> None:
    kernel = Kernel(home)
    kernel.go()
    kernel.hear(heard)
    os.kill(kernel.process.pid, signal.SIGKILL)
    last = kernel.rest()  # what it said before it died
    assert set(kernel.acknowledged) | {last} <= on_disk(home).keys()

    # The page still has what was not acknowledged, and sends everything again.
    quiz = reopened(home, monkeypatch)
    again = quiz._recorder.record(events(kernel.attempt))  # type: ignore[arg-type]
    assert len(again) == EVENTS
    assert set(on_disk(home).values()) == {1}
    assert len(on_disk(home)) == EVENTS


def test_a_full_disk_keeps_what_was_acknowledged_and_takes_the_rest_later(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kernel = Kernel(home, FULL_DISK)
    kernel.go()
    kernel.rest()
    acknowledged = set(kernel.acknowledged)
    assert EVENTS // 2 < len(acknowledged) < EVENTS  # a file that cannot grow is left for another one
    assert acknowledged <= on_disk(home).keys()

    quiz = reopened(home, monkeypatch)
    before = quiz._recorder.outcomes()
    assert acknowledged <= before.keys()
    assert len(quiz._recorder.record(events(kernel.attempt))) == EVENTS  # type: ignore[arg-type]
    assert set(on_disk(home).values()) == {1}
    cut = [problem for past in history(home) for problem in past.problems]
    assert cut, "the disk was full in the middle of a line"
    assert all("skipped" in problem.message for problem in cut)


@pytest.mark.parametrize("code", [errno.EROFS, errno.ENOSPC, errno.EDQUOT, errno.EIO])
def test_a_disk_that_fails_says_why_acknowledges_nothing_and_is_asked_again(
    home: Path, monkeypatch: pytest.MonkeyPatch, code: int
) -> None:
    quiz = reopened(home, monkeypatch)
    attempt = quiz.attempt.id
    sent = events(attempt)
    assert quiz._recorder.record(sent[:1]).keys() == {sent[0]["id"]}  # type: ignore[arg-type]
    opened = os.open

    def refuse(path: Any, flags: int, *more: Any, **named: Any) -> int:
        if str(path).endswith(".jsonl") and flags & os.O_WRONLY:
            raise OSError(code, os.strerror(code))
        return opened(path, flags, *more, **named)

    with monkeypatch.context() as failing:
        failing.setattr(os, "open", refuse)
        assert quiz._recorder.record(sent[1:3]) == {}  # type: ignore[arg-type]
        assert os.strerror(code) in str(quiz._recorder.fault)
        assert not quiz.progress().kept
        assert quiz.progress().answered == 1
    assert quiz._recorder.record(sent[1:3]).keys() == {event["id"] for event in sent[1:3]}  # type: ignore[arg-type]
    assert quiz.progress().kept
    assert set(on_disk(home).values()) == {1}


def test_a_file_cut_in_the_middle_of_a_line_keeps_the_rest_and_reports_the_cut(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    quiz = reopened(home, monkeypatch)
    sent = events(quiz.attempt.id)
    for event in sent[:5]:
        quiz._recorder.record([event])  # type: ignore[list-item]
    (path,) = home.rglob("*.jsonl")
    whole = path.read_bytes()
    last = whole.rstrip(b"\n").rfind(b"\n") + 1
    for end in (last + 1, last + (len(whole) - last) // 2, len(whole) - 1):
        path.write_bytes(whole[:end])
        records, problems = files.read(path.parent)
        assert [record["event"]["id"] for record in records] == [event["id"] for event in sent[:4]]
        (problem,) = problems
        assert (problem.file, problem.line) == (str(path), 5)
        # The page sends it again; it goes to a file of its own, never behind the cut.
        assert len(load_quiz(SUMS)._recorder.record(sent[:5])) == 5  # type: ignore[arg-type]
        assert len(load_quiz(SUMS)._recorder.outcomes()) == 5
        for other in home.rglob("*.jsonl"):
            if other != path:
                other.unlink()


@pytest.mark.slow
def test_twenty_kernels_that_write_one_attempt_at_once_keep_every_event_for_all(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kernels = [Kernel(home) for _ in range(20)]
    for kernel in kernels:
        kernel.go()
    for kernel in kernels:
        assert kernel.rest() == "fault None"
    assert len({kernel.attempt for kernel in kernels}) == 1
    wanted = {event["id"] for event in events(kernels[0].attempt)}
    assert all(set(kernel.acknowledged) == wanted for kernel in kernels)
    quiz = reopened(home, monkeypatch)
    assert quiz._recorder.outcomes().keys() == wanted
    assert quiz._recorder.problems == ()
