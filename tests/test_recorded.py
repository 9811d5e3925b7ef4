"""Recorded evidence in a quiz: the facts of its text with their day and machine, from `evidence.json` beside it."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from quiz_widgets import authoring, compiled
from quiz_widgets.problems import ContentError

QUIZ = """\
id: sums
title: Sums
level: easy
description: Adding.
items:
  - id: two
    stem: What is 2 + 2?
    options:
      - {id: three, text: Three, rationale: One less.}
      - {id: four, text: Four, correct: true, rationale: Pairs.}
    explanation: Count.
    evidence: two_and_two
    evidence_text: "The sum is {sum}, off by {error} in PyTorch {version}."
"""
ENTRY = {
    "facts": {
        "sum": {"value": 4.0, "unit": ""},
        "error": {"value": 0.012345, "unit": ""},
        "version": {"value": "2.13.0", "unit": ""},
        "unused": {"value": True, "unit": ""},
    },
    "summary": "4",
    "date": "2026-11-30",
    "machine": "a CPU",
    "versions": {},
    "source": "0123456789abcdef",
}


def folder(base: Path, records: Any, text: str = QUIZ) -> Path:
    made = base / "sums"
    made.mkdir()
    (made / "quiz.yaml").write_text(text, encoding="utf-8")
    if records is not None:
        written = records if isinstance(records, str) else json.dumps(records)
        (made / "evidence.json").write_text(written, encoding="utf-8")
    return made


def test_the_facts_of_the_text_are_compiled_with_day_and_machine(tmp_path: Path) -> None:
    quiz = authoring.load(folder(tmp_path, {"two_and_two": ENTRY}))

    recorded = quiz.item("two").recorded

    assert recorded is not None
    assert recorded.facts == {"sum": "4", "error": "0.0123", "version": "2.13.0"}
    assert (recorded.date, recorded.machine) == ("2026-11-30", "a CPU")
    assert compiled.loads(compiled.dump(quiz)) == quiz


def test_without_a_record_of_its_own_an_item_has_none(tmp_path: Path) -> None:
    for number, records in enumerate([None, {}, {"other": ENTRY}]):
        base = tmp_path / str(number)
        base.mkdir()
        assert authoring.load(folder(base, records)).item("two").recorded is None


def test_a_record_changes_no_hash(tmp_path: Path) -> None:
    path = folder(tmp_path, {"two_and_two": ENTRY})
    with_record = authoring.load(path).hash
    (path / "evidence.json").unlink()

    assert authoring.load(path).hash == with_record


def test_a_name_that_is_no_fact_is_a_problem_with_its_place(tmp_path: Path) -> None:
    text = QUIZ.replace("{error}", "{eror}")

    with pytest.raises(ContentError) as raised:
        authoring.load(folder(tmp_path, {"two_and_two": ENTRY}, text))

    (problem,) = raised.value.problems
    assert (problem.line, problem.path) == (13, "items[0].evidence_text")
    assert problem.message == "`{eror}` is no fact of `two_and_two`"
    assert problem.hint == "did you mean `error`?"


@pytest.mark.parametrize("records", ["", "[]", '{"two_and_two": 3}', '{"two_and_two": {"facts": {}}}', "\x00"])
def test_a_file_that_is_no_record_is_one_problem(tmp_path: Path, records: str) -> None:
    with pytest.raises(ContentError) as raised:
        authoring.load(folder(tmp_path, records))

    (problem,) = raised.value.problems
    assert problem.file.endswith("evidence.json")
    assert problem.message.startswith("no record of evidence")


def test_the_first_demo_of_a_section_is_known(tmp_path: Path) -> None:
    sample = Path(__file__).parent / "cases" / "sample"
    shutil.copytree(sample, tmp_path / "sample")
    guide = tmp_path / "sample" / "guide.en.md"
    quiz = authoring.load(tmp_path / "sample")
    section = next(iter(quiz.guides[0].sections))
    places = "".join(f"```{{demo}} {name}\n```\n\n" for name in ("adam_bytes", "loss_scale"))
    text = guide.read_text(encoding="utf-8")
    heading = text.index("\n", text.index(f"({section})=") + len(section) + 4) + 1
    guide.write_text(f"{text[:heading]}\n{places}{text[heading:]}", encoding="utf-8")

    assert authoring.load(tmp_path / "sample").guides[0].demos[section] == "adam_bytes"
