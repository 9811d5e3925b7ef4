"""One mistake in a small working course gives one error, at its place; YAML changes no text without a word."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from quiz_widgets import authoring
from quiz_widgets.authoring import quizzes
from quiz_widgets.authoring.overlays import translate
from quiz_widgets.authoring.rules import RULES

CASES = Path(__file__).parent / "cases"
COURSE = CASES / "course"
MISTAKES = json.loads((CASES / "mistakes.json").read_text(encoding="utf-8"))
YAML = json.loads((CASES / "yaml.json").read_text(encoding="utf-8"))


@pytest.fixture
def course(tmp_path: Path) -> Path:
    return Path(shutil.copytree(COURSE, tmp_path / "course"))


def errors(course: Path) -> list[str]:
    return [
        f"{Path(problem.file).relative_to(course).as_posix()}:{problem.line}:{problem.column} {problem.rule}"
        for problem in authoring.check([course]).errors
    ]


def test_the_course_is_well_without_what_its_evidence_needs(course: Path) -> None:
    report = authoring.check([course])

    assert report.problems == ()
    assert (report.quizzes, report.items) == (1, 2)


@pytest.mark.parametrize("case", MISTAKES, ids=lambda case: case["name"])
def test_a_mistake_is_one_error_at_its_place(case: dict[str, str], course: Path) -> None:
    file = course / case["file"]
    text = file.read_text(encoding="utf-8")
    assert text.count(case["old"]) >= 1

    file.write_text(text.replace(case["old"], case["new"], 1), encoding="utf-8")

    assert errors(course) == [case["problem"]]


def test_all_mistakes_of_a_quiz_come_at_once(course: Path) -> None:
    names = {"misspelt kind", "unknown evidence", "bare dollar", "unknown field", "two keys", "level misspelt"}
    chosen = [case for case in MISTAKES if case["name"] in names]
    file = course / "formats" / "quiz.yaml"
    text = file.read_text(encoding="utf-8")
    for case in chosen:
        text = text.replace(case["old"], case["new"], 1)

    file.write_text(text, encoding="utf-8")

    assert {found.split(" ")[1] for found in errors(course)} == {case["problem"].split(" ")[1] for case in chosen}


@pytest.mark.parametrize("case", YAML["cases"], ids=lambda case: case.get("name", case.get("written")))
def test_a_text_is_taken_as_it_is_written_or_refused(case: dict[str, Any]) -> None:
    template: str = YAML["template"]
    text = template.replace("OPTION", case.get("written", "four bytes"))
    if "replace" in case:
        old, new = case["replace"]
        assert old in template
        text = template.replace(old, new, 1).replace("OPTION", "four bytes")

    reading = quizzes.parse(text.encode(), Path("cases.yaml"))

    found = [f"{one.line}:{one.column} {one.rule}" for one in reading.problems if one.severity != "note"]
    assert found == case.get("problems", [])
    if not found:
        assert reading.quiz is not None
        assert reading.quiz.items[0].options[0].text.forms["en"].source == case["text"]


def test_there_are_cases_enough_and_all_of_known_rules() -> None:
    named = {found.split(" ")[1] for case in YAML["cases"] for found in case.get("problems", [])}

    assert len(YAML["cases"]) >= 60
    assert named | {case["problem"].split(" ")[1] for case in MISTAKES} <= set(RULES)


def test_a_translation_with_a_bare_dollar_can_still_be_completed(course: Path) -> None:
    file = course / "formats" / "quiz.tr.yaml"
    file.write_text(file.read_text(encoding="utf-8").replace("text: 8 bayt", "text: 8 bayt $"), encoding="utf-8")

    made = translate.overlay(course / "formats", "tr")

    assert "8 bayt $" in made.text
    assert made.added > 0
