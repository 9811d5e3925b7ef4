"""The desk of a room on loopback, in a thread of the test: it can be ended and begun again at the same address."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
import uvicorn

from benchmarks.hall.stack import free_port
from quiz_widgets.classroom.desk.app import make
from quiz_widgets.classroom.desk.desk import running
from tests.classroom.room import SETTINGS, Room


class Served:
    """A room's desk; `url` stays the same."""

    def __init__(self, room: Room) -> None:
        self.room = room
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.server: uvicorn.Server | None = None
        self.thread: threading.Thread | None = None

    def start(self) -> None:
        """Begin, and wait until it listens."""
        app = make(running(SETTINGS, lambda: self.room.now, self.room.engine))
        config = uvicorn.Config(app, host="127.0.0.1", port=self.port, log_level="error")
        self.server = uvicorn.Server(config)
        self.thread = threading.Thread(target=self.server.run, daemon=True)
        self.thread.start()
        until("the desk listens", lambda: self.server is not None and self.server.started)

    def stop(self) -> None:
        """End, and free the address."""
        if self.server is not None and self.thread is not None:
            self.server.should_exit = True
            self.thread.join(20)
        self.server = self.thread = None


@contextmanager
def served(room: Room) -> Iterator[Served]:
    """The room's desk, begun."""
    made = Served(room)
    made.start()
    try:
        yield made
    finally:
        made.stop()


def until(what: str, reached: Callable[[], object], seconds: float = 30) -> None:
    """Wait until something is so; an error that names it after `seconds`."""
    end = time.monotonic() + seconds
    while not reached():
        if time.monotonic() > end:
            raise AssertionError(f"waited {seconds} s: {what}")
        time.sleep(0.02)


def sit(monkeypatch: pytest.MonkeyPatch, room: Room, who: str) -> None:
    """From now on kernels are this learner's."""
    monkeypatch.setenv("JUPYTERHUB_USER", who)
    monkeypatch.setenv("QUIZ_WIDGETS_DESK_TOKEN", room.tokens[who])
