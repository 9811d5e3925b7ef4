"""Everything that is kept of one learner; and erasing who they were, while their grades stay without a name.

Who was erased is also written to a file beside the database, by the person's id alone: a backup that is restored later
still holds the name, and has it erased again.
"""

from __future__ import annotations

import json
import os
from pathlib import Path

from sqlalchemy import Connection, Engine, delete, select, update

from quiz_widgets.classroom.desk import audits
from quiz_widgets.classroom.desk.database.class_tables import contact
from quiz_widgets.classroom.desk.database.outside_tables import outbox
from quiz_widgets.classroom.desk.database.rows import Row, first, rows
from quiz_widgets.classroom.desk.database.tables import (
    attempt,
    audit,
    course,
    exception,
    membership,
    outcome,
    override,
    person,
    quiz,
    score,
    submission,
    token,
)
from quiz_widgets.classroom.desk.exports import kept
from quiz_widgets.classroom.desk.refusals import unknown


def export(connection: Connection, name: str) -> dict[str, list[Row]]:
    """All rows about a learner, by table; ``unknown`` when nobody has that Hub name."""
    who = _person(connection, name)
    here = who["id"]
    runs = select(attempt.c.id).where(attempt.c.person == here)
    return {
        "person": [who],
        "membership": rows(connection, select(membership).where(membership.c.person == here)),
        "exception": rows(connection, select(exception).where(exception.c.person == here)),
        "attempt": rows(connection, select(attempt).where(attempt.c.person == here)),
        "submission": rows(connection, select(submission).where(submission.c.person == here)),
        "outcome": rows(connection, select(outcome).where(outcome.c.attempt.in_(runs))),
        "score": rows(connection, select(score).where(score.c.person == here)),
        "override": rows(connection, select(override).where(override.c.person == here)),
        "outbox": rows(connection, select(outbox).where(outbox.c.person == here)),
        "final_gradebook": kept.of_person(connection, here),
        "contact": rows(connection, select(contact).where(contact.c.person == here)),
        "audit": rows(connection, select(audit).where(audit.c.object == here)),
    }


def erase(connection: Connection, name: str, by: str, now: int) -> str:
    """Erase who a learner was: name, number, address, free text; the id of what remains. Grades stay under that id."""
    who = _person(connection, name)
    erase_again(connection, who["id"], now)
    audits.note(connection, now, by, None, "erase", who["id"])
    return str(who["id"])


def erase_again(connection: Connection, person_id: str, now: int) -> bool:
    """Erase the person of that id; whether there was a name to erase."""
    found = first(connection, select(person).where(person.c.id == person_id))
    if found is None or (found["hub_name"] is None and found["display_name"] is None):
        return False
    connection.execute(delete(token).where(token.c.name == found["hub_name"]))
    connection.execute(delete(contact).where(contact.c.person == person_id))
    gone = dict.fromkeys(("hub_name", "display_name", "student_number", "email", "lti_issuer", "lti_subject"), None)
    connection.execute(update(person).where(person.c.id == person_id).values(erased=now, **gone))
    connection.execute(update(membership).where(membership.c.person == person_id).values(active=False, section=None))
    kept.erase(connection, person_id, "erase", now)
    # What was typed may say who typed it; what was chosen does not. Its points are kept in `outcome`.
    for row in rows(connection, select(submission).where(submission.c.person == person_id)):
        if any(not _is_id(part) for part in json.loads(row["response"])):
            connection.execute(
                update(submission).where(submission.c.sequence == row["sequence"]).values(response="[]", digest="")
            )
    connection.execute(update(exception).where(exception.c.person == person_id).values(reason=""))
    connection.execute(update(override).where(override.c.person == person_id).values(reason=""))
    connection.execute(update(outbox).where(outbox.c.person == person_id).values(last_error=None))
    unsent = (outbox.c.person == person_id) & outbox.c.state.in_(("waiting", "failed"))
    connection.execute(update(outbox).where(unsent).values(state="replaced"))
    return True


def scrub(engine: Engine) -> bool:
    """Take what was erased out of SQLite's free pages and its log too; whether all of the log could be emptied.

    On PostgreSQL dead rows go when `VACUUM` comes by; `True` there.
    """
    if engine.dialect.name != "sqlite":
        return True
    with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        connection.exec_driver_sql("commit")  # `_begin_sqlite` began; VACUUM stands outside transactions
        connection.exec_driver_sql("vacuum")
        busy = connection.exec_driver_sql("pragma wal_checkpoint(truncate)").scalar_one()
    return not busy


def purge(connection: Connection, by: str, now: int) -> int:
    """Delete what is left of erased learners in courses whose retention is over; how many rows of attempts went."""
    over = rows(connection, select(course).where(course.c.retained_until.is_not(None), course.c.retained_until <= now))
    gone = 0
    for one in over:
        quizzes = select(quiz.c.id).where(quiz.c.course == one["id"])
        people = [
            row["person"]
            for row in rows(
                connection,
                select(membership.c.person)
                .join(person, person.c.id == membership.c.person)
                .where(membership.c.course == one["id"], person.c.erased.is_not(None)),
            )
        ]
        for who in people:
            runs = select(attempt.c.id).where(attempt.c.person == who, attempt.c.quiz.in_(quizzes))
            connection.execute(delete(outcome).where(outcome.c.attempt.in_(runs)))
            connection.execute(delete(submission).where(submission.c.attempt.in_(runs)))
            for table in (score, override, exception, outbox, contact):
                connection.execute(delete(table).where(table.c.person == who, table.c.quiz.in_(quizzes)))
            gone += connection.execute(
                delete(attempt).where(attempt.c.person == who, attempt.c.quiz.in_(quizzes))
            ).rowcount
            kept.erase(connection, who, by, now, course=one["id"])
            connection.execute(delete(membership).where(membership.c.person == who, membership.c.course == one["id"]))
            if first(connection, select(membership.c.course).where(membership.c.person == who)) is None:
                connection.execute(delete(person).where(person.c.id == who))
        if people:
            audits.note(connection, now, by, one["id"], "purge", f"{len(people)} erased learners")
    return gone


def remember(file: Path | None, person_id: str, now: int) -> None:
    """Write down, outside the database, that this person was erased."""
    if file is None:
        return
    handle = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    with os.fdopen(handle, "a", encoding="utf-8") as opened:
        opened.write(json.dumps({"person": person_id, "at": now}) + "\n")
        opened.flush()
        os.fsync(opened.fileno())


def remembered(file: Path | None) -> list[str]:
    """The ids of all who were erased."""
    if file is None or not file.is_file():
        return []
    lines = file.read_text(encoding="utf-8").splitlines()
    return [str(json.loads(line)["person"]) for line in lines if line.strip()]


def _is_id(text: str) -> bool:
    """Whether this names options, and is nothing that somebody typed in words."""
    return text.replace("-", "").replace(":", "").isalnum() and text.isascii() and text == text.lower()


def _person(connection: Connection, name: str) -> Row:
    found = first(connection, select(person).where(person.c.hub_name == name))
    if found is None:
        raise unknown("learner")
    return found
