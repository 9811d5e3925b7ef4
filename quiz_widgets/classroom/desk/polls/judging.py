"""How many of those who voted were right: for an instructor's next step, and for nobody else."""

from __future__ import annotations

import json
from collections import Counter
from functools import cache

from sqlalchemy import Connection, select

from quiz_widgets.classroom.desk import scoring
from quiz_widgets.classroom.desk.database.rows import Row, rows
from quiz_widgets.classroom.desk.database.tables import attempt, key_change, submission
from quiz_widgets.classroom.desk.drawing import Drawing
from quiz_widgets.classroom.desk.library import Library
from quiz_widgets.classroom.desk.polls import votes
from quiz_widgets.model import Response


def right(connection: Connection, library: Library, found: Row, item_id: str) -> dict[int, int]:
    """By round: how many learners' votes on the item earn all its points, by the key as it is now."""

    @cache
    def grader(version: str) -> scoring.Rule:
        changes = select(key_change).where(key_change.c.version == version, key_change.c.item == item_id)
        return scoring.rule(item_id, rows(connection, changes))

    @cache
    def is_right(version: str, response: str, variant: int | None) -> bool:
        item = library.quiz(connection, version).item(item_id)
        outcome = grader(version)(item, Response(tuple(json.loads(response)), variant))
        return outcome.score == outcome.max_score > 0

    asked = select(attempt.c.id, attempt.c.version, submission.c.round, submission.c.response)
    asked = asked.join(submission, submission.c.attempt == attempt.c.id)
    made: Counter[int] = Counter()
    for run, version, number, response in connection.execute(
        asked.where(submission.c.sequence.in_(votes.last(found, [item_id])))
    ):
        variant = Drawing(found["secret"], run).variant(library.quiz(connection, version).item(item_id))
        made[number] += is_right(version, response, variant)
    return dict(made)
