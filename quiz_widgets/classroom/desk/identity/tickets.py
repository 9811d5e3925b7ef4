"""Tickets: after one look-up at the Hub a kernel shows the desk's own short word instead, which any worker can check.

A burst of answers then costs the Hub nothing, and answers go on arriving while the Hub is down. A ticket submits; it
never teaches.
"""

from __future__ import annotations

import base64
import hmac
import json
from collections.abc import Iterable

from quiz_widgets.classroom.desk.identity.who import Scope, Who

LIFETIME = 15 * 60_000  # ms
PREFIX = "ticket-"
_LONGEST = 1024
_SCOPES: frozenset[Scope] = frozenset({"submit"})


class Tickets:
    """Makes tickets with the first secret, and knows those made with any."""

    def __init__(self, secrets: Iterable[str]) -> None:
        self._keys = [bytes.fromhex(secret) for secret in secrets]

    def ticket(self, name: str, now: int) -> str:
        """A ticket for that person, good for `LIFETIME`."""
        said = json.dumps([name, now + LIFETIME], ensure_ascii=True, separators=(",", ":")).encode("ascii")
        body = base64.urlsafe_b64encode(said).decode("ascii")
        return f"{PREFIX}{body}.{self._seal(self._keys[0], body)}"

    def who(self, ticket: str, now: int) -> Who | None:
        """Whose ticket it is; `None` for what is no ticket of ours, or one that is over."""
        if not ticket.startswith(PREFIX) or len(ticket) > _LONGEST or not ticket.isascii():
            return None
        body, _, seal = ticket[len(PREFIX) :].partition(".")
        if not any(hmac.compare_digest(seal, self._seal(key, body)) for key in self._keys):
            return None
        name, until = json.loads(base64.urlsafe_b64decode(body))
        return Who(name, _SCOPES, "ticket") if now < until else None

    @staticmethod
    def _seal(key: bytes, body: str) -> str:
        """Over the ticket as it is written, so that no other writing of it is one too."""
        return hmac.digest(key, f"ticket\0{body}".encode("ascii"), "sha256").hex()
