"""What a notebook holds of a graded quiz: as much as its desk lets its learner see, and nothing in what is saved."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from quiz_widgets import compiled, load_quiz
from quiz_widgets.api import QuizError
from quiz_widgets.classroom.client import watching
from quiz_widgets.classroom.client.quiz import GradedQuiz
from tests.classroom.serving import Served, sit, until
from tests.classroom.small_class import EXAM, HOUR, START
from tests.classroom.test_recorder import event

NAME = "cs101/week-3"
WHOLE = compiled.loads(EXAM.read_text(encoding="utf-8"))
STEMS = [item.stem.rendered("en").plain for item in WHOLE.items]


@pytest.fixture(autouse=True)
def links() -> Iterator[None]:
    """No link is left for the next test."""
    yield
    from quiz_widgets.links import registry

    for link in list(registry._links.values()):
        link.close()


@pytest.fixture
def published(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """What cells have shown, in a notebook that stands in for a real one."""
    shown: list[dict[str, Any]] = []
    pub = SimpleNamespace(publish=lambda data, **_: shown.append(data))
    shell = SimpleNamespace(kernel=object(), display_pub=pub)
    monkeypatch.setattr("quiz_widgets.classroom.client.quiz._shell", lambda: shell)
    return shown


def load() -> GradedQuiz:
    found: Any = load_quiz(NAME, "en")
    assert isinstance(found, GradedQuiz)
    return found


def opened(quiz: GradedQuiz) -> str:
    """Open an attempt, as the page's button does; its id."""
    recorder = quiz._recorder
    recorder.refresh()
    recorder.record([event("start", "")])
    until("the attempt is open", lambda: quiz.attempt is not None)
    assert quiz.attempt is not None
    return quiz.attempt.id


def test_before_it_is_opened_there_is_a_title_and_no_question(desk: Served, published: list[dict[str, Any]]) -> None:
    quiz = load()
    quiz.show()

    assert (quiz.id, quiz.title) == (NAME, "Mixed precision training")
    assert (quiz.items, quiz.attempt) == ((), None)
    assert str(quiz.progress()) == "0 of 0 answered"
    assert repr(quiz) == "<GradedQuiz 'cs101/week-3': Mixed precision training>"
    [shown] = published
    assert "Open this notebook on the course's Hub" in shown["text/plain"]


def test_what_is_saved_holds_no_question_no_answer_and_no_name_of_a_learner(
    desk: Served, published: list[dict[str, Any]]
) -> None:
    quiz = load()
    run = opened(quiz)
    quiz._recorder.record([event("submit", run, quiz.items[0].id, (quiz.items[0].options[0].id,))])
    until("it is recorded", lambda: quiz.progress().answered == 1)
    quiz.show()

    saved = json.dumps(published, ensure_ascii=False)
    options = [option.text.rendered("en").plain for item in WHOLE.items for option in item.options]
    secrets = [desk.room.tokens["ada"], "ticket-", run, quiz.items[0].options[0].id, '"ada"', desk.url]
    assert [text for text in (*STEMS, *options, *secrets) if text in saved] == []


def test_an_open_attempt_has_its_questions_without_keys(desk: Served) -> None:
    quiz = load()
    run = opened(quiz)

    assert [item.stem for item in quiz.items] == [item.stem.rendered("en").source for item in WHOLE.items]
    assert not any(option.correct or option.rationale for item in quiz.items for option in item.options)
    assert all((item.explanation, item.evidence, item.source) == (None, None, None) for item in quiz.items)
    assert quiz.attempt is not None
    assert (quiz.attempt.number, quiz.attempt.finished, quiz.attempt.closes) == (1, None, START + HOUR)
    first = next(item for item in quiz.items if item.kind == "single")
    quiz._recorder.record([event("submit", run, first.id, (first.options[0].id,))])
    until("it is recorded", lambda: quiz.progress().answered == 1)
    assert (quiz.progress().total, quiz.progress().score) == (len(WHOLE.items), None)
    assert STEMS[0].splitlines()[0] in quiz.text()


def test_keys_and_score_come_with_the_reveal(desk: Served) -> None:
    quiz = load()
    run = opened(quiz)
    single = next(item for item in quiz.items if item.kind == "single")
    quiz._recorder.record([event("submit", run, single.id, (single.options[0].id,)), event("finish", run)])
    until("it is handed in", lambda: quiz.attempt is not None and quiz.attempt.finished)
    desk.room.now = START + 2 * HOUR
    quiz._recorder.refresh()

    assert all(any(option.correct for option in item.options) for item in quiz.items if item.kind == "single")
    progress = quiz.progress()
    assert progress.score is not None
    assert 0 <= progress.score <= (progress.max_score or 0)


def test_a_cell_that_runs_again_finds_the_same_recorder_and_leaves_one_link(
    desk: Served, published: list[dict[str, Any]]
) -> None:
    from quiz_widgets.links import registry

    first, again = load(), load()
    first.show()
    again.show()

    assert first._recorder is again._recorder
    assert list(registry._links) == [NAME]
    assert len(published) == 2


def test_the_link_brings_the_questions_and_the_widget_shows_them_too(desk: Served) -> None:
    quiz = load()
    shown = quiz.widget()
    assert (shown.quiz["title"], shown.quiz["items"], shown.practice) == ("Mixed precision training", [], None)
    opened(quiz)
    until("the widget has heard of it", lambda: len(shown.quiz["items"]) == len(WHOLE.items))

    assert shown.quiz["mode"] == "graded"
    assert shown.practice is None
    assert shown.desk["who"] == "ada"
    assert set(shown.packs) == set(WHOLE.locales) - {"en"}
    told = shown._repr_mimebundle_()
    assert told is not None
    fallback = told[0]["text/html"] + told[0]["text/plain"]
    assert NAME in fallback
    assert not any(stem in fallback for stem in STEMS)
    shown.close()


