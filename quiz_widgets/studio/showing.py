"""What can be answered of a quiz that is not finished: items whose problems do not touch what is shown and graded."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable

from quiz_widgets.authoring.rules import RULES
from quiz_widgets.model import Quiz
from quiz_widgets.problems import Problem

# Errors of these rules leave the question and its key as they are; so does everything that is one only if a quiz is
# strict. Whatever else is wrong may make it unanswerable.
_HARMLESS = frozenset(
    {
        *("claim", "evidence", "unknown-evidence", "record", "modules", "placeholder", "section", "guide", "folder"),
        *("markup", "dollar", "fence", "cut", "same-text", "unknown-field", "invisible", "unknown-rule"),
    }
)


def answerable(problems: Iterable[Problem]) -> bool:
    """Whether a page can show what these problems are about, and grade it."""
    return not any(_harmful(problem) for problem in problems)


def _harmful(problem: Problem) -> bool:
    always = problem.rule not in RULES or RULES[problem.rule].severity == "error"
    return problem.severity == "error" and always and problem.rule not in _HARMLESS


def draft(quiz: Quiz, name: str) -> Quiz:
    """The quiz under an id that no quiz has: a page keeps answers to a draft apart from those to a real quiz.

    It has no hash, which would change with every item: a page draws anew only what has changed.
    """
    return dataclasses.replace(quiz, id=f"draft:{name}", hash="")
