"""Attempts on disk: what is kept, what is refused, and what many processes make of one folder."""

from __future__ import annotations

import dataclasses
import json
import multiprocessing
import os
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quiz_widgets.contract import OutcomePayload
from quiz_widgets.model import Item, Option, Quiz, Rendered, Text, Tolerance, Variant
from quiz_widgets.progress import LocalRecorder, data_home, files
from quiz_widgets.progress.events import accept
from quiz_widgets.progress.history import history
from quiz_widgets.progress.standing import standings
from quiz_widgets.progress.tally import tally
from tests.frontend import sample_quiz as sample


def text(source: str) -> Text:
    return Text({"en": Rendered(source, source, source, source)})


def make_quiz(quiz_id: str = "sums") -> Quiz:
    options = (Option("three", text("3")), Option("four", text("4"), correct=True), Option("five", text("5")))
    parts = (Option("a", text("a"), correct=True), Option("b", text("b"), correct=True), Option("c", text("c")))
    return Quiz(
        id=quiz_id,
        title=text("Sums"),
        level="easy",
        description=text("Adding."),
        items=(
            Item(id="two-and-two", stem=text("2 + 2?"), options=options),
            Item(id="pick", kind="multiple", stem=text("Which?"), options=parts, credit="partial", points=Decimal(2)),
            Item(
                id="half",
                kind="number",
                stem=text("1 / 2?"),
                value=Decimal("0.5"),
                tolerance=Tolerance("absolute", Decimal("0.01")),
            ),
            Item(
                id="drawn",
                kind="number",
                stem=text("Twice?"),
                variants=(Variant(Decimal(2)), Variant(Decimal(4))),
            ),
        ),
    )


QUIZ = make_quiz()
OTHER = "0" * 31 + "1"


def submit(attempt: str, item: str = "two-and-two", response: tuple[str, ...] = ("four",), tries: int = 1) -> Any:
    return {
        "id": f"{attempt}/{item}/{tries}",
        "attempt": attempt,
        "kind": "submit",
        "item": item,
        "round": 0,
        "response": list(response),
        "at": 1000 + tries,
        "seconds": 3.5,
    }


def other(attempt: str, kind: str, item: str = "two-and-two", response: tuple[str, ...] = (), at: int = 5000) -> Any:
    ids = {
        "hint": f"{attempt}/{item}/hint/1",
        "reveal": f"{attempt}/{item}/reveal",
        "restart": f"{attempt}/restart",
        "finish": f"{attempt}/finish/1",
    }
    item = "" if kind in ("restart", "finish") else item
    return {
        "id": ids[kind],
        "attempt": attempt,
        "kind": kind,
        "item": item,
        "round": 0,
        "response": list(response),
        "at": at,
    }


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "PATIENCE", 0.05)


def lines_of(home: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for path in sorted(home.rglob("*.jsonl")) for line in path.read_text().splitlines()]


# The data folder


def test_the_environment_names_the_data_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("QUIZ_WIDGETS_HOME", str(tmp_path / "kept"))
    assert data_home() == tmp_path / "kept"


