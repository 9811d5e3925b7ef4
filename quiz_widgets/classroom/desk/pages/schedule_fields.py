"""A quiz's settings as the fields of a form show them, and what somebody who sends them back has changed.

A field that comes back as it was shown leaves its setting alone: a time keeps its seconds, and of two times that the
clock shows alike the one that is meant.
"""

from __future__ import annotations

import hashlib
import json
from decimal import Decimal

from quiz_widgets.classroom import clocks
from quiz_widgets.classroom.clocks import Which
from quiz_widgets.classroom.desk.database.rows import Row
from quiz_widgets.classroom.desk.exports.cells import plain
from quiz_widgets.classroom.desk.pages import fields
from quiz_widgets.classroom.desk.pages.fields import Entered
from quiz_widgets.classroom.desk.refusals import Refused

TIMES = ("opens", "due", "closes")
_MINUTE = 60_000


class NoTime(Refused):
    """What was entered is no time, or not one alone."""

    def __init__(self, unclear: clocks.Unclear) -> None:
        super().__init__("no_time", f"{unclear.text} is no time, or the clock of the course changes then", status=422)
        self.unclear = unclear


def shown(found: Row) -> Entered:
    """The settings as texts: times in the course's zone, the grace in seconds, the limit in minutes, the share in %."""
    return {
        **{name: "" if found[name] is None else clocks.written(found[name], found["zone"]) for name in TIMES},
        "grace": plain(Decimal(found["grace"]) / 1000),
        "runs": str(found["runs"]),
        "time_limit": "" if found["time_limit"] is None else minutes(found["time_limit"]),
        "policy": found["policy"],
        "late_share": plain(Decimal(found["late_share"]) * 100),
        "reveal": found["reveal"],
    }


def changes(found: Row, sent: Entered) -> dict[str, object]:
    """The settings that differ from what the form showed. `NoTime` for a time that is none, `Refused` for the rest."""
    before = shown(found)
    made: dict[str, object] = {}
    for name in before:
        text = sent.get(name, before[name])
        if text != before[name]:
            made[name] = time(text, found["zone"], sent) if name in TIMES else _setting(name, text)
    return made


def time(text: str, zone: str, sent: Entered) -> int | None:
    """A time that was entered, `None` for an empty field; the form may say which of two times is meant."""
    which: dict[str, Which] = {"first": "first", "second": "second"}
    try:
        return clocks.read(text, zone, which.get(sent.get("which", ""))) if text else None
    except clocks.Unclear as unclear:
        raise NoTime(unclear) from None


def minutes(ms: int) -> str:
    """A duration in minutes."""
    return plain(Decimal(ms) / _MINUTE)


def seen(found: Row) -> str:
    """A word for the settings as they are, by which the form tells what it was filled with."""
    told = json.dumps([found[name] for name in shown(found)]).encode()
    return hashlib.sha256(told).hexdigest()[:16]


def _setting(name: str, text: str) -> object:
    if name == "grace":
        return int(fields.number(text, "the grace") * 1000)
    if name == "runs":
        return fields.whole(text, "the number of attempts")
    if name == "time_limit":
        return int(fields.number(text, "the time limit") * _MINUTE) if text else None
    if name == "late_share":
        return plain(fields.number(text, "the share lost for each late day") / 100)
    return text
