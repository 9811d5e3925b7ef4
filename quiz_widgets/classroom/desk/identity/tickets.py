"""Tickets: after one look-up at the Hub a kernel shows the desk's own short word instead, which any worker can check.

A burst of answers then costs the Hub nothing, and answers go on arriving while the Hub is down. A ticket submits; it
never teaches.
"""

from __future__ import annotations

import base64
import hmac
import json
from collections.abc import Iterable

from quiz_widgets.classroom.desk.identity.who import Who

LIFETIME = 15 * 60_000  # ms
PREFIX = "ticket-"
_LONGEST = 1024


class Tickets:
    """Makes tickets with the first secret, and knows those made with any."""

    def __init__(self, secrets: Iterable[str]) -> None:
        self._keys = [bytes.fromhex(secret) for secret in secrets]

    def ticket(self, name: str, now: int) -> str:
        """A ticket for that person, good for `LIFETIME`."""
        body = json.dumps([name, now + LIFETIME], ensure_ascii=True, separators=(",", ":")).encode("ascii")
        return PREFIX + _text(body) + "." + _text(self._seal(self._keys[0], body))

    def who(self, ticket: str, now: int) -> Who | None:
        """Whose ticket it is; `None` for what is no ticket of ours, or one that is over."""
        if not ticket.startswith(PREFIX) or len(ticket) > _LONGEST:
            return None
        written, _, seal = ticket[len(PREFIX) :].partition(".")
        body, given = _bytes(written), _bytes(seal)
        if body is None or given is None:
            return None
        if not any(hmac.compare_digest(given, self._seal(key, body)) for key in self._keys):
            return None
        name, until = json.loads(body)
        return Who(name, frozenset({"submit"}), "ticket") if now < until else None

    @staticmethod
    def _seal(key: bytes, body: bytes) -> bytes:
        return hmac.digest(key, b"ticket\0" + body, "sha256")


def _text(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode("ascii")


def _bytes(text: str) -> bytes | None:
    """What `_text` wrote so, and no other writing of it."""
    try:
        data = base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
    except ValueError:
        return None
    return data if _text(data) == text else None
