"""Pools as authors write them: own items, and banks with their translations, problems and evidence."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from quiz_widgets import authoring, cli, compiled, evidence, pools
from quiz_widgets.authoring import cells, quizzes
from quiz_widgets.authoring.overlays import translate
from quiz_widgets.model import Pool
from quiz_widgets.problems import ContentError, Problem

ROOT = Path(__file__).resolve().parents[1]
PASSES = ROOT / "tests" / "rules" / "bank" / "passes"
TURKISH = """\
locale: tr
items:
  four-bytes:
    stem: Bir FP32 sayısı kaç bayttır?
"""


@pytest.fixture
def course(tmp_path: Path) -> Path:
    """A bank of two items, and an exam that draws one of them."""
    return Path(shutil.copytree(PASSES, tmp_path / "course"))


def errors(*paths: Path) -> list[Problem]:
    return [problem for problem in authoring.check(paths).problems if problem.severity == "error"]


def change(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


def test_the_items_of_a_bank_stand_behind_the_quiz_s_own(course: Path) -> None:
    quiz = authoring.load(course / "exam")

    assert list(quiz.sets) == ["eight-bytes", "four-bytes", "two-bytes"]
    assert quiz.pools == (Pool("formats", 1, ("four-bytes", "two-bytes"), "bank"),)
    assert [item.id for item in quiz.own] == ["eight-bytes"]
    assert quiz.hash == compiled.quiz_hash(quiz)
    assert compiled.loads(compiled.dump(quiz)) == quiz
    assert len(pools.shown(quiz, "0" * 32)) == 2


def test_a_quiz_may_have_a_bank_alone(course: Path) -> None:
    exam = course / "exam" / "quiz.yaml"
    exam.write_text(exam.read_text(encoding="utf-8").partition("items:")[0], encoding="utf-8")

    assert errors(course) == []
    assert len(pools.shown(authoring.load(exam), "0" * 32)) == 1


def test_a_bank_brings_its_translations_and_the_quiz_needs_none_of_them(course: Path) -> None:
    (course / "bank" / "quiz.tr.yaml").write_text(TURKISH, encoding="utf-8")

    quiz = authoring.load(course / "exam")

    assert quiz.item("four-bytes").stem.rendered("tr").source == "Bir FP32 sayısı kaç bayttır?"
    assert "four-bytes" not in translate.overlay(course / "exam", "tr").text


def test_what_is_wrong_in_a_bank_is_told_once_at_the_bank(course: Path) -> None:
    change(course / "bank" / "quiz.yaml", "correct: true", "correct: false")
    [problem] = errors(course)

    assert problem.file == str(course / "bank" / "quiz.yaml")
    assert errors(course / "exam") == [problem]
    with pytest.raises(ContentError, match="no option is right"):
        authoring.load(course / "exam")


def test_items_are_counted_and_proved_beside_their_own_file(course: Path) -> None:
    report = authoring.check([course])

    assert (report.quizzes, report.items) == (2, 3)
    assert len(evidence.run([quiz for _, quiz in report.found]).items) == 3


def test_banks_of_each_other_give_their_own_items_only(course: Path) -> None:
    change(course / "bank" / "quiz.yaml", "items:", "pools:\n  back: {draw: 1, from: ../exam/quiz.yaml}\nitems:")

    assert errors(course) == []
    assert list(authoring.load(course / "bank").sets) == ["four-bytes", "two-bytes", "eight-bytes"]
    assert list(authoring.load(course / "exam").sets) == ["eight-bytes", "four-bytes", "two-bytes"]


def test_sets_of_a_bank_are_left_behind(course: Path) -> None:
    change(course / "bank" / "quiz.yaml", "    stem:", "    set: extra\n    stem:")

    assert set(authoring.load(course / "exam").sets.values()) == {None}


def test_a_guide_need_not_name_what_an_attempt_may_not_show(tmp_path: Path) -> None:
    folder = tmp_path / "passes"
    folder.mkdir()
    text = (ROOT / "tests" / "rules" / "pool" / "passes.yaml").read_text(encoding="utf-8")
    text = text.replace("pools:", "guides: [passes]\npools:").replace("    stem:", "    section: formats\n    stem:")
    (folder / "guide.en.md").write_text("# Formats\n\n(formats)=\n## Formats\n\nBits.\n", encoding="utf-8")

    (folder / "quiz.yaml").write_text(text, encoding="utf-8")
    assert errors(folder) == []

    alone = re.sub(r"pools:\n.*\n|    pool: .*\n", "", text)
    (folder / "quiz.yaml").write_text(alone, encoding="utf-8")
    assert {problem.rule for problem in errors(folder)} == {"guide-place"}


def test_a_cell_has_no_bank(course: Path) -> None:
    reading = cells.read((course / "exam" / "quiz.yaml").read_text(encoding="utf-8"), "cell", "en")

    assert [problem.message for problem in reading.problems if problem.rule == "bank"] == [
        "a quiz that stands alone has no bank beside it"
    ]


def test_the_command_checks_a_course_with_a_bank(course: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["check", str(course)]) == 0
    assert "checked: 2 quizzes, 3 items, 0 problems" in capsys.readouterr().out


def test_the_example_in_the_docs_is_sound(tmp_path: Path, course: Path) -> None:
    text = (ROOT / "docs" / "authoring.md").read_text(encoding="utf-8")
    block = re.search(r"## Pools and banks\n.*?```yaml\n(.*?)\n```", text, re.DOTALL)
    assert block is not None
    (course / "bank" / "quiz.yaml").rename(tmp_path / "bank.yaml")
    for name, written in (
        ("format-bank", (tmp_path / "bank.yaml").read_text(encoding="utf-8").replace("id: bank", "id: format-bank")),
        ("exam-practice", block[1] + "\n"),
    ):
        (tmp_path / name).mkdir()
        (tmp_path / name / "quiz.yaml").write_text(written, encoding="utf-8")

    reading = quizzes.read(tmp_path / "exam-practice" / "quiz.yaml")

    assert [str(problem) for problem in reading.problems if problem.severity != "note"] == []
    assert reading.quiz is not None
    shown = list(pools.shown(reading.quiz, "0" * 32))
    assert shown[1] == "fp8"
    assert len(shown) == 4
