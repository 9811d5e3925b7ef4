"""The recorder that keeps a learner's attempt at one quiz in the data folder."""

from __future__ import annotations

import errno
import os
import secrets
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from quiz_widgets.contract import AttemptPayload, EventPayload, OutcomePayload
from quiz_widgets.model import Quiz, Response
from quiz_widgets.problems import Problem
from quiz_widgets.progress import events as gate
from quiz_widgets.progress import files
from quiz_widgets.progress.files import AttemptFolder, Log

if TYPE_CHECKING:
    from quiz_widgets.locales.reports import Message


def _now() -> int:
    return time.time_ns() // 1_000_000


class LocalRecorder:
    """Keeps events of one quiz on disk, graded anew here: what the page believes of its own score is never stored.

    All kernels of one data folder share the newest attempt. Nothing here raises because of what a page sent or
    because the folder cannot be used: then `fault` says why, and `record` acknowledges nothing.
    """

    def __init__(self, quiz: Quiz, home: Path | None = None) -> None:
        self.quiz = quiz
        self.home = home if home is not None else files.data_home()
        self._fault: Message | None = None
        self.problems: tuple[Problem, ...] = ()
        self._root = self.home / quiz.id
        self._logs: dict[Path, Log] = {}
        self._unkept: AttemptPayload | None = None
        self._lock = threading.RLock()  # kernels may handle page messages beside the cell that runs

    @property
    def kept(self) -> bool:
        """Whether what is recorded outlives this kernel."""
        return self._fault is None

    @property
    def fault(self) -> str | None:
        """Why the folder cannot be used, in English; `None` while it can."""
        return None if self._fault is None else str(self._fault)

    def fault_in(self, locale: str) -> str:
        """The same for a reader of `locale`; empty while the folder can be used."""
        return "" if self._fault is None else self._fault.text(locale)

    def attempt(self) -> AttemptPayload:
        """The open attempt; made when there is none. One that is not kept, when the folder cannot be used."""
        with self._lock:
            try:
                opened = self._open()
            except OSError as error:
                self._fail(error)
                self._unkept = self._unkept or {"id": secrets.token_hex(16), "started": _now()}
                return self._unkept
            if not os.access(opened.folder, os.W_OK):
                self._fail(PermissionError(errno.EACCES, os.strerror(errno.EACCES)))
            return {"id": opened.id, "started": opened.started}

    def outcomes(self) -> dict[str, OutcomePayload]:
        """Everything on record for the open attempt, by event id."""
        with self._lock:
            try:
                opened = self._open()
                return self._of_attempt(opened)
            except OSError as error:
                self._fail(error)
                return {}

    def record(self, events: Sequence[EventPayload]) -> dict[str, OutcomePayload]:
        """Keep the events that are not kept yet; what is on record for all of them, once it is on disk.

        Events that no page of this quiz can send are left out, and so is everything that could not be written.
        """
        accepted = [event for sent in events[: gate.MAX_EVENTS] if (event := gate.accept(sent, self.quiz)) is not None]
        kept: dict[str, OutcomePayload] = {}
        with self._lock:
            for _, group in _by_attempt(accepted):
                try:
                    kept |= self._keep(group)
                except OSError as error:
                    self._fail(error)
        return kept

    def _keep(self, events: list[EventPayload]) -> dict[str, OutcomePayload]:
        """Record events of one attempt in its folder: the open one's, or an older one's whose events come late."""
        home = self._folder_of(events[0])
        on_record = self._merged(home)
        fresh: dict[str, OutcomePayload] = {}
        for event in events:
            if event["id"] not in on_record and event["id"] not in fresh:
                fresh[event["id"]] = self._graded(event)
        if fresh:
            self._logs.setdefault(home.folder, Log(home.folder)).append(fresh.values())
            # Read again: another kernel may have been first with the same id, and then its record counts.
            on_record = self._merged(home)
        if any(event["kind"] == "restart" for event in events):
            self._open()
        self._fault = None
        return {event["id"]: on_record[event["id"]] for event in events if event["id"] in on_record}

    def _open(self) -> AttemptFolder:
        """The newest attempt, after every restart on record has been carried out."""
        files.check_lasting(self._root)
        opened = files.newest(self._root)
        if opened is None:
            opened = self._begin(1, secrets.token_hex(16), _now())
        while True:
            # The restart is on record before the next folder is made: a kernel killed between the two loses nothing.
            restart = self._merged(opened).get(f"{opened.id}/restart")
            if restart is None:
                return opened
            opened = self._begin(opened.number + 1, restart["event"]["response"][0], _now(), opened.started)

    def _folder_of(self, event: EventPayload) -> AttemptFolder:
        """Where an event belongs: its own attempt's folder.

        A page that ran without a kernel made its attempt itself. It becomes the open one when nothing was done later
        in the open one; otherwise its events stand beside the open one's, kept but not counted.
        """
        opened = self._open()
        if event["attempt"] == opened.id:
            return opened
        for attempt in files.complete(self._root):
            if attempt.id == event["attempt"]:
                return attempt
        if any(record["event"]["at"] >= event["at"] for record in self._merged(opened).values()):
            return opened
        return self._begin(opened.number + 1, event["attempt"], event["at"], opened.started)

    def _begin(self, number: int, attempt_id: str, started: int, after: int = 0) -> AttemptFolder:
        # Pages follow the attempt that started last: a clock that was set back must not leave them at the former one.
        made = files.begin(self._root, number, attempt_id, max(started, after + 1))
        return files.newest(self._root) or made

    def _graded(self, event: EventPayload) -> OutcomePayload:
        from quiz_widgets import grading  # a quiz that is shown is not yet answered

        record: OutcomePayload = {"event": event, "at": _now()}
        if event["kind"] == "submit":
            response = Response(tuple(event["response"]), event.get("variant"))
            outcome = grading.grade(self.quiz.item(event["item"]), response)
            record["score"], record["max_score"] = float(outcome.score), float(outcome.max_score)
        return record

    def _merged(self, attempt: AttemptFolder) -> dict[str, OutcomePayload]:
        records, problems = files.read(attempt.folder)
        self.problems = tuple(problems)
        return files.merge(records)

    def _of_attempt(self, attempt: AttemptFolder) -> dict[str, OutcomePayload]:
        merged = self._merged(attempt)
        return {key: record for key, record in merged.items() if record["event"].get("attempt") == attempt.id}

    def _fail(self, error: OSError) -> None:
        from quiz_widgets.locales.reports import message  # only for a fault

        reason = error.strerror or str(error)
        self._fault = message("static_unkept", home=self.home, reason=reason)


def _by_attempt(events: Sequence[EventPayload]) -> list[tuple[str, list[EventPayload]]]:
    """Events grouped by attempt, in the order in which the attempts first occur."""
    groups: dict[str, list[EventPayload]] = {}
    for event in events:
        groups.setdefault(event["attempt"], []).append(event)
    return list(groups.items())
