"""Names of graded quizzes: ``course/quiz``. Such a name always means the desk, wherever a notebook is opened."""

from __future__ import annotations

import re
from typing import NamedTuple

SLUG = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?")
"""What a course and a quiz may be called: 1 to 64 of a-z, 0-9 and ``-``, with a letter or digit at both ends."""

ALLOWED = "1 to 64 of a-z, 0-9 and `-`, with a letter or a digit at both ends"


class Name(NamedTuple):
    """The two halves of ``course/quiz``."""

    course: str
    quiz: str

    def __str__(self) -> str:
        return f"{self.course}/{self.quiz}"


def parse(text: str) -> Name | None:
    """The name in a text such as ``cs101/week-3``; `None` for anything else."""
    course, slash, quiz = text.partition("/")
    if slash and SLUG.fullmatch(course) and SLUG.fullmatch(quiz):
        return Name(course, quiz)
    return None
