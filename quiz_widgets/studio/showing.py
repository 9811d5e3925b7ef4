"""What can be answered of a quiz that is not finished: items whose problems do not touch what is shown and graded."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable

from quiz_widgets.model import Quiz
from quiz_widgets.problems import Problem

# Errors of these rules leave the question and its key as they are. Whatever else is wrong may make it unanswerable.
_HARMLESS = frozenset(
    {
        *("rationale", "explanation", "proof", "claim", "evidence", "placeholder", "section", "guide", "folder"),
        *("markup", "cut", "same-text", "unknown-field", "invisible", "joiner", "record"),
    }
)


def answerable(problems: Iterable[Problem]) -> bool:
    """Whether a page can show what these problems are about, and grade it."""
    return all(problem.severity != "error" or problem.rule in _HARMLESS for problem in problems)


def draft(quiz: Quiz, name: str) -> Quiz:
    """The quiz under an id that no quiz has: a page keeps answers to a draft apart from those to a real quiz."""
    return dataclasses.replace(quiz, id=f"draft:{name}")