@pytest.mark.parametrize(
    ("platform", "variables", "expected"),
    [
        ("linux", {}, ".local/share/quiz-widgets"),
        ("linux", {"XDG_DATA_HOME": "relative"}, ".local/share/quiz-widgets"),
        ("darwin", {}, "Library/Application Support/quiz-widgets"),
        ("win32", {}, "AppData/Local/quiz-widgets"),
        ("emscripten", {}, "/drive/.quiz-widgets"),  # JupyterLite's files
    ],
)
def test_each_platform_has_its_data_folder(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, platform: str, variables: dict[str, str], expected: str
) -> None:
    for name in ("QUIZ_WIDGETS_HOME", "XDG_DATA_HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr("sys.platform", platform)
    assert data_home() == tmp_path / expected


def test_a_browser_keeps_attempts_in_its_drive_alone(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Its kernel's other files end with it, so that page storage must keep what was answered."""
    monkeypatch.delenv("QUIZ_WIDGETS_HOME", raising=False)
    monkeypatch.setattr("sys.platform", "emscripten")
    monkeypatch.setattr(files, "DRIVE", tmp_path / "drive")
    without = LocalRecorder(QUIZ)
    assert len(without.attempt()["id"]) == 32
    assert not without.kept
    assert "no lasting files" in without.fault_in("en")
    assert not (tmp_path / "drive").exists()

    (tmp_path / "drive").mkdir()
    drive = LocalRecorder(QUIZ)
    assert drive.attempt() == LocalRecorder(QUIZ).attempt()
    assert drive.kept
    elsewhere = LocalRecorder(QUIZ, tmp_path / "memory")
    elsewhere.attempt()
    assert not elsewhere.kept


def test_an_absolute_xdg_folder_is_used(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("QUIZ_WIDGETS_HOME", raising=False)
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert data_home() == tmp_path / "quiz-widgets"


# Keeping


def test_a_recorded_response_is_on_disk_and_graded_here(home: Path) -> None:
    recorder = LocalRecorder(QUIZ, home)
    attempt = recorder.attempt()["id"]
    event = submit(attempt)
    kept = recorder.record([event])
    assert list(kept) == [event["id"]]
    assert (kept[event["id"]]["score"], kept[event["id"]]["max_score"]) == (1.0, 1.0)
    assert [line["event"] for line in lines_of(home)] == [event]
    assert recorder.kept


def test_what_is_kept_is_flushed_before_it_is_acknowledged(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    recorder = LocalRecorder(QUIZ, home)
    attempt = recorder.attempt()["id"]
    synced: list[str] = []
    original = os.fsync

    def fsync(handle: int) -> None:
        synced.append(str(Path(f"/proc/self/fd/{handle}").readlink()) if Path("/proc/self/fd").exists() else ".jsonl")
        original(handle)

    monkeypatch.setattr(os, "fsync", fsync)
    recorder.record([submit(attempt)])
    assert any(name.endswith(".jsonl") for name in synced)


def test_a_score_sent_by_the_page_is_ignored(home: Path) -> None:
    recorder = LocalRecorder(QUIZ, home)
    attempt = recorder.attempt()["id"]
    forged = submit(attempt, response=("three",)) | {"score": 1, "max_score": 1, "correct": True}
    kept = recorder.record([forged])
    assert kept[forged["id"]]["score"] == 0.0
    assert "correct" not in kept[forged["id"]]["event"]


def test_every_kind_of_item_is_graded(home: Path) -> None:
    recorder = LocalRecorder(QUIZ, home)
    attempt = recorder.attempt()["id"]
    drawn = submit(attempt, "drawn", ("4",)) | {"variant": 1}
    kept = recorder.record([submit(attempt, "pick", ("a",)), submit(attempt, "half", ("0.505",)), drawn])
    assert [record.get("score") for record in kept.values()] == [1.0, 1.0, 1.0]
    assert kept[drawn["id"]]["event"]["variant"] == 1


KINDS = sample.quiz(sample.typed(), sample.ordered(), sample.matched(), name="kinds")


def test_what_is_typed_ordered_and_matched_is_kept_and_graded(home: Path) -> None:
    recorder = LocalRecorder(KINDS, home)
    attempt = recorder.attempt()["id"]
    sent = [
        submit(attempt, "name", ("Accumulation",)),
        submit(attempt, "step", ("scale", "backward", "step", "forward")),
        submit(attempt, "bits", ("bf16:eight", "fp16:five", "fp32:eleven")),
    ]

    kept = recorder.record(sent)

    assert [record.get("score") for record in kept.values()] == [0.5, 0.6667, 0.6667]
    assert LocalRecorder(KINDS, home).outcomes().keys() == kept.keys()
    assert [record["event"]["response"] for record in kept.values()] == [event["response"] for event in sent]


@pytest.mark.parametrize(
    ("item", "response"),
    [
        ("name", ()),
        ("name", ("",)),
        ("name", ("  ",)),
        ("name", ("a", "b")),
        ("name", ("x" * 1001,)),
        ("name", ("half of \ud83d",)),
        ("step", ()),
        ("step", ("forward", "scale", "backward")),
        ("step", ("forward", "scale", "backward", "backward")),
        ("step", ("forward", "scale", "backward", "stranger")),
        ("bits", ()),
        ("bits", ("fp16",)),
        ("bits", ("fp16:five", "fp16:eight")),
        ("bits", ("fp16:nine",)),
        ("bits", ("fp8:five",)),
        ("bits", ("fp16:five:eight",)),
    ],
)
def test_responses_that_a_field_cannot_give_are_refused(item: str, response: tuple[str, ...]) -> None:
    assert accept(submit(OTHER, item, response), KINDS) is None


@pytest.mark.parametrize(
    ("item", "response"), [("name", ("ذاكرة 🙂",)), ("name", ("x" * 1000,)), ("bits", ("fp16:five", "bf16:five"))]
)
def test_responses_that_a_field_can_give_are_accepted(item: str, response: tuple[str, ...]) -> None:
    sent = submit(OTHER, item, response)

    assert accept(sent, KINDS) == sent


def test_the_same_event_twice_is_one_record(home: Path) -> None:
    recorder = LocalRecorder(QUIZ, home)
    attempt = recorder.attempt()["id"]
    recorder.record([submit(attempt), submit(attempt, response=("three",))])
    recorder.record([submit(attempt, response=("five",))])
    LocalRecorder(QUIZ, home).record([submit(attempt, response=("three",))])
    assert [line["event"]["response"] for line in lines_of(home)] == [["four"]]


def test_a_second_kernel_sees_the_attempt_and_answers_for_all(home: Path) -> None:
    first, second = LocalRecorder(QUIZ, home), LocalRecorder(QUIZ, home)
    attempt = first.attempt()
    assert second.attempt() == attempt
    first.record([submit(attempt["id"])])
    second.record([submit(attempt["id"], "half", ("7",))])
    assert set(first.outcomes()) == set(second.outcomes())
    assert len(first.outcomes()) == 2
    assert len(list(home.rglob("*.jsonl"))) == 2


def test_a_restart_opens_the_next_folder_with_the_id_it_carries(home: Path) -> None:
    recorder = LocalRecorder(QUIZ, home)
    before = recorder.attempt()["id"]
    after = "f" * 32
    kept = recorder.record([submit(before), other(before, "restart", response=(after,)), submit(after, tries=2)])
    assert recorder.attempt()["id"] == after
    assert list(recorder.outcomes()) == [f"{after}/two-and-two/2"]
    assert len(kept) == 3
    assert sorted(folder.name for folder in (home / "sums").iterdir()) == ["0001", "0002"]


def test_two_restarts_of_one_attempt_lead_to_one_next_attempt(home: Path) -> None:
    first, second = LocalRecorder(QUIZ, home), LocalRecorder(QUIZ, home)
    before = first.attempt()["id"]
    second.attempt()
    first.record([other(before, "restart", response=("a" * 32,))])
    kept = second.record([other(before, "restart", response=("b" * 32,))])
    assert kept[f"{before}/restart"]["event"]["response"] == ["a" * 32]
    assert first.attempt()["id"] == second.attempt()["id"] == "a" * 32


def test_a_restart_survives_a_kernel_killed_before_the_next_folder(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    recorder = LocalRecorder(QUIZ, home)
    before = recorder.attempt()["id"]

    def killed(*_: object) -> None:
        raise OSError("killed here")

    with monkeypatch.context() as patched:
        patched.setattr(files, "begin", killed)
        recorder.record([other(before, "restart", response=("c" * 32,))])
    assert LocalRecorder(QUIZ, home).attempt()["id"] == "c" * 32


def test_a_folder_left_without_its_head_is_passed_over(home: Path) -> None:
    (home / "sums" / "0001").mkdir(parents=True)
    recorder = LocalRecorder(QUIZ, home)
    attempt = recorder.attempt()
    assert (home / "sums" / "0002" / files.HEAD).exists()
    assert LocalRecorder(QUIZ, home).attempt() == attempt


def test_late_events_of_an_older_attempt_go_to_its_folder(home: Path) -> None:
    recorder = LocalRecorder(QUIZ, home)
    before = recorder.attempt()["id"]
    recorder.record([other(before, "restart", response=("d" * 32,))])
    late = submit(before)
    assert list(recorder.record([late])) == [late["id"]]
    assert recorder.outcomes() == {}
    assert late["id"] in files.merge(files.read(home / "sums" / "0001")[0])


def test_an_attempt_begun_by_a_page_becomes_the_open_one_while_that_is_empty(home: Path) -> None:
    recorder = LocalRecorder(QUIZ, home)
    recorder.attempt()
    recorder.record([submit(OTHER)])
    assert recorder.attempt()["id"] == OTHER
    assert list(recorder.outcomes()) == [f"{OTHER}/two-and-two/1"]


@pytest.mark.parametrize(("at", "followed"), [(500, False), (1500, True)])
def test_of_two_attempts_in_use_the_one_used_last_is_open(home: Path, at: int, followed: bool) -> None:
    recorder = LocalRecorder(QUIZ, home)
    before = recorder.attempt()
    recorder.record([submit(before["id"])])
    assert list(recorder.record([submit(OTHER) | {"at": at}])) == [f"{OTHER}/two-and-two/1"]
    after = recorder.attempt()
    assert after["id"] == (OTHER if followed else before["id"])
    assert (after["started"] > before["started"]) is followed
    assert len(recorder.outcomes()) == 1
    assert len(lines_of(home)) == 2


def test_a_later_attempt_starts_later_even_when_the_clock_was_set_back(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    recorder = LocalRecorder(QUIZ, home)
    before = recorder.attempt()
    monkeypatch.setattr("quiz_widgets.progress.recorder._now", lambda: 5)
    recorder.record([other(before["id"], "restart", response=(OTHER,))])
    assert recorder.attempt() == {"id": OTHER, "started": before["started"] + 1}


# What is refused

GOOD = submit(OTHER)


@pytest.mark.parametrize(
    "sent",
    [
        None,
        7,
        [],
        {},
        GOOD | {"kind": "grade"},
        GOOD | {"kind": ["submit"]},
        GOOD | {"attempt": "../../etc"},
        GOOD | {"attempt": 5},
        GOOD | {"item": "unknown"},
        GOOD | {"item": ""},
        GOOD | {"item": None},
        GOOD | {"id": f"{OTHER}/two-and-two/0"},
        GOOD | {"id": f"{OTHER}/half/1"},
        GOOD | {"id": f"{OTHER}/two-and-two/1/2"},
        GOOD | {"id": 3},
        GOOD | {"response": "four"},
        GOOD | {"response": []},
        GOOD | {"response": ["six"]},
        GOOD | {"response": ["four", "three"]},
        GOOD | {"response": [["four"]]},
        GOOD | {"round": -1},
        GOOD | {"round": True},
        GOOD | {"at": 1.5},
        GOOD | {"at": 2**60},
        submit(OTHER, "pick", ("a", "a")),
        submit(OTHER, "half", ("one",)),
        submit(OTHER, "half", ("1" * 500,)),
        submit(OTHER, "half", ("1", "2")),
        other(OTHER, "restart"),
        other(OTHER, "restart", response=("../up",)),
        other(OTHER, "restart", response=(OTHER,)),
        other(OTHER, "reveal") | {"id": f"{OTHER}/half/reveal"},
        other(OTHER, "hint") | {"id": f"{OTHER}/two-and-two/hint/x"},
    ],
)
def test_what_no_page_can_send_is_refused(home: Path, sent: Any) -> None:
    assert accept(sent, QUIZ) is None
    recorder = LocalRecorder(QUIZ, home)
    assert recorder.record([sent]) == {}
    assert lines_of(home) == []


@pytest.mark.parametrize(
    "sent",
    [
        GOOD,
        submit(OTHER, "pick", ()),
        submit(OTHER, "half", ("-0.5",)),
        other(OTHER, "hint"),
        other(OTHER, "reveal"),
        other(OTHER, "restart", response=("e" * 32,)),
        other(OTHER, "finish"),
        GOOD | {"confidence": 3},
    ],
)
def test_what_a_page_sends_is_accepted_unchanged(sent: Any) -> None:
    assert accept(sent, QUIZ) == sent


@pytest.mark.parametrize(
    "extra",
    [
        {"seconds": float("nan")},
        {"seconds": "5"},
        {"confidence": 4},
        {"confidence": 0},
        {"variant": 9},
        {"note": "x" * 9999},
    ],
)
def test_senseless_extras_are_left_out_and_the_response_is_kept(extra: dict[str, Any]) -> None:
    without = {key: value for key, value in GOOD.items() if key != "seconds"}
    assert accept(without | extra, QUIZ) == without


@pytest.mark.parametrize(
    ("seconds", "kept"), [(10**400, 86_400.0), (float("inf"), 86_400.0), (-(10**400), 0.0), (1.23456, 1.235), (7, 7.0)]
)
def test_a_time_beyond_all_bounds_is_brought_to_them(seconds: float, kept: float) -> None:
    accepted = accept(GOOD | {"seconds": seconds}, QUIZ)
    assert accepted is not None
    assert accepted["seconds"] == kept


@pytest.mark.parametrize("variant", [{}, {"variant": 2}, {"variant": -1}, {"variant": True}, {"variant": "1"}])
def test_a_number_without_the_variant_that_it_answers_is_refused(variant: dict[str, Any]) -> None:
    drawn = submit("a" * 32, "drawn", ("4",))

    assert accept(drawn | {"variant": 1}, QUIZ) == drawn | {"variant": 1}
    assert accept(drawn | variant, QUIZ) is None


anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)


@settings(deadline=None)
@given(st.dictionaries(st.sampled_from(sorted(GOOD)), anything))
def test_no_input_of_a_page_raises(fields: dict[str, Any]) -> None:
    accepted = accept(GOOD | fields, QUIZ)
    assert accepted is None or json.loads(json.dumps(accepted)) == accepted


# Reading


def test_a_cut_last_line_is_skipped_and_reported(home: Path) -> None:
    recorder = LocalRecorder(QUIZ, home)
    attempt = recorder.attempt()["id"]
    recorder.record([submit(attempt), submit(attempt, tries=2)])
    path = next(home.rglob("*.jsonl"))
    path.write_bytes(path.read_bytes()[:-20])
    reader = LocalRecorder(QUIZ, home)
    assert list(reader.outcomes()) == [f"{attempt}/two-and-two/1"]
    assert [(problem.line, problem.severity) for problem in reader.problems] == [(2, "warning")]
    # A kernel never writes behind another one's cut line.
    assert list(reader.record([submit(attempt, tries=2)])) == [f"{attempt}/two-and-two/2"]
    assert len(reader.outcomes()) == 2


def test_lines_that_are_no_records_are_skipped_and_reported(home: Path) -> None:
    recorder = LocalRecorder(QUIZ, home)
    attempt = recorder.attempt()["id"]
    recorder.record([submit(attempt)])
    bad = (b"\0\0\0", b"[]", b'{"at": 1}', b'{"at": 1, "event": {"id": "x"}}', b"\xff")
    (home / "sums" / "0001" / "aa.jsonl").write_bytes(b"".join(line + b"\n" for line in bad))
    assert len(recorder.outcomes()) == 1
    assert [problem.line for problem in recorder.problems] == [1, 2, 3, 4, 5]


A = "a" * 32
HEADS = json.loads((Path(__file__).parent / "cases" / "broken-records.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("change", HEADS["changes"], ids=json.dumps)
def test_a_line_that_no_recorder_wrote_is_skipped_by_all_who_read(
    home: Path, capsys: pytest.CaptureFixture[str], change: dict[str, Any]
) -> None:
    recorder = LocalRecorder(QUIZ, home)
    attempt = recorder.attempt()["id"]
    recorder.record([submit(attempt)])
    record = {"event": submit(attempt, tries=2), "at": 7, "score": 1.0, "max_score": 1.0}
    changed = record | change | {"event": record["event"] | change.get("event", {})}
    path = home / "sums" / "0001" / "aa.jsonl"
    path.write_text(json.dumps(changed).replace("ATTEMPT", attempt) + "\n", encoding="utf-8")

    reader = LocalRecorder(QUIZ, home)
    assert list(reader.outcomes()) == [f"{attempt}/two-and-two/1"]
    assert [(problem.line, problem.severity) for problem in reader.problems] == [(1, "warning")]
    assert [past.answered for past in history(home)] == [1]


@pytest.mark.parametrize("line", ["[" * 100_000, "9" * 10_000, "x" * 1_000_000], ids=["deep", "long number", "long"])
def test_a_line_that_cannot_be_parsed_is_skipped(home: Path, line: str) -> None:
    recorder = LocalRecorder(QUIZ, home)
    attempt = recorder.attempt()["id"]
    (home / "sums" / "0001" / "aa.jsonl").write_text(line + "\n", encoding="utf-8")

    assert recorder.record([submit(attempt)]) != {}
    assert len(recorder.problems) == 1


@pytest.mark.parametrize("head", HEADS["heads"])
def test_an_attempt_under_which_nothing_could_be_kept_is_passed_over(
    home: Path, monkeypatch: pytest.MonkeyPatch, head: str
) -> None:
    monkeypatch.setattr(files, "PATIENCE", 0.0)
    folder = home / "sums" / "0001"
    folder.mkdir(parents=True)
    (folder / "attempt.json").write_text(head, encoding="utf-8")

    recorder = LocalRecorder(QUIZ, home)
    assert history(home) == []
    assert recorder.record([submit(recorder.attempt()["id"])]) != {}
    assert recorder.fault is None


def test_an_attempt_nested_too_deeply_is_passed_over(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    test_an_attempt_under_which_nothing_could_be_kept_is_passed_over(home, monkeypatch, "[" * 100_000)


def test_a_clock_at_the_end_of_time_still_lets_the_learner_start_again(home: Path) -> None:
    recorder = LocalRecorder(QUIZ, home)
    recorder.attempt()
    recorder.record([submit(A) | {"at": 2**53}])
    assert recorder.attempt() == {"id": A, "started": 2**53}
    recorder.record([other(A, "restart", response=(OTHER,))])
    assert recorder.attempt()["id"] == OTHER


def test_after_a_failed_write_the_next_record_goes_to_a_new_file(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    recorder = LocalRecorder(QUIZ, home)
    attempt = recorder.attempt()["id"]
    original = os.write

    def full(handle: int, data: bytes) -> int:
        original(handle, data[:10])
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(os, "write", full)
        assert recorder.record([submit(attempt)]) == {}
    assert "No space left on device" in (recorder.fault or "")
    assert list(recorder.record([submit(attempt)])) == [f"{attempt}/two-and-two/1"]
    assert recorder.kept
    assert len(recorder.outcomes()) == 1


def record_of(event_id: str, at: int, score: float) -> OutcomePayload:
    event = submit(OTHER) | {"id": f"{OTHER}/two-and-two/{event_id}"}
    return {"event": event, "at": at, "score": score, "max_score": 1.0}


records = st.lists(
    st.builds(record_of, st.sampled_from("1234"), st.integers(0, 5), st.sampled_from([0.0, 0.5, 1.0])),
    max_size=12,
)


@settings(max_examples=60, deadline=None)
@given(kernels=st.lists(records, min_size=1, max_size=4), order=st.randoms(use_true_random=False))
def test_merging_does_not_depend_on_who_is_read_first(
    tmp_path_factory: pytest.TempPathFactory, kernels: list[list[OutcomePayload]], order: Any
) -> None:
    folder = tmp_path_factory.mktemp("attempt")
    names = [f"{index}.jsonl" for index in range(len(kernels))]
    written = list(zip(names, kernels, strict=True))
    order.shuffle(written)
    for name, kernel in written:
        (folder / name).write_text("".join(json.dumps(record) + "\n" for record in kernel))
    merged, problems = files.read(folder)
    everything = [record for kernel in kernels for record in kernel]
    assert problems == []
    assert {record["event"]["id"] for record in merged} == {record["event"]["id"] for record in everything}
    for record in merged:
        same = [found for found in everything if found["event"]["id"] == record["event"]["id"]]
        assert record["at"] == min(found["at"] for found in same)
    assert files.merge([*merged, *everything]) == files.merge(merged)
    # A record that comes later changes none that stands.
    (folder / "z.jsonl").write_text(json.dumps(record_of("a", 9, 0.25)) + "\n")
    later = files.merge(files.read(folder)[0])
    assert later | files.merge(merged) == later


# Many processes


def work(home: str, worker: int, ready: Any, done: Any) -> None:
    recorder = LocalRecorder(QUIZ, Path(home))
    ready.wait()
    attempt = recorder.attempt()["id"]
    acknowledged: list[str] = []
    for tries in range(1, 11):
        acknowledged += recorder.record([submit(attempt, tries=tries), submit(attempt, "half", (str(worker),), tries)])
    done.put((attempt, acknowledged))


def work_restart(home: str, worker: int, ready: Any, done: Any) -> None:
    recorder = LocalRecorder(QUIZ, Path(home))
    before = recorder.attempt()["id"]
    ready.wait()
    recorder.record([other(before, "restart", response=(f"{worker:032x}",))])
    done.put((before, [recorder.attempt()["id"]]))


def run_many(target: Any, home: Path, count: int) -> list[tuple[str, list[str]]]:
    context = multiprocessing.get_context("spawn")
    ready, done = context.Barrier(count), context.Queue()
    workers = [context.Process(target=target, args=(str(home), worker, ready, done)) for worker in range(count)]
    for worker in workers:
        worker.start()
    results = [done.get(timeout=60) for _ in workers]
    for worker in workers:
        worker.join(timeout=60)
        assert worker.exitcode == 0
    return results


def test_many_processes_share_one_attempt_and_lose_nothing(home: Path) -> None:
    results = run_many(work, home, 6)
    assert len({attempt for attempt, _ in results}) == 1
    recorder = LocalRecorder(QUIZ, home)
    assert len(recorder.outcomes()) == 20
    assert all(set(acknowledged) == set(recorder.outcomes()) for _, acknowledged in results)
    assert recorder.problems == ()


def test_processes_that_restart_at_once_agree(home: Path) -> None:
    LocalRecorder(QUIZ, home).attempt()
    run_many(work_restart, home, 4)
    opened = LocalRecorder(QUIZ, home).attempt()["id"]
    restarts = {line["event"]["response"][0] for line in lines_of(home)}
    assert opened in restarts
    assert len(list((home / "sums").iterdir())) == 2


def test_a_forked_kernel_writes_to_a_file_of_its_own(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    recorder = LocalRecorder(QUIZ, home)
    attempt = recorder.attempt()["id"]
    recorder.record([submit(attempt)])
    process = os.getpid()
    monkeypatch.setattr(os, "getpid", lambda: process + 1)
    recorder.record([submit(attempt, tries=2)])
    assert len(list(home.rglob("*.jsonl"))) == 2


# Nothing can be kept


def test_an_unusable_folder_says_so_and_acknowledges_nothing(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("not a folder")
    recorder = LocalRecorder(QUIZ, blocked)
    attempt = recorder.attempt()
    assert recorder.attempt() == attempt
    assert recorder.record([submit(attempt["id"])]) == {}
    assert recorder.outcomes() == {}
    assert not recorder.kept
    assert str(blocked) in (recorder.fault or "")
    assert "QUIZ_WIDGETS_HOME" in (recorder.fault or "")


def test_an_attempt_that_can_only_be_read_is_shown_with_a_warning(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    LocalRecorder(QUIZ, home).attempt()
    monkeypatch.setattr(os, "access", lambda *_: False)
    recorder = LocalRecorder(QUIZ, home)
    recorder.attempt()
    assert "Permission denied" in (recorder.fault or "")


# Standings and history


def test_the_last_response_before_the_reveal_counts(home: Path) -> None:
    recorder = LocalRecorder(QUIZ, home)
    attempt = recorder.attempt()["id"]
    late = submit(attempt, "half", ("0.5",), tries=2) | {"at": 9000}
    again = submit(attempt, response=("three",), tries=3) | {"round": 1}
    recorder.record(
        [
            submit(attempt, response=("three",)),
            submit(attempt, tries=2),
            submit(attempt, "half", ("7",)),
            other(attempt, "hint", "half"),
            other(attempt, "reveal", "half"),
            late,
            again,
            other(attempt, "reveal", "pick"),
        ]
    )
    found = standings(recorder.outcomes().values())
    assert (found["two-and-two"].correct, found["two-and-two"].first_try, found["two-and-two"].tries) == (
        True,
        False,
        2,
    )
    assert (found["half"].score, found["half"].revealed, found["half"].hints) == (0.0, True, 1)
    assert found["half"].response == ("7",)
    assert (found["pick"].tries, found["pick"].correct) == (0, False)


def test_certainty_is_that_of_the_response_that_counts_else_of_the_first(home: Path) -> None:
    recorder = LocalRecorder(QUIZ, home)
    attempt = recorder.attempt()["id"]
    recorder.record(
        [
            submit(attempt, response=("three",)) | {"confidence": 3},
            submit(attempt, tries=2),
            submit(attempt, "pick", ("a",)) | {"confidence": 1},
            submit(attempt, "pick", ("a", "b"), tries=2) | {"confidence": 2},
            submit(attempt, "half", ("0.5",)),
            other(attempt, "reveal", "drawn", at=1),
            submit(attempt, "drawn", ("2",)) | {"variant": 0, "confidence": 3},
        ]
    )
    found = standings(recorder.outcomes().values())

    assert {name: (one.sure, one.mark) for name, one in found.items()} == {
        "two-and-two": (3, -6.0),
        "pick": (2, 4.0),
        "half": (None, None),
        "drawn": (None, None),
    }
    assert found["two-and-two"].correct  # the plain score is another one
    marked = tally(dataclasses.replace(QUIZ, confidence=True), recorder.outcomes().values(), attempt=attempt, kept=True)
    plain = tally(QUIZ, recorder.outcomes().values(), attempt=attempt, kept=True)
    assert (marked.mark, marked.score, plain.mark) == (-2.0, 4.0, None)
    assert str(marked).endswith("4 of 5 points; certainty-based mark -2 of 15")
    assert str(plain).endswith("4 of 5 points")


def test_history_lists_every_attempt_of_every_quiz(home: Path) -> None:
    assert history(home) == []
    recorder = LocalRecorder(QUIZ, home)
    before = recorder.attempt()["id"]
    recorder.record([submit(before), submit(before, "half", ("9",)), other(before, "restart", response=("f" * 32,))])
    LocalRecorder(make_quiz("zebra"), home).attempt()
    listed = history(home)
    assert [(past.quiz, past.number, past.open) for past in listed] == [
        ("sums", 1, False),
        ("sums", 2, True),
        ("zebra", 1, True),
    ]
    assert (listed[0].answered, listed[0].correct, listed[0].first_try) == (2, 1, 1)
    assert (listed[0].score, listed[0].max_score) == (1.0, 2.0)
