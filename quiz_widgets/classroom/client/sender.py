"""Sends what waits in an outbox, in the background, until the desk has answered: soon at first, then more seldom."""

from __future__ import annotations

import contextlib
import random
import threading
from collections.abc import Callable, Sequence
from typing import Any

from quiz_widgets.classroom import wire
from quiz_widgets.classroom.client.environment import NoDesk
from quiz_widgets.classroom.client.outbox import Outbox, Settled
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
                # Full jitter, also after the pause that a desk asks for: a hall must not come back as one.
                wait = (error.after or 0) + self._jitter.uniform(0, pause)
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
        settled = self._outbox.settled()
        if any(event["id"] not in settled for event in waiting):
            raise Undelivered("the desk has not answered everything")

    def _submit(self, attempt: str, events: Sequence[EventPayload]) -> None:
        try:
            reply = self._transport.ask(
                "POST", f"{self._path}/{attempt}/submissions", {"submissions": [_sent(event) for event in events]}
            )
        except Refusal as refusal:
            _raise_for_token(refusal)
            if len(events) > 1:  # one that the desk cannot read must not sink the others
                for event in events:
                    self._submit(attempt, [event])
                return
            self._settle(events[0]["id"], Settled(refusal.code))
            return
        asked = {event["id"] for event in events}
        for told in filter(_is_reply, reply.get("submissions", [])):
            word = Settled(str(told.get("verdict")), told.get("receipt"))
            # Without a receipt nothing is recorded, whatever the word; and nobody settles what was not asked.
            if told.get("id") in asked and (word.receipt or word.verdict not in ("recorded", "late")):
                self._settle(told["id"], word)
        self._told()

    def _finish(self, attempt: str, event: EventPayload) -> None:
        try:
            self._transport.ask("POST", f"{self._path}/{attempt}/finish", {})
            word = Settled("finished")
        except Refusal as refusal:
            _raise_for_token(refusal)
            word = Settled(refusal.code)
        self._settle(event["id"], word)
        self._told()

    def _settle(self, event_id: str, word: Settled) -> None:
        # Where the disk is full the answer is not lost: the desk gives it again to the next kernel that asks.
        with contextlib.suppress(OSError):
            self._outbox.settle(event_id, word)


def _is_reply(told: Any) -> bool:
    return isinstance(told, dict)


def _raise_for_token(refusal: Refusal) -> None:
    """What only the token is refused for goes with the next one: a server that was started again has another."""
    if refusal.status in (401, 403):
        raise Undelivered(refusal.message) from None


def _sent(event: EventPayload) -> dict[str, Any]:
    """The event as the API takes it."""
    made: dict[str, Any] = {name: event[name] for name in ("id", "item", "response", "at", "round")}
    for name in ("seconds", "confidence"):
        if name in event:
            made[name] = event[name]
    return made
