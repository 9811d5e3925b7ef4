"""Writing scores: of attempts that are finished and not scored yet, and of a whole quiz after its key changed."""

from __future__ import annotations

from decimal import Decimal

from sqlalchemy import Connection, delete, insert, select, update

from quiz_widgets.classroom.desk import scoring
from quiz_widgets.classroom.desk.database.rows import Row, first, rows
from quiz_widgets.classroom.desk.database.tables import (
    attempt,
    course,
    key_change,
    outcome,
    quiz,
    score,
    submission,
    version,
)
from quiz_widgets.classroom.desk.drawing import Drawing
from quiz_widgets.classroom.desk.library import Library
from quiz_widgets.classroom.desk.scoring import Run, Scored

AT_ONCE = 64  # attempts in one transaction: others must not wait long for the writer


def score_finished(connection: Connection, library: Library, now: int) -> int:
    """Score some attempts that are finished and not scored; how many there were, 0 when all are done."""
    waiting = rows(
        connection,
        select(attempt)
        .where(attempt.c.finished.is_not(None), attempt.c.scored.is_(False))
        .order_by(attempt.c.finished)
        .limit(AT_ONCE),
    )
    for one in waiting:
        _keep(connection, one, _scored(connection, library, one), now)
    for quiz_id, person_id in sorted({(one["quiz"], one["person"]) for one in waiting}):
        _sum_up(connection, quiz_id, person_id, now)
    return len(waiting)


def score_again(connection: Connection, quiz_id: str) -> int:
    """Let every finished attempt of a quiz be scored anew, by its submissions and the key as it is now."""
    found = connection.execute(
        update(attempt).where(attempt.c.quiz == quiz_id, attempt.c.finished.is_not(None)).values(scored=False)
    )
    return found.rowcount


def _scored(connection: Connection, library: Library, one: Row) -> tuple[Scored, ...]:
    secret = connection.execute(
        select(course.c.secret).join(quiz, quiz.c.course == course.c.id).where(quiz.c.id == one["quiz"])
    ).scalar_one()
    sent = rows(connection, select(submission).where(submission.c.attempt == one["id"]))
    changes = rows(
        connection,
        select(key_change).join(version, version.c.id == key_change.c.version).where(version.c.id == one["version"]),
    )
    whole = library.quiz(connection, one["version"])
    return scoring.score_attempt(whole, Drawing(secret, one["id"]), sent, changes)


def _keep(connection: Connection, one: Row, scored: tuple[Scored, ...], now: int) -> None:
    connection.execute(delete(outcome).where(outcome.c.attempt == one["id"]))
    made = [
        {
            "attempt": one["id"],
            "item": item.item,
            "submission": item.submission,
            "score": str(item.outcome.score),
            "max_score": str(item.outcome.max_score),
            "computed": now,
        }
        for item in scored
    ]
    if made:
        connection.execute(insert(outcome), made)
    connection.execute(update(attempt).where(attempt.c.id == one["id"]).values(scored=True))


def _sum_up(connection: Connection, quiz_id: str, person_id: str, now: int) -> None:
    """The learner's score at the quiz, from the outcomes of all their scored attempts."""
    settings = first(connection, select(quiz).where(quiz.c.id == quiz_id))
    if settings is None:
        return
    done = rows(
        connection,
        select(attempt).where(
            attempt.c.quiz == quiz_id, attempt.c.person == person_id, attempt.c.finished.is_not(None), attempt.c.scored
        ),
    )
    runs = [_run(connection, settings, one) for one in done]
    counted = scoring.counted_run(runs, settings["policy"])
    connection.execute(delete(score).where(score.c.quiz == quiz_id, score.c.person == person_id))
    if counted is None:
        return
    connection.execute(
        insert(score).values(
            quiz=quiz_id,
            person=person_id,
            attempt=counted.attempt,
            score=str(counted.score - counted.penalty),
            max_score=str(counted.max_score),
            late_penalty=str(counted.penalty),
            computed=now,
        )
    )


def _run(connection: Connection, settings: Row, one: Row) -> Run:
    kept = rows(
        connection,
        select(outcome.c.score, outcome.c.max_score, submission.c.received)
        .outerjoin(submission, submission.c.sequence == outcome.c.submission)
        .where(outcome.c.attempt == one["id"]),
    )
    total = sum((Decimal(row["score"]) for row in kept), Decimal(0))
    best = sum((Decimal(row["max_score"]) for row in kept), Decimal(0))
    last = max((row["received"] for row in kept if row["received"] is not None), default=None)
    return scoring.sum_up(one, total, best, Decimal(settings["late_share"]), last, settings["grace"])
