"""Who watches which class, and the one tick that all of them share: nothing is read while nobody watches.

A reader that falls behind skips what it missed and gets the state as it is then, so nothing queues for a slow one.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass, field
from time import monotonic
from typing import Any

from sqlalchemy import Connection

from quiz_widgets.classroom.desk.clock import Clock
from quiz_widgets.classroom.desk.library import Library
from quiz_widgets.classroom.desk.live import reading, views
from quiz_widgets.classroom.desk.live.board import Board
from quiz_widgets.classroom.desk.live.views import View
from quiz_widgets.classroom.desk.refusals import Unavailable

TICK_S = 0.5
PEOPLE_S = 4.0  # how often it is read who learns and who teaches, and how often a silent stream says that it lives
ALL_S = 60.0  # how often everything is read again
KEPT_S = 60.0  # how long a board is kept that nobody watches: whoever polls comes back within ten seconds
STREAMS = 2_000  # of one process
STREAMS_EACH = 32  # of one person: more than anybody has tabs, and nobody takes those of all others

log = logging.getLogger("quiz_widgets.desk")
Read = Callable[[Callable[[Connection], list[View]]], Awaitable[list[View]]]


@dataclass(slots=True, eq=False)
class Watched:
    """One board and those who wait for its next view."""

    board: Board
    view: View = field(default_factory=views.nothing)
    streams: int = 0
    wanted: float = field(default_factory=monotonic)
    read: float = float("-inf")
    read_people: float = float("-inf")
    read_all: float = float("-inf")
    woken: asyncio.Event = field(default_factory=asyncio.Event)

    async def next(self) -> View:
        """The view after the next change, or after some seconds without one."""
        await self.woken.wait()
        return self.view

    def wake(self) -> None:
        """Let all who wait look."""
        self.woken.set()
        self.woken = asyncio.Event()


class Watch:
    """The boards of one process."""

    def __init__(self, read: Read, library: Library, clock: Clock) -> None:
        self._read = read
        self._library = library
        self._clock = clock
        self._boards: dict[str, Watched] = {}
        self._of: Counter[str] = Counter()
        self._position = reading.Position()
        self._lock = asyncio.Lock()
        self._task: asyncio.Task[None] | None = None

    @property
    def streams(self) -> int:
        """How many streams are open."""
        return sum(one.streams for one in self._boards.values())

    async def view(self, quiz: Mapping[str, Any]) -> View:
        """The state of a quiz (a row of `rosters.quiz_of`), at most a tick old while it is watched."""
        return (await self._watched(quiz)).view

    def require_room(self, name: str) -> None:
        """`Unavailable` when there are too many streams, of all or of whoever has that name."""
        if self.streams >= STREAMS or self._of[name] >= STREAMS_EACH:
            raise Unavailable("many watch at this moment", 10)

    @contextlib.asynccontextmanager
    async def stream(self, quiz: Mapping[str, Any], name: str) -> AsyncIterator[Watched]:
        """A board that is kept up to date while this is open, for somebody. `Unavailable` as `require_room` says."""
        found = await self._watched(quiz)
        self.require_room(name)
        found.streams += 1
        self._of[name] += 1
        try:
            yield found
        finally:
            self._of -= Counter([name])
            found.streams -= 1
            found.wanted = monotonic()

    async def stop(self) -> None:
        """End the tick."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def _watched(self, quiz: Mapping[str, Any]) -> Watched:
        # In a task of its own: a reader that goes away meanwhile must not let the next one read beside it.
        found = await asyncio.shield(asyncio.create_task(self._wanted(quiz)))
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._run(), name="desk-watch")
        return found

    async def _wanted(self, quiz: Mapping[str, Any]) -> Watched:
        async with self._lock:
            found = self._boards.get(quiz["id"])
            if found is None:
                found = Watched(Board(quiz))
                await self._bring_up([*self._boards.values(), found])
                self._boards[quiz["id"]] = found
            elif monotonic() - found.read >= TICK_S and not found.streams:
                await self._bring_up(self._boards.values())
            found.wanted = monotonic()
        return found

    async def _run(self) -> None:
        """Tick, until nobody has wanted a board for a while."""
        while self._boards:
            await asyncio.sleep(TICK_S)
            await asyncio.shield(asyncio.create_task(self._tick()))
        self._position = reading.Position()

    async def _tick(self) -> None:
        async with self._lock:
            over = monotonic() - KEPT_S
            for name, one in list(self._boards.items()):
                if not one.streams and one.wanted < over:
                    del self._boards[name]
            if not self.streams:
                return
            try:
                await self._bring_up(self._boards.values())
            except Unavailable:
                log.warning("a class that is watched could not be read; the next tick tries again")
            except Exception:
                log.exception("a class that is watched could not be read; the next tick tries again")

    async def _bring_up(self, boards: Iterable[Watched]) -> None:
        """Read for these boards what is due, and wake those who wait for it."""
        due = list(boards)
        now = monotonic()
        people = [one for one in due if now - one.read_people >= PEOPLE_S]
        whole = [one for one in due if now - one.read_all >= ALL_S]

        def work(connection: Connection) -> list[View]:
            self._position.begin(connection, now)
            reading.read_new(connection, self._library, (one.board for one in due), self._position, now)
            for one in people:
                reading.read_people(connection, one.board)
            for one in whole:
                reading.read_all(connection, self._library, one.board)
            return [one.board.view(one.view, self._clock()) for one in due]

        try:
            views_ = await self._read(work)
        except BaseException:
            for one in due:  # what was read in part is read again
                one.read_all = float("-inf")
            raise
        for one, view in zip(due, views_, strict=True):
            changed = view is not one.view
            one.view, one.read = view, now
            if one in people:
                one.read_people = now
            if one in whole:
                one.read_all = now
            if changed or one in people:
                one.wake()


def told(view: View, known: int) -> bytes:
    """What a stream that knows the view of that number is sent: the change, or all, or that it lives."""
    if view.sequence == known:
        return b": \n\n"
    if known and view.sequence == known + 1:
        return b"event: change\ndata: " + view.change + b"\n\n"
    return b"event: state\ndata: " + view.whole + b"\n\n"
