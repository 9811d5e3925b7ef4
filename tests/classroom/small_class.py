"""A small class at the desk: one course, two learners and an instructor, one published quiz."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, insert, select, update

from quiz_widgets import model
from quiz_widgets.classroom.desk import attempts, publishing, rosters
from quiz_widgets.classroom.desk.database.rows import Row
from quiz_widgets.classroom.desk.database.tables import attempt, course, membership, person, quiz
from quiz_widgets.classroom.desk.drawing import Drawing
from quiz_widgets.classroom.desk.runs import Run
from quiz_widgets.classroom.desk.submissions import Sent, digest
from quiz_widgets.classroom.desk.written import Written

ROOT = Path(__file__).parents[2]
EXAM = ROOT / "quiz_widgets" / "course" / "mixed-precision.json"
START = 1_800_000_000_000  # ms; the desk's clock in tests
HOUR = 3_600_000


@dataclass(frozen=True, slots=True)
class Class:
    """Names and ids of what was made."""

    course: str = "cs101"
    slug: str = "week-3"
    learners: tuple[str, ...] = ("ada", "bob")

    def make(self, connection: Connection, text: str | None = None, **settings: Any) -> Row:
        """Write the class; the quiz opens at `START` and is due an hour later, unless `settings` say otherwise."""
        connection.execute(
            insert(course).values(
                id=self.course, title="A course", zone="Europe/Istanbul", secret="5a" * 32, created=START - HOUR
            )
        )
        for name, role in [*((learner, "learner") for learner in self.learners), ("prof", "instructor")]:
            self.enrol(connection, name, role)
        publishing.publish(
            connection, self.course, self.slug, text or EXAM.read_text(encoding="utf-8"), "prof", START - HOUR
        )
        times = {"opens": START, "due": START + HOUR, **settings}
        connection.execute(update(quiz).where(quiz.c.slug == self.slug).values(times))
        return rosters.quiz_of(connection, self.course, self.slug)

    def enrol(self, connection: Connection, name: str, role: str = "learner", section: str | None = None) -> str:
        made = secrets.token_hex(16)
        connection.execute(insert(person).values(id=made, hub_name=name, display_name=name.title(), created=START))
        connection.execute(
            insert(membership).values(
                course=self.course, person=made, role=role, section=section, active=True, since=START
            )
        )
        return made

    def who(self, connection: Connection, name: str) -> Row:
        return rosters.member(connection, self.course, name)

    def quiz(self, connection: Connection) -> Row:
        return rosters.quiz_of(connection, self.course, self.slug)

    def opened(self, connection: Connection, name: str, now: int = START) -> Row:
        return attempts.open_one(connection, self.quiz(connection), self.who(connection, name), now)


def sent(run: Row, item: str, response: tuple[str, ...], number: int = 1, arrived: int = START + 1) -> Sent:
    """A submission as the desk's front takes it in."""
    return Sent(
        person=run["person"],
        attempt=run["id"],
        id=f"{run['id']}/{item}/{number}",
        item=item,
        response=response,
        digest=digest(item, response, None),
        arrived=arrived,
    )


def attempt_row(connection: Connection, attempt_id: str) -> Row:
    return dict(connection.execute(select(attempt).where(attempt.c.id == attempt_id)).mappings().one())


def served(whole: model.Quiz, secret: str, run: str) -> str:
    """What the desk sends of this quiz to one attempt before the reveal."""
    drawing = Drawing(secret, run)
    items = drawing.items(whole)
    drawn = frozenset(item.id for item in items)
    met = Run(run, "a person", "ada", "cs101", "exam", "a version", "exam", drawing, whole, drawn)
    return b"".join(Written().quiz(met, items)).decode("utf-8")


def a_single(whole: model.Quiz) -> model.Item:
    return next(item for item in whole.items if item.kind == "single")
