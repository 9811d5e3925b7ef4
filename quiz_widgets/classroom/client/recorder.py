"""The desk as a recorder: what a page sends goes into the outbox and on to the desk; what the desk says comes back."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Sequence
from typing import Any

from quiz_widgets import compiled, model
from quiz_widgets.classroom import wire
from quiz_widgets.classroom.client import environment, gate, told
from quiz_widgets.classroom.client.follower import Follower
from quiz_widgets.classroom.client.outbox import Outbox
from quiz_widgets.classroom.client.sender import Sender
from quiz_widgets.classroom.client.transport import Refusal, Transport, Undelivered
from quiz_widgets.classroom.names import Name
from quiz_widgets.contract import AttemptPayload, DeskPayload, EventPayload, OutcomePayload
from quiz_widgets.problems import ContentError
from quiz_widgets.progress import files

_NO_ATTEMPT = AttemptPayload(id="", started=0)


class DeskRecorder:
    """Of one learner and one graded quiz. It never raises for what a desk, a network or a page does.

    `tell` is called, from any thread, when something has changed that a page shows.
    """

    def __init__(self, name: Name, tell: Callable[[], None] = lambda: None) -> None:
        self.name = name
        self._tell = tell
        self._path = f"/courses/{name.course}/quizzes/{name.quiz}"
        self._lock = threading.RLock()
        self._state: wire.QuizState | None = None
        self._asked = 0.0
        self._attempt: wire.AttemptState | None = None
        self._quiz: model.Quiz | None = None
        self._sent_quiz: object = None
        self._revealed = False
        self._rounds: dict[str, list[wire.PollRound]] = {}
        self._scores: dict[str, list[float]] = {}
        self._saved: dict[str, wire.Saved] = {}
        self._seen: set[str] = set()
        self._opening = False
        self._trouble = self.reason = ""
        self._outbox: Outbox | None = None
        self._transport: Transport | None = None
        self._sender: Sender | None = None
        self._follower: Follower | None = None
        self._begin()

    def _begin(self) -> None:
        """Find the desk; where there is none the reason is kept for the page."""
        try:
            place = environment.place()
        except environment.NoDesk as error:
            self._trouble, self.reason = "no_desk", str(error)
            return
        self._trouble = self.reason = ""
        self._transport = Transport(place, held=self._held)
        try:
            self._outbox = Outbox(files.data_home(), place.folder, self.name)
        except OSError as error:
            self._trouble, self.reason, self._transport = "disk", str(error), None
            return
        self._sender = Sender(self._outbox, self._transport, self.name, self._sent)
        self._follower = Follower(self._transport, self.name, self._followed, self._read_again, self._lost)

    def _held(self) -> int:
        return 0 if self._outbox is None else self._outbox.held()

    def refresh(self) -> None:
        """Ask the desk how things stand, and send on what waits since an earlier kernel."""
        if self._transport is None:
            self._begin()
        if self._sender is None or self._outbox is None:
            self._tell()
            return
        try:
            self._outbox.read()
        except OSError as error:
            self._trouble, self.reason = "disk", str(error)
        state = self._ask("GET", self._path)
        if state is not None:
            self._take_state(state)
            if state["attempts"]:
                self._go_on(state["attempts"][-1]["id"])
        if self._outbox.waiting():
            self._sender.wake()
        self._tell()

    def attempt(self) -> AttemptPayload:
        """The attempt that is shown; one without an id while none was opened."""
        with self._lock:
            if self._attempt is None:
                return _NO_ATTEMPT
            return {"id": self._attempt["id"], "started": self._attempt["opened"]}

    def outcomes(self) -> dict[str, OutcomePayload]:
        """What the desk has of the attempt, by event id, what it said of the rest, and what waits for its word."""
        with self._lock:
            if self._attempt is None:
                return {}
            mine = self._attempt["id"]
            made = {name: told.outcome_of_saved(saved) for name, saved in self._saved.items()}
            if self._outbox is not None:
                settled = self._outbox.settled()
                for event in self._outbox.events():
                    if event["attempt"] == mine and event["id"] not in made:
                        made[event["id"]] = told.outcome_of(event, settled.get(event["id"]))
            for outcome in made.values():
                item = outcome["event"]["item"]
                if outcome["event"]["kind"] == "submit" and "verdict" not in outcome and item in self._scores:
                    outcome["score"], outcome["max_score"] = self._scores[item]
            return made

    def record(self, events: Sequence[EventPayload]) -> dict[str, OutcomePayload]:
        """Take in what a page sent: a start is carried out, everything else goes to disk and then to the desk.

        What is on disk is acknowledged, with the verdict ``waiting`` until the desk has answered.
        """
        outbox, sender = self._outbox, self._sender
        if outbox is None or sender is None:
            return {}
        taken = events[: gate.MOST]
        if any(gate.asks_to_start(sent, self.attempt()["id"]) for sent in taken):
            self._open_soon()
        fresh = [found for sent in taken if (found := gate.accept(sent)) is not None]
        try:
            for event in fresh:
                outbox.put(event)
        except OSError as error:
            self._trouble, self.reason = "disk", str(error)
            return {}
        if self._trouble == "disk":
            self._trouble = self.reason = ""
        if outbox.waiting():
            sender.wake()
        known, settled = self.outcomes(), outbox.settled()
        kept = {event["id"]: event for event in outbox.events()}
        return {
            event["id"]: known.get(event["id"]) or told.outcome_of(kept[event["id"]], settled.get(event["id"]))
            for event in fresh
        }

    def desk(self) -> DeskPayload:
        """What a page may know of the desk; `now` is the desk's clock at this moment."""
        with self._lock:
            state, mine = self._state, self._attempt
            waiting = 0 if self._outbox is None else len(self._outbox.waiting())
            trouble = self._trouble or ("unreachable" if self._sender is not None and self._sender.trouble else "")
            if state is None:
                return told.away(trouble, waiting)
            now = state["now"] + int((time.monotonic() - self._asked) * 1000)
            made = told.desk(state, mine, now, trouble, waiting) | {
                "revealed": self._revealed,
                "scores": dict(self._scores),
            }
            if "poll" in made:
                made["poll"]["rounds"] = told.votes(self._rounds)
            return made

    def quiz(self) -> tuple[model.Quiz | None, frozenset[str]]:
        """The quiz as the attempt shows it, and the items that have their keys: of a poll, those revealed so far."""
        with self._lock:
            known = frozenset(() if self._quiz is None else self._quiz.sets)
            return self._quiz, known if self._revealed else known.intersection(self._rounds)

    @property
    def title(self) -> str:
        """The quiz's title; its name while no desk told it."""
        return str(self.name) if self._state is None else self._state["title"]

    def until_news(self) -> float | None:
        """Seconds until the desk may have something new to say by itself; `None` when nothing is to come.

        The moment at which the quiz opens or the attempt closes, but a minute at most while the desk is away, and at
        most five else: instructors move times, and reveal.
        """
        with self._lock:
            state, mine, trouble = self._state, self._attempt, self._trouble
            if self._transport is None or (state is not None and self._revealed):
                return None
            if state is None or trouble:
                return 60.0
            now = state["now"] + (time.monotonic() - self._asked) * 1000
            moments = [state["opens"], mine["closes"] if mine else None]
        ahead = [(moment - now) / 1000 for moment in moments if moment is not None and moment > now]
        return min([300.0, *ahead])

    def _followed(self) -> int | None:
        """The sequence of the poll that the learner takes part in, as it was last read; `None` without one."""
        with self._lock:
            state, mine = self._state, self._attempt
            if state is None or mine is None or mine["finished"] is not None or self._revealed:
                return None
            return state["poll"]["sequence"] if "poll" in state else None

    def _read_again(self) -> bool:
        """The poll has gone on: read what was opened or revealed."""
        done = self._go_on(self.attempt()["id"])
        self._tell()
        return done

    def _lost(self, why: str) -> None:
        """The desk of a poll is away, or is back."""
        if why:
            self._trouble, self.reason = "unreachable", why
        elif self._trouble == "unreachable":
            self._trouble = self.reason = ""
        self._tell()

    def _open_soon(self) -> None:
        """Open an attempt, at the learner's own wish; not in the page's thread, which a slow desk would hold up."""
        with self._lock:
            if self._opening:
                return
            self._opening = True
        threading.Thread(target=self._open, name="quiz-desk-start", daemon=True).start()

    def _open(self) -> None:
        try:
            reply = self._ask("POST", f"{self._path}/attempts", {})
            if reply is not None:
                self._take_attempt(reply)
        finally:
            with self._lock:
                self._opening = False
        self._tell()

    def _go_on(self, attempt: str) -> bool:
        """Show the attempt that is open, or the last one; with its keys when they are revealed. Whether it was told."""
        reply = self._ask("GET", f"{self._path}/attempts/{attempt}")
        if reply is None:
            return False
        self._take_attempt(reply)
        if reply["state"]["revealed"] and (shown := self._ask("GET", f"{self._path}/attempts/{attempt}/reveal")):
            quiz = _read(shown["quiz"])
            with self._lock:
                self._scores = shown["outcomes"]
                if quiz is not None and (not self._revealed or self._quiz is None or quiz.hash != self._quiz.hash):
                    self._quiz = quiz
                self._revealed = self._revealed or quiz is not None
        return True

    def _sent(self) -> None:
        """The sender has been at it: take its answers, and look again where the desk did something unexpected."""
        with self._lock:
            mine, settled = self._attempt, {} if self._outbox is None else self._outbox.settled()
        news = {name: word for name, word in settled.items() if name not in self._seen}
        self._seen |= news.keys()
        if mine is not None:
            ours = {name: word for name, word in news.items() if name.startswith(f"{mine['id']}/")}
            if any(word.verdict not in told.COUNTS or "/finish/" in name for name, word in ours.items()):
                self._go_on(mine["id"])
        if self._sender is not None and not self._sender.trouble and self._trouble == "unreachable":
            self._trouble = self.reason = ""
        self._tell()

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
            self._state, self._asked = state, time.monotonic()

    def _take_attempt(self, reply: wire.AttemptReply) -> None:
        quiz = _read(reply["quiz"])
        with self._lock:
            self._take_state(reply["state"])
            former = self._attempt
            self._attempt = reply["attempt"]
            self._saved = {saved["receipt"]["submission"]: saved for saved in reply["saved"]}
            self._rounds = reply.get("rounds", {})
            more = "poll" in reply["state"] and not self._revealed and reply["quiz"] != self._sent_quiz
            if former is None or former["id"] != self._attempt["id"] or self._quiz is None:
                self._quiz, self._revealed, self._scores = quiz, False, {}
            elif more and quiz is not None:  # an item was opened, or has its key now
                self._quiz = quiz
            self._sent_quiz = reply["quiz"]
            if quiz is None:  # a desk of a later release
                self._trouble, self.reason = "newer", "the desk speaks of more than this quiz_widgets knows: update it"
        if self._follower is not None:
            self._follower.wake()


def _read(sent: object) -> model.Quiz | None:
    try:
        return compiled.loads(json.dumps(sent), "the desk's quiz")
    except ContentError:
        return None
