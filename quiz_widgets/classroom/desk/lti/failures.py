"""What went wrong with a platform: whether to try again, how soon, and in which words an instructor reads it."""

from __future__ import annotations

import json
import random
from collections.abc import Iterable
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from http import HTTPStatus

from quiz_widgets.classroom.desk.lti.web import Reply

BASE_MS = 5_000
MOST_MS = 3_600_000
LONGEST_REST_MS = 6 * 3_600_000  # a platform may ask for more patience than that; it is asked again all the same
LONGEST_WORD = 300
_jitter = random.SystemRandom()
_WORDS = ("error_description", "message", "error", "detail", "title", "errors", "reason")


class Later(Exception):
    """It may work later. `unsure`: it may have arrived. `whole`: nothing of this platform is worth trying before."""

    def __init__(self, word: str, *, after: int | None = None, unsure: bool = False, whole: bool = False) -> None:
        super().__init__(word)
        self.word = word
        self.after = after
        self.unsure = unsure
        self.whole = whole


class Never(Exception):
    """It will not work as it is; `word` says what the platform answered."""

    def __init__(self, word: str) -> None:
        super().__init__(word)
        self.word = word


def backoff(failed: int, after: int | None = None) -> int:
    """How many ms to wait after so many failures in a row: full jitter, and never less than the platform asked for."""
    jitter = int(_jitter.uniform(0, min(MOST_MS, BASE_MS * 2 ** min(failed, 20))))
    return 1_000 + jitter + min(after or 0, LONGEST_REST_MS)


def of_reply(reply: Reply, now: int, hidden: Iterable[str] = ()) -> Later | Never:
    """What a reply that is no success means. `hidden`: secrets that its words must not repeat."""
    said = word(reply, hidden)
    if reply.status == HTTPStatus.TOO_MANY_REQUESTS or _asks_for_patience(reply):
        return Later(said, after=retry_after(reply, now), whole=True)
    if reply.status >= HTTPStatus.INTERNAL_SERVER_ERROR or reply.status in (
        HTTPStatus.REQUEST_TIMEOUT,
        HTTPStatus.TOO_EARLY,
    ):
        return Later(said, after=retry_after(reply, now), unsure=True)
    return Never(said)


def retry_after(reply: Reply, now: int) -> int | None:
    """What ``Retry-After`` asks for, in ms."""
    text = reply.headers.get("retry-after", "").strip()
    if text.isascii() and text.isdigit():
        return min(int(text[:9]) * 1000, LONGEST_REST_MS)
    try:
        at = parsedate_to_datetime(text)
    except (ValueError, TypeError, IndexError, OverflowError):
        return None
    at = at if at.tzinfo else at.replace(tzinfo=UTC)
    ahead = int((at - datetime.fromtimestamp(now / 1000, UTC)).total_seconds() * 1000)
    return min(max(0, ahead), LONGEST_REST_MS)


def word(reply: Reply, hidden: Iterable[str] = ()) -> str:
    """The status and what the platform says, short, in one line, without anything that the desk keeps to itself."""
    try:
        said = _said(json.loads(reply.body))
    except (ValueError, RecursionError):
        kind = reply.headers.get("content-type", "")
        said = reply.body.decode("utf-8", "replace") if kind.startswith("text/plain") else ""
    for secret in hidden:
        said = said.replace(secret, "…")
    said = "".join(sign if sign.isprintable() else " " for sign in " ".join(said.split()))
    return f"{reply.status} {said}".strip()[:LONGEST_WORD]


def _said(found: object) -> str:
    if isinstance(found, str):
        return found
    if isinstance(found, list):
        return "; ".join(filter(None, (_said(one) for one in found[:3])))
    if isinstance(found, dict):
        told = [_said(found[name]) for name in _WORDS if name in found]
        return ": ".join(dict.fromkeys(filter(None, told)))
    return ""


def _asks_for_patience(reply: Reply) -> bool:
    """Canvas says 403 where others say 429."""
    if reply.status != HTTPStatus.FORBIDDEN:
        return False
    try:
        left = float(reply.headers.get("x-rate-limit-remaining", "1"))
    except ValueError:
        left = 1.0
    return b"rate limit" in reply.body.lower() or left <= 0
