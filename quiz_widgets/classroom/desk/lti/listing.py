"""What is said of the outbox: counts by state, what went wrong for whom, and what would be sent."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass

from sqlalchemy import Connection, func, select

from quiz_widgets.classroom.desk.database.outside_tables import lti_line, lti_platform, outbox
from quiz_widgets.classroom.desk.database.rows import Row, rows
from quiz_widgets.classroom.desk.database.tables import person, quiz
from quiz_widgets.classroom.desk.lti import queueing

STATES = ("held", "waiting", "sent", "failed")
MOST = 500  # lines on a page


@dataclass(frozen=True, slots=True)
class Line:
    """One score as it would be sent, or why it waits. `given` is `None` where a score is withdrawn."""

    name: str
    display_name: str | None
    quiz: str
    label: str
    subject: str | None
    given: float | None
    most: float | None
    handed_in: str | None
    held: bool
    problem: str | None


def counts(connection: Connection, course_id: str) -> dict[str, dict[str, int]]:
    """For each quiz, by its id, how many rows are in each of `STATES`; ``held``: until the keys are shown."""
    held = outbox.c.waits_for.is_not(None)
    asked = (
        select(outbox.c.quiz, outbox.c.state, held.label("held"), func.count().label("count"))
        .where(outbox.c.course == course_id, outbox.c.kind == queueing.KIND, outbox.c.state != "replaced")
        .group_by(outbox.c.quiz, outbox.c.state, held)
    )
    found: dict[str, dict[str, int]] = {}
    for one in rows(connection, asked):
        state = "held" if one["held"] and one["state"] == "waiting" else one["state"]
        of_quiz = found.setdefault(one["quiz"], dict.fromkeys(STATES, 0))
        of_quiz[state] += one["count"]
    return found


def quizzes(connection: Connection, course_id: str) -> list[Row]:
    """The course's quizzes with their line items; ``label`` is `None` where a quiz has none."""
    return rows(
        connection,
        select(quiz.c.id, quiz.c.slug, quiz.c.title, lti_line.c.label, lti_line.c.max_score, lti_line.c.active)
        .outerjoin(lti_line, lti_line.c.quiz == quiz.c.id)
        .where(quiz.c.course == course_id)
        .order_by(quiz.c.slug),
    )


def problems(connection: Connection, course_id: str) -> list[Row]:
    """Rows that failed, or wait after something went wrong: the learner, the quiz, and the platform's word."""
    asked = (
        select(
            outbox.c.state, outbox.c.last_error, outbox.c.tries, outbox.c.next_try,
            person.c.hub_name, person.c.display_name, quiz.c.slug, quiz.c.title,
        )
        .join(person, person.c.id == outbox.c.person)
        .join(quiz, quiz.c.id == outbox.c.quiz)
        .where(outbox.c.course == course_id, outbox.c.kind == queueing.KIND)
        .where(outbox.c.state.in_(("waiting", "failed")), outbox.c.last_error.is_not(None))
        .order_by(outbox.c.state, quiz.c.slug, person.c.hub_name, outbox.c.id)
        .limit(MOST)
    )  # fmt: skip
    return rows(connection, asked)


def dry_run(connection: Connection, course_id: str) -> Iterator[Line]:
    """What would be sent, in the order of quizzes and names; nothing is sent or changed."""
    asked = (
        select(
            outbox.c.payload, outbox.c.waits_for, outbox.c.last_error, quiz.c.slug, lti_line.c.label,
            person.c.hub_name, person.c.display_name, person.c.lti_subject, person.c.lti_issuer, lti_platform.c.issuer,
        )
        .join(person, person.c.id == outbox.c.person)
        .join(quiz, quiz.c.id == outbox.c.quiz)
        .join(lti_line, lti_line.c.quiz == outbox.c.quiz)
        .join(lti_platform, lti_platform.c.course == outbox.c.course)
        .where(outbox.c.course == course_id, outbox.c.kind == queueing.KIND, outbox.c.state == "waiting")
        .where(lti_line.c.active)
        .order_by(quiz.c.slug, person.c.hub_name, outbox.c.stamp)
    )  # fmt: skip
    for one in rows(connection, asked):
        body = json.loads(one["payload"])
        known = one["lti_issuer"] in (None, one["issuer"])
        yield Line(
            name=one["hub_name"] or "",
            display_name=one["display_name"],
            quiz=one["slug"],
            label=one["label"],
            subject=one["lti_subject"] if known else None,
            given=body.get("scoreGiven"),
            most=body.get("scoreMaximum"),
            handed_in=body.get("submission", {}).get("submittedAt"),
            held=one["waits_for"] is not None,
            problem=one["last_error"],
        )
