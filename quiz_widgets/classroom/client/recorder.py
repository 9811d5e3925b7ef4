"""The desk as a recorder: what a page sends goes into the outbox and on to the desk; what the desk says comes back."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Sequence
from typing import Any

from quiz_widgets import compiled, model
from quiz_widgets.classroom import wire
from quiz_widgets.classroom.client import environment
from quiz_widgets.classroom.client.outbox import Answer, Outbox
from quiz_widgets.classroom.client.sender import Sender
from quiz_widgets.classroom.client.transport import Refusal, Transport, Undelivered
from quiz_widgets.classroom.names import Name
from quiz_widgets.contract import AttemptPayload, DeskPayload, EventPayload, OutcomePayload
from quiz_widgets.problems import ContentError
from quiz_widgets.progress import events as gate
from quiz_widgets.progress import files

_NO_ATTEMPT = AttemptPayload(id="", started=0)


class DeskRecorder:
    """Of one learner and one graded quiz. It never raises for what a desk, a network or a page does.

    `told` is called, from any thread, when something has changed that a page shows.
    """

    def __init__(self, name: Name, told: Callable[[], None] = lambda: None) -> None:
        self.name = name
        self._told = told
        self._path = f"/courses/{name.course}/quizzes/{name.quiz}"
        self._lock = threading.RLock()
        self._state: wire.QuizState | None = None
        self._asked = 0
        self._attempt: wire.AttemptState | None = None
        self._quiz: model.Quiz | None = None
        self._revealed = False
        self._scores: dict[str, list[float]] = {}
        self._saved: dict[str, wire.Saved] = {}
        self._trouble = ""
        self._outbox: Outbox | None = None
        self._transport: Transport | None = None
        self._sender: Sender | None = None
        self._begin()

    def _begin(self) -> None:
        """Find the desk; where there is none the reason is kept for the page."""
        try:
            place = environment.place()
        except environment.NoDesk as error:
            self._trouble, self.reason = "no_desk", str(error)
            return
        self.reason = ""
        self._transport = Transport(place)
        self._outbox = Outbox(files.data_home(), place.folder, self.name)
        self._sender = Sender(self._outbox, self._transport, self.name, self._sent)

    def refresh(self) -> None:
        """Ask the desk how things stand, and send on what waits since an earlier kernel."""
        if self._transport is None:
            self._begin()
        transport, sender = self._transport, self._sender
        if transport is None or sender is None or self._outbox is None:
            return
        self._outbox.read()
        state = self._ask("GET", self._path)
        if state is not None:
            self._take_state(state)
            if state["attempts"]:
                self._go_on(state["attempts"][-1]["id"])
        if self._outbox.waiting():
            sender.wake()
        self._told()

    def attempt(self) -> AttemptPayload:
        """The attempt that is shown; one without an id while none was opened."""
        with self._lock:
            if self._attempt is None:
                return _NO_ATTEMPT
            return {"id": self._attempt["id"], "started": self._attempt["opened"]}

    def outcomes(self) -> dict[str, OutcomePayload]:
        """What the desk has of the attempt, by event id, and what it said of the rest."""
        with self._lock:
            if self._attempt is None:
                return {}
            made = {name: self._outcome(saved) for name, saved in self._saved.items()}
            if self._outbox is not None:
                made |= self._answered(made)
            return made

    def record(self, events: Sequence[EventPayload]) -> dict[str, OutcomePayload]:
        """Take in what a page sent: a start is carried out, everything else goes to disk and then to the desk."""
        for event in events[: gate.MAX_EVENTS]:
            if isinstance(event, dict) and event.get("kind") == "start":
                threading.Thread(target=self._open, name="quiz-desk-start", daemon=True).start()
        with self._lock:
            quiz, mine, outbox, sender = self._quiz, self._attempt, self._outbox, self._sender
        if quiz is None or mine is None or outbox is None or sender is None:
            return {}
        accepted = [found for sent in events[: gate.MAX_EVENTS] if (found := gate.accept(sent, quiz)) is not None]
        fresh = [
            event for event in accepted if event["attempt"] == mine["id"] and event["kind"] in ("submit", "finish")
        ]
        try:
            new = [outbox.put(event) for event in fresh]
        except OSError as error:
            self._trouble, self.reason = "disk", str(error)
            return {}
        if any(new) or outbox.waiting():
            sender.wake()
        known = self.outcomes()
        return {event["id"]: known[event["id"]] for event in fresh if event["id"] in known}

    def desk(self) -> DeskPayload:
        """What a page may know of the desk."""
        with self._lock:
            state, mine = self._state, self._attempt
            waiting = 0 if self._outbox is None else len(self._outbox.waiting())
            trouble = self._trouble or ("unreachable" if self._sender is not None and self._sender.trouble else "")
            if state is None:
                return _away(trouble, waiting)
            return {
                "phase": state["phase"],
                "trouble": trouble,
                "who": state["who"],
                "course": state["course_title"],
                "zone": state["zone"],
                "now": state["now"],
                "told": self._asked,
                "opens": state["opens"],
                "due": mine["due"] if mine else state["due"],
                "closes": mine["closes"] if mine else state["closes"],
                "time_limit": state["time_limit"],
                "left": max(0, state["runs"] - state["used"]),
                "number": mine["number"] if mine else 0,
                "finished": mine["finished"] if mine else None,
                "excused": state["excused"],
                "revealed": self._revealed,
                "waiting": waiting,
            }

    def quiz(self) -> tuple[model.Quiz | None, bool]:
        """The quiz as the attempt shows it, and whether it has its keys."""
        with self._lock:
            return self._quiz, self._revealed

    @property
    def title(self) -> str:
        """The quiz's title; its name while no desk told it."""
        return str(self.name) if self._state is None else self._state["title"]

    def _open(self) -> None:
        """Open an attempt, at the learner's own wish."""
        reply = self._ask("POST", f"{self._path}/attempts", {})
        if reply is not None:
            self._take_attempt(reply)
        self._told()

    def _go_on(self, attempt: str) -> None:
        """Show the attempt that is open, or the last one; with its keys when they are revealed."""
        reply = self._ask("GET", f"{self._path}/attempts/{attempt}")
        if reply is None:
            return
        self._take_attempt(reply)
        if reply["state"]["revealed"] and (shown := self._ask("GET", f"{self._path}/attempts/{attempt}/reveal")):
            quiz = _read(shown["quiz"])
            with self._lock:
                if quiz is not None:
                    self._quiz, self._revealed, self._scores = quiz, True, shown["outcomes"]

    def _sent(self) -> None:
        """The sender has been at it: take its answers, and follow an attempt that was finished."""
        with self._lock:
            mine = self._attempt
        finished = mine is not None and mine["finished"] is None and self._finished(mine["id"])
        if finished and mine is not None:
            self._go_on(mine["id"])
        self._told()

    def _finished(self, attempt: str) -> bool:
        answers = {} if self._outbox is None else self._outbox.answers()
        return any(
            name.startswith(f"{attempt}/finish/") and told.verdict == "finished" for name, told in answers.items()
        )

    def _ask(self, method: str, path: str, sent: Any = None) -> Any:
        """The desk's answer; `None` when there is none, with the reason kept for the page."""
        if self._transport is None:
            return None
        try:
            found = self._transport.ask(method, path, sent)
        except Undelivered as error:
            self._trouble, self.reason = "unreachable", error.why
        except Refusal as refusal:
            self._trouble, self.reason = refusal.code or "refused", refusal.message
        except environment.NoDesk as error:
            self._trouble, self.reason = "no_desk", str(error)
        else:
            self._trouble, self.reason = "", ""
            return found
        return None

    def _take_state(self, state: wire.QuizState) -> None:
        with self._lock:
            self._state, self._asked = state, time.time_ns() // 1_000_000

    def _take_attempt(self, reply: wire.AttemptReply) -> None:
        self._take_state(reply["state"])
        quiz = _read(reply["quiz"])
        with self._lock:
            former = self._attempt
            self._attempt = reply["attempt"]
            self._saved = {saved["receipt"]["submission"]: saved for saved in reply["saved"]}
            if quiz is not None and (former is None or former["id"] != self._attempt["id"] or self._quiz is None):
                self._quiz, self._revealed, self._scores = quiz, False, {}

    def _outcome(self, saved: wire.Saved) -> OutcomePayload:
        receipt = saved["receipt"]
        event = EventPayload(
            id=receipt["submission"],
            attempt=receipt["attempt"],
            kind="submit",
            item=receipt["item"],
            round=0,
            response=list(saved["response"]),
            at=receipt["received"],
        )
        return self._told_of(event, receipt["received"], receipt["status"])

    def _answered(self, known: dict[str, OutcomePayload]) -> dict[str, OutcomePayload]:
        """What this kernel's outbox knows beside what the desk listed when it was asked."""
        made: dict[str, OutcomePayload] = {}
        if self._outbox is None or self._attempt is None:
            return made
        answers: dict[str, Answer] = self._outbox.answers()
        for event in self._outbox.events():
            told = answers.get(event["id"])
            if told is not None and event["attempt"] == self._attempt["id"] and event["id"] not in known:
                at = told.receipt.get("received", event["at"]) if told.receipt else event["at"]
                made[event["id"]] = self._told_of(event, at, told.verdict)
        return made

    def _told_of(self, event: EventPayload, at: int, verdict: str) -> OutcomePayload:
        outcome = OutcomePayload(event=event, at=at)
        if verdict not in ("recorded", "finished") or (verdict == "finished" and event["kind"] == "submit"):
            outcome["verdict"] = verdict
        if event["kind"] == "submit" and event["item"] in self._scores:
            outcome["score"], outcome["max_score"] = self._scores[event["item"]]
        return outcome


def _read(sent: object) -> model.Quiz | None:
    try:
        return compiled.loads(json.dumps(sent), "the desk's quiz")
    except ContentError:
        return None  # a desk of a later release: its words on the page say to update


def _away(trouble: str, waiting: int) -> DeskPayload:
    return {
        "phase": "away",
        "trouble": trouble,
        "who": "",
        "course": "",
        "zone": "UTC",
        "now": 0,
        "told": 0,
        "opens": None,
        "due": None,
        "closes": None,
        "time_limit": None,
        "left": 0,
        "number": 0,
        "finished": None,
        "excused": False,
        "revealed": False,
        "waiting": waiting,
    }
