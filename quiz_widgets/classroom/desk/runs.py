"""What never changes about an attempt, remembered, so that a burst of answers asks the database for none of it."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from threading import Lock

from sqlalchemy import Connection, select

from quiz_widgets.classroom.desk.database.rows import first
from quiz_widgets.classroom.desk.database.tables import attempt, course, person, quiz
from quiz_widgets.classroom.desk.drawing import Drawing
from quiz_widgets.classroom.desk.library import Library
from quiz_widgets.classroom.desk.refusals import unknown
from quiz_widgets.model import Item, Quiz

_KEPT = 20_000  # attempts


@dataclass(frozen=True, slots=True)
class Run:
    """One attempt: whose, of which quiz, and what it shows."""

    id: str
    person: str
    hub_name: str
    course: str
    slug: str
    version: str
    kind: str
    drawing: Drawing
    whole: Quiz
    drawn: frozenset[str]
    """The ids of the items that it shows."""

    def item(self, name: str) -> Item | None:
        """The item of that id, if the attempt shows it."""
        return self.whole.item(name) if name in self.drawn else None


class Runs:
    """The attempts that this process has met."""

    def __init__(self) -> None:
        self._known: OrderedDict[str, Run] = OrderedDict()
        self._lock = Lock()

    def known(self, attempt_id: str, hub_name: str) -> Run | None:
        """The learner's attempt, if this process has met it."""
        run = self._known.get(attempt_id)
        return run if run is not None and run.hub_name == hub_name else None

    def read(self, connection: Connection, library: Library, attempt_id: str, hub_name: str) -> Run:
        """The learner's attempt; ``unknown`` for anybody else's, as for none."""
        found = first(
            connection,
            select(
                attempt.c.person,
                attempt.c.version,
                person.c.hub_name,
                quiz.c.course,
                quiz.c.slug,
                quiz.c.kind,
                course.c.secret,
            )
            .join(person, person.c.id == attempt.c.person)
            .join(quiz, quiz.c.id == attempt.c.quiz)
            .join(course, course.c.id == quiz.c.course)
            .where(attempt.c.id == attempt_id),
        )
        if found is None or found["hub_name"] != hub_name:
            raise unknown("attempt")
        drawing, whole = Drawing(found["secret"], attempt_id), library.quiz(connection, found["version"])
        run = Run(
            attempt_id,
            found["person"],
            hub_name,
            found["course"],
            found["slug"],
            found["version"],
            found["kind"],
            drawing,
            whole,
            frozenset(item.id for item in drawing.items(whole)),
        )
        with self._lock:
            self._known[attempt_id] = run
            while len(self._known) > _KEPT:
                self._known.popitem(last=False)
        return run
