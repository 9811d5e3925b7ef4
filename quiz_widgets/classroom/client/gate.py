"""What a page of a graded quiz may send: the one gate to the outbox. It never raises and keeps known fields only.

The questions need not be known here: after a restart without a desk nobody has them, and what a page still holds must
reach the disk all the same. Whether a response fits its question the desk judges.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, cast

from quiz_widgets import certainty
from quiz_widgets.contract import EventPayload
from quiz_widgets.progress import events

MOST = events.MAX_EVENTS  # in one message
_ENTRIES = 200  # of one response
_LONGEST = 10_000  # characters of an entry
_LONGEST_ITEM = 100  # characters of an item's id
_DAY_SECONDS = 86_400.0


def accept(sent: Any) -> EventPayload | None:
    """A submit or a finish as it is kept; `None` for anything else, and for what no page sends."""
    if not isinstance(sent, Mapping):
        return None
    kind, attempt, item = sent.get("kind"), sent.get("attempt"), sent.get("item")
    if kind not in ("submit", "finish") or not events.is_attempt(attempt) or not isinstance(item, str):
        return None
    if (kind == "finish") != (item == "") or len(item) > _LONGEST_ITEM or not item.isprintable() or "/" in item:
        return None
    numbers = {name: sent.get(name) for name in ("round", "at")}
    if not all(events.is_count(number) for number in numbers.values()):
        return None
    response = sent.get("response") if kind == "submit" else []
    if not _holds(response) or not events.id_fits(sent.get("id"), str(kind), attempt, item):
        return None
    event: dict[str, Any] = {"id": sent["id"], "attempt": attempt, "kind": kind, "item": item}
    event |= numbers | {"response": response}
    seconds, sure = sent.get("seconds"), sent.get("confidence")
    if isinstance(seconds, int | float) and not isinstance(seconds, bool) and not math.isnan(seconds):
        event["seconds"] = round(float(min(max(seconds, 0), _DAY_SECONDS)), 3)
    if events.is_count(sure) and 1 <= sure <= certainty.MOST:
        event["confidence"] = sure
    return cast(EventPayload, event)


def asks_to_start(sent: Any, shown: str) -> bool:
    """Whether this asks for an attempt, by a page that shows the one shown here: a repeat must not open a second."""
    return isinstance(sent, Mapping) and sent.get("kind") == "start" and sent.get("attempt") == shown


def _holds(response: Any) -> bool:
    if not isinstance(response, list) or len(response) > _ENTRIES:
        return False
    return all(isinstance(part, str) and len(part) <= _LONGEST and _writable(part) for part in response)


def _writable(text: str) -> bool:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:  # half a character, which no request can hold
        return False
    return True
