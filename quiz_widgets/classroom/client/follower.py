"""Waits at the desk for the next step of a poll, in the background, and then has the attempt read again."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable
from typing import Any

from quiz_widgets.classroom.client.environment import NoDesk
from quiz_widgets.classroom.client.transport import Refusal, Transport, Undelivered
from quiz_widgets.classroom.names import Name

WAIT_S = 40.0  # the desk answers after 25 s at the latest
FIRST_S, LAST_S = 0.5, 30.0  # how long the pauses are while it does not: each may be twice the one before
SPREAD_S = 0.5  # within which the kernels of a hall read what was opened, where the desk says nothing of it
MOST_SPREAD_MS = 2000  # however much the desk says: a page follows the lecture
_PATIENCE = 2  # answers that may fail before the page hears of it: something between may cut what says nothing


class Follower:
    """One thread for one recorder, which ends with the kernel, or when there is nothing left to follow.

    `known` is the sequence that the page has been shown, `None` when there is nothing to follow. `read` reads the
    attempt again, and returns whether that worked. `lost` hears why the desk cannot be asked, and "" once it can again.
    """

    def __init__(
        self,
        transport: Transport,
        name: Name,
        known: Callable[[], int | None],
        read: Callable[[], bool],
        lost: Callable[[str], None],
        *,
        jitter: random.Random | None = None,
    ) -> None:
        self._transport = transport
        self._path = f"/courses/{name.course}/quizzes/{name.quiz}/poll"
        self._known = known
        self._read = read
        self._lost = lost
        self._jitter = jitter or random.SystemRandom()
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None
        self._lock = threading.Lock()

    def wake(self) -> None:
        """There may be something to follow."""
        with self._lock:
            if self._thread is None and self._known() is not None:
                self._thread = threading.Thread(target=self._run, name="quiz-desk-poll", daemon=True)
                self._thread.start()

    def stop(self) -> None:
        """End the thread once the desk has answered it."""
        self._stop.set()

    def _run(self) -> None:
        pause, failed = FIRST_S, 0
        while (known := self._going()) is not None:
            asked = time.monotonic()
            why = self._step(known)
            if why is None:
                if failed >= _PATIENCE:
                    self._lost("")
                pause, failed = FIRST_S, 0
                if self._known() == known and time.monotonic() - asked < FIRST_S:  # nothing new, and no waiting
                    self._stop.wait(self._jitter.uniform(FIRST_S, 2 * FIRST_S))
                continue
            failed += 1
            if failed == _PATIENCE:
                self._lost(why)
            # Full jitter: a hall whose desk comes back must not come back as one.
            self._stop.wait(self._jitter.uniform(0, pause))
            pause = min(pause * 2, LAST_S)

    def _going(self) -> int | None:
        """What to ask about; `None` when this thread is done, and the next wake starts another one."""
        with self._lock:
            known = None if self._stop.is_set() else self._known()
            if known is None:
                self._thread = None
            return known

    def _step(self, known: int) -> str | None:
        """Wait for another state than the known one, and read it; why that failed, else `None`."""
        try:
            reply = self._transport.ask("GET", f"{self._path}?after={known}", wait=WAIT_S)
        except Undelivered as error:
            return error.why
        except (Refusal, NoDesk) as error:
            return str(error)
        if _sequence(reply) in (None, known):
            return None
        self._stop.wait(self._jitter.uniform(0, _spread(reply)))
        return None if self._read() else "the attempt could not be read"


def _sequence(reply: Any) -> int | None:
    poll = reply.get("poll")
    found = poll.get("sequence") if isinstance(poll, dict) else None
    return found if isinstance(found, int) else None


def _spread(reply: Any) -> float:
    found = reply.get("spread")
    return min(max(found, 0), MOST_SPREAD_MS) / 1000 if type(found) is int else SPREAD_S