def test_a_page_s_events_go_through_the_link(desk: Served, published: list[dict[str, Any]]) -> None:
    from quiz_widgets.links import registry

    quiz = load()
    quiz.show()
    link: Any = registry._links[NAME]
    link.set_state({"events": [event("start", "")], "desk": {"who": "eve"}, "outcomes": {"x": 1}})
    until("the questions have come", lambda: link.quiz["items"])
    assert link.desk["who"] == "ada"
    run = link.attempt["id"]
    item = next(item for item in link.quiz["items"] if item["kind"] == "single")
    link.set_state({"events": [event("submit", run, item["id"], (item["options"][0]["id"],))]})

    until("it is recorded", lambda: "verdict" not in link.outcomes.get(f"{run}/{item['id']}/1", {"verdict": ""}))


def test_what_a_page_hears_goes_in_messages_and_nothing_of_it_is_in_the_state_that_may_be_saved(
    desk: Served, published: list[dict[str, Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    from quiz_widgets.links import graded

    sent: list[dict[str, Any]] = []
    monkeypatch.setattr(graded.GradedLink, "send", lambda _, content: sent.append(json.loads(json.dumps(content))))
    monkeypatch.setattr(graded, "UNASKED_S", ())
    quiz = load()
    run = opened(quiz)
    links: list[Any] = [quiz.widget(), graded.open_graded_link(NAME, quiz._recorder, "en")]
    for link in links:
        sent.clear()
        link._hear_page(link, {"kind": "hello"}, [])
        [whole] = sent
        assert (whole["whole"], set(whole["state"])) == (True, set(graded.TOLD))
        assert len(whole["state"]["quiz"]["items"]) == len(WHOLE.items)
        assert link.turn == whole["turn"]

    first = next(item for item in quiz.items if item.kind == "single")
    answer = event("submit", run, first.id, (first.options[0].id,))
    link = links[-1]
    sent.clear()
    strange: Any
    for strange in (None, [], {"kind": "state"}, {"kind": "state", "state": []}, {"kind": "other"}):
        link._hear_page(link, strange, [])
    assert sent == []
    forged = {"events": [answer], "desk": {"who": "eve"}, "outcomes": {"x": 1}}
    link._hear_page(link, {"kind": "state", "state": forged}, [])
    until("it is recorded", lambda: quiz.progress().answered == 1)
    until("the page has heard", lambda: any(answer["id"] in one["state"].get("outcomes", {}) for one in sent))
    assert link.desk["who"] == "ada"
    assert "x" not in link.outcomes
    assert not any(one["whole"] or "quiz" in one["state"] for one in sent)

    options = [option.text.rendered("en").plain for item in WHOLE.items for option in item.options]
    secrets = [desk.room.tokens["ada"], "ticket-", run, first.id, first.options[0].id, '"ada"', desk.url]
    for link in links:
        state = json.dumps(link.get_state(), ensure_ascii=False, default=str)
        assert [text for text in (*STEMS, *options, *secrets) if text in state] == []
        assert '"desk"' not in state
        link.close()


def test_a_page_that_cannot_greet_while_a_cell_runs_is_told_unasked(
    desk: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    from quiz_widgets.links import graded

    sent: list[dict[str, Any]] = []
    monkeypatch.setattr(graded.GradedLink, "send", lambda _, content: sent.append(content))
    monkeypatch.setattr(graded, "UNASKED_S", (0.01, 0.01))
    quiz = load()
    opened(quiz)
    link = graded.open_graded_link(NAME, quiz._recorder, "en")
    until("it is told twice", lambda: sum(one["whole"] for one in sent) == 2)
    link.close()


@pytest.mark.parametrize("act", ["html", "to_html", "to_module"])
def test_no_file_and_no_page_of_its_own_is_made(desk: Served, tmp_path: Path, act: str) -> None:
    quiz, target = load(), tmp_path / "page"

    with pytest.raises(QuizError, match="'cs101/week-3' is a graded quiz: its questions"):
        getattr(quiz, act)(*([] if act == "html" else [target]))
    assert not target.exists()


def test_single_questions_are_not_shown(desk: Served) -> None:
    with pytest.raises(QuizError, match="shown as a whole"):
        load().show("loss-scaling")


def test_without_a_desk_it_says_where_to_take_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("QUIZ_WIDGETS_DESK", raising=False)
    load().show()

    printed = capsys.readouterr().out
    assert "cs101/week-3" in printed
    assert "QUIZ_WIDGETS_DESK is not set" in printed


def test_another_learner_s_environment_gets_a_recorder_of_its_own(
    desk: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    ada = load()
    sit(monkeypatch, desk.room, "bob")

    assert load()._recorder is not ada._recorder


def test_the_desk_is_asked_again_when_it_may_have_news(desk: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    quiz = load()
    quiz._recorder.refresh()
    monkeypatch.setattr(watching, "_APART_S", 0.01)
    monkeypatch.setattr(type(quiz._recorder), "until_news", lambda _: 0.05)
    desk.room.now = START + 2 * HOUR
    watching.watch(quiz._recorder)

    until("it is known that the quiz is closed", lambda: quiz._recorder.desk()["phase"] == "closed")
