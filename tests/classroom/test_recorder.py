"""The recorder of a graded quiz against a real desk: what a page sends arrives once, whatever happens in between."""

from __future__ import annotations

import json
import threading
from pathlib import Path
from typing import Any, cast

import pytest

from quiz_widgets import model
from quiz_widgets.classroom.client import gate
from quiz_widgets.classroom.client.recorder import DeskRecorder
from quiz_widgets.classroom.names import Name
from quiz_widgets.contract import EventPayload
from tests.classroom.serving import Served, sit, until
from tests.classroom.small_class import HOUR, START

NAME = Name("cs101", "week-3")


def kernel() -> DeskRecorder:
    """What a kernel has after it ran the cell."""
    recorder = DeskRecorder(NAME)
    recorder.refresh()
    return recorder


def start(recorder: DeskRecorder) -> str:
    recorder.record([event("start", recorder.attempt()["id"])])
    until("the attempt is open", lambda: recorder.quiz()[0] is not None and recorder.attempt()["id"])
    return recorder.attempt()["id"]


def event(kind: str, attempt: str, item: str = "", response: tuple[str, ...] = (), number: int = 1) -> EventPayload:
    name = {"start": f"{attempt}/start", "finish": f"{attempt}/finish/{number}"}.get(kind, f"{attempt}/{item}/{number}")
    made = {"id": name, "attempt": attempt, "kind": kind, "item": item, "round": 0, "at": START + number}
    return cast(EventPayload, made | {"response": list(response)})


def singles(recorder: DeskRecorder) -> tuple[model.Item, ...]:
    quiz, _ = recorder.quiz()
    assert quiz is not None
    return tuple(item for item in quiz.items if item.kind == "single")


def verdicts(recorder: DeskRecorder) -> dict[str, str]:
    return {name: outcome.get("verdict", "recorded") for name, outcome in recorder.outcomes().items()}


def test_nothing_of_a_question_is_known_before_the_learner_s_own_start(desk: Served) -> None:
    recorder = kernel()

    state = recorder.desk()
    assert (state["phase"], state["who"], state["left"], state["number"]) == ("open", "ada", 2, 0)
    assert (recorder.quiz(), recorder.attempt()["id"], recorder.outcomes()) == ((None, frozenset()), "", {})


def test_an_answer_is_told_as_waiting_and_then_with_the_desk_s_time(desk: Served) -> None:
    recorder = kernel()
    run = start(recorder)
    item = singles(recorder)[0]
    sent = event("submit", run, item.id, (item.options[0].id,))
    desk.room.now = START + 5_000
    acknowledged = recorder.record([sent])

    assert acknowledged[sent["id"]].get("verdict") in ("waiting", None)
    until("it is recorded", lambda: verdicts(recorder) == {sent["id"]: "recorded"})
    outcome = recorder.outcomes()[sent["id"]]
    assert outcome["at"] == START + 5_000
    assert outcome["event"]["response"] == sent["response"]
    assert "score" not in outcome
    assert recorder.desk()["waiting"] == 0


def test_a_new_kernel_knows_what_was_saved_and_goes_on_with_the_attempt(desk: Served) -> None:
    recorder = kernel()
    run = start(recorder)
    item = singles(recorder)[0]
    recorder.record([event("submit", run, item.id, (item.options[1].id,))])
    until("it is recorded", lambda: not recorder.desk()["waiting"])

    later = kernel()
    assert later.attempt()["id"] == run
    [outcome] = later.outcomes().values()
    assert (outcome["event"]["item"], outcome["event"]["response"]) == (item.id, [item.options[1].id])
    assert "verdict" not in outcome


def test_a_desk_that_is_away_loses_nothing_not_even_over_a_new_kernel(desk: Served) -> None:
    recorder = kernel()
    run = start(recorder)
    first, second = singles(recorder)[:2]
    desk.stop()
    sent = [event("submit", run, item.id, (item.options[0].id,)) for item in (first, second)]
    assert [outcome.get("verdict") for outcome in recorder.record(sent[:1]).values()] == ["waiting"]
    until("the trouble is known", lambda: recorder.desk()["trouble"] == "unreachable")
    assert recorder.desk()["waiting"] == 1

    later = kernel()  # it cannot know the questions, and yet takes what the page still holds
    assert (later.desk()["phase"], later.desk()["trouble"], later.quiz()[0]) == ("away", "unreachable", None)
    assert [outcome.get("verdict") for outcome in later.record(sent[1:]).values()] == ["waiting"]
    assert later.desk()["waiting"] == 2
    desk.start()
    until("both have arrived", lambda: later.desk()["waiting"] == 0)
    later.refresh()
    assert verdicts(later) == {sent[0]["id"]: "recorded", sent[1]["id"]: "recorded"}
    assert later.desk()["trouble"] == ""


