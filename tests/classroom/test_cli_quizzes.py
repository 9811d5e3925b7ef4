"""``quiz-widgets classroom`` and quizzes: what may be published, their times, and what an instructor decides."""

from __future__ import annotations

import json
import re
import shutil
import stat
from pathlib import Path

import pytest

from tests.classroom.commanding import EXAM, ROOT, ask, desk, publish_here, run

__all__ = ["desk"]  # the fixture


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
