"""Times as the clock of a course shows them: read into the desk's milliseconds, and written as form fields hold them.

A clock that goes forward leaves times out, and one that goes back shows some twice. Neither is guessed at.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Literal
from zoneinfo import ZoneInfo

MIN_YEAR, MAX_YEAR = 1971, 9997  # also with a late joiner's year on top a time that every zone can show
LATEST = int(datetime(MAX_YEAR + 1, 1, 2, tzinfo=UTC).timestamp()) * 1000  # ms; the last year's end in every zone
AHEAD = timedelta(days=400)
_LONGEST = 64

Fault = Literal["no_time", "skipped", "twice", "year"]
Which = Literal["first", "second"]


class Unclear(Exception):
    """A text that names no time, or not one alone. `meanings`: for a time that comes twice both, with their offsets."""

    def __init__(self, fault: Fault, text: str, meanings: tuple[str, ...] = ()) -> None:
        super().__init__(fault)
        self.fault = fault
        self.text = text
        self.meanings = meanings


def read(text: str, zone: str, which: Which | None = None) -> int:
    """A time in ms, written in a zone or with an offset of its own; `Unclear` for one that is none.

    `which` of the two is meant, where the clock shows that time twice.
    """
    if len(text) > _LONGEST:
        raise Unclear("no_time", text[:_LONGEST])
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        raise Unclear("no_time", text) from None
    if not MIN_YEAR <= found.year <= MAX_YEAR:
        raise Unclear("year", text)
    if found.tzinfo is None:
        found = _here(found, text, ZoneInfo(zone), which)
    return int(found.timestamp() * 1000)


def written(ms: int, zone: str) -> str:
    """The time as a form field holds it: in the zone, to the minute."""
    return datetime.fromtimestamp(ms // 1000, ZoneInfo(zone)).strftime("%Y-%m-%dT%H:%M")


def changes(zone: str, now: int) -> bool:
    """Whether the clock of the zone is changed within about a year."""
    there, start = ZoneInfo(zone), datetime.fromtimestamp(now // 1000, UTC)
    days = (start + timedelta(days=day) for day in range(0, AHEAD.days, 7))
    return len({day.astimezone(there).utcoffset() for day in days}) > 1


def _here(found: datetime, text: str, here: ZoneInfo, which: Which | None) -> datetime:
    first, second = (found.replace(tzinfo=here, fold=fold) for fold in (0, 1))
    if first.utcoffset() == second.utcoffset():
        return first
    # The clock goes forward over that time, or back through it.
    if first.astimezone(UTC).astimezone(here).replace(tzinfo=None) != found:
        raise Unclear("skipped", text)
    if which is None:
        raise Unclear("twice", text, (first.isoformat(), second.isoformat()))
    return first if which == "first" else second
