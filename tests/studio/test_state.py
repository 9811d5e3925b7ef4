"""What the preview shows of files: each question as far as it can be, each problem where it belongs, never a crash."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quiz_widgets.studio import state
from quiz_widgets.studio.watch import Watcher
from tests.studio.conftest import SOURCE

ROOT = Path(__file__).resolve().parents[2]

COURSE = Path(__file__).resolve().parents[2] / "content" / "mixed-precision" / "quiz.yaml"


def shown(path: Path, before: state.Seen | None = None) -> dict[str, Any]:
    return state.data(state.look(path, before), path, "en")


def places(problems: list[dict[str, Any]]) -> list[str]:
    return [f"{problem['place']} {problem['path']}" for problem in problems if problem["severity"] == "error"]


def test_the_course_is_shown_whole_in_all_its_languages() -> None:
    found = shown(COURSE)

    assert found["title"] == "Mixed precision training"
    assert list(found["locales"]) == ["en", "ar", "tr"]
    assert [section["key"] for section in found["sections"]][-2:] == ["set ", "set numbers"]
    assert all(list(section["mounts"]) == ["en", "ar", "tr"] for section in found["sections"])
    assert all("quiz" in mount for section in found["sections"] for mount in section["mounts"].values())


def test_a_learner_of_the_quiz_itself_is_not_mixed_up_with_its_author(quiz: Path) -> None:
    mount = shown(quiz)["sections"][0]["mounts"]["en"]

    assert mount["quiz"]["id"] == "draft:sums"
    assert mount["practice"]["items"]["small"]["key"] == ["two"]


def test_problems_stand_at_their_questions(quiz: Path, save: Callable[..., None]) -> None:
    save("level: easy", "level: simple")
    save("rationale: No.", "ratonale: No.")
    save("value: 1001", "value: many")

    found = shown(quiz)

    assert places(found["problems"]) == ["quiz.yaml:3:8 level"]
    first, second = found["sections"]
    assert places(first["problems"]) == ["quiz.yaml:10:36 options[1]"]
    assert first["found"] == "1 problem"
    assert first["problems"][-1]["line"][1] == "ratonale"
    assert places(second["problems"]) == ["quiz.yaml:16:12 value"]


def test_what_only_feedback_lacks_can_be_answered_and_the_rest_cannot(quiz: Path, save: Callable[..., None]) -> None:
    save("rationale: No.", "ratonale: No.")
    save("value: 1001", "value: many")

    first, second = shown(quiz)["sections"]

    assert {"quiz", "practice"} <= first["mounts"]["en"].keys()
    assert "What is 1000 + 1?" in second["mounts"]["en"]["html"]
    assert "It can be answered once its problems are solved." in second["mounts"]["en"]["html"]


def test_a_problem_of_a_translation_stands_at_its_question(quiz: Path, save: Callable[..., None]) -> None:
    save("$1 + 1$", "$1 + 2$", quiz.with_name("quiz.ar.yaml"))

    found = shown(quiz)

    assert places(found["sections"][0]["problems"]) == ["quiz.ar.yaml:7:11 stem"]
    assert "quiz" in found["sections"][0]["mounts"]["ar"]


def test_translations_are_shown_while_the_source_has_problems(quiz: Path, save: Callable[..., None]) -> None:
    save("level: easy", "level: simple")

    assert "شيئان" in json.dumps(shown(quiz)["sections"][0]["mounts"]["ar"], ensure_ascii=False)


def test_a_fault_without_a_path_stands_at_the_question_of_its_line(quiz: Path, save: Callable[..., None]) -> None:
    save("    value: 1001", "    value: 1001\n    value: 1002")

    assert places(shown(quiz)["sections"][1]["problems"]) == ["quiz.yaml:17:5 "]


@pytest.mark.parametrize("broken", ["items: [", "id: sums\n", "- a list\n", "\x00", ""])
def test_what_cannot_be_read_leaves_the_questions_before(quiz: Path, broken: str) -> None:
    before = state.look(quiz, None)
    quiz.write_text(broken, encoding="utf-8")

    found = shown(quiz, before)

    assert not found["readable"]
    assert len(found["problems"]) > 0
    assert [section["id"] for section in found["sections"][:2]] == ["small", "large"]


def test_a_file_that_went_is_a_problem_and_comes_back(quiz: Path) -> None:
    before = state.look(quiz, None)
    text = quiz.read_text(encoding="utf-8")
    quiz.unlink()

    gone = state.look(quiz, before)
    quiz.write_text(text, encoding="utf-8")

    assert "no such file" in state.data(gone, quiz, "en")["problems"][0]["message"]
    kept, known = (state.data(one, quiz, "en")["sections"] for one in (gone, before))
    assert [section["mounts"] for section in kept] == [section["mounts"] for section in known]
    assert shown(quiz, gone)["readable"]


def test_a_translation_that_goes_while_it_is_read_is_no_crash(quiz: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gone = quiz.with_name("quiz.tr.yaml")
    monkeypatch.setattr("quiz_widgets.authoring.overlays.reader.beside", lambda _: [gone])

    found = shown(quiz)

    assert found["problems"][0]["place"] == "quiz.tr.yaml"


def test_before_anything_was_readable_there_are_problems_only(quiz: Path) -> None:
    quiz.write_text("items: [", encoding="utf-8")

    found = shown(quiz)

    assert (found["title"], found["sections"], found["count"]) == (None, [], "1 problem")


def halves() -> Iterator[str]:
    """What a file may look like while it is written: cut anywhere, a line gone, a line twice."""
    lines = SOURCE.splitlines(keepends=True)
    yield from (SOURCE[:end] for end in range(0, len(SOURCE), 7))
    yield from ("".join([*lines[:at], *lines[at + 1 :]]) for at in range(len(lines)))
    yield from ("".join([*lines[:at], lines[at], *lines[at:]]) for at in range(len(lines)))


def test_half_a_file_is_never_a_crash(quiz: Path) -> None:
    for text in halves():
        quiz.write_text(text, encoding="utf-8")
        json.dumps(shown(quiz))


@settings(max_examples=60)
@given(
    st.text(alphabet=st.sampled_from(list("abi:- []{}'\"\n|>&*#!%@`0,\\$")), max_size=40), st.integers(0, len(SOURCE))
)
def test_whatever_is_typed_is_never_a_crash(tmp_path_factory: pytest.TempPathFactory, typed: str, at: int) -> None:
    path = tmp_path_factory.mktemp("typed") / "quiz.yaml"
    path.write_text(SOURCE[:at] + typed + SOURCE[at:], encoding="utf-8")

    json.dumps(shown(path))


def test_items_without_ids_and_with_the_same_id_are_shown_one_by_one(quiz: Path, save: Callable[..., None]) -> None:
    save("id: large", "id: small")
    found = shown(quiz)
    assert [section["id"] for section in found["sections"]] == ["small", "small"]
    assert "What is 1000 + 1?" in found["sections"][1]["mounts"]["en"]["html"]

    save("  - id: small\n    kind", "  - kind")
    assert "What is 1000 + 1?" in shown(quiz)["sections"][1]["mounts"]["en"]["html"]


def test_a_save_is_seen_once_the_file_rests(quiz: Path, save: Callable[..., None]) -> None:
    watcher = Watcher(quiz, "en")
    watcher.read()
    versions = []

    def sleep(_: float) -> None:
        versions.append(watcher.version)
        step = len(versions)
        if step == 2:
            save("One thing", "Half of")
        elif step == 3:
            save("Half of", "All of it")
        elif step == 7:
            watcher.end()

    watcher.follow(sleep)

    assert versions == [1, 1, 1, 1, 2, 2, 2]
    assert "All of it" in watcher.body.decode()
    assert "Half of" not in watcher.body.decode()


def test_new_translations_and_guides_are_followed(quiz: Path) -> None:
    watcher = Watcher(quiz, "en")
    watcher.read()
    before = watcher._now()
    quiz.with_name("quiz.tr.yaml").write_text("locale: tr\n", encoding="utf-8")
    with_translation = watcher._now()
    quiz.with_name("guide.en.md").write_text("# Sums\n", encoding="utf-8")

    assert len({before, with_translation, watcher._now()}) == 3


def test_a_bank_is_followed_also_while_it_is_broken(tmp_path: Path) -> None:
    course = shutil.copytree(ROOT / "tests" / "rules" / "bank" / "passes", tmp_path / "course")
    bank, exam = course / "bank" / "quiz.yaml", course / "exam" / "quiz.yaml"
    sound = bank.read_text(encoding="utf-8")
    bank.write_text(sound.replace("correct: true", "correct: false", 1), encoding="utf-8")
    watcher = Watcher(exam, "en")

    watcher.read()
    broken = json.loads(watcher.body)
    before = watcher._now()
    bank.write_text(sound, encoding="utf-8")
    followed = watcher._now() != before
    watcher.read()

    assert followed
    assert [one["message"] for one in broken["problems"]] == ["no option is right: nobody could answer"]
    assert json.loads(watcher.body)["problems"] == []


def test_a_fault_of_the_reader_itself_shows_in_the_page(quiz: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    watcher = Watcher(quiz, "en")
    watcher.read()

    def failing(*_: object) -> None:
        raise KeyError("x")

    monkeypatch.setattr(state, "look", failing)
    watcher.read()

    found = json.loads(watcher.body)
    assert found["problems"][0]["message"] == "cannot be shown: KeyError: 'x'"
    assert len(found["sections"]) == 3
