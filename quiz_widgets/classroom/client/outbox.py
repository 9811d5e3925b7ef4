"""What a learner has sent and the desk has not answered yet, on disk: no kernel, network or desk that ends loses it.

Each kernel appends to a file of its own, one line for each thing sent and one for each answer; all kernels of the
learner read them all and send what is open, under the same ids. So something may be sent twice, and is kept once.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from quiz_widgets.classroom.client import gate
from quiz_widgets.classroom.names import Name
from quiz_widgets.contract import EventPayload
from quiz_widgets.progress.files import Log

FOLDER = "desk"


@dataclass(frozen=True, slots=True)
class Settled:
    """The desk's word on something sent: a verdict of the API, and the receipt of what is kept."""

    verdict: str
    receipt: Mapping[str, Any] | None = None


class Outbox:
    """Of one learner and one quiz at one desk. `OSError` where the disk takes nothing: then nothing counts as sent."""

    def __init__(self, home: Path, place: str, name: Name) -> None:
        self.folder = home / FOLDER / place / name.course / name.quiz
        self._log = Log(self.folder)
        self._lock = threading.RLock()
        self._sent: dict[str, EventPayload] = {}
        self._settled: dict[str, Settled] = {}
        self.read()

    def read(self) -> None:
        """Take in what other kernels of this learner wrote."""
        with self._lock:
            for line in self._lines():
                event, name, receipt = gate.accept(line.get("event")), line.get("settled"), line.get("receipt")
                if event is not None:
                    self._sent.setdefault(event["id"], event)
                elif isinstance(name, str) and isinstance(line.get("verdict"), str):
                    self._settled[name] = Settled(line["verdict"], receipt if isinstance(receipt, dict) else None)

    def put(self, event: EventPayload) -> bool:
        """Keep an event until it is answered; whether it is new. Returns once it is on disk."""
        with self._lock:
            if event["id"] in self._sent or event["id"] in self._settled:
                return False
            self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            self._log.append([{"event": event}])
            self._sent[event["id"]] = event
            return True

    def settle(self, event_id: str, word: Settled) -> None:
        """The desk has answered: it is not sent again."""
        with self._lock:
            self._settled[event_id] = word
            self._log.append([{"settled": event_id, "verdict": word.verdict, "receipt": word.receipt}])

    def waiting(self) -> list[EventPayload]:
        """What the desk has not answered, in the order in which the learner did it."""
        with self._lock:
            open_ = [event for name, event in self._sent.items() if name not in self._settled]
            return sorted(open_, key=lambda event: (event["at"], event["id"]))

    def held(self) -> int:
        """How many answers the desk has not taken: what the desk's live page shows of this kernel."""
        with self._lock:
            return sum(event["kind"] == "submit" for name, event in self._sent.items() if name not in self._settled)

    def events(self) -> list[EventPayload]:
        """Everything that was sent from here, answered or not."""
        with self._lock:
            return list(self._sent.values())

    def settled(self) -> dict[str, Settled]:
        """The desk's answers by event id."""
        with self._lock:
            return dict(self._settled)

    def _lines(self) -> Iterator[dict[str, Any]]:
        if not self.folder.is_dir():
            return
        for path in sorted(self.folder.glob("*.jsonl")):
            for line in path.read_bytes().split(b"\n")[:-1]:  # a last line without its end was never acknowledged
                try:
                    found = json.loads(line)
                except (ValueError, RecursionError):
                    continue
                if isinstance(found, dict):
                    yield found
