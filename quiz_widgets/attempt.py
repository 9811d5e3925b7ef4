"""The open attempt as traits, so that a notebook can react to what a learner does."""

from __future__ import annotations

from weakref import WeakSet

import traitlets

from quiz_widgets.model import Quiz
from quiz_widgets.progress import LocalRecorder
from quiz_widgets.progress.tally import tally

# By quiz id. Weak: a notebook that loads its quiz again starts without the handlers of the former one.
_known: dict[str, WeakSet[Attempt]] = {}


class Attempt(traitlets.HasTraits):
    """The open attempt at one quiz. Its numbers are those of `Quiz.progress` and change when answers are recorded.

    `observe` calls a function with each change; `traitlets.dlink` ties a number to a widget. `id` changes when the
    learner starts again. Setting a trait is an error: the record alone decides.
    """

    id = traitlets.Unicode(read_only=True)
    answered = traitlets.Int(read_only=True)
    correct = traitlets.Int(read_only=True)
    first_try = traitlets.Int(read_only=True)
    score = traitlets.Float(read_only=True)
    max_score = traitlets.Float(read_only=True)
    total = traitlets.Int(read_only=True)
    kept = traitlets.Bool(read_only=True)

    def __init__(self, quiz: Quiz, recorder: LocalRecorder) -> None:
        super().__init__()
        self._quiz = quiz
        self._recorder = recorder
        self.refresh()
        _known.setdefault(quiz.id, WeakSet()).add(self)

    def refresh(self) -> None:
        """Read the record anew, also what other kernels wrote; observers hear of changes after all are made."""
        opened = self._recorder.attempt()["id"]
        found = tally(self._quiz, self._recorder.outcomes().values(), attempt=opened, kept=self._recorder.kept)
        with self.hold_trait_notifications():
            self.set_trait("id", opened)
            for name in ("answered", "correct", "first_try", "score", "max_score", "total", "kept"):
                self.set_trait(name, getattr(found, name))

    def __str__(self) -> str:
        return self.id

    def __repr__(self) -> str:
        return f"<Attempt {self.id}: {self.correct} of {self.total} right>"


def refresh(quiz_id: str) -> None:
    """Let every attempt at this quiz that somebody holds read the record. The first error of a handler is raised."""
    errors: list[Exception] = []
    for attempt in list(_known.get(quiz_id, ())):
        try:
            attempt.refresh()
        except Exception as error:  # noqa: BLE001 - a notebook's own code: one handler must not silence the others
            errors.append(error)
    if errors:
        raise errors[0]