def test_what_comes_too_late_is_told_as_late_and_kept(desk: Served) -> None:
    recorder = kernel()
    run = start(recorder)
    item = singles(recorder)[0]
    desk.room.now = START + 2 * HOUR
    sent = event("submit", run, item.id, (item.options[0].id,))
    recorder.record([sent])

    until("it has the desk's word", lambda: verdicts(recorder).get(sent["id"]) == "late")


def test_what_no_question_can_hold_sinks_nothing_else(desk: Served) -> None:
    recorder = kernel()
    run = start(recorder)
    item, other = singles(recorder)[:2]
    unfit = event("submit", run, item.id, ("o123456789abc",))
    good = event("submit", run, other.id, (other.options[0].id,))
    recorder.record([unfit, good])

    until("both have the desk's word", lambda: not recorder.desk()["waiting"])
    assert verdicts(recorder) == {unfit["id"]: "unfit", good["id"]: "recorded"}


def test_the_same_try_from_two_kernels_is_one_answer_and_both_show_which(desk: Served) -> None:
    one = kernel()
    run = start(one)
    two = kernel()
    item = singles(one)[0]
    one.record([event("submit", run, item.id, (item.options[0].id,))])
    until("the first is recorded", lambda: not one.desk()["waiting"])
    two.record([event("submit", run, item.id, (item.options[1].id,))])

    until("the second has the desk's word", lambda: not two.desk()["waiting"])
    until("the second shows what counts", lambda: verdicts(two) == {f"{run}/{item.id}/1": "recorded"})
    assert two.outcomes()[f"{run}/{item.id}/1"]["event"]["response"] == [item.options[0].id]


def test_handing_in_comes_after_the_answers_and_ends_the_attempt(desk: Served) -> None:
    recorder = kernel()
    run = start(recorder)
    item = singles(recorder)[0]
    recorder.record([event("finish", run), event("submit", run, item.id, (item.options[0].id,))])

    until("it is handed in", lambda: recorder.desk()["finished"] is not None)
    assert verdicts(recorder) == {f"{run}/{item.id}/1": "recorded", f"{run}/finish/1": "recorded"}
    recorder.record([event("submit", run, item.id, (item.options[1].id,), number=2)])
    until("nothing counts after it", lambda: verdicts(recorder).get(f"{run}/{item.id}/2") == "finished")


def test_a_start_that_is_repeated_opens_no_second_attempt(desk: Served) -> None:
    recorder = kernel()
    run = start(recorder)
    recorder.record([event("finish", run)])
    until("it is handed in", lambda: recorder.desk()["finished"] is not None)
    recorder.record([event("start", "")])  # the page's former wish, once more
    assert not [thread for thread in threading.enumerate() if thread.name == "quiz-desk-start"]
    assert recorder.desk()["left"] == 1

    recorder.record([event("start", run)])
    until("the second attempt is open", lambda: recorder.attempt()["id"] not in ("", run))
    assert recorder.desk()["number"] == 2
    assert recorder.outcomes() == {}


def test_keys_and_scores_come_with_the_reveal(desk: Served) -> None:
    recorder = kernel()
    run = start(recorder)
    item = singles(recorder)[0]
    recorder.record([event("submit", run, item.id, (item.options[0].id,)), event("finish", run)])
    until("it is handed in", lambda: recorder.desk()["finished"] is not None)
    assert not any(option.correct for item in singles(recorder) for option in item.options)
    assert (recorder.desk()["revealed"], recorder.desk()["scores"]) == (False, {})

    desk.room.now = START + 2 * HOUR
    recorder.refresh()
    quiz, revealed = recorder.quiz()
    assert quiz is not None
    assert revealed
    assert all(any(option.correct for option in item.options) for item in singles(recorder))
    assert recorder.desk()["revealed"]
    assert set(recorder.desk()["scores"]) <= {item.id for item in quiz.items}
    recorder.refresh()
    assert recorder.quiz()[0] is quiz, "a page would be drawn anew"


