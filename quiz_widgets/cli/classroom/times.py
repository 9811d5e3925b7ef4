"""Times on the command line: written as the course's clock shows them, or with an offset."""

from __future__ import annotations

import argparse
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from quiz_widgets.cli.common import UsageError

MIN_YEAR, MAX_YEAR = 1971, 9998  # in every zone a time that can be counted
NAMES = ("opens", "due", "closes")


def add_options(command: argparse.ArgumentParser) -> None:
    """Let a command take ``--opens``, ``--due`` and ``--closes``."""
    for name in NAMES:
        command.add_argument(
            f"--{name}", metavar="TIME", help="in the course's zone: 2027-01-31T10:00; `none` for none"
        )


def given(options: argparse.Namespace, zone: str) -> dict[str, object]:
    """The times that were given, in ms."""
    named = {name: getattr(options, name) for name in NAMES if getattr(options, name) is not None}
    return {name: read(text, name, zone) for name, text in named.items()}


def read(text: str, what: str, zone: str) -> int | None:
    """A time in ms, written in the course's zone or with an offset of its own; `UsageError` for one that is none."""
    if text == "none":
        return None
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        raise UsageError(f"--{what}: {text!r} is no time; write 2027-01-31T10:00, or none") from None
    if found.tzinfo is None:
        here = ZoneInfo(zone)
        first, second = (found.replace(tzinfo=here, fold=fold) for fold in (0, 1))
        if first.utcoffset() != second.utcoffset():  # the clock goes forward over that time, or back through it
            there = first.astimezone(UTC).astimezone(here).replace(tzinfo=None) == found
            how = "comes twice" if there else "does not exist"
            offsets = f"{first.isoformat()} or {second.isoformat()}" if there else "another time"
            raise UsageError(f"--{what}: {text} {how} in {zone}: the clock changes then; write {offsets}")
        found = first
    if not MIN_YEAR <= found.year <= MAX_YEAR:
        raise UsageError(f"--{what}: {text}: the year is {MIN_YEAR} to {MAX_YEAR}")
    return int(found.timestamp() * 1000)
