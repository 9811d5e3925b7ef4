"""Queueing finished attempts in the outbox, and sending their statements in batches."""

from __future__ import annotations

import json
import logging
import secrets
from base64 import b64encode
from collections.abc import Awaitable, Callable, Sequence
from http import HTTPStatus
from typing import Any

import httpx
from sqlalchemy import Connection, exists, insert, or_, select, text, update

from quiz_widgets.classroom.desk.clock import Clock
from quiz_widgets.classroom.desk.database.engine import is_sqlite
from quiz_widgets.classroom.desk.database.outside_tables import outbox
from quiz_widgets.classroom.desk.database.rows import Row, rows
from quiz_widgets.classroom.desk.database.tables import attempt, person, quiz
from quiz_widgets.classroom.desk.library import Library
from quiz_widgets.classroom.desk.lti import claiming, failures, web
from quiz_widgets.classroom.desk.lti.failures import Later
from quiz_widgets.classroom.desk.repeating import forever
from quiz_widgets.classroom.desk.settings import Xapi
from quiz_widgets.classroom.desk.xapi import statements

KIND = "xapi"
BATCH = 50  # statements in a request
AT_ONCE = 10  # attempts that a worker claims together
QUEUED = 256  # attempts that are queued in one transaction
EVERY_S = 30.0
_LOCK = 0x78617069

log = logging.getLogger("quiz_widgets.desk")
Work = Callable[[Connection], Any]
Statement = dict[str, Any]


def queue(connection: Connection, now: int) -> int:
    """Queue scored attempts that are not yet; how many. They wait, as scores do, until their keys are shown."""
    if (
        not is_sqlite(connection)
        and not connection.execute(text("select pg_try_advisory_xact_lock(:key)"), {"key": _LOCK}).scalar_one()
    ):
        return 0
    queued = exists().where(outbox.c.kind == KIND, outbox.c.unique_key == attempt.c.id)
    asked = (
        select(attempt.c.id, attempt.c.quiz, attempt.c.person, attempt.c.version, quiz.c.course)
        .join(quiz, quiz.c.id == attempt.c.quiz)
        .join(person, person.c.id == attempt.c.person)
        .where(attempt.c.scored, person.c.erased.is_(None), ~queued)
        .order_by(attempt.c.finished)
        .limit(QUEUED)
    )
    made = [
        {
            "id": secrets.token_hex(16), "kind": KIND, "course": one["course"], "quiz": one["quiz"],
            "person": one["person"], "unique_key": one["id"], "payload": "{}", "stamp": now,
            "waits_for": one["version"], "state": "waiting", "tries": 0, "next_try": now, "made": now,
        }
        for one in rows(connection, asked)
    ]  # fmt: skip
    if made:
        connection.execute(insert(outbox), made)
    return len(made)


def claim(connection: Connection, now: int) -> list[Row]:
    """Attempts that this worker is to send."""
    asked = (
        select(outbox)
        .where(outbox.c.kind == KIND, outbox.c.state == "waiting", outbox.c.waits_for.is_(None))
        .where(outbox.c.next_try <= now, or_(outbox.c.claimed.is_(None), outbox.c.claimed <= now))
        .order_by(outbox.c.next_try, outbox.c.id)
        .limit(AT_ONCE)
    )
    if not is_sqlite(connection):
        asked = asked.with_for_update(skip_locked=True)
    found = rows(connection, asked)
    _set(connection, found, claimed=now + claiming.CLAIM_MS)
    return found


class Sender:
    """The worker of one process. `read` and `write` carry out work on the database."""

    def __init__(
        self,
        client: httpx.AsyncClient,
        store: Xapi,
        clock: Clock,
        read: Callable[[Work], Awaitable[Any]],
        write: Callable[[Work], Awaitable[Any]],
    ) -> None:
        self._client = client
        self._store = store
        self._clock = clock
        self._read = read
        self._write = write
        self._library = Library()

    async def run(self) -> None:
        """For ever: queue and send."""
        await forever(
            self.send_due,
            EVERY_S,
            away="statements could not be read or written down",
            failed="statements could not be sent",
        )

    async def send_due(self) -> int:
        """Queue what is new and send what is due; how many attempts were sent."""
        while await self._write(lambda connection: queue(connection, self._clock())) == QUEUED:
            pass
        await self._write(lambda connection: claiming.release(connection, self._clock()))
        done = 0
        while found := await self._write(lambda connection: claim(connection, self._clock())):
            sent = await self._send(found)
            done += sent
            if not sent:
                break
        return done

    async def _send(self, found: Sequence[Row]) -> int:
        made = await self._read(lambda connection: self._made(connection, found))
        every = [statement for one in made.values() for statement in one]
        try:
            refused: dict[str, str] = {}
            for start in range(0, len(every), BATCH):
                refused |= await self._post(every[start : start + BATCH])
        except Later as error:
            later = error
            log.warning("statements were not taken: %s", later.word)
            await self._write(lambda connection: _later(connection, found, later, self._clock()))
            return 0
        words = {
            row["id"]: next((refused[one["id"]] for one in made[row["id"]] if one["id"] in refused), None)
            for row in found
        }
        await self._write(lambda connection: _settle(connection, words, self._clock()))
        return len(found)

    def _made(self, connection: Connection, found: Sequence[Row]) -> dict[str, list[Statement]]:
        return {
            row["id"]: statements.of_attempt(connection, self._library, self._store, row["unique_key"]) for row in found
        }

    async def _post(self, batch: Sequence[Statement]) -> dict[str, str]:
        """Send statements; what was refused, by its id, and why. `Later` where it may work later.

        One that a store has already lets it refuse all of a batch: then each goes alone, and what it has is done.
        """
        store = self._store
        word = b64encode(f"{store.key}:{store.secret}".encode()).decode()
        headers = {
            "Authorization": f"Basic {word}",
            "Content-Type": "application/json",
            "X-Experience-API-Version": "1.0.3",
        }
        try:
            reply = await web.ask(
                self._client, "POST", f"{store.url.rstrip('/')}/statements",
                headers=headers, content=json.dumps(list(batch), ensure_ascii=False),
            )  # fmt: skip
        except web.Unreachable as error:
            raise Later(error.word) from None
        if reply.fine:
            return {}
        if reply.status in (HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN, HTTPStatus.NOT_FOUND):
            raise Later(failures.word(reply, (word, store.secret)))
        failed = failures.of_reply(reply, self._clock(), (word, store.secret))
        if isinstance(failed, Later):
            raise failed
        if len(batch) == 1:
            return {} if reply.status == HTTPStatus.CONFLICT else {batch[0]["id"]: failed.word}
        refused: dict[str, str] = {}
        for one in batch:
            refused |= await self._post([one])
        return refused


def _later(connection: Connection, found: Sequence[Row], error: Later, now: int) -> None:
    """All of them after a while: the store is at fault, and none of them."""
    tries = max(row["tries"] for row in found) + 1
    _set(
        connection, found,
        tries=tries, last_error=error.word, claimed=None, next_try=now + failures.backoff(tries, error.after),
    )  # fmt: skip


def _settle(connection: Connection, words: dict[str, str | None], now: int) -> None:
    for row_id, word in words.items():
        state = {"state": "sent", "sent": now} if word is None else {"state": "failed"}
        connection.execute(
            update(outbox)
            .where(outbox.c.id == row_id, outbox.c.state == "waiting")
            .values(**state, last_error=word, claimed=None)
        )


def _set(connection: Connection, found: Sequence[Row], **values: Any) -> None:
    if found:
        connection.execute(update(outbox).where(outbox.c.id.in_([row["id"] for row in found])).values(values))