def test_bob_in_ada_s_place_neither_sees_nor_sends_hers(desk: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    recorder = kernel()
    run = start(recorder)
    item = singles(recorder)[0]
    desk.stop()
    recorder.record([event("submit", run, item.id, (item.options[0].id,))])
    desk.start()
    sit(monkeypatch, desk.room, "bob")

    bob = kernel()
    assert (bob.attempt()["id"], bob.outcomes(), bob.desk()["waiting"], bob.desk()["who"]) == ("", {}, 0, "bob")


def test_the_token_is_written_nowhere(desk: Served, tmp_path: Path) -> None:
    recorder = kernel()
    run = start(recorder)
    item = singles(recorder)[0]
    recorder.record([event("submit", run, item.id, (item.options[0].id,))])
    until("it is recorded", lambda: not recorder.desk()["waiting"])

    kept = b"".join(path.read_bytes() for path in (tmp_path / "home").rglob("*") if path.is_file())
    told = json.dumps([recorder.desk(), recorder.outcomes(), recorder.attempt()])
    assert f"{run}/{item.id}/1".encode() in kept
    for secret in (desk.room.tokens["ada"], "ticket-"):
        assert secret.encode() not in kept
        assert secret not in told


def test_a_disk_that_takes_nothing_acknowledges_nothing(desk: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    recorder = kernel()
    run = start(recorder)
    item = singles(recorder)[0]

    def full(*_: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("quiz_widgets.progress.files.Log.append", full)
    assert recorder.record([event("submit", run, item.id, (item.options[0].id,))]) == {}
    assert recorder.desk()["trouble"] == "disk"


NO_DESK = {
    "no desk": ({"QUIZ_WIDGETS_DESK": ""}, "no_desk"),
    "no token": ({"QUIZ_WIDGETS_DESK_TOKEN": ""}, "no_desk"),
    "a token of nobody": ({"QUIZ_WIDGETS_DESK_TOKEN": "desk-" + "0" * 32}, "who"),
}


@pytest.mark.parametrize("case", NO_DESK)
def test_without_a_desk_or_a_token_nothing_is_raised_and_the_reason_kept(
    desk: Served, monkeypatch: pytest.MonkeyPatch, case: str
) -> None:
    variables, trouble = NO_DESK[case]
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    recorder = kernel()

    assert recorder.desk()["trouble"] == trouble
    assert recorder.reason
    assert recorder.record([event("start", "")]) == {}


def test_the_next_news_are_awaited_no_longer_than_they_may_come(desk: Served) -> None:
    recorder = kernel()
    assert recorder.until_news() == 300.0
    start(recorder)
    desk.room.now = START + HOUR - 20_000
    recorder.refresh()
    seconds = recorder.until_news()
    assert seconds is not None
    assert 0 < seconds <= 20
    desk.stop()
    recorder.refresh()
    assert recorder.until_news() == 60.0


GOOD = event("submit", "a1" * 16, "q", ("o1",))
REFUSED: dict[str, Any] = {
    "no event": 7,
    "a hint": GOOD | {"kind": "hint"},
    "an attempt that is none": GOOD | {"attempt": "x"},
    "another attempt's id": GOOD | {"id": f"{'b2' * 16}/q/1"},
    "an item with a slash": GOOD | {"item": "q/1", "id": f"{'a1' * 16}/q/1/1"},
    "no number": GOOD | {"at": "now"},
    "a response that is none": GOOD | {"response": "o1"},
    "half a character": GOOD | {"response": ["\ud800"]},
    "a book": GOOD | {"response": ["x" * 10_001]},
    "a thousand entries": GOOD | {"response": ["o1"] * 1000},
    "a finish of an item": event("finish", "a1" * 16) | {"item": "q"},
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_no_page_sends_reaches_no_disk(case: str) -> None:
    assert gate.accept(REFUSED[case]) is None


def test_known_fields_alone_are_kept() -> None:
    sent = GOOD | {"score": 1, "seconds": 1.23456, "confidence": 3, "variant": 2}

    assert gate.accept(sent) == GOOD | {"seconds": 1.235, "confidence": 3}
