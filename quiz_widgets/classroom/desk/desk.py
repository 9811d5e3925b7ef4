"""The desk of one process: everything that its routes share, begun and ended with it."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import TypeVar

import httpx
from sqlalchemy import Connection, Engine
from sqlalchemy.exc import SQLAlchemyError

from quiz_widgets.classroom.desk import attempts, contacts, gradebook
from quiz_widgets.classroom.desk.aside import Aside
from quiz_widgets.classroom.desk.clock import Clock
from quiz_widgets.classroom.desk.clock import now as machine_time
from quiz_widgets.classroom.desk.contacts import Contacts
from quiz_widgets.classroom.desk.database import alone
from quiz_widgets.classroom.desk.database.engine import connect, reading, writing
from quiz_widgets.classroom.desk.database.migrations import require_newest
from quiz_widgets.classroom.desk.identity.browser import Cookies
from quiz_widgets.classroom.desk.identity.hub import BROWSERS, Hub
from quiz_widgets.classroom.desk.identity.tickets import Tickets
from quiz_widgets.classroom.desk.library import Library
from quiz_widgets.classroom.desk.limits import Buckets
from quiz_widgets.classroom.desk.live.watch import Watch
from quiz_widgets.classroom.desk.lti import web
from quiz_widgets.classroom.desk.lti.worker import Worker
from quiz_widgets.classroom.desk.meters import Meters
from quiz_widgets.classroom.desk.polls.votes import Kept
from quiz_widgets.classroom.desk.polls.watching import Watcher
from quiz_widgets.classroom.desk.receipts import Seals
from quiz_widgets.classroom.desk.refusals import Unavailable
from quiz_widgets.classroom.desk.repeating import forever
from quiz_widgets.classroom.desk.runs import Runs
from quiz_widgets.classroom.desk.settings import Settings
from quiz_widgets.classroom.desk.writer import Writer
from quiz_widgets.classroom.desk.written import Written
from quiz_widgets.classroom.desk.xapi.sending import Sender

EVERY_S = 1.0  # how often attempts that are over are looked for
SUBMITS_S, SUBMITS_BURST = 5.0, 120.0  # submissions of one learner: eight at once and then one in 200 ms is a fast hand
log = logging.getLogger("quiz_widgets.desk")
_Found = TypeVar("_Found")


@dataclass(slots=True)
class Desk:
    """Made by `running`; its parts are for the routes."""

    settings: Settings
    engine: Engine
    writer: Writer
    hub: Hub | None
    teachers: Hub | None
    client: httpx.AsyncClient
    tickets: Tickets
    seals: Seals
    cookies: Cookies
    clock: Clock = machine_time
    library: Library = field(default_factory=Library)
    aside: Aside = field(default_factory=Aside)
    runs: Runs = field(default_factory=Runs)
    texts: Written = field(default_factory=Written)
    meters: Meters = field(default_factory=Meters)
    votes: Kept = field(default_factory=Kept)
    polls: Watcher = field(init=False)
    contacts: Contacts = field(default_factory=Contacts)
    watch: Watch = field(init=False)
    submits: Buckets = field(default_factory=lambda: Buckets(SUBMITS_S, SUBMITS_BURST))
    readers: ThreadPoolExecutor = field(default_factory=lambda: ThreadPoolExecutor(4, thread_name_prefix="desk-reader"))

    def __post_init__(self) -> None:
        self.polls = Watcher(self.read)
        self.watch = Watch(self.read, self.library, self.clock)

    async def read(self, work: Callable[[Connection], _Found]) -> _Found:
        """What `work` finds in one state of the database. `Unavailable` when there is no database to ask."""
        try:
            return await asyncio.get_running_loop().run_in_executor(self.readers, self._read, work)
        except SQLAlchemyError:
            raise Unavailable("the database cannot be read at this moment") from None

    def _read(self, work: Callable[[Connection], _Found]) -> _Found:
        with reading(self.engine) as connection:
            return work(connection)

    async def keep_time(self) -> None:
        """For ever: finish attempts that are over and score finished ones."""
        told = "attempts that are over could not be finished"
        await forever(self.catch_up, EVERY_S, away=told, failed=told)

    async def keep_contacts(self) -> None:
        """For ever: write down what kernels said of their outboxes."""
        while True:
            await asyncio.sleep(contacts.EVERY_S)
            await self.write_contacts()

    async def write_contacts(self) -> None:
        """Write it, beside the writer's queue: nobody's answer waits for it, and it is lost where it fails."""
        if not (heard := self.contacts.take()):
            return

        def work() -> None:
            with writing(self.engine) as connection:
                contacts.write(connection, heard)

        try:
            await asyncio.get_running_loop().run_in_executor(self.readers, work)
        except SQLAlchemyError as error:
            log.warning("what kernels said of their outboxes was not written: %s", type(error).__name__)

    async def catch_up(self) -> None:
        """Finish what is over, and score all that is finished."""
        now = self.clock()
        if not await self.read(lambda connection: attempts.waiting(connection, now)):
            return
        await self.writer.run(lambda connection: attempts.finish_overdue(connection, now))
        scored = gradebook.AT_ONCE
        while scored == gradebook.AT_ONCE:  # in turn with what learners send
            scored = await self.writer.run(
                lambda connection: gradebook.score_finished(connection, self.library, now, self.aside)
            )


@contextlib.asynccontextmanager
async def running(settings: Settings, clock: Clock = machine_time, engine: Engine | None = None) -> AsyncIterator[Desk]:
    """A desk at work; `DatabaseError` when its database cannot be used. `engine`: one that is open already."""
    lock = None if settings.sqlite_file is None or engine is not None else alone.claim(settings.sqlite_file)
    opened = engine or connect(settings.database)
    with reading(opened) as connection:
        require_newest(connection)
    async with httpx.AsyncClient(timeout=10.0) as client, web.client() as platforms:
        hub = None if settings.hub_api is None else Hub(client, settings.hub_api, settings.service)
        teachers = None
        if settings.hub_api is not None:
            teachers = Hub(client, settings.hub_api, settings.service, looking=BROWSERS)
        writer = Writer(opened)
        await writer.start()
        desk = Desk(
            settings,
            opened,
            writer,
            hub,
            teachers,
            client,
            Tickets(settings.secrets),
            Seals(settings.secrets),
            Cookies(settings.secrets),
            clock,
        )
        timekeeper = asyncio.create_task(desk.keep_time(), name="desk-time")
        listener = asyncio.create_task(desk.keep_contacts(), name="desk-contacts")
        worker = Worker(platforms, settings.lti_keys, clock, desk.read, writer.run)
        senders = [asyncio.create_task(worker.run(), name="desk-outbox")]
        if settings.xapi is not None:
            teller = Sender(platforms, settings.xapi, clock, desk.read, writer.run)
            senders.append(asyncio.create_task(teller.run(), name="desk-xapi"))
        try:
            yield desk
        finally:
            timekeeper.cancel()
            for sender in senders:
                sender.cancel()
            listener.cancel()
            await asyncio.gather(timekeeper, *senders, listener, return_exceptions=True)
            await desk.polls.stop()
            await desk.watch.stop()
            await desk.write_contacts()
            await writer.stop()
            desk.readers.shutdown()
            if engine is None:
                opened.dispose()
            if lock is not None:
                os.close(lock)
