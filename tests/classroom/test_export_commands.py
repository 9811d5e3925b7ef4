"""The command line writes gradebooks and analyses, for their owner alone and whole or not at all."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine

from quiz_widgets.classroom.desk.database.engine import writing
from quiz_widgets.classroom.desk.exports import frozen, sheets
from quiz_widgets.cli import main
from tests.classroom.marked_class import TITLE, a_class


@pytest.fixture
def desk(engine: Engine, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A class in a desk's database that the command line finds; the folder for its files."""
    with writing(engine) as connection:
        a_class(connection)
    monkeypatch.setenv("QUIZ_DESK_DATABASE", engine.url.render_as_string(hide_password=False))
    monkeypatch.setenv("QUIZ_DESK_SECRETS", "ab" * 32)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("form", sheets.FORMATS)
def test_the_command_writes_a_gradebook_for_its_owner_alone(
    desk: Path, form: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["classroom", "gradebook", "cs101", "--format", form, "-o", "grades.csv"]) == 0
    text = (desk / "grades.csv").read_bytes().decode("utf-8")

    assert text.startswith("\ufeff")
    assert "\r\r\n" not in text
    rows = len(list(csv.reader(io.StringIO(text, newline="")))) - 1
    assert capsys.readouterr().out == f"grades.csv: {rows} rows\n"
    assert (desk / "grades.csv").stat().st_mode & 0o777 == 0o600
    assert main(["classroom", "gradebook", "cs101", "-o", "grades.csv"]) == 2
    assert "is there already" in capsys.readouterr().err


def test_the_command_writes_only_the_quizzes_that_it_is_given(desk: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["classroom", "gradebook", "cs101", "--quiz", "week-3", "-o", "one.csv"]) == 0
    header = (desk / "one.csv").read_text(encoding="utf-8-sig").splitlines()[0]

    assert header == f'"student_number","name","display_name","section","{TITLE}","total","out_of"'
    assert main(["classroom", "gradebook", "cs101", "--quiz", "week-9", "-o", "none.csv"]) == 1
    assert "no such quiz" in capsys.readouterr().err
    assert not (desk / "none.csv").exists()


def test_the_command_writes_an_analysis(desk: Path) -> None:
    assert main(["classroom", "analysis", "cs101/week-3", "-o", "items.csv"]) == 0
    first = (desk / "items.csv").read_text(encoding="utf-8-sig").splitlines()[1]

    assert first.startswith('"week-3",1,"first",,,,1,')


def test_the_command_finalises_and_checks(desk: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["classroom", "finalise", "cs101", "-o", "final.json"]) == 0
    assert "3 learners, SHA-256 " in capsys.readouterr().out
    assert main(["classroom", "finalise", "cs101", "--check", "final.json"]) == 0
    assert "final.json: unchanged since 2" in capsys.readouterr().out

    found = json.loads((desk / "final.json").read_text(encoding="utf-8"))
    other = {**found, "by": "somebody else"}
    other["sha256"] = frozen.digest(other)
    (desk / "other.json").write_text(json.dumps(other), encoding="utf-8")
    assert main(["classroom", "finalise", "cs101", "--check", "other.json"]) == 1
    assert "log knows no such gradebook" in capsys.readouterr().out


def test_a_file_that_could_not_be_filled_is_not_left_behind(
    desk: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken(*_: Any) -> Any:
        yield "a line\r\n"
        raise OSError("the disk is full")

    monkeypatch.setattr(sheets, "gradebook", broken)

    assert main(["classroom", "gradebook", "cs101", "-o", "grades.csv"]) == 1
    assert "the disk is full" in capsys.readouterr().err
    assert not (desk / "grades.csv").exists()
