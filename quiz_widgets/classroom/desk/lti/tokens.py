"""Access tokens of platforms: asked for with the desk's key, used until shortly before they expire.

A platform that is asked for a token with each score soon says that it is asked too often.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx

from quiz_widgets.classroom.desk.clock import Clock
from quiz_widgets.classroom.desk.database.rows import Row
from quiz_widgets.classroom.desk.lti import failures, keys, web
from quiz_widgets.classroom.desk.lti.failures import Later
from quiz_widgets.classroom.desk.settings import SettingsError

SCOPES = (
    "https://purl.imsglobal.org/spec/lti-ags/scope/lineitem",
    "https://purl.imsglobal.org/spec/lti-ags/scope/score",
)
EARLY_MS = 60_000  # a token is not used in its last minute
UNSAID_S = 300  # how long a token is taken to be good when the platform does not say
_LONGEST = 16_384
_JWT_BEARER = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"


@dataclass(frozen=True, slots=True)
class _Token:
    text: str
    until: int


class Tokens:
    """The tokens of one process, in memory alone."""

    def __init__(self, client: httpx.AsyncClient, file: Path | None, clock: Clock) -> None:
        self._client = client
        self._file = file
        self._clock = clock
        self._known: dict[tuple[str, ...], _Token] = {}

    async def get(self, platform: Row) -> str:
        """A token for this platform; `Later` when it gives none."""
        name = _name(platform)
        known = self._known.get(name)
        if known is not None and self._clock() < known.until:
            return known.text
        made = await self._ask(platform)
        self._known[name] = made
        return made.text

    def forget(self, platform: Row) -> None:
        """Ask anew next time: the platform no longer takes the token."""
        self._known.pop(_name(platform), None)

    async def _ask(self, platform: Row) -> _Token:
        now = self._clock()
        try:
            shown = keys.assertion(
                keys.read(self._file), platform["client"], platform["audience"] or platform["token_url"], now
            )
        except SettingsError as error:
            raise Later(f"the desk's keys: {error}", whole=True) from None
        except ImportError:
            raise Later("the desk needs PyJWT for this: pip install 'quiz_widgets[lti]'", whole=True) from None
        form = {
            "grant_type": "client_credentials",
            "client_assertion_type": _JWT_BEARER,
            "client_assertion": shown,
            "scope": " ".join(SCOPES),
        }
        try:
            reply = await web.ask(
                self._client, "POST", platform["token_url"], headers={"Accept": "application/json"}, form=form
            )
            if not reply.fine:
                failed = failures.of_reply(reply, now, (shown,))
                raise Later(f"no token: {failed.word}", after=getattr(failed, "after", None), whole=True)
            return _token(reply.json(), now)
        except web.Unreachable as error:
            raise Later(f"no token: {error.word}", whole=True) from None


def _token(found: Any, now: int) -> _Token:
    text = found.get("access_token") if isinstance(found, dict) else None
    if not isinstance(text, str) or not 0 < len(text) <= _LONGEST or not text.isascii() or not text.isprintable():
        raise Later("no token: the reply holds none", whole=True)
    seconds = found.get("expires_in")
    if isinstance(seconds, str) and seconds.isdecimal():
        seconds = int(seconds[:9])
    if not isinstance(seconds, int | float) or not 0 < seconds < 10**9:
        seconds = UNSAID_S
    return _Token(text, now + max(int(seconds * 1000) - EARLY_MS, 1))


def _name(platform: Row) -> tuple[str, ...]:
    return tuple(str(platform[name]) for name in ("token_url", "client", "audience"))
