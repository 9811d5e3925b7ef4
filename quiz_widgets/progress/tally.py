"""Where the learner stands in the open attempt at a quiz, in numbers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from quiz_widgets import certainty, pools
from quiz_widgets.contract import OutcomePayload
from quiz_widgets.model import Quiz
from quiz_widgets.progress.standing import Standing, standings


@dataclass(frozen=True, slots=True)
class Progress:
    """Where the learner stands in the open attempt at the main set; `items` holds every item that was touched.

    `mark` is the certainty-based one, out of `certainty.MOST` times `max_score`; `None` where the quiz does not ask.
    """

    answered: int
    correct: int
    first_try: int
    score: float
    max_score: float
    total: int
    kept: bool
    items: Mapping[str, Standing]
    mark: float | None = None

    def __str__(self) -> str:
        where = "" if self.kept else "; not kept on disk"
        if self.mark is not None:
            where = f"; certainty-based mark {self.mark:g} of {certainty.MOST * self.max_score:g}{where}"
        return (
            f"{self.answered} of {self.total} answered, {self.correct} right ({self.first_try} at the first try), "
            f"{self.score:g} of {self.max_score:g} points{where}"
        )


def tally(quiz: Quiz, records: Iterable[OutcomePayload], *, attempt: str, kept: bool) -> Progress:
    """The progress that these records of one attempt make, at what it shows."""
    touched = standings(records)
    main = [quiz.item(item) for item, name in pools.shown(quiz, attempt).items() if name is None]
    answered = [touched[item.id] for item in main if item.id in touched and touched[item.id].tries]
    return Progress(
        answered=len(answered),
        correct=sum(standing.correct for standing in answered),
        first_try=sum(standing.first_try for standing in answered),
        score=sum(standing.score for standing in answered),
        max_score=float(sum(item.points for item in main)),
        total=len(main),
        kept=kept,
        items=touched,
        mark=round(sum(standing.mark or 0.0 for standing in answered), 4) if quiz.confidence else None,
    )
