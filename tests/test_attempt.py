"""A notebook reacts to its learner: the open attempt as traits."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import traitlets

from quiz_widgets import Quiz, attempt, load_quiz
from quiz_widgets.links.practice import Link, open_link
from tests.events import submit

SUMS = Path(__file__).parent / "hosts" / "sums" / "quiz.yaml"


@pytest.fixture
def quiz(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Quiz:
    monkeypatch.setenv("QUIZ_WIDGETS_HOME", str(tmp_path / "kept"))
    return load_quiz(SUMS)


@pytest.fixture
def link(quiz: Quiz) -> Iterator[Link]:
    opened = open_link("sums", quiz._recorder)
    yield opened
    opened.close()


def restart(attempt_id: str, following: str) -> dict[str, Any]:
    return submit(attempt_id) | {
        "id": f"{attempt_id}/restart",
        "kind": "restart",
        "item": "",
        "response": [following],
        "at": 2000,
    }


def test_an_attempt_begins_with_nothing(quiz: Quiz) -> None:
    opened = quiz.attempt
    assert (opened.answered, opened.correct, opened.first_try, opened.score) == (0, 0, 0, 0.0)
    assert (opened.total, opened.max_score, opened.kept) == (3, 3.0, True)
    assert str(opened) == opened.id
    assert opened.id in repr(opened)
    assert len(opened.id) == 32


def test_a_quiz_has_one_attempt_to_observe(quiz: Quiz) -> None:
    assert quiz.attempt is quiz.attempt


def test_a_handler_hears_of_an_answer_once_it_is_on_record(quiz: Quiz, link: Link) -> None:
    heard: list[tuple[int, int, int]] = []
    quiz.attempt.observe(lambda change: heard.append((change.old, change.new, len(link.outcomes))), names="answered")
    link.set_state({"events": [submit(quiz.attempt.id, "three")]})
    assert heard == [(0, 1, 1)]
    assert (quiz.attempt.correct, quiz.attempt.score) == (0, 0.0)


def test_all_numbers_have_changed_before_a_handler_runs(quiz: Quiz, link: Link) -> None:
    seen: list[tuple[int, int, float]] = []
    opened = quiz.attempt
    opened.observe(lambda _: seen.append((opened.answered, opened.correct, opened.score)), names="answered")
    link.set_state({"events": [submit(opened.id)]})
    assert seen == [(1, 1, 1.0)]


def test_what_is_already_recorded_makes_no_noise(quiz: Quiz, link: Link) -> None:
    link.set_state({"events": [submit(quiz.attempt.id)]})
    heard: list[Any] = []
    quiz.attempt.observe(heard.append)
    link.set_state({"events": [submit(quiz.attempt.id)]})
    assert heard == []


def test_a_number_can_be_tied_to_a_widget(quiz: Quiz, link: Link) -> None:
    class Button(traitlets.HasTraits):
        disabled = traitlets.Bool()

    button = Button()
    traitlets.dlink((quiz.attempt, "correct"), (button, "disabled"), lambda correct: correct < 1)
    assert button.disabled
    link.set_state({"events": [submit(quiz.attempt.id)]})
    assert not button.disabled


def test_starting_again_gives_another_id_and_no_answers(quiz: Quiz, link: Link) -> None:
    first = quiz.attempt.id
    link.set_state({"events": [submit(first)]})
    ids: list[str] = []
    quiz.attempt.observe(lambda change: ids.append(change.new), names="id")
    link.set_state({"events": [restart(first, "f" * 32)]})
    assert ids == ["f" * 32]
    assert (quiz.attempt.answered, quiz.attempt.score) == (0, 0.0)


def test_the_record_alone_decides(quiz: Quiz) -> None:
    with pytest.raises(traitlets.TraitError):
        quiz.attempt.score = 3.0


def test_every_notebook_variable_of_the_quiz_hears(quiz: Quiz, link: Link) -> None:
    other = load_quiz(SUMS)
    heard: list[Any] = []
    other.attempt.observe(heard.append, names="score")
    link.set_state({"events": [submit(quiz.attempt.id)]})
    assert [change.new for change in heard] == [1.0]


def test_what_another_kernel_recorded_counts_when_the_attempt_is_read(quiz: Quiz) -> None:
    opened = quiz.attempt
    load_quiz(SUMS)._recorder.record([submit(opened.id)])  # type: ignore[list-item]
    assert quiz.attempt.correct == 1


def test_a_handler_that_fails_silences_no_other_and_no_page(quiz: Quiz, link: Link) -> None:
    def fails(_: Any) -> None:
        raise ZeroDivisionError

    other = load_quiz(SUMS)
    heard: list[Any] = []
    quiz.attempt.observe(fails, names="score")
    other.attempt.observe(heard.append, names="score")
    with pytest.raises(ZeroDivisionError):
        link.set_state({"events": [submit(quiz.attempt.id)]})
    assert len(heard) == 1
    assert list(link.outcomes) == [f"{quiz.attempt.id}/two-and-two/1"]


def test_a_quiz_loaded_again_leaves_the_former_handlers_behind(quiz: Quiz, link: Link) -> None:
    heard: list[Any] = []
    again = load_quiz(SUMS)
    again.attempt.observe(heard.append)
    del again
    gc.collect()
    link.set_state({"events": [submit(quiz.attempt.id)]})
    assert heard == []
    attempt.refresh("a quiz that nobody has loaded")
