"""A class with marks: one quiz is over, a second one is open, and its learners stand differently."""

from __future__ import annotations

import secrets
from decimal import Decimal

from sqlalchemy import Connection, insert, update

from quiz_widgets import compiled
from quiz_widgets.classroom.desk import attempts, courses, gradebook, publishing
from quiz_widgets.classroom.desk.courses import Line
from quiz_widgets.classroom.desk.database.tables import (
    exception,
    quiz,
)
from quiz_widgets.classroom.desk.exports import cells
from quiz_widgets.classroom.desk.library import Library
from quiz_widgets.classroom.desk.submissions import keep
from tests.classroom.small_class import EXAM, HOUR, START, Class, a_single, sent

WHOLE = compiled.loads(EXAM.read_text(encoding="utf-8"))
ITEM = a_single(WHOLE)
NUMBER = next(item for item in WHOLE.items if item.kind == "number")
MOST = cells.plain(sum((item.points for item in WHOLE.items), Decimal(0)))
TITLE = WHOLE.title.rendered("en").plain
NOW = START + 2 * HOUR


def a_class(connection: Connection) -> None:
    """Ada has one right answer at the first quiz, bob took none, cem is excused, dee dropped; a second quiz is open."""
    small = Class(learners=("ada", "bob", "cem", "dee"))
    small.make(connection)
    for name, number, shown in [("ada", "0042", '=Ada, "A"'), ("bob", "0007", "Bob"), ("cem", "0100", "Cem")]:
        courses.enrol(connection, "cs101", Line(name, shown, number, "A", email=f"{name}@example.org"), "prof", START)
    run = small.opened(connection, "ada")
    batch = [sent(run, ITEM.id, ITEM.key, arrived=START + 1), sent(run, NUMBER.id, ("-2.50",), arrived=START + 1_234)]
    keep(connection, batch)
    attempts.finish(connection, run["id"], run["person"], START + 2_000)
    while gradebook.score_finished(connection, Library(), START + 3_000):
        pass
    connection.execute(
        insert(exception).values(
            id=secrets.token_hex(16), quiz=small.quiz(connection)["id"], person=small.who(connection, "cem")["person"],
            time_factor="1", extra_runs=0, excused=True, reason="ill", made_by="prof", made=START,
        )
    )  # fmt: skip
    courses.drop(connection, "cs101", "dee", "prof", START)
    publishing.publish(connection, "cs101", "week-4", EXAM.read_text(encoding="utf-8"), "prof", START)
    connection.execute(
        update(quiz).where(quiz.c.slug == "week-4").values(title="+Week 4 (12)", opens=START, due=NOW + HOUR)
    )
