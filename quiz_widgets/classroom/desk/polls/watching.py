"""Waiting for a poll's next change: one look at the database for all who wait in this process, twice a second.

So two workers need nothing but the database between them, and a hall that waits costs next to nothing. The process
that changes a poll looks at once.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections import Counter
from collections.abc import Awaitable, Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Connection, select

from quiz_widgets.classroom import wire
from quiz_widgets.classroom.desk.database.class_tables import poll
from quiz_widgets.classroom.desk.database.rows import rows
from quiz_widgets.classroom.desk.polls.steps import told
from quiz_widgets.classroom.desk.refusals import Unavailable

EVERY_S = 0.5
LONGEST_S = 25.0  # of one request: proxies cut a connection on which nothing comes, most after 60 s
READ_MS, MOST_SPREAD_MS = 2, 1500  # what reading an attempt takes; what makes pages follow in two seconds, with a look
EACH = 32  # requests of one learner that wait at once: each notebook that follows a poll has one
log = logging.getLogger("quiz_widgets.desk")
States = Mapping[str, wire.PollState]


@dataclass(slots=True)
class _Watched:
    waiting: int = 0
    told: int = 0  # how many waited when the state changed last
    state: wire.PollState | None = None
    changed: asyncio.Event = field(default_factory=asyncio.Event)


class Watcher:
    """All who wait in one process. `read` does work in the database, as `Desk.read` does."""

    def __init__(self, read: Callable[[Callable[[Connection], States]], Awaitable[States]]) -> None:
        self._read = read
        self._watched: dict[str, _Watched] = {}
        self._of: Counter[str] = Counter()
        self._now = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self.looks = 0

    @property
    def waiting(self) -> int:
        """How many requests wait."""
        return sum(one.waiting for one in self._watched.values())

    @contextlib.contextmanager
    def place(self, name: str) -> Iterator[None]:
        """A place among those who wait, for whoever has that name; `Unavailable` where they have all of theirs."""
        if self._of[name] >= EACH:
            raise Unavailable("that is more than one learner can wait for at once", 10)
        self._of[name] += 1
        try:
            yield
        finally:
            self._of -= Counter([name])

    async def wait(self, quiz_id: str, known: wire.PollState) -> tuple[wire.PollState, int]:
        """The poll's state as soon as it is another than the one that is known; that one after `LONGEST_S`.

        With it, within how many ms all who are told should read their attempts, so that others are served in between.
        """
        watched = self._watched.setdefault(quiz_id, _Watched())
        watched.waiting += 1
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._look_again_and_again(), name="desk-polls")
        try:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(LONGEST_S):
                    while watched.state is None or watched.state["sequence"] <= known["sequence"]:
                        await watched.changed.wait()
                    return watched.state, min(READ_MS * watched.told, MOST_SPREAD_MS)
            return known, 0
        except asyncio.CancelledError:  # the server ends: that is no news, and no failure either
            return known, 0
        finally:
            watched.waiting -= 1
            if not watched.waiting:
                self._watched.pop(quiz_id, None)

    def look(self) -> None:
        """Look now: this process has changed a poll."""
        self._now.set()

    async def stop(self) -> None:
        """Look no more."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def _look_again_and_again(self) -> None:
        while self._watched:
            self._now.clear()
            quizzes = tuple(self._watched)
            try:
                self._tell(await self._read(lambda connection, asked=quizzes: _states(connection, asked)))  # type: ignore[misc]
            except Unavailable:
                log.warning("polls could not be looked at; the next look tries again")
            self.looks += 1
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(EVERY_S):
                    await self._now.wait()

    def _tell(self, states: States) -> None:
        for quiz_id, state in states.items():
            watched = self._watched.get(quiz_id)
            if watched is not None and watched.state != state:
                watched.state, watched.told = state, watched.waiting
                watched.changed.set()
                watched.changed = asyncio.Event()


def _states(connection: Connection, quizzes: Collection[str]) -> dict[str, Any]:
    return {row["quiz"]: told(row) for row in rows(connection, select(poll).where(poll.c.quiz.in_(quizzes)))}
