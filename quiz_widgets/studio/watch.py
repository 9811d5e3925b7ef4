"""Follows files by their times and sizes, and hands out what is to be seen of them as numbered versions."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from pathlib import Path

from quiz_widgets.problems import Problem
from quiz_widgets.studio import state

INTERVAL = 0.25  # s between two looks at the files' times
Signature = tuple[tuple[str, int, int], ...]


class Watcher:
    """Reads a quiz again whenever one of its files has changed and rests; readers wait for the next version."""

    def __init__(self, path: Path, locale: str) -> None:
        self.path = path
        self.locale = locale
        self.version = 0
        self.body = b""
        self.ended = False
        self._seen: state.Seen | None = None
        self._signature: Signature = ()
        self._news = threading.Condition()

    def read(self) -> None:
        """Look at everything now, and make it a version if it is not what was seen last."""
        self._signature = self._now()
        try:
            self._seen = state.look(self.path, self._seen)
        except Exception as error:  # noqa: BLE001 - a preview outlives whatever is wrong with half a file, and says it
            found = f"{type(error).__name__}: {error}"
            fault = Problem(str(self.path), message=f"cannot be shown: {found}", rule="file")
            quiz = self._seen.quiz if self._seen else None
            self._seen = state.Seen(quiz, {None: (fault,)}, readable=False)
        body = json.dumps(state.data(self._seen, self.path, self.locale), ensure_ascii=False).encode()
        with self._news:
            if body != self.body:
                self.body = body
                self.version += 1
            self._news.notify_all()

    def follow(self, sleep: Callable[[float], None]) -> None:
        """Read again after each change, until `end`. A file that is still being written is waited for."""
        last = self._signature
        while not self.ended:
            sleep(INTERVAL)
            now = self._now()
            if now == last and now != self._signature:
                self.read()
            last = now

    def wait(self, after: int, seconds: float) -> tuple[int, bytes] | None:
        """The newest version once there is one after `after`; `None` when there is none in time, or no more."""
        with self._news:
            self._news.wait_for(lambda: self.ended or self.version != after, seconds)
            return None if self.ended or self.version == after else (self.version, self.body)

    def end(self) -> None:
        """Let everybody go who waits."""
        with self._news:
            self.ended = True
            self._news.notify_all()

    def _now(self) -> Signature:
        found = []
        for path in state.files(self.path, self._seen.quiz if self._seen else None):
            try:
                about = path.stat()
            except OSError:
                continue
            found.append((str(path), about.st_mtime_ns, about.st_size))
        return tuple(found)
