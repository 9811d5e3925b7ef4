"""What a page may send: the one gate through which events come in. It never raises and keeps known fields only."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from typing import Any, TypeGuard, cast, get_args

from quiz_widgets import certainty
from quiz_widgets.contract import EventKind, EventPayload
from quiz_widgets.locales import typed
from quiz_widgets.model import Item, Quiz

# A start is asked for, and never kept.
KINDS: tuple[str, ...] = tuple(kind for kind in get_args(EventKind) if kind != "start")
MAX_EVENTS = 5000  # in one message; an eight-item attempt makes about fifty
_ATTEMPT = re.compile(r"[0-9a-f]{32}")
_COUNT = re.compile(r"[1-9][0-9]{0,3}")
_SURROGATE = re.compile("[\ud800-\udfff]")  # half a character, which no file can hold
_DECIMAL = re.compile(r"-?[0-9]{1,200}(?:\.[0-9]{1,200})?")
_MAX_INTEGER = 2**53
_DAY_SECONDS = 86_400.0


def accept(sent: Any, quiz: Quiz) -> EventPayload | None:
    """The event as it will be kept, or `None` when it is none that a page of this quiz can send."""
    if not isinstance(sent, Mapping):
        return None
    kind, attempt, item_id = sent.get("kind"), sent.get("attempt"), sent.get("item")
    if kind not in KINDS or not is_attempt(attempt) or not isinstance(item_id, str):
        return None
    item = quiz.item(item_id) if item_id in quiz.sets else None
    if item is None and (item_id or kind not in ("restart", "finish")):
        return None
    numbers = {name: sent.get(name) for name in ("round", "at")}
    if not all(is_count(number) for number in numbers.values()):
        return None
    response = _response(sent.get("response"), str(kind), item)
    if response == [attempt] or response is None or not id_fits(sent.get("id"), str(kind), str(attempt), item_id):
        return None
    if kind == "submit" and item is not None and item.variants and not _drawn(sent.get("variant"), item):
        return None  # nobody can say what the number answers
    event: dict[str, Any] = {"id": sent["id"], "attempt": attempt, "kind": kind, "item": item_id}
    event |= numbers | {"response": response} | _extras(sent, item)
    return cast(EventPayload, event)


def _response(sent: Any, kind: str, item: Item | None) -> list[str] | None:
    if not isinstance(sent, list) or not all(isinstance(part, str) for part in sent):
        return None
    if kind == "restart":
        return sent if len(sent) == 1 and is_attempt(sent[0]) else None
    if kind != "submit" or item is None:
        return []
    return sent if fits(sent, item) else None


def fits(sent: list[str], item: Item) -> bool:
    """Whether the item's field can hold this response."""
    if item.kind == "number":
        return len(sent) == 1 and _matches(_DECIMAL, sent[0])
    if item.kind == "text":
        return len(sent) == 1 and _typed(sent[0])
    if item.kind == "match":
        return _paired(sent, item)
    known = {option.id for option in item.options}
    most = 1 if item.kind == "single" else len(known)
    least = {"single": 1, "order": most}.get(item.kind, 0)
    return least <= len(sent) <= most and len(set(sent)) == len(sent) and known.issuperset(sent)


def _typed(text: str) -> bool:
    """Whether a text item's field can hold this."""
    return bool(text.strip()) and len(text) <= typed.MAX_LENGTH and _SURROGATE.search(text) is None


def _paired(sent: list[str], item: Item) -> bool:
    """Whether each entry is a prompt with one of the targets, and none stands twice."""
    pairs = [pair.partition(":") for pair in sent]
    prompts = [prompt for prompt, _, _ in pairs]
    known = {option.id for option in item.options}.issuperset(prompts)
    return known and len(set(prompts)) == len(sent) > 0 and {t.id for t in item.targets}.issuperset(p[2] for p in pairs)


def id_fits(sent: Any, kind: str, attempt: str, item: str) -> bool:
    """Whether an id is the one that its event must have, so that repeats collapse and nothing else does."""
    if not isinstance(sent, str):
        return False
    fixed = {"restart": f"{attempt}/restart", "reveal": f"{attempt}/{item}/reveal"}
    if kind in fixed:
        return sent == fixed[kind]
    counted = {"submit": f"{attempt}/{item}/", "hint": f"{attempt}/{item}/hint/", "finish": f"{attempt}/finish/"}
    start = counted[kind]
    return sent.startswith(start) and _matches(_COUNT, sent[len(start) :])


def _extras(sent: Mapping[str, Any], item: Item | None) -> dict[str, Any]:
    """The optional fields that make sense; the others are left out, because the response itself is good."""
    kept: dict[str, Any] = {}
    seconds, confidence, variant = sent.get("seconds"), sent.get("confidence"), sent.get("variant")
    if isinstance(seconds, int | float) and not isinstance(seconds, bool):
        # Bounded before it becomes a float: a page's integer may have more digits than a float can hold.
        bounded = float(min(max(seconds, 0), _DAY_SECONDS))
        kept |= {} if math.isnan(bounded) else {"seconds": round(bounded, 3)}
    if is_count(confidence) and 1 <= confidence <= certainty.MOST:
        kept["confidence"] = confidence
    if item is not None and _drawn(variant, item):
        kept["variant"] = variant
    return kept


def _drawn(variant: Any, item: Item) -> bool:
    """Whether this is the index of one of the item's drawn variants."""
    return is_count(variant) and variant < len(item.variants)


def is_attempt(value: Any) -> TypeGuard[str]:
    """Whether this is an attempt's id: 32 hex digits."""
    return _matches(_ATTEMPT, value)


def is_count(value: Any) -> TypeGuard[int]:
    """Whether this is a whole number from 0 that a page can hold exactly."""
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= _MAX_INTEGER


def _matches(pattern: re.Pattern[str], value: Any) -> bool:
    return isinstance(value, str) and pattern.fullmatch(value) is not None
