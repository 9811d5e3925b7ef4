"""Certainty-based marks: what an answer earns by how sure the learner said to be of it.

Right answers earn 1, 2 or 3 for each point, wrong ones 0, -2 or -6, so that it pays to say what one believes: sure
below two thirds is worth least, above four fifths most. Scheme: A. R. Gardner-Medwin, "Certainty-Based Marking:
Stimulating Thinking and Improving Objective Tests" (2019); partial credit stands in between on a line, as in Moodle's
`question_cbm`. The score itself stays what `grading` returns. `tests/cases/certainty.json` holds the cases, for the
page too.
"""

from __future__ import annotations

# By certainty: how a mark grows with the score, and where it begins, both in points.
_MARKS = {1: (1.0, 0.0), 2: (4.0, -2.0), 3: (9.0, -6.0)}
MOST = 3
"""What a right answer of the greatest certainty earns for each point."""


def mark(score: float, points: float, sure: int | None) -> float | None:
    """The mark of a response that earned `score` of `points`, to four decimals; `None` where no certainty was said.

    `sure` is 1 (not sure), 2 (fairly sure) or 3 (very sure).
    """
    if sure not in _MARKS:
        return None
    slope, start = _MARKS[sure]
    return round(slope * score + start * points, 4)
