"""Asking the Hub whose token it is: seldom, once at a time for each token, and never so often that it falls behind.

The Hub answers a few hundred such questions a second with its one core; a lecture hall would ask thousands. So answers
are kept for a minute, several requests with one token wait for one question, and tokens that were never good share a
budget of their own, which a flood of made-up ones uses up without holding up anybody whose token is known.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from time import monotonic
from typing import TypeVar

import httpx

from quiz_widgets.classroom.desk.identity.who import Scope, Source, Who
from quiz_widgets.classroom.desk.limits import Bucket
from quiz_widgets.classroom.desk.refusals import Unavailable

KNOWN_S = 60.0  # how long a good answer holds: a revoked token submits at most this long
UNKNOWN_S = 10.0  # how long a bad one does: somebody just given access waits at most this long
AT_ONCE = 8  # questions on their way to the Hub
KEPT = 20_000  # tokens remembered, good and bad
_Value = TypeVar("_Value")


@dataclass(frozen=True, slots=True)
class Looking:
    """Which scope of the Hub's is looked for, where such tokens come from, and how long a good answer holds."""

    hub_scope: str
    scope: Scope
    source: Source
    known_s: float


KERNELS = Looking("custom:quiz:submit", "submit", "hub", KNOWN_S)
BROWSERS = Looking("custom:quiz:teach", "teach", "browser", 10.0)


class Hub:
    """The Hub's word on tokens. A kernel's token submits; teaching is for a browser's session (see `browser`)."""

    def __init__(
        self,
        client: httpx.AsyncClient,
        api_url: str,
        service: str,
        *,
        rate: float = 200.0,
        burst: float = 1_000.0,
        clock: Callable[[], float] = monotonic,
        looking: Looking = KERNELS,
    ) -> None:
        self._client = client
        self._url = f"{api_url.rstrip('/')}/user"
        self._access = {"access:services", f"access:services!service={service}"}
        self._clock = clock
        self._looking = looking
        self._told: OrderedDict[str, tuple[Who | None, float]] = OrderedDict()
        self._known: OrderedDict[str, None] = OrderedDict()
        self._asked: dict[str, asyncio.Task[Who | None]] = {}
        self._unknown = Bucket(rate, burst, clock)
        self._gate = asyncio.Semaphore(AT_ONCE)
        self.requests = 0

    async def who(self, token: str) -> Who | None:
        """Whose token it is; `None` when the Hub knows no such one, or it may not submit.

        `Unavailable` when the Hub cannot be asked now.
        """
        key = hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()
        told = self._told.get(key)
        if told is not None and self._clock() < told[1]:
            return told[0]
        task = self._asked.get(key)
        if task is None:
            if key not in self._known and not self._unknown.take():
                raise Unavailable("many unknown tokens are shown at this moment", 3)
            task = self._asked[key] = asyncio.create_task(self._ask(key, token))
            task.add_done_callback(lambda _: self._asked.pop(key, None))
        return await asyncio.shield(task)  # whoever gives up waiting leaves the question to the others

    async def _ask(self, key: str, token: str) -> Who | None:
        async with self._gate:
            self.requests += 1
            try:
                told = await self._client.get(self._url, headers={"Authorization": f"token {token}"})
                found = told.json() if told.status_code == 200 else None
            except (httpx.HTTPError, ValueError):
                raise Unavailable("the Hub does not answer") from None
        if told.status_code not in (200, 401, 403):
            raise Unavailable("the Hub does not answer")
        who = self._read(found)
        _keep(self._told, key, (who, self._clock() + (self._looking.known_s if who else UNKNOWN_S)))
        if who is not None:
            _keep(self._known, key, None)
        return who

    def _read(self, found: object) -> Who | None:
        if not isinstance(found, dict) or found.get("kind") != "user":  # a service is no learner
            return None
        scopes = {str(scope) for scope in found.get("scopes") or ()}
        if self._looking.hub_scope not in scopes or not scopes & self._access:
            return None
        told = found.get("groups")
        groups = frozenset(map(str, told)) if isinstance(told, list) else None
        return Who(str(found["name"]), frozenset({self._looking.scope}), self._looking.source, groups=groups)


def _keep(kept: OrderedDict[str, _Value], key: str, value: _Value) -> None:
    """Remember the newest; what was remembered longest goes, so that tokens cannot fill the memory."""
    kept[key] = value
    kept.move_to_end(key)
    while len(kept) > KEPT:
        kept.popitem(last=False)
