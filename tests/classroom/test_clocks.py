"""Times as a course's clock shows them: none is guessed where the clock changes. Cases as data."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from quiz_widgets.classroom import clocks

CASES: dict[str, Any] = json.loads(Path(__file__).with_suffix(".json").with_stem("clocks").read_text(encoding="utf-8"))
del CASES["_"]
NOW = int(datetime(2027, 1, 15, tzinfo=UTC).timestamp() * 1000)


def read(text: str, zone: str, which: Any = None) -> int | clocks.Unclear:
    try:
        return clocks.read(text, zone, which)
    except clocks.Unclear as unclear:
        return unclear


@pytest.mark.parametrize("case", CASES)
def test_a_time_is_read_or_said_to_be_unclear(case: str) -> None:
    given = CASES[case]
    found = read(given["text"], given["zone"], given.get("which"))
    if isinstance(found, clocks.Unclear):
        assert found.fault == given.get("fault")
        assert len(found.meanings) == (2 if found.fault == "twice" else 0)
    else:
        assert datetime.fromtimestamp(found / 1000, UTC).isoformat() == given.get("utc")


@pytest.mark.parametrize("zone", ["UTC", "Europe/Berlin", "Asia/Kolkata", "Pacific/Chatham", "America/St_Johns"])
def test_what_is_written_is_read_again(zone: str) -> None:
    for hour in range(24 * 370):
        at = NOW + hour * 3_600_000
        text = clocks.written(at, zone)
        found = read(text, zone)
        if isinstance(found, clocks.Unclear):
            assert found.fault == "twice"
            assert at in {read(text, zone, "first"), read(text, zone, "second")}
        else:
            assert found == at


@pytest.mark.parametrize(
    ("zone", "changes"), [("UTC", False), ("Europe/Istanbul", False), ("Europe/Berlin", True), ("Africa/Cairo", True)]
)
def test_whether_the_clock_changes_within_the_year(zone: str, changes: bool) -> None:
    assert clocks.changes(zone, NOW) is changes
