"""The recorder of a poll against a real desk: it follows each step by itself, and votes arrive with their round."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from quiz_widgets import compiled
from quiz_widgets.classroom.client import follower
from quiz_widgets.classroom.client.recorder import DeskRecorder
from quiz_widgets.classroom.desk.polls import watching
from quiz_widgets.contract import PollPayload
from tests.classroom import fresh
from tests.classroom.room import Room
from tests.classroom.serving import Served, served, sit, until
from tests.classroom.small_class import EXAM
from tests.classroom.test_poll_api import PollRoom
from tests.classroom.test_recorder import NAME, event, start, verdicts

ONE, OTHER = [item for item in compiled.loads(EXAM.read_text(encoding="utf-8")).items if item.kind == "single"][:2]
made_here: list[DeskRecorder] = []


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Served]:
    """A desk on loopback whose quiz is a poll, in an environment in which Ada sits."""
    monkeypatch.setenv("QUIZ_WIDGETS_HOME", str(tmp_path / "home"))
    monkeypatch.setattr(follower, "SPREAD_S", 0.01)
    monkeypatch.setattr(watching, "LONGEST_S", 0.5)  # a desk that ends answers first those who wait
    for name in ("JUPYTERHUB_API_TOKEN", "QUIZ_WIDGETS_DESK_TOKEN_FILE"):
        monkeypatch.delenv(name, raising=False)
    engine = fresh.sqlite(tmp_path / "desk.sqlite")
    with served(PollRoom(engine)) as made:
        monkeypatch.setenv("QUIZ_WIDGETS_DESK", made.url)
        sit(monkeypatch, made.room, "ada")
        yield made
        for recorder in made_here:  # else its thread goes on into the next test
            if recorder._follower is not None:
                recorder._follower.stop()
        made_here.clear()
    engine.dispose()


def step(desk: Served, *what: str) -> None:
    assert isinstance(desk.room, PollRoom)
    desk.room.now += 1
    desk.room.step(*what)


def kernel() -> DeskRecorder:
    """What a kernel has after it ran the cell."""
    recorder = DeskRecorder(NAME)
    made_here.append(recorder)
    recorder.refresh()
    return recorder


def follows(recorder: DeskRecorder) -> bool:
    return recorder._follower is not None and recorder._follower._thread is not None


def poll(recorder: DeskRecorder) -> PollPayload:
    return recorder.desk()["poll"]


def stands(recorder: DeskRecorder, *wanted: Any) -> bool:
    known = poll(recorder)
    return (known["phase"], known["item"], known["round"]) == wanted


def names(recorder: DeskRecorder) -> list[str]:
    quiz, _ = recorder.quiz()
    return [] if quiz is None else [item.id for item in quiz.items]


def option(recorder: DeskRecorder, place: int = 0) -> tuple[str, ...]:
    quiz, _ = recorder.quiz()
    assert quiz is not None
    return (quiz.item(ONE.id).options[place].id,)


def vote(recorder: DeskRecorder, run: str, turn: int, number: int, place: int = 0) -> str:
    made = event("submit", run, ONE.id, option(recorder, place), number)
    made["round"] = turn
    recorder.record([made])
    until("it has the desk's word", lambda: not recorder.desk()["waiting"])
    return made["id"]


def test_before_its_attempt_nothing_is_followed(desk: Served) -> None:
    recorder = kernel()

    assert stands(recorder, "waiting", None, 0)
    assert not follows(recorder)


def test_every_step_of_a_poll_comes_by_itself(desk: Served) -> None:
    recorder = kernel()
    run = start(recorder)
    assert names(recorder) == []
    step(desk, "open", ONE.id)
    until("the question has come", lambda: stands(recorder, "open", ONE.id, 1) and names(recorder) == [ONE.id])
    first = vote(recorder, run, 1, 1)
    assert verdicts(recorder) == {first: "recorded"}

    step(desk, "close")
    until("it is closed", lambda: stands(recorder, "closed", ONE.id, 1))
    late = vote(recorder, run, 1, 2)
    assert verdicts(recorder) == {first: "recorded", late: "late"}
    step(desk, "open", ONE.id)
    until("it is open again", lambda: stands(recorder, "open", ONE.id, 2))
    second = vote(recorder, run, 2, 3, place=1)
    step(desk, "close")
    until("it is closed again", lambda: stands(recorder, "closed", ONE.id, 2))
    quiz, keys = recorder.quiz()
    assert (keys, poll(recorder)["rounds"]) == (frozenset(), {})
    assert quiz is not None
    assert not any(option.correct or option.rationale for option in quiz.item(ONE.id).options)

    step(desk, "reveal", ONE.id)
    until("the key has come", lambda: recorder.quiz()[1] == {ONE.id})
    quiz, _ = recorder.quiz()
    assert quiz is not None
    assert any(option.correct for option in quiz.item(ONE.id).options)
    assert [(one["number"], one["voters"]) for one in poll(recorder)["rounds"][ONE.id]] == [(1, 1), (2, 1)]
    step(desk, "open", OTHER.id)
    until("the next question has come", lambda: names(recorder) == [ONE.id, OTHER.id])
    assert recorder.quiz()[1] == {ONE.id}
    assert not recorder.desk()["revealed"]

    later = kernel()
    told = {name: (made["event"]["round"], made.get("verdict")) for name, made in later.outcomes().items()}
    assert told == {first: (1, None), late: (1, "late"), second: (2, None)}
    step(desk, "close")
    step(desk, "end")
    until("it is over", lambda: recorder.desk()["finished"] is not None)
    until("nothing is followed any more", lambda: not follows(recorder))


def test_the_quiz_is_the_same_object_until_it_changes(desk: Served) -> None:
    recorder = kernel()
    start(recorder)
    step(desk, "open", ONE.id)
    until("the question has come", lambda: names(recorder) == [ONE.id])
    quiz, _ = recorder.quiz()
    step(desk, "close")
    until("it is closed", lambda: stands(recorder, "closed", ONE.id, 1))

    assert recorder.quiz()[0] is quiz, "a page would be drawn anew"


def test_the_link_holds_no_key_and_no_count_before_the_reveal_and_then_those_of_that_question_alone(
    desk: Served,
) -> None:
    from quiz_widgets.links.graded import TOLD, GradedLink

    recorder = kernel()
    run = start(recorder)
    link: Any = GradedLink(str(NAME), recorder, "en")
    for number, item in enumerate((OTHER, ONE), start=1):
        step(desk, "open", item.id)
        until("the question has come", lambda: len(names(recorder)) == number)  # noqa: B023
        step(desk, "close")
        until("it is closed", lambda: poll(recorder)["phase"] == "closed")
    vote(recorder, run, 1, 1)
    link.hear({})
    assert not link.practice
    assert link.desk["poll"]["rounds"] == {}
    assert [item["id"] for item in link.quiz["items"]] == [OTHER.id, ONE.id]

    step(desk, "reveal", ONE.id)
    until("the key has come", lambda: recorder.quiz()[1] == {ONE.id})
    link.hear({})
    assert list(link.practice["items"]) == list(link.desk["poll"]["rounds"]) == [ONE.id]
    rationales = [option.rationale.rendered("en").html for option in OTHER.options if option.rationale]
    told = json.dumps({name: getattr(link, name) for name in TOLD}, ensure_ascii=False)
    assert rationales
    assert not any(json.dumps(text, ensure_ascii=False)[1:-1] in told for text in rationales)
    link.close()


def test_a_vote_that_waits_in_the_outbox_beyond_the_closing_is_late_for_every_later_kernel(desk: Served) -> None:
    recorder = kernel()
    run = start(recorder)
    step(desk, "open", ONE.id)
    until("the question has come", lambda: names(recorder) == [ONE.id])
    given = option(recorder)
    desk.stop()
    made = event("submit", run, ONE.id, given)
    made["round"] = 1
    assert [one.get("verdict") for one in recorder.record([made]).values()] == ["waiting"]
    step(desk, "close")
    desk.start()

    later = kernel()
    until("it has the desk's word", lambda: not later.desk()["waiting"])
    until("the page is told", lambda: verdicts(later) == {made["id"]: "late"})
    assert later.outcomes()[made["id"]]["event"]["round"] == 1


def test_a_desk_that_was_away_is_followed_again(desk: Served) -> None:
    recorder = kernel()
    start(recorder)
    desk.stop()
    until("the page hears of it", lambda: recorder.desk()["trouble"] == "unreachable")
    step(desk, "open", ONE.id)
    desk.start()

    until("the question has come", lambda: names(recorder) == [ONE.id])
    until("the trouble is over", lambda: recorder.desk()["trouble"] == "")


def test_an_ordinary_quiz_is_not_followed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QUIZ_WIDGETS_HOME", str(tmp_path / "home"))
    engine = fresh.sqlite(tmp_path / "desk.sqlite")
    with served(Room(engine)) as made:
        monkeypatch.setenv("QUIZ_WIDGETS_DESK", made.url)
        sit(monkeypatch, made.room, "ada")
        recorder = kernel()
        start(recorder)
        assert "poll" not in recorder.desk()
        assert not follows(recorder)
    engine.dispose()
