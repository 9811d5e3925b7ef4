"""Times on the command line: written as the course's clock shows them, or with an offset."""

from __future__ import annotations

import argparse

from quiz_widgets.classroom import clocks
from quiz_widgets.cli.common import UsageError

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
        return clocks.read(text, zone)
    except clocks.Unclear as unclear:
        raise UsageError(f"--{what}: {_told(unclear, text, zone)}") from None


def _told(unclear: clocks.Unclear, text: str, zone: str) -> str:
    if unclear.fault == "no_time":
        return f"{text!r} is no time; write 2027-01-31T10:00, or none"
    if unclear.fault == "year":
        return f"{text}: the year is {clocks.MIN_YEAR} to {clocks.MAX_YEAR}"
    how = "comes twice" if unclear.meanings else "does not exist"
    return f"{text} {how} in {zone}: the clock changes then; write {' or '.join(unclear.meanings) or 'another time'}"
