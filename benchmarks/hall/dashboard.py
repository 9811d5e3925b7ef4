"""The live page of a large class: its first byte, the export, and streams that must all see the last state."""

from __future__ import annotations

import asyncio
import json
import os
import random
import resource
import secrets
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from sqlalchemy import Engine

from benchmarks.hall import lecture
from benchmarks.hall.exam import COURSE
from benchmarks.hall.lecture import QUIZ, TEACHER, Lecture
from benchmarks.hall.stack import PREFIX, Stack, running
from quiz_widgets.classroom.desk import clock, enrolling
from quiz_widgets.classroom.desk.database.engine import connect, reading, writing
from quiz_widgets.classroom.desk.database.migrations import migrate
from quiz_widgets.classroom.desk.database.tables import submission
from quiz_widgets.classroom.desk.enrolling import Line
from quiz_widgets.classroom.desk.exports import sheets
from quiz_widgets.classroom.desk.identity.browser import SESSION, SESSION_MS, Cookies, Session
from quiz_widgets.classroom.desk.library import Library
from quiz_widgets.classroom.desk.live.watch import STREAMS_EACH
from tests.classroom import fake_hub, loops
from tests.classroom.test_pages import TEACHES

LIVE = f"{PREFIX}/courses/{COURSE}/quizzes/{QUIZ}/live"
LAST_S = 120.0  # until all streams must have seen the last state
LOOKS = 600
_SEEN_TOGETHER = 5  # commits between two pauses


@dataclass(frozen=True, slots=True)
class Found:
    """What was measured: bytes and ms of the page, rows, streams and those that missed something, MiB of the desk."""

    size: int
    first_ms: float
    cpu_ms: float
    exported: int
    rows: int
    streams: int
    missed: int
    memory: float

    @property
    def good(self) -> bool:
        """Whether nothing is missing."""
        return self.exported == self.rows and not self.missed

    def line(self) -> str:
        """The last line of the benchmark."""
        return (
            f"dashboard: {self.size} first bytes in {self.first_ms:.0f} ms, rows exported {self.exported} = "
            f"{self.rows} in the database, streams: {self.streams}, missed: {self.missed}"
        )


@dataclass(slots=True)
class Stream:
    """One page that follows the class: what it knows by now."""

    head: bytes
    answered: dict[str, int] = field(default_factory=dict)
    totals: dict[str, int] = field(default_factory=dict)
    begun: asyncio.Event = field(default_factory=asyncio.Event)

    async def follow(self, port: int) -> None:
        """Read until it is cancelled, or the desk ends it."""
        reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=2**24)
        try:
            writer.write(self.head)
            await reader.readuntil(b"\r\n\r\n")
            rest = b""
            while size := int((await reader.readline()) or b"0", 16):
                rest += await reader.readexactly(size)
                await reader.readexactly(2)
                *events, rest = rest.split(b"\n\n")
                for event in events:
                    self._take(event)
        finally:
            writer.close()

    def _take(self, event: bytes) -> None:
        kind, _, data = event.partition(b"\ndata: ")
        if not data:
            return
        told: dict[str, Any] = json.loads(data)
        self.totals = told["totals"]
        if kind == b"event: state":
            self.answered.clear()
        # Nobody has answered at first, so that only who did need be kept.
        self.answered |= {row[0]: row[4] for row in told["learners"] if row[4]}
        self.begun.set()


