"""Writing scores: of attempts that are finished and not scored yet, and of a whole quiz after its key changed."""

from __future__ import annotations

import logging
import secrets
from decimal import Decimal

from sqlalchemy import Connection, delete, insert, select, update
from sqlalchemy.exc import SQLAlchemyError

from quiz_widgets.classroom.desk import audits, scoring
from quiz_widgets.classroom.desk.aside import Aside
from quiz_widgets.classroom.desk.database.engine import is_sqlite
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
from quiz_widgets.classroom.desk.database.tables import override as overridden
from quiz_widgets.classroom.desk.drawing import Drawing
from quiz_widgets.classroom.desk.library import Library
from quiz_widgets.classroom.desk.lti import queueing
from quiz_widgets.classroom.desk.polls import rounds
from quiz_widgets.classroom.desk.refusals import Refused
from quiz_widgets.classroom.desk.scoring import Run, Scored

_MOST_POINTS = 1_000_000
_STEP = Decimal("0.0001")
LONGEST_REASON = 2000
AT_ONCE = 64  # attempts in one transaction: others must not wait long for the writer
log = logging.getLogger("quiz_widgets.desk")


def score_finished(connection: Connection, library: Library, now: int, aside: Aside | None = None) -> int:
    """Score some attempts that are finished and not scored; how many were tried, 0 when all are done.

    Where scoring fails, that learner's attempts at that quiz go `aside`, unchanged, and the others are scored.
    """
    aside = Aside() if aside is None else aside
    asked = (
        select(attempt)
        .where(attempt.c.finished.is_not(None), attempt.c.scored.is_(False), attempt.c.id.not_in(aside.waiting(now)))
        .order_by(attempt.c.finished)
        .limit(AT_ONCE)
    )
    if not is_sqlite(
        connection
    ):  # two workers must not score one attempt: the second would fail, and its batch with it
        asked = asked.with_for_update(skip_locked=True)
    waiting: dict[tuple[str, str], list[Row]] = {}
    for one in rows(connection, asked):
        waiting.setdefault((one["quiz"], one["person"]), []).append(one)
    people: dict[str, set[str]] = {}
    for (quiz_id, person_id), runs in sorted(waiting.items(), key=lambda found: found[0]):
        ids = [one["id"] for one in runs]
        try:
            with connection.begin_nested():
                for one in runs:
                    _keep(connection, one, _scored(connection, library, one), now)
                _sum_up(connection, library, quiz_id, person_id, now)
        except SQLAlchemyError:
            raise  # the database, and not these attempts
        except Exception:
            log.exception("attempts %s could not be scored; the others are, and these are tried again", ", ".join(ids))
            aside.put(ids, now)
            continue
        aside.forget(ids)
        people.setdefault(quiz_id, set()).add(person_id)
    for quiz_id, scored in people.items():
        queueing.scores_changed(connection, quiz_id, now, scored)
    return sum(len(runs) for runs in waiting.values())


def score_again(connection: Connection, quiz_id: str) -> int:
    """Let every finished attempt of a quiz be scored anew, by its submissions and the key as it is now."""
    found = connection.execute(
        update(attempt).where(attempt.c.quiz == quiz_id, attempt.c.finished.is_not(None)).values(scored=False)
    )
    return found.rowcount


def _scored(connection: Connection, library: Library, one: Row) -> tuple[Scored, ...]:
    secret, kind = connection.execute(
        select(course.c.secret, quiz.c.kind).join(quiz, quiz.c.course == course.c.id).where(quiz.c.id == one["quiz"])
    ).one()
    sent = rows(connection, select(submission).where(submission.c.attempt == one["id"]))
    changes = _changes(connection, one["version"])
    whole = library.quiz(connection, one["version"])
    asked = rounds.opened(connection, one["quiz"]) if kind == "poll" else None
    return scoring.score_attempt(whole, Drawing(secret, one["id"]), sent, changes, asked)


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


