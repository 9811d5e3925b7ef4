"""The command says in words what is wrong, lists everything at once, and never shows a traceback."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from quiz_widgets import cli, lab
from quiz_widgets.authoring import load
from quiz_widgets.build import Generated
from quiz_widgets.contract import EventPayload
from quiz_widgets.progress import LocalRecorder

ROOT = Path(__file__).resolve().parents[1]
SAMPLE = ROOT / "tests" / "cases" / "sample" / "quiz.yaml"


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    try:
        code = cli.main(arguments)
    except SystemExit as stop:  # argparse
        code = int(stop.code or 0)
    printed = capsys.readouterr()
    return code, printed.out, printed.err


def test_the_course_is_checked(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "check", str(ROOT / "content"))

    assert code == 0, out
    assert out.splitlines()[-1].startswith("checked: 2 quizzes, ")
    assert out.splitlines()[-1].endswith(" items, 0 problems, 0 warnings")


def test_every_problem_is_listed_and_counted(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    broken = tmp_path / "quiz.yaml"
    broken.write_text(
        SAMPLE.read_text(encoding="utf-8").replace("level: easy", "level: eassy\nlevl: 1"), encoding="utf-8"
    )

    code, out, err = run(capsys, "check", str(broken))

    listed = [line for line in out.splitlines() if line.startswith(f"{broken}:")]
    errors = [line for line in listed if ": note: " not in line and ": warning: " not in line]
    assert code == 1
    assert len(errors) >= 2
    assert out.splitlines()[-1].endswith(
        f" {len(errors)} problems, {sum(': warning: ' in line for line in listed)} warnings"
    )
    assert "Traceback" not in out + err


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ([], "COMMAND"),
        (["chek"], "invalid choice: 'chek'"),
        (["check"], "PATH"),
        (["check", "contnt"], "contnt: there is no such file or folder; did you mean content?"),
        (["check", "content/mixed-precisoin/quiz.yaml"], "did you mean content/mixed-precision?"),
        (["check", "content", "--chek"], "unknown arguments: --chek"),
        (["build", "--chek"], "unknown arguments: --chek"),
        (["progress", "--hom", "x"], "unknown arguments"),
        (["lab", "--to", ""], "--to"),
    ],
)
def test_wrong_use_is_explained(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, arguments: list[str], expected: str
) -> None:
    monkeypatch.chdir(ROOT)

    code, out, err = run(capsys, *arguments)

    assert code == 2
    assert expected in err
    assert out == ""


def test_arguments_of_the_lab_reach_jupyterlab(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    seen: list[object] = []
    monkeypatch.setattr(lab, "serve", lambda extra, *, to, locale: seen.extend([extra, to, locale]))

    assert cli.main(["lab", "--no-browser", "--to", str(tmp_path), "--port", "8899", "--ServerApp.token=x"]) == 0

    assert seen == [["--no-browser", "--port", "8899", "--ServerApp.token=x"], tmp_path, "en"]


def test_a_lab_that_cannot_open_says_why(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)

    code, _, err = run(capsys, "lab")

    assert code == 2
    assert err == "quiz-widgets: JupyterLab is not installed: pip install 'quiz_widgets[lab]'\n"


def test_an_attempt_is_listed_with_its_score(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    recorder = LocalRecorder(load(SAMPLE), tmp_path)
    attempt = recorder.attempt()["id"]
    submit: EventPayload = {
        "id": f"{attempt}/single-plain/1",
        "attempt": attempt,
        "kind": "submit",
        "item": "single-plain",
        "round": 0,
        "response": ["fp16"],
        "at": 1,
    }
    recorder.record([submit])

    code, out, _ = run(capsys, "progress", "--home", str(tmp_path))

    listed, total = out.splitlines()
    assert code == 0
    assert listed.startswith("sample: attempt 1, ")
    assert listed.endswith(", open: 1 answered, 1 right, 1 at the first try, score 1 of 1")
    assert total == "kept: 1 attempt, 1 quiz"


def test_an_empty_data_folder_is_no_fault(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert run(capsys, "progress", "--home", str(tmp_path / "none")) == (0, "kept: 0 attempts, 0 quizzes\n", "")


def test_an_unreadable_data_folder_is_named(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("", encoding="utf-8")

    code, _, err = run(capsys, "progress", "--home", str(blocked))

    assert code == 1
    assert err == f"quiz-widgets: {blocked}: Not a directory\n"


@pytest.fixture
def generated(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[Generated]:
    files = [Generated(tmp_path / "new" / "made.json", "{}\n"), Generated(tmp_path / "left.json", None)]
    (tmp_path / "left.json").write_text("{}", encoding="utf-8")
    monkeypatch.setattr("quiz_widgets.lab.checkout", lambda: tmp_path)
    monkeypatch.setattr("quiz_widgets.build.generate", lambda _: files)
    return files


def test_stale_files_are_listed_and_left_alone(capsys: pytest.CaptureFixture[str], generated: list[Generated]) -> None:
    code, out, _ = run(capsys, "build", "--check")

    assert code == 1
    assert out.splitlines() == ["new/made.json: stale", "left.json: made from nothing", "run `quiz-widgets build`"]
    assert not generated[0].path.exists()


def test_build_writes_what_is_stale_and_nothing_twice(
    capsys: pytest.CaptureFixture[str], generated: list[Generated]
) -> None:
    code, out, _ = run(capsys, "build")

    assert code == 0
    assert out.splitlines() == ["new/made.json: written", "left.json: removed", "generated: 2 files, 2 changed"]
    assert generated[0].path.read_text(encoding="utf-8") == "{}\n"
    assert run(capsys, "build", "--check") == (0, "generated: 2 files, all fresh\n", "")


def test_build_outside_a_checkout_says_so(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("quiz_widgets.lab.checkout", lambda: None)

    code, _, err = run(capsys, "build")

    assert code == 2
    assert "build works in a course" in err


def test_a_reader_that_goes_away_is_no_fault() -> None:
    command = f"{sys.executable} -m quiz_widgets.cli check content | head -c 1"
    ran = subprocess.run(command, shell=True, cwd=ROOT, capture_output=True, text=True, check=False, timeout=60)

    assert ran.stderr == ""


def test_an_attempt_of_a_clock_that_was_wrong_is_listed(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    folder = tmp_path / "sums" / "0001"
    folder.mkdir(parents=True)
    (folder / "attempt.json").write_text(json.dumps({"id": "a" * 32, "started": 2**53}), encoding="utf-8")

    assert cli.main(["progress", "--home", str(tmp_path)]) == 0
    assert f"{2**53} ms" in capsys.readouterr().out


def test_a_closed_output_is_no_fault(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(sys, "stdout", None)
    assert cli.main(["progress", "--home", str(tmp_path)]) == 0
