"""The one writer of a process: whatever queues while it commits goes into the next transaction together.

A transaction for each answer costs five to seven times the CPU of a batch, and makes a hall of learners wait for each
other. Nobody is answered before the commit, so an answer that was acknowledged is in the database.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from time import monotonic
from typing import Any, TypeVar

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import SQLAlchemyError

from quiz_widgets.classroom.desk.database.engine import writing
from quiz_widgets.classroom.desk.refusals import Refused, Unavailable
from quiz_widgets.classroom.desk.submissions import Kept, Sent, keep

BATCH = 256  # submissions in a transaction: more gained nothing measurable
WAITING = 8_192  # submissions and other work that may queue before the desk asks to come back later

log = logging.getLogger("quiz_widgets.desk")
_Made = TypeVar("_Made")


@dataclass(frozen=True, slots=True)
class _Job:
    """Submissions to keep, or other work; and who waits for it."""

    done: asyncio.Future[Any]
    sent: Sequence[Sent] = ()
    work: Callable[[Connection], Any] | None = None


class Writer:
    """Carries out all writes of a process, in the order in which they came."""

    def __init__(self, engine: Engine, *, batch: int = BATCH, waiting: int = WAITING) -> None:
        self._engine = engine
        self._batch = batch
        self._jobs: asyncio.Queue[_Job] = asyncio.Queue(waiting)
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="desk-writer")
        self._task: asyncio.Task[None] | None = None
        self.batches = 0
        self.kept = 0
        self.failed = 0
        self._began: float | None = None

    @property
    def waiting(self) -> int:
        """How many jobs queue."""
        return self._jobs.qsize()

    @property
    def busy_s(self) -> float:
        """How long the transaction at hand takes so far, in seconds; 0 between two."""
        began = self._began
        return 0.0 if began is None else monotonic() - began

    async def start(self) -> None:
        """Begin to carry out jobs."""
        self._task = asyncio.create_task(self._run(), name="desk-writer")

    async def stop(self) -> None:
        """Carry out what queues, then end."""
        if self._task is not None:
            await self._jobs.join()
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        self._thread.shutdown()

    async def keep(self, sent: Sequence[Sent]) -> list[Kept]:
        """Keep submissions; returns when they are committed. `Unavailable` when they are not, and may be sent again."""
        made: list[Kept] = await self._queue(sent=sent)
        return made

    async def run(self, work: Callable[[Connection], _Made]) -> _Made:
        """Do other work within a transaction; returns what it returned, once committed. A `Refused` is raised on."""
        made: _Made = await self._queue(work=work)
        return made

    async def _queue(self, sent: Sequence[Sent] = (), work: Callable[[Connection], Any] | None = None) -> Any:
        done: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        try:
            self._jobs.put_nowait(_Job(done, sent, work))
        except asyncio.QueueFull:
            raise Unavailable("many answers arrive at this moment") from None
        return await done

    async def _run(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            jobs = [await self._jobs.get()]
            full = len(jobs[0].sent) or 1
            while full < self._batch and not self._jobs.empty():
                jobs.append(self._jobs.get_nowait())
                full += len(jobs[-1].sent) or 1
            results = await loop.run_in_executor(self._thread, self._commit, jobs)
            for job, result in zip(jobs, results, strict=True):
                if job.done.done():  # whoever waited is gone; the answer is kept all the same
                    continue
                if isinstance(result, BaseException):
                    job.done.set_exception(result)
                else:
                    job.done.set_result(result)
            for _ in jobs:
                self._jobs.task_done()

    def _commit(self, jobs: list[_Job]) -> list[Any]:
        """One transaction for all jobs. Where it fails, none of them happened, and all are told so."""
        self._began = monotonic()
        try:
            return self._transaction(jobs)
        finally:
            self._began = None

    def _transaction(self, jobs: list[_Job]) -> list[Any]:
        try:
            with writing(self._engine) as connection:
                results = self._carry_out(connection, jobs)
        except SQLAlchemyError as error:
            self.failed += 1
            log.warning("a transaction failed and was undone: %s", getattr(error, "orig", None) or type(error).__name__)
            return [Unavailable("the database cannot be written at this moment") for _ in jobs]
        except Exception as error:
            # A mistake of ours must not end the only writer: whoever waits is told, and the next batch goes on.
            self.failed += 1
            log.exception("a transaction failed and was undone")
            return [error for _ in jobs]
        self.batches += 1
        self.kept += sum(len(job.sent) for job in jobs)
        return results

    def _carry_out(self, connection: Connection, jobs: list[_Job]) -> list[Any]:
        every = [sent for job in jobs for sent in job.sent]
        kept = iter(keep(connection, every)) if every else iter(())
        # Submissions first: a "finish" that came with them in one batch came after them, or its learner sent it so.
        replies = [[next(kept) for _ in job.sent] for job in jobs]
        return [
            reply if job.work is None else self._attempted(connection, job.work)
            for job, reply in zip(jobs, replies, strict=True)
        ]

    @staticmethod
    def _attempted(connection: Connection, work: Callable[[Connection], Any]) -> Any:
        """The work's result, or its refusal; what refused work had written is undone, the rest of the batch stays."""
        try:
            with connection.begin_nested():
                return work(connection)
        except Refused as refused:
            return refused
        except SQLAlchemyError:
            raise  # the transaction itself is broken
        except Exception as error:
            log.exception("work at the desk failed and was undone")
            return error
