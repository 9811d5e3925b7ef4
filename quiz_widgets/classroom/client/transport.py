"""One question to the desk and its answer; what came of it is either the desk's own word, or nothing at all.

Between a kernel and the desk stand a proxy and a Hub, which answer in HTML when the desk is away: with 404
while the Hub begins, with 503, or with a cut connection. Whatever is not the desk's JSON counts as not delivered.
"""

from __future__ import annotations

import http.client
import json
import ssl
import time
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

from quiz_widgets.classroom import wire
from quiz_widgets.classroom.client import environment

TIMEOUT_S = 20.0
LARGEST_REPLY = 32 * 1024 * 1024  # bytes; an exam of 200 questions takes half a megabyte
_LATER = frozenset({408, 425, 429, 500, 502, 503, 504})
_TICKET_MS = 12 * 60_000  # a ticket is good for 15 minutes; the rest is for clocks that differ


class Undelivered(Exception):
    """Nobody can say whether it arrived: it may be sent again. `after`: seconds that the desk asks for."""

    def __init__(self, why: str, after: float | None = None) -> None:
        super().__init__(why)
        self.why = why
        self.after = after


class Refusal(Exception):
    """The desk's own no. Sending the same again would change nothing."""

    def __init__(self, code: str, message: str, status: int) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.status = status


class Transport:
    """Asks the desk at one place. A connection is made for each question: idle ones are cut without a word."""

    def __init__(
        self,
        place: environment.Place,
        token: Callable[[], str] = environment.token,
        clock: Callable[[], float] = time.monotonic,
        *,
        largest: int = wire.LARGEST_BODY,
        held: Callable[[], int] | None = None,
    ) -> None:
        """`held`: how many answers wait for the desk, told with each question."""
        self._parts = urlsplit(f"{place.url}/{wire.API}")
        self._token = token
        self._clock = clock
        self._largest = largest
        self._held = held
        self._ticket: tuple[str, float] | None = None

    def ask(self, method: str, path: str, sent: Any = None, *, wait: float = TIMEOUT_S) -> Any:
        """The desk's answer. `Undelivered` when there is none, `Refusal` when it says no, `NoDesk` without a token.

        `wait`: seconds until it counts as none.
        """
        data = b"" if sent is None else json.dumps(sent, ensure_ascii=False, separators=(",", ":")).encode("utf-8")
        if len(data) > self._largest:
            raise Refusal("too_large", f"{len(data)} bytes are more than the desk reads at once", 413)
        with_ticket = self._ticket is not None and self._clock() < self._ticket[1]
        try:
            shown = self._ticket[0] if with_ticket and self._ticket else self._token()
            return self._once(method, path, data, shown, wait)
        except Refusal as refusal:
            if refusal.status != 401 or not with_ticket:
                raise
        self._ticket = None  # its time is over, or the desk has other secrets now: the token says who it is
        return self._once(method, path, data, self._token(), wait)

    def _once(self, method: str, path: str, data: bytes, shown: str, wait: float) -> Any:
        status, kind, after, text = self._exchange(method, path, data, shown, wait)
        try:
            found = json.loads(text) if kind.startswith("application/json") else None
        except ValueError:
            found = None
        if not isinstance(found, dict) or (status >= 300 and "error" not in found):
            raise Undelivered(f"something between here and the desk answered {status}", after)
        if 200 <= status < 300:
            self._remember(found)
            return found
        if status in _LATER or found.get("retry") is True:
            raise Undelivered(str(found.get("message", status)), after)
        raise Refusal(str(found.get("error", "")), str(found.get("message", status)), status)

    def _exchange(
        self, method: str, path: str, data: bytes, shown: str, wait: float
    ) -> tuple[int, str, float | None, bytes]:
        parts = self._parts
        made: type[http.client.HTTPConnection] = (
            http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
        )
        connection = made(parts.hostname or "", parts.port, timeout=wait)
        headers = {"Authorization": f"token {shown}", "Accept": "application/json", "Connection": "close"}
        if self._held is not None:
            headers[wire.WAITING] = str(self._held())
        if method != "GET":
            headers["Content-Type"] = "application/json"
        try:
            connection.request(method, parts.path + path, body=data or None, headers=headers)
            reply = connection.getresponse()
            text = reply.read(LARGEST_REPLY + 1)
        except (TimeoutError, OSError, http.client.HTTPException, ssl.SSLError, UnicodeError) as error:
            raise Undelivered(f"the desk cannot be reached: {type(error).__name__}") from None
        finally:
            connection.close()
        if len(text) > LARGEST_REPLY:
            raise Undelivered("the answer is larger than any of the desk's")
        return reply.status, reply.headers.get_content_type(), _seconds(reply.headers.get("Retry-After")), text

    def _remember(self, found: dict[str, Any]) -> None:
        state = found.get("state", found)
        ticket = state.get("ticket") if isinstance(state, dict) else None
        if isinstance(ticket, str):
            self._ticket = (ticket, self._clock() + _TICKET_MS / 1000)


def _seconds(text: str | None) -> float | None:
    return min(float(text), 600.0) if text is not None and text.isascii() and text.isdigit() else None
