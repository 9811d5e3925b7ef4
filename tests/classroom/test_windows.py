"""Times and exceptions: cases as data, and what holds whatever the times are."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quiz_widgets.classroom.desk import windows

CASES: dict[str, Any] = json.loads((Path(__file__).parent / "windows.json").read_text(encoding="utf-8"))
QUIZ = {"opens": None, "due": None, "closes": None, "grace": 60_000, "runs": 1, "time_limit": None}
NONE = {
    "id": "e", "person": None, "section": None, "opens": None, "due": None, "closes": None, "time_factor": "1",
    "extra_runs": 0, "version": None, "excused": False, "made": 0,
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_exceptions_make_the_window_they_say(case: str) -> None:
    written = CASES[case]

    found = windows.window({**QUIZ, **written["quiz"]}, [{**NONE, **one} for one in written.get("exceptions", [])])

    assert {name: getattr(found, name) for name in written["window"]} == written["window"]
    for opened, limits in written.get("limits", []):
        assert list(found.limits(opened)) == limits


TIMES = st.none() | st.integers(0, 10**13)


@given(
    opens=TIMES, due=TIMES, closes=TIMES, limit=st.none() | st.integers(60_000, 10**8), opened=st.integers(0, 10**13)
)
def test_an_attempt_never_outlasts_its_quiz(
    opens: int | None, due: int | None, closes: int | None, limit: int | None, opened: int
) -> None:
    made = windows.window({**QUIZ, "opens": opens, "due": due, "closes": closes, "time_limit": limit}, [])

    own_due, own_closes = made.limits(opened)

    assert made.last is None or (own_closes is not None and own_closes <= made.last)
    assert limit is None or (own_closes is not None and own_closes <= opened + limit)
    assert due is None or (own_due is not None and own_due <= due)


@given(arrived=st.integers(0, 10**13), closes=TIMES, grace=st.integers(0, 10**6))
def test_arriving_later_never_helps(arrived: int, closes: int | None, grace: int) -> None:
    if windows.status(arrived, closes, grace) == "late":
        assert windows.status(arrived + 1, closes, grace) == "late"
    else:
        assert windows.status(max(0, arrived - 1), closes, grace) == "recorded"


@pytest.mark.parametrize(
    ("after", "days"), [(-1, 0), (0, 0), (60_000, 0), (60_001, 1), (86_400_000, 1), (86_400_001, 2)]
)
def test_late_days_are_days_begun(after: int, days: int) -> None:
    assert windows.late_days(10**12 + after, 10**12, 60_000) == days


def test_without_a_due_time_nothing_is_late() -> None:
    assert windows.late_days(10**12, None, 0) == 0
    assert windows.status(10**15, None, 0) == "recorded"
