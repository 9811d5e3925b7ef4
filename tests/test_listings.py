"""`check` for programs: JSON, GitHub's commands and SARIF, exit codes, and what `--fix` shows and writes."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from quiz_widgets import cli
from quiz_widgets.cli import listings, sarif
from quiz_widgets.problems import Problem

CASES = Path(__file__).parent / "cases"
RULES = Path(__file__).parent / "rules"
SHAPE = jsonschema.Draft7Validator(json.loads((CASES / "sarif-shape.json").read_text(encoding="utf-8")))


def run(capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> tuple[int, str, str]:
    code = cli.main([str(argument) for argument in arguments])
    printed = capsys.readouterr()
    return code, printed.out, printed.err


@pytest.fixture
def letters(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A quiz whose three options begin with letters."""
    monkeypatch.chdir(tmp_path)
    return Path(shutil.copy(RULES / "letter-prefix" / "fails.yaml", tmp_path)).relative_to(tmp_path)


@pytest.mark.parametrize(
    ("rule", "code", "last"),
    [
        ("key", 1, "1 problem, 0 warnings"),
        ("longest-key", 0, "0 problems, 1 warning"),
        ("letter-prefix", 0, "0 problems, 3 warnings"),
        ("option-count", 0, "0 problems, 0 warnings"),
    ],
)
def test_only_errors_make_a_check_fail(capsys: pytest.CaptureFixture[str], rule: str, code: int, last: str) -> None:
    got, out, _ = run(capsys, "check", RULES / rule / "fails.yaml")

    assert got == code
    assert out.splitlines()[-1] == f"checked: 1 quiz, 1 item, {last}"


def test_json_holds_everything_and_nothing_else_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    accepting = RULES / "stale-exception" / "passes.yaml"
    code, out, err = run(capsys, "check", "--format", "json", RULES / "key" / "fails.yaml", accepting)

    found = json.loads(out)
    assert code == 1
    assert err.startswith("checked: 2 quizzes")
    assert found["version"] == listings.VERSION
    assert found["problems"] == [
        {
            "file": str(RULES / "key" / "fails.yaml"),
            "line": 8,
            "column": 5,
            "path": "items[0].options",
            "rule": "key",
            "severity": "error",
            "message": "no option is right: nobody could answer",
            "hint": "mark the key with `correct: true`",
        }
    ]
    assert [(one["rule"], one["reason"]) for one in found["accepted"]] == [
        ("longest-key", "The standard says it so."),
    ]
    assert found["counts"] == {"quizzes": 2, "items": 2, "errors": 1, "warnings": 0, "notes": 0}


def test_json_comes_also_where_nothing_could_be_checked(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    course = Path(shutil.copytree(CASES / "course", tmp_path / "course"))
    (course / "pyproject.toml").write_text('[tool.quiz_widgets]\nevidence = ["no_such_module"]\n', encoding="utf-8")

    code, out, _ = run(capsys, "check", "--evidence", "--format", "json", course)

    assert code == 1
    found = json.loads(out)["problems"]
    assert [problem["rule"] for problem in found if problem["severity"] == "error"] == ["modules"]


def test_a_workflow_command_is_one_line_whatever_it_says() -> None:
    problem = Problem("a,b:c%.yaml", 3, 8, "items[0]", "two\nlines, 100%", "see: there", "note", "cut")

    assert listings.github(problem) == (
        "::notice file=a%2Cb%3Ac%25.yaml,line=3,col=8,title=cut::items[0]: two%0Alines, 100%25 (see: there)"
    )
    assert listings.github(Problem("a.yaml", message="gone", rule="file")) == "::error file=a.yaml,title=file::gone"


def test_workflow_commands_come_with_the_last_line(capsys: pytest.CaptureFixture[str], letters: Path) -> None:
    _, out, _ = run(capsys, "check", "--format", "github", letters)

    lines = out.splitlines()
    assert [line.split("::")[1] for line in lines[:-1]] == [
        f"warning file=fails.yaml,line={at},col=15,title=letter-prefix" for at in (10, 14, 17)
    ]
    assert lines[-1].startswith("checked: ")


def test_sarif_has_the_shape_of_its_schema(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(RULES.parents[1])
    code, out, _ = run(capsys, "check", "--format", "sarif", "tests/broken", "tests/broken-locales", "tests/rules")

    log = json.loads(out)
    [only] = log["runs"]
    assert code == 1
    assert [error.message for error in SHAPE.iter_errors(log)] == []
    assert len(only["results"]) > 300
    rules = only["tool"]["driver"]["rules"]
    assert all(rules[result["ruleIndex"]]["id"] == result["ruleId"] for result in only["results"])
    assert [one["suppressions"][0]["justification"] for one in only["results"] if "suppressions" in one]


def test_sarif_names_files_by_references() -> None:
    log: dict[str, Any] = sarif.log([Problem("a folder/ü.yaml", 0, 0, message="gone", rule="file")], ())

    [result] = log["runs"][0]["results"]
    assert result["locations"] == [
        {"physicalLocation": {"artifactLocation": {"uri": "a%20folder/%C3%BC.yaml"}}},
    ]
    assert [error.message for error in SHAPE.iter_errors(log)] == []


def test_a_dry_run_shows_and_writes_nothing(capsys: pytest.CaptureFixture[str], letters: Path) -> None:
    before = letters.read_bytes()

    code, out, _ = run(capsys, "check", "--fix", "--dry-run", letters)

    assert code == 1
    assert letters.read_bytes() == before
    assert "-        text: A) 4 bytes\n+        text: 4 bytes\n" in out
    assert "fails.yaml: can be mended at 3 places\n" in out
    assert out.splitlines()[-1] == "checked: 1 quiz, 1 item, 0 problems, 3 warnings"


def test_fixing_writes_what_it_shows_and_checks_again(capsys: pytest.CaptureFixture[str], letters: Path) -> None:
    code, out, _ = run(capsys, "check", "--fix", letters)

    assert code == 0
    assert letters.read_text(encoding="utf-8").count(") ") == 0
    assert "+        text: 8 bytes\n" in out
    assert "fails.yaml: mended at 3 places\n" in out
    assert out.splitlines()[-1] == "checked: 1 quiz, 1 item, 0 problems, 0 warnings"
    assert run(capsys, "check", "--fix", letters)[1] == "checked: 1 quiz, 1 item, 0 problems, 0 warnings\n"


def test_a_dry_run_alone_is_wrong_use(capsys: pytest.CaptureFixture[str], letters: Path) -> None:
    code, _, err = run(capsys, "check", "--dry-run", letters)

    assert code == 2
    assert err == "quiz-widgets: --dry-run shows what --fix would do: give both\n"


@pytest.mark.parametrize(
    ("locale", "last"),
    [
        ("tr", "denetlendi: 1 test, 1 soru, 0 sorun, 3 uyarı"),
        ("ar", "نتيجة الفحص: اختبار واحد، سؤال واحد، لا مشكلات، \u20663\u2069 تحذيرات"),
    ],
)
def test_the_last_line_in_other_languages(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, letters: Path, locale: str, last: str
) -> None:
    monkeypatch.setenv("QUIZ_WIDGETS_LOCALE", locale)

    assert run(capsys, "check", letters)[1].splitlines()[-1] == last