def _sum_up(connection: Connection, library: Library, quiz_id: str, person_id: str, now: int) -> None:
    """The learner's score at the quiz, from the outcomes of all their scored attempts."""
    settings = first(connection, select(quiz).where(quiz.c.id == quiz_id))
    if settings is None:
        return
    set_by_hand = by_hand(connection, quiz_id, person_id)
    done = rows(
        connection,
        select(attempt).where(
            attempt.c.quiz == quiz_id, attempt.c.person == person_id, attempt.c.finished.is_not(None), attempt.c.scored
        ),
    )
    runs = [_run(connection, settings, one) for one in done]
    counted = scoring.counted_run(runs, settings["policy"])
    connection.execute(delete(score).where(score.c.quiz == quiz_id, score.c.person == person_id))
    if counted is None and set_by_hand is None:
        return
    if counted is None:
        earned = {"attempt": None, "max_score": str(most(connection, library, quiz_id))}
    else:
        earned = {
            "attempt": counted.attempt,
            "score": str(counted.score - counted.penalty),
            "max_score": str(counted.max_score),
            "late_penalty": str(counted.penalty),
        }
    if set_by_hand is not None:
        earned |= {"score": set_by_hand, "late_penalty": "0"}
    connection.execute(insert(score).values(quiz=quiz_id, person=person_id, computed=now, **earned))


def override(
    connection: Connection,
    library: Library,
    found: Row,
    who: Row,
    points: Decimal | None,
    *,
    reason: str,
    by: str,
    now: int,
) -> None:
    """Set a learner's points at a quiz by hand, whatever their attempts earn; `None` takes that back."""
    if points is not None and not (points.is_finite() and 0 <= points < _MOST_POINTS and points == round(points, 4)):
        raise Refused("bad_request", f"points are 0 to {_MOST_POINTS}, with at most four decimals", status=422)
    if not reason.strip() or len(reason) > LONGEST_REASON:
        raise Refused("bad_request", f"say why, in at most {LONGEST_REASON} characters: learners may ask", status=422)
    former = _last_override(connection, found["id"], who["person"])
    told = None if points is None else format(points.quantize(_STEP).normalize(), "f")
    made = {"id": secrets.token_hex(16), "quiz": found["id"], "person": who["person"], "score": told}
    later = now if former is None else max(now, former["made"] + 1)  # the order counts, even after a clock went back
    connection.execute(insert(overridden).values(**made, reason=reason, made_by=by, made=later))
    before = None if former is None else former["score"]
    audits.note(connection, now, by, found["course"], "override", who["person"], before=before, after=told)
    _sum_up(connection, library, found["id"], who["person"], now)
    queueing.scores_changed(connection, found["id"], now, {who["person"]})


def by_hand(connection: Connection, quiz_id: str, person_id: str) -> str | None:
    """The points that are set by hand for a learner at a quiz; `None` when none are, or they were taken back."""
    last = _last_override(connection, quiz_id, person_id)
    return None if last is None else last["score"]


def _last_override(connection: Connection, quiz_id: str, person_id: str) -> Row | None:
    here = (overridden.c.quiz == quiz_id) & (overridden.c.person == person_id)
    return first(connection, select(overridden).where(here).order_by(overridden.c.made.desc()).limit(1))


def most(connection: Connection, library: Library, quiz_id: str) -> Decimal:
    """The points of the newest version, for whoever has no attempt."""
    newest = first(
        connection,
        select(version.c.id, course.c.secret, quiz.c.kind)
        .join(quiz, quiz.c.id == version.c.quiz)
        .join(course, course.c.id == quiz.c.course)
        .where(quiz.c.id == quiz_id)
        .order_by(version.c.number.desc())
        .limit(1),
    )
    if newest is None:
        return Decimal(0)
    whole = library.quiz(connection, newest["id"])
    asked = rounds.opened(connection, quiz_id) if newest["kind"] == "poll" else None
    scored = scoring.score_attempt(whole, Drawing(newest["secret"], ""), (), _changes(connection, newest["id"]), asked)
    return sum((one.outcome.max_score for one in scored), Decimal(0))


def _changes(connection: Connection, version_id: str) -> list[Row]:
    return rows(connection, select(key_change).where(key_change.c.version == version_id))


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
