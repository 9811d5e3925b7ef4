"""Sends what waits in an outbox, in the background, until the desk has answered: soon at first, then more seldom."""

from __future__ import annotations

import contextlib
import random
import threading
from collections.abc import Callable, Sequence
from typing import Any

from quiz_widgets.classroom import wire
from quiz_widgets.classroom.client.environment import NoDesk
from quiz_widgets.classroom.client.outbox import Answer, Outbox
from quiz_widgets.classroom.client.transport import Refusal, Transport, Undelivered
from quiz_widgets.classroom.names import Name
from quiz_widgets.contract import EventPayload

FIRST_S, LAST_S = 0.5, 120.0  # how long the pauses are: each may be twice the one before


class Sender:
    """One thread for one outbox; it ends with the kernel, and what is left waits for the next one."""

    def __init__(
        self,
        outbox: Outbox,
        transport: Transport,
        name: Name,
        told: Callable[[], None],
        *,
        jitter: random.Random | None = None,
    ) -> None:
        self._outbox = outbox
        self._transport = transport
        self._path = f"/courses/{name.course}/quizzes/{name.quiz}/attempts"
        self._told = told
        self._jitter = jitter or random.SystemRandom()
        self._wake = threading.Event()
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None
        self._lock = threading.Lock()
        self.trouble = ""

    def wake(self) -> None:
        """There is something to send: try now, whatever the pause was to be."""
        with self._lock:
            if self._thread is None or not self._thread.is_alive():
                self._thread = threading.Thread(target=self._run, name="quiz-desk-sender", daemon=True)
                self._thread.start()
        self._wake.set()

    def stop(self) -> None:
        """End the thread after what it is at."""
        self._stop.set()
        self._wake.set()
        if self._thread is not None:
            self._thread.join(timeout=5)

    def _run(self) -> None:
        pause = FIRST_S
        wait: float | None
        while not self._stop.is_set():
            self._wake.clear()
            try:
                self.send()
            except Undelivered as error:
                self.trouble = error.why
                wait = error.after or self._jitter.uniform(0, pause)  # full jitter: a hall must not come back as one
                pause = min(pause * 2, LAST_S)
            except (NoDesk, OSError) as error:
                self.trouble = str(error)
                wait = LAST_S
            else:
                self.trouble, pause, wait = "", FIRST_S, None
            self._told()
            self._wake.wait(wait)

    def send(self) -> None:
        """Send all that waits, once. `Undelivered` when some of it may not have arrived."""
        waiting = self._outbox.waiting()
        for attempt in dict.fromkeys(event["attempt"] for event in waiting):
            mine = [event for event in waiting if event["attempt"] == attempt]
            submits = [event for event in mine if event["kind"] == "submit"]
            for start in range(0, len(submits), wire.AT_ONCE):
                self._submit(attempt, submits[start : start + wire.AT_ONCE])
            for event in mine:
                if event["kind"] == "finish":  # last: what was answered before it must be there first
                    self._finish(attempt, event)

    def _submit(self, attempt: str, events: Sequence[EventPayload]) -> None:
        try:
            reply = self._transport.ask(
                "POST", f"{self._path}/{attempt}/submissions", {"submissions": [_sent(event) for event in events]}
            )
        except Refusal as refusal:
            if refusal.status == 401:  # not who we are any more, for now: a server started again has a new token
                raise Undelivered(refusal.message) from None
            for event in events:
                self._settle(event["id"], Answer(refusal.code))
            return
        for told in reply.get("submissions", []):
            self._settle(str(told.get("id")), Answer(str(told.get("verdict")), told.get("receipt")))
        self._told()

    def _finish(self, attempt: str, event: EventPayload) -> None:
        try:
            self._transport.ask("POST", f"{self._path}/{attempt}/finish", {})
            answer = Answer("finished")
        except Refusal as refusal:
            if refusal.status == 401:
                raise Undelivered(refusal.message) from None
            answer = Answer(refusal.code)
        self._settle(event["id"], answer)
        self._told()

    def _settle(self, event_id: str, answer: Answer) -> None:
        # Where the disk is full the answer is not lost: the desk gives it again to the next kernel that asks.
        with contextlib.suppress(OSError):
            self._outbox.settle(event_id, answer)


def _sent(event: EventPayload) -> dict[str, Any]:
    """The event as the API takes it."""
    made: dict[str, Any] = {name: event[name] for name in ("id", "item", "response", "at", "round")}
    for name in ("seconds", "confidence"):
        if name in event:
            made[name] = event[name]
    return made
