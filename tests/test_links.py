"""The link between page and kernel: what it takes, what it drops, and who hears of it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from quiz_widgets.demos import registry as evidence
from quiz_widgets.links import practice, registry
from quiz_widgets.links.hearing import hear_in_a_thread_that_is_there
from quiz_widgets.links.practice import Link, QuizWidget, open_link
from quiz_widgets.model import Item, Option, Quiz, Rendered, Text
from quiz_widgets.progress import LocalRecorder
from tests.events import submit


def text(source: str) -> Text:
    return Text({"en": Rendered(source, f"<p>{source}</p>", f"<p>{source}</p>", source)})


QUIZ = Quiz(
    id="sums",
    title=text("Sums"),
    level="easy",
    description=text("Adding."),
    items=(
        Item(
            id="two-and-two",
            stem=text("2 + 2?"),
            options=(Option("three", text("3")), Option("four", text("4"), correct=True, rationale=text("Pairs."))),
        ),
    ),
)


@pytest.fixture
def recorder(tmp_path: Path) -> LocalRecorder:
    return LocalRecorder(QUIZ, tmp_path)


@pytest.fixture(autouse=True)
def nothing_left_open() -> Iterator[None]:
    yield
    for listeners in list(registry._listeners.values()):
        for listener in list(listeners):
            listener.close()


def test_the_link_carries_the_attempt_and_the_record(recorder: LocalRecorder) -> None:
    attempt = recorder.attempt()
    recorder.record([submit(attempt["id"])])  # type: ignore[list-item]
    link = open_link("sums", recorder)
    assert link.quiz_id == "sums"
    assert link.attempt == attempt
    assert list(link.outcomes) == [f"{attempt['id']}/two-and-two/1"]


def test_an_event_of_the_page_is_recorded_and_answered(recorder: LocalRecorder) -> None:
    link = open_link("sums", recorder)
    event = submit(link.attempt["id"])
    link.set_state({"events": [event]})
    assert link.outcomes[event["id"]]["event"] == event
    assert link.outcomes[event["id"]]["score"] == 1.0
    assert link.outcomes == recorder.outcomes()


def test_what_demos_have_measured_here_reaches_every_link(
    recorder: LocalRecorder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(evidence, "_known", {})
    monkeypatch.setattr(evidence, "_measured", {})
    link = open_link("sums", recorder)
    assert link.measured == {}

    @evidence.evidence("two_and_two")
    def two_and_two() -> evidence.Facts:
        return evidence.Facts({"sum": evidence.Fact(4), "error": evidence.Fact(0.12345)}, "4")

    two_and_two()

    assert link.measured == {"two_and_two": {"sum": "4", "error": "0.123"}}
    assert open_link("sums", recorder).measured == link.measured


@pytest.mark.parametrize(
    "name", ["measured", "packs", "outcomes", "attempt", "quiz_id", "_esm", "quiz", "practice", "view", "desk"]
)
def test_what_only_the_kernel_may_write_is_dropped(recorder: LocalRecorder, name: str) -> None:
    shown = QuizWidget(QUIZ, recorder, locale="en", view={})
    before = getattr(shown, name, None)
    forged = "forged" if name in ("quiz_id", "_esm") else {"forged": {"score": 1}}
    states: list[dict[str, Any]] = [{}, {"events": []}]
    for beside in states:
        shown.set_state({name: forged} | beside)
        assert getattr(shown, name, None) == before


def test_a_forged_outcome_beside_an_event_is_dropped(recorder: LocalRecorder) -> None:
    link = open_link("sums", recorder)
    event = submit(link.attempt["id"], "three")
    forged = {event["id"]: {"event": event, "at": 1, "score": 1.0, "max_score": 1.0}}
    link.set_state({"events": [event], "outcomes": forged})
    assert link.outcomes[event["id"]]["score"] == 0.0


@pytest.mark.parametrize("events", [None, "x", 3, {}, [None], [{"id": 5}], [["a"]], [{}]])
def test_bad_input_of_a_page_changes_nothing_and_raises_nothing(recorder: LocalRecorder, events: Any) -> None:
    link = open_link("sums", recorder)
    link.set_state({"events": events})
    assert link.outcomes == {}


def test_an_event_that_was_not_kept_is_taken_when_it_is_sent_again(
    recorder: LocalRecorder, monkeypatch: pytest.MonkeyPatch
) -> None:
    link = open_link("sums", recorder)
    event = submit(link.attempt["id"])
    with monkeypatch.context() as patched:
        patched.setattr(recorder, "record", lambda _: {})
        link.set_state({"events": [event]})
    assert link.outcomes == {}
    link.set_state({"events": [event]})
    assert list(link.outcomes) == [event["id"]]


def test_cells_that_run_together_share_one_link(recorder: LocalRecorder) -> None:
    former = open_link("sums", recorder)
    event = submit(former.attempt["id"])
    recorder.record([event])  # type: ignore[list-item]
    assert open_link("sums", recorder) is former
    assert list(former.outcomes) == [event["id"]]


def test_another_record_and_a_closed_link_make_a_new_one(recorder: LocalRecorder) -> None:
    former = open_link("sums", recorder)
    other = open_link("sums", LocalRecorder(QUIZ, recorder.home))
    assert former.comm is None
    assert other is not former
    other.close()
    assert open_link("sums", recorder).comm is not None


def test_a_cell_run_again_leaves_one_link(recorder: LocalRecorder) -> None:
    former = open_link("sums", recorder)
    former.opened -= practice.BURST_S
    link = open_link("sums", recorder)
    assert former.comm is None
    assert link.comm is not None
    assert list(registry._links.values()) == [link]


def test_the_next_link_is_open_before_the_former_one_is_closed(
    recorder: LocalRecorder, monkeypatch: pytest.MonkeyPatch
) -> None:
    former = open_link("sums", recorder)
    former.opened -= practice.BURST_S
    opening, was_open = Link.open, []

    def noted(self: Link) -> None:
        was_open.append(former.comm is not None)
        opening(self)

    monkeypatch.setattr(Link, "open", noted)
    open_link("sums", recorder)
    assert was_open == [True]
    assert former.comm is None


def test_links_of_other_quizzes_stay_open(recorder: LocalRecorder) -> None:
    other = open_link("other", recorder)
    open_link("sums", recorder)
    assert other.comm is not None


def test_every_link_and_widget_of_a_quiz_hears_of_an_outcome(recorder: LocalRecorder) -> None:
    link = open_link("sums", recorder)
    shown = QuizWidget(QUIZ, LocalRecorder(QUIZ, recorder.home), locale="en", view={"items": ["two-and-two"]})
    event = submit(link.attempt["id"])
    shown.set_state({"events": [event]})
    assert list(link.outcomes) == list(shown.outcomes) == [event["id"]]


def test_a_restart_moves_every_link_to_the_new_attempt(recorder: LocalRecorder) -> None:
    link = open_link("sums", recorder)
    shown = QuizWidget(QUIZ, recorder, locale="en", view={})
    before, after = link.attempt["id"], "f" * 32
    restart = submit(before) | {"id": f"{before}/restart", "kind": "restart", "item": "", "response": [after]}
    link.set_state({"events": [submit(before), restart]})
    assert link.attempt["id"] == shown.attempt["id"] == after
    # The page that sent them hears that they are kept, although they belong to an attempt that is over.
    assert set(link.outcomes) == {f"{before}/two-and-two/1", f"{before}/restart"}


def test_attempt_and_outcomes_reach_the_page_in_one_message(
    recorder: LocalRecorder, monkeypatch: pytest.MonkeyPatch
) -> None:
    link = open_link("sums", recorder)
    sent: list[set[str]] = []
    monkeypatch.setattr(Link, "_send", lambda _, message, **__: sent.append(set(message["state"])))
    before = link.attempt["id"]
    restart = submit(before) | {"id": f"{before}/restart", "kind": "restart", "item": "", "response": ["f" * 32]}
    link.set_state({"events": [restart]})
    assert sent == [{"attempt", "outcomes"}]


def test_the_link_has_no_view_and_brings_its_module(recorder: LocalRecorder) -> None:
    link = open_link("sums", recorder)
    assert "initialize" in link._esm
    assert len(link._esm.encode()) < 8_000
    assert not hasattr(link, "_css")


def test_a_widget_shows_the_preview_where_it_has_no_model(recorder: LocalRecorder) -> None:
    shown = QuizWidget(QUIZ, recorder, locale="en", view={})
    bundle = shown._repr_mimebundle_()
    assert bundle is not None
    data, _ = bundle
    assert data["application/vnd.jupyter.widget-view+json"]["model_id"] == shown.model_id
    assert "2 + 2?" in data["text/html"]
    assert "<script" not in data["text/html"]
    assert "2 + 2?" in data["text/plain"]


def test_the_public_part_of_a_widget_holds_no_key(recorder: LocalRecorder) -> None:
    shown = QuizWidget(QUIZ, recorder, locale="en", view={})
    assert "Pairs." not in json.dumps(shown.quiz)
    assert "Pairs." in json.dumps(shown.practice)


def test_links_that_follow_each_other_leave_no_models_behind(recorder: LocalRecorder) -> None:
    import ipywidgets

    open_link("sums", recorder)
    before = len(ipywidgets.widgets.widget._instances)
    for _ in range(5):
        open_link("sums", recorder)
    assert len(ipywidgets.widgets.widget._instances) == before


@pytest.mark.parametrize(("named", "heard"), [("there", "there"), ("gone", None), (None, None)])
def test_a_link_hears_its_page_where_that_says_or_else_in_the_main_thread(named: str | None, heard: str | None) -> None:
    threads = SimpleNamespace(list_subshell=lambda: ["there", "another"])
    kernel = SimpleNamespace(shell_channel_thread=SimpleNamespace(manager=threads))
    comm = SimpleNamespace(kernel=kernel, _reply_subshell_for=lambda _data, _named: "another")
    hear_in_a_thread_that_is_there(comm)
    assert comm._reply_subshell_for({}, named) == heard


def test_a_comm_of_other_kernels_is_left_as_it_is() -> None:
    comm = SimpleNamespace()
    hear_in_a_thread_that_is_there(comm)
    assert vars(comm) == {}
