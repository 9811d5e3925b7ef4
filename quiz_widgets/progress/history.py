"""Every attempt in a data folder, as the command line lists them; no quiz has to be loaded for it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from quiz_widgets.problems import Problem
from quiz_widgets.progress import files
from quiz_widgets.progress.standing import standings


@dataclass(frozen=True, slots=True)
class PastAttempt:
    """One attempt in numbers. `started` is ms since 1970 UTC; `score` and `max_score` count answered items only."""

    quiz: str
    number: int
    id: str
    started: int
    answered: int
    correct: int
    first_try: int
    score: float
    max_score: float
    open: bool
    problems: tuple[Problem, ...] = ()


def history(home: Path | None = None) -> list[PastAttempt]:
    """All attempts of all quizzes, by quiz and number; empty where there is no data folder yet.

    `OSError` where the data folder cannot be read.
    """
    root = home if home is not None else files.data_home()
    if not root.exists():
        return []
    listed: list[PastAttempt] = []
    for folder in sorted(entry for entry in root.iterdir() if entry.is_dir()):
        attempts = files.complete(folder)
        listed += [_past(folder.name, attempt, is_open=attempt is attempts[-1]) for attempt in attempts]
    return listed


def _past(quiz: str, attempt: files.AttemptFolder, *, is_open: bool) -> PastAttempt:
    records, problems = files.read(attempt.folder)
    own = (record for record in records if record["event"].get("attempt") == attempt.id)
    answered = [standing for standing in standings(own).values() if standing.tries]
    return PastAttempt(
        quiz=quiz,
        number=attempt.number,
        id=attempt.id,
        started=attempt.started,
        answered=len(answered),
        correct=sum(standing.correct for standing in answered),
        first_try=sum(standing.first_try for standing in answered),
        score=sum(standing.score for standing in answered),
        max_score=sum(standing.max_score for standing in answered),
        open=is_open,
        problems=tuple(problems),
    )
