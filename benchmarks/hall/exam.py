"""The class and the exam that a hall takes: written straight into the database, so that only answering is measured."""

from __future__ import annotations

import secrets
from dataclasses import dataclass

from sqlalchemy import Engine, insert, update

from quiz_widgets import compiled
from quiz_widgets.classroom.desk import clock, publishing
from quiz_widgets.classroom.desk.database.engine import writing
from quiz_widgets.classroom.desk.database.tables import course, membership, person, quiz, token
from quiz_widgets.classroom.desk.identity import tokens

COURSE, QUIZ = "hall", "exam"
PATH = f"/api/v1/courses/{COURSE}/quizzes/{QUIZ}"
HOUR_MS = 3_600_000


@dataclass(frozen=True, slots=True)
class Learner:
    """One learner of the hall, with the token that they show first."""

    name: str
    token: str


def make(engine: Engine, learners: int, text: str | None = None) -> list[Learner]:
    """A course with so many learners and a compiled quiz (the shipped mixed-precision without `text`), open a day."""
    now = clock.now()
    made = [Learner(f"learner{number:04d}", tokens.PREFIX + secrets.token_urlsafe(32)) for number in range(learners)]
    ids = {learner.name: secrets.token_hex(16) for learner in made}
    with writing(engine) as connection:
        connection.execute(
            insert(course).values(id=COURSE, title="Hall", zone="UTC", secret=secrets.token_hex(32), created=now)
        )
        people = [{"id": ids[one.name], "hub_name": one.name, "created": now} for one in made]
        connection.execute(insert(person), people)
        members = [
            {"course": COURSE, "person": ids[one.name], "role": "learner", "active": True, "since": now} for one in made
        ]
        connection.execute(insert(membership), members)
        given = [
            {"digest": tokens.digest(one.token), "name": one.name, "scope": "submit", "created": now} for one in made
        ]
        connection.execute(insert(token), given)
        whole = text or compiled.dump(compiled.read("mixed-precision"))
        publishing.publish(connection, COURSE, QUIZ, whole, "benchmark", now)
        connection.execute(update(quiz).values(opens=now - HOUR_MS, due=now + 24 * HOUR_MS))
    return made
