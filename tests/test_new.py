"""`quiz-widgets new` makes a course that works as it is, in which each of fifteen mistakes is one error at its line."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient

from quiz_widgets import authoring, cli, lab
from quiz_widgets.authoring import registered

CASES = Path(__file__).parent / "cases"
MISTAKES = json.loads((CASES / "new-mistakes.json").read_text(encoding="utf-8"))
DRAWN = """
  - id: square
    section: board
    kind: number
    stem: How many grains are on square {square}?
    draw: {square: [3, 4, 5]}
    explanation: They are {value}.
    evidence: drawn_grains
"""
DRAWING = '''

@evidence("drawn_grains")
def drawn_grains(square: int = 3) -> Facts:
    """The grains of one square."""
    return Facts({"value": Fact(grains(square))}, "as drawn")
'''


@pytest.fixture
def course(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A new course with a name of its own, so that no test meets the modules of another."""
    name = f"course-{abs(hash(tmp_path)):x}"
    monkeypatch.chdir(tmp_path)
    assert cli.main(["new", name]) == 0
    monkeypatch.chdir(name)
    return Path.cwd()


def quiz_of(course: Path) -> Path:
    return course / "content" / course.name


def command(course: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """The command in a process of its own, as an author runs it: what it imports is gone afterwards."""
    run = [sys.executable, "-m", "quiz_widgets.cli", *arguments]
    environment = {**os.environ, "QUIZ_WIDGETS_LOCALE": "en"}
    return subprocess.run(run, cwd=course, capture_output=True, text=True, env=environment, check=False)


def change(file: Path, old: str, new: str) -> None:
    text = file.read_text(encoding="utf-8")
    assert old in text
    file.write_text(text.replace(old, new, 1), encoding="utf-8")


@pytest.mark.parametrize("locale", ["tr", "ar"])
def test_a_new_course_is_well_and_its_keys_are_proved(
    locale: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert cli.main(["new", "my-first", "--locale", locale]) == 0
    assert capsys.readouterr().out.startswith("my-first: a course of 1 quiz, 3 items and 12 files\n")
    course = tmp_path / "my-first"

    plain, proved = command(course, "check", "."), command(course, "check", "--evidence", "--locales", ".")

    assert (plain.returncode, plain.stdout) == (0, "checked: 1 quiz, 3 items, 0 problems, 0 warnings\n")
    assert proved.returncode == 0
    assert "evidence: 2 of 3 items proved, 1 cited, 0 contradicted, 0 skipped\n" in proved.stdout
    assert f"locales: {locale} 100%, 0 stale\n" in proved.stdout
    assert "strict: true\n" in (quiz_of(course) / "quiz.yaml").read_text(encoding="utf-8")
    assert command(course, "build", "--check").stdout == "generated: 2 files, all fresh\n"


def test_no_word_of_the_template_is_left(course: Path) -> None:
    files = [path for path in course.rglob("*") if path.is_file()]

    assert {".gitignore", "check.yml"} <= {path.name for path in files}
    for path in files:
        words = f"{path.relative_to(course)} {path.read_text(encoding='utf-8')}"
        assert [word for word in ("COURSE", "MODULE", "PREFIX", "LOCALE", "dot-") if word in words] == []


@pytest.mark.parametrize("case", MISTAKES, ids=lambda case: case["name"])
def test_a_mistake_is_one_error_at_its_line(case: dict[str, Any], course: Path) -> None:
    file = quiz_of(course) / case["file"]

    change(file, case["old"], case["new"])

    errors = [(one.file, one.line, one.rule) for one in authoring.check(["."]).errors]
    assert errors == [(str(file.relative_to(course)), case["line"], case["rule"])]


@pytest.mark.parametrize("name", ["My Course", "course_1", "1st", "a--b", "-a", "über"])
def test_a_bad_name_is_refused(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)

    assert cli.main(["new", "--", name]) == 2

    assert f"quiz-widgets: {name}: no name for a course" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_nothing_that_is_there_is_touched(course: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = {path: path.read_bytes() for path in course.rglob("*") if path.is_file()}
    file = course / "a-file"
    file.write_text("mine", encoding="utf-8")

    assert cli.main(["new", str(course)]) == 2
    assert cli.main(["new", "a-file"]) == 2

    assert capsys.readouterr().err.count("there is something already") == 2
    assert {path: path.read_bytes() for path in course.rglob("*") if path.is_file()} == {**before, file: b"mine"}


def test_an_empty_folder_becomes_a_course(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "empty-one"
    folder.mkdir()
    monkeypatch.chdir(folder)

    assert cli.main(["new", "."]) == 0
    assert authoring.check(["."]).problems == ()


def test_a_demo_of_the_course_stands_in_its_notebook_and_runs(course: Path) -> None:
    path = course / "notebooks" / "en" / f"{course.name}.ipynb"
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    resources = {"metadata": {"path": str(path.parent)}}

    NotebookClient(notebook, resources=resources, kernel_name="python3", store_widget_state=False).execute()

    outputs = {cell["id"]: cell["outputs"] for cell in notebook["cells"] if cell["cell_type"] == "code"}
    assert "10   512   1023" in outputs["demo-doubling"][0]["text"]
    assert "How often is one grain doubled" in outputs["quiz-tenth-square-million"][0]["data"]["text/plain"]


def test_a_misspelt_demo_is_told_with_those_of_the_course(course: Path) -> None:
    change(quiz_of(course) / "guide.en.md", "{demo} doubling", "{demo} doublin")

    found = [one for one in authoring.check(["."]).errors if one.file.endswith("guide.en.md")]

    assert [one.rule for one in found] == ["guide-demo"]
    assert "did you mean `doubling`?" in found[0].message


def test_build_follows_the_course_and_keeps_what_somebody_wrote(course: Path) -> None:
    path = course / "notebooks" / "en" / f"{course.name}.ipynb"
    document = json.loads(path.read_text(encoding="utf-8"))
    document["cells"][1]["outputs"] = [{"output_type": "stream", "name": "stdout", "text": ["run\n"]}]
    path.write_text(json.dumps(document), encoding="utf-8")
    change(quiz_of(course) / "guide.en.md", "In binary, doubling", "In base two, doubling")
    assert command(course, "build").stdout.splitlines()[0] == f"notebooks/en/{path.name}: written"

    document = json.loads(path.read_text(encoding="utf-8"))
    document["cells"][0]["source"] = ["# My own words"]
    path.write_text(json.dumps(document), encoding="utf-8")
    built = command(course, "build").stdout

    kept = path.with_suffix(".yours.ipynb")
    assert f"notebooks/en/{path.name}: changed by hand, kept as notebooks/en/{kept.name}\n" in built
    assert "My own words" in kept.read_text(encoding="utf-8")
    assert "In base two, doubling" in path.read_text(encoding="utf-8")


def test_numbers_that_a_course_draws_are_drawn_where_its_code_may_run(course: Path) -> None:
    file, module = quiz_of(course) / "quiz.yaml", next(course.glob("*_evidence.py"))
    file.write_text(file.read_text(encoding="utf-8") + DRAWN, encoding="utf-8")
    module.write_text(module.read_text(encoding="utf-8") + DRAWING, encoding="utf-8")
    for guide in quiz_of(course).glob("guide.*.md"):
        change(guide, "tenth-square million", "tenth-square million square")
    load = f"from quiz_widgets import load_quiz; print(load_quiz({str(file)!r}{{}}).items[-1].id)"

    checked, proved = command(course, "check", "."), command(course, "check", "--evidence", ".")
    built = command(course, "build")
    read, run = (
        subprocess.run([sys.executable, "-c", load.format(extra)], capture_output=True, text=True, check=False)
        for extra in ("", ", evidence=True")
    )

    assert checked.returncode == 0
    assert f":{len(file.read_text(encoding='utf-8').splitlines())}:15: note: items[3].evidence: nothing is drawn: " in (
        checked.stdout
    )
    assert proved.returncode == 0
    assert "3 of 4 items proved" in proved.stdout
    assert built.returncode == 0
    assert ", evidence=True)" in (course / "notebooks" / "en" / f"{course.name}.ipynb").read_text(encoding="utf-8")
    assert read.returncode == 1
    assert "load_quiz(…, evidence=True)" in read.stderr
    quiz = str(file)
    assert command(course, "export", quiz, "--to", "html").returncode == 1
    assert command(course, "export", quiz, "--to", "html", "--evidence").returncode == 0
    assert command(course, "translate", quiz, "--to", "tr").stdout.endswith("2 texts to translate, 0 stale\n")
    assert (run.returncode, run.stdout) == (0, "square\n")


def test_a_plain_check_and_a_load_run_no_code_of_the_course(course: Path) -> None:
    module = next(course.glob("*_evidence.py"))
    module.write_text(module.read_text(encoding="utf-8") + "\nopen('was_run', 'w').close()\n", encoding="utf-8")

    command(course, "check", "--fix", "--locales", ".")
    subprocess.run(
        [sys.executable, "-c", f"import quiz_widgets as q; q.load_quiz({str(quiz_of(course))!r})"], check=True
    )
    assert not (course / "was_run").exists()

    command(course, "check", "--evidence", ".")
    assert (course / "was_run").exists()


def test_a_recorded_result_of_the_course_passes_a_check_that_runs_nothing(course: Path) -> None:
    assert command(course, "check", "--evidence", "--record", ".").returncode == 0
    assert (quiz_of(course) / "evidence.json").is_file()

    assert command(course, "check", ".").stdout == "checked: 1 quiz, 3 items, 0 problems, 0 warnings\n"

    change(next(course.glob("*_evidence.py")), "2 ** (square - 1)", "2 ** (square - 1) + 0")
    assert "made by other code" in command(course, "check", "--evidence", ".").stdout


def test_a_module_that_fails_is_told_beside_all_other_problems(course: Path) -> None:
    module = next(course.glob("*_evidence.py"))
    module.write_text("import package_that_nobody_has\n", encoding="utf-8")
    change(quiz_of(course) / "quiz.yaml", "level: easy", "level: eassy")

    found = command(course, "check", "--evidence", ".")

    assert found.returncode == 1
    assert "cannot be imported (ModuleNotFoundError" in found.stdout
    assert "unknown `eassy`" in found.stdout or "`eassy`" in found.stdout
    assert "Traceback" not in found.stderr


def test_two_courses_with_a_module_of_the_same_name_are_told_apart(tmp_path: Path, course: Path) -> None:
    other = tmp_path / "other"
    assert cli.main(["new", str(other)]) == 0
    first = next(course.glob("*_evidence.py"))
    change(other / "pyproject.toml", "other_evidence", first.stem)
    (other / "other_evidence.py").rename(other / first.name)

    found = command(tmp_path, "check", "--evidence", course.name, "other")

    assert found.returncode == 1
    assert f"{first.stem}: another module of this name is imported" in found.stdout


def test_lab_opens_the_course_in_which_one_stands(course: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(quiz_of(course))

    assert lab.own_course() == course
    arguments = lab.arguments(course, "tr", [])
    assert f"--ServerApp.root_dir={course}" in arguments
    assert f"--LabApp.default_url=/lab/tree/notebooks/tr/{course.name}.ipynb" in arguments


def test_lab_says_where_notebooks_are_missing(course: Path) -> None:
    for path in (course / "notebooks").rglob("*.ipynb"):
        path.unlink()
    for path in sorted((course / "notebooks").rglob("*"), reverse=True):
        path.rmdir()
    (course / "notebooks").rmdir()

    with pytest.raises(lab.LabError, match="quiz-widgets build"):
        lab.own_course()


def test_a_folder_that_is_no_course_is_none(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text('[project]\nname = "other"\n', encoding="utf-8")

    assert registered.course_root(tmp_path) is None
    assert registered.course_root(Path(__file__).parent) is None
