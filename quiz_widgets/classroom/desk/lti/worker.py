"""The worker of one process: it takes rows one by one, sends each, and writes down what became of it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import httpx
from sqlalchemy import Connection

from quiz_widgets.classroom.desk.clock import Clock
from quiz_widgets.classroom.desk.lti import claiming, failures, queueing
from quiz_widgets.classroom.desk.lti.ags import Ags, Gone
from quiz_widgets.classroom.desk.lti.claiming import Busy, Claimed
from quiz_widgets.classroom.desk.lti.failures import Later, Never
from quiz_widgets.classroom.desk.lti.tokens import Tokens
from quiz_widgets.classroom.desk.repeating import forever

EVERY_S = 5.0  # how often rows that are due are looked for
RELEASE_MS = 30_000  # how often rows are released
MOST_S = 120.0  # for all requests of one row; less than its claim lasts
BUSY_S = 0.05  # while another worker claims
LINE_MS = 5_000  # while another worker looks for the line item

Work = Callable[[Connection], Any]


class Worker:
    """`read` and `write` carry out work on the database, each in a transaction of its own."""

    def __init__(
        self,
        client: httpx.AsyncClient,
        file: Path | None,
        clock: Clock,
        read: Callable[[Work], Awaitable[Any]],
        write: Callable[[Work], Awaitable[Any]],
    ) -> None:
        self._clock = clock
        self._read = read
        self._write = write
        self._ags = Ags(client, Tokens(client, file, clock), clock)
        self._released: int | None = None

    async def run(self) -> None:
        """For ever: send what is due."""
        await forever(
            self.send_due,
            EVERY_S,
            away="what is to be sent could not be read or written down",
            failed="what is to be sent could not be sent",
        )

    async def send_due(self, course: str | None = None) -> int:
        """Send all that is due now, of one course or of all; how many rows were tried."""
        now = self._clock()
        sendable, held = await self._read(lambda connection: claiming.waiting(connection, now))
        if held and (self._released is None or abs(now - self._released) >= RELEASE_MS):
            self._released = now
            sendable |= bool(await self._write(lambda connection: claiming.release(connection, now)))
        tried = 0
        while sendable and (claimed := await self._claim(course)) is not None:
            if claimed == "busy":
                await asyncio.sleep(BUSY_S)
                continue
            await self._send(claimed)
            tried += 1
        return tried

    async def _claim(self, course: str | None) -> Claimed | Busy | None:
        found: Claimed | Busy | None = await self._write(
            lambda connection: claiming.claim(connection, self._clock(), course)
        )
        return found

    async def _send(self, claimed: Claimed) -> None:
        try:
            async with asyncio.timeout(MOST_S):
                line = claimed.line["url"] or await self._line(claimed)
                if line is None:
                    again = self._clock() + LINE_MS
                    await self._write(lambda connection: claiming.put_back(connection, claimed, again))
                    return
                await self._score(claimed, line)
        except (Later, TimeoutError) as error:
            told = error if isinstance(error, Later) else Later(f"no end within {MOST_S:g} s", unsure=True)
            await self._write(lambda connection: claiming.later(connection, claimed, told, self._clock()))
        except Never as never:
            word = never.word
            await self._write(lambda connection: claiming.failed(connection, claimed, word))
        else:
            await self._write(lambda connection: claiming.sent(connection, claimed, self._clock()))

    async def _line(self, claimed: Claimed) -> str | None:
        """Where the quiz's line item is; `None` while another worker looks for it."""
        quiz = claimed.row["quiz"]
        if not await self._write(lambda connection: claiming.claim_line(connection, quiz, self._clock())):
            return None
        url: str | None = None
        try:
            url = await self._ags.line(claimed.platform, quiz, claimed.line)
        finally:
            await self._write(lambda connection: claiming.found_line(connection, claimed.line, url))
        return url

    async def _score(self, claimed: Claimed, line: str) -> None:
        body = {
            **json.loads(claimed.row["payload"]),
            "timestamp": queueing.written(claimed.row["stamp"]),
            "userId": claimed.subject,
        }
        try:
            await self._ags.score(claimed.platform, line, body, unsure=claimed.unsure)
        except Gone:
            await self._write(lambda connection: claiming.found_line(connection, claimed.line, None))
            raise Later("the line item is no longer there; it is made anew", after=failures.BASE_MS) from None
