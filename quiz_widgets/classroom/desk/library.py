"""The published versions that this process has read: a version never changes, so it is read and decoded once."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Mapping
from decimal import Decimal
from threading import Lock

from sqlalchemy import Connection, select

from quiz_widgets import compiled
from quiz_widgets.classroom.desk.database.tables import version_key
from quiz_widgets.classroom.desk.refusals import unknown
from quiz_widgets.model import Quiz

_KEPT = 64  # versions; a quiz of eight items takes about 100 kB


class Library:
    """Whole quizzes, with their keys, by the version's id."""

    def __init__(self) -> None:
        self._read: OrderedDict[str, Quiz] = OrderedDict()
        self._points: dict[str, Mapping[str, Decimal]] = {}
        self._lock = Lock()

    def quiz(self, connection: Connection, version: str) -> Quiz:
        """The quiz of a version; ``unknown`` when there is none."""
        with self._lock:
            if version in self._read:
                self._read.move_to_end(version)
                return self._read[version]
        text = connection.execute(select(version_key.c.compiled).where(version_key.c.version == version)).scalar()
        if text is None:
            raise unknown("quiz")
        quiz = compiled.loads(text, f"version {version}")
        with self._lock:
            self._read[version] = quiz
            while len(self._read) > _KEPT:
                self._read.popitem(last=False)
        return quiz

    def points(self, connection: Connection, versions: Iterable[str]) -> dict[str, Mapping[str, Decimal]]:
        """The points of each item, by id, of each of these versions that draws none of its items.

        Read without the rest of the quiz, which takes a fifth of the time, and kept: a gradebook needs all quizzes of
        a course.
        """
        wanted = set(versions)
        missing = sorted(wanted - self._points.keys())
        if missing:
            asked = select(version_key.c.version, version_key.c.compiled).where(version_key.c.version.in_(missing))
            for version, text in connection.execute(asked.execution_options(yield_per=8)):  # each may be large
                found = compiled.points(text, f"version {version}")
                if found is not None:
                    self._points[version] = found
        return {version: self._points[version] for version in wanted if version in self._points}