def measure(
    address: Callable[[Path], str], *, learners: int = 1000, items: int = 200, streams: int = 1000, changes: int = 200
) -> Found:
    """Make the class, start a desk beside it, and measure."""
    _raise_files(streams)
    with TemporaryDirectory(prefix="quiz-dashboard-") as made, fake_hub.running() as hub:
        teachers = [TEACHER, *(f"assistant-{number}" for number in range(streams // STREAMS_EACH))]
        hub.users |= dict.fromkeys(teachers, TEACHES)
        engine = connect(address(Path(made)))
        migrate(engine)
        known = lecture.make(engine, learners, items)
        with writing(engine) as connection:
            lines = [Line(name, role="assistant") for name in teachers[1:]]
            enrolling.enrol_all(connection, COURSE, lines, TEACHER, clock.now())
        stack = Stack(engine.url.render_as_string(hide_password=False), folder=Path(made))
        before = dict(os.environ)
        os.environ.update(JUPYTERHUB_API_URL=hub.api, JUPYTERHUB_API_TOKEN=fake_hub.SERVICE_TOKEN)
        try:
            with running(stack):
                found = loops.run(
                    _measure(stack, engine, known, [(one, hub.give(one)) for one in teachers], streams, changes)
                )
        finally:
            os.environ.clear()
            os.environ.update(before)
            engine.dispose()
    return found


async def _measure(
    stack: Stack, engine: Engine, known: Lecture, teachers: Sequence[tuple[str, str]], streams: int, changes: int
) -> Found:
    cookies = Cookies((stack.secret,))
    heads: list[bytes] = []
    for name, token in reversed(teachers):  # the last one, the instructor, asks for the page too
        session = Session(secrets.token_urlsafe(24), name, token, clock.now() + SESSION_MS)
        cookie = f"Cookie: {SESSION}={cookies.sealed(session)}\r\n"
        own = f"X-Quiz-Desk-Word: {cookies.form_word(session)}\r\nSec-Fetch-Mode: cors\r\n"
        heads.append(f"GET {LIVE}/stream HTTP/1.1\r\nHost: d\r\n{cookie}{own}\r\n".encode())
    page = f"GET {LIVE} HTTP/1.1\r\nHost: d\r\n{cookie}Sec-Fetch-Mode: navigate\r\nSec-Fetch-Dest: document\r\n\r\n"
    used = stack.desk_cpu()
    size, first_ms = await _page(stack.port, page.encode())
    cpu_ms = (stack.desk_cpu() - used) * 1000
    open_ = [Stream(heads[number % len(heads)]) for number in range(streams)]
    tasks = [asyncio.create_task(one.follow(stack.port)) for one in open_]
    async with asyncio.timeout(LAST_S):
        await asyncio.gather(*(one.begun.wait() for one in open_))
    missed = streams
    expected = await _change(engine, known, changes)
    for _ in range(LOOKS):
        if not (missed := sum(not _is_last(one, expected) for one in open_)):
            break
        await asyncio.sleep(LAST_S / LOOKS)
    memory = _memory(stack)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    rows = lecture.scored(engine)
    with reading(engine) as connection:
        lines = sheets.gradebook(connection, Library(), COURSE, "long", clock.now())
        exported = sum(1 for _ in lines) - 1
    return Found(size, first_ms, cpu_ms, exported, rows, streams, missed, memory)


async def _page(port: int, asked: bytes) -> tuple[int, float]:
    """The page's bytes, and the time until the first one."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=2**24)
    began = time.perf_counter()
    writer.write(asked)
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
    first_ms = (time.perf_counter() - began) * 1000
    if not head.startswith("HTTP/1.1 200"):
        raise RuntimeError(head)
    length = int(head.lower().partition("content-length: ")[2].partition("\r\n")[0])
    await reader.readexactly(length)
    writer.close()
    return length, first_ms


async def _change(engine: Engine, known: Lecture, changes: int) -> dict[str, int]:
    """Commit so many answers, one by one, in bursts; how many each learner has given then."""
    chance, given = random.Random(1), dict.fromkeys(known.learners, 0)
    for number in range(changes):
        who = chance.choice([one for one in known.learners if given[one] < len(known.items)])
        row = lecture.answer(who, known.runs[who], known.items[given[who]], clock.now())
        with writing(engine) as connection:
            connection.execute(submission.insert().values(row))
        given[who] += 1
        if number % _SEEN_TOGETHER == 0:
            await asyncio.sleep(0.02)
    return {who: count for who, count in given.items() if count}


def _is_last(stream: Stream, expected: dict[str, int]) -> bool:
    return stream.answered == expected and stream.totals.get("answered") == sum(expected.values())


def _memory(stack: Stack) -> float:
    """What the desk holds, in MiB."""
    pid = stack.desk.pid if stack.desk else 0
    text = Path(f"/proc/{pid}/status").read_text(encoding="ascii")
    return int(text.partition("VmRSS:")[2].split()[0]) / 1024


def _raise_files(streams: int) -> None:
    """A file for each stream at both ends, as far as this machine allows."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = streams + 256
    if hard != resource.RLIM_INFINITY and hard < wanted:
        raise RuntimeError(f"{streams} streams need {wanted} open files, and this machine allows {hard}")
    if soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
