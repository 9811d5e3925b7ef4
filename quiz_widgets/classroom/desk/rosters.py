"""Who belongs to a course, and which exceptions were made for them. Read at each request, so changes hold at once."""

from __future__ import annotations

from collections.abc import Iterable

from sqlalchemy import Connection, and_, bindparam, or_, select

from quiz_widgets.classroom.desk import windows
from quiz_widgets.classroom.desk.database.rows import Row, first, rows
from quiz_widgets.classroom.desk.database.tables import course, exception, membership, person, quiz
from quiz_widgets.classroom.desk.refusals import unknown
from quiz_widgets.classroom.desk.windows import Window

TEACHING = ("assistant", "instructor")

# Made once: each request asks these, and making a statement takes as long as three answers to it.
_MEMBER = (
    select(membership, person.c.hub_name, person.c.display_name)
    .join(person, person.c.id == membership.c.person)
    .where(person.c.hub_name == bindparam("name"), membership.c.course == bindparam("in_course"), membership.c.active)
)
_QUIZ = (
    select(quiz, course.c.secret, course.c.zone, course.c.late_join, course.c.title.label("course_title"))
    .join(course, course.c.id == quiz.c.course)
    .where(quiz.c.course == bindparam("in_course"), quiz.c.slug == bindparam("named"))
)
_EXCEPTIONS = select(exception).where(
    exception.c.quiz == bindparam("of_quiz"),
    or_(
        exception.c.person == bindparam("who"),
        and_(exception.c.section.is_not(None), exception.c.section == bindparam("in_section")),
    ),
)


def member(connection: Connection, course_id: str, hub_name: str) -> Row:
    """The active membership of whoever has this Hub name, with the person's id as ``person``; else ``unknown``."""
    found = first(connection, _MEMBER, {"name": hub_name, "in_course": course_id})
    if found is None:
        raise unknown("course")
    return found


def somebody(connection: Connection, course_id: str, person_id: str) -> Row:
    """The membership, active or ended, of the person with that id, with what is known of them; else ``unknown``."""
    found = first(
        connection,
        select(membership, person.c.hub_name, person.c.display_name, person.c.student_number, person.c.erased)
        .join(person, person.c.id == membership.c.person)
        .where(membership.c.course == course_id, membership.c.person == person_id),
    )
    if found is None:
        raise unknown("person")
    return found


def learners_of(connection: Connection, course_id: str) -> list[Row]:
    """All active learners of a course, by name: ``person``, ``hub_name``, ``display_name``, ``section``, ``since``."""
    found = rows(
        connection,
        select(membership, person.c.hub_name, person.c.display_name)
        .join(person, person.c.id == membership.c.person)
        .where(membership.c.course == course_id, membership.c.active, membership.c.role == "learner"),
    )
    # Sorted here: databases sort texts by the rules of their language, each by its own.
    return sorted(found, key=lambda one: ((one["display_name"] or one["hub_name"] or "").casefold(), one["person"]))


def quiz_of(connection: Connection, course_id: str, slug: str) -> Row:
    """The quiz with its course's secret, zone and title; else ``unknown``."""
    found = first(connection, _QUIZ, {"in_course": course_id, "named": slug})
    if found is None:
        raise unknown("quiz")
    return found


def window_of(connection: Connection, found: Row, who: Row) -> Window:
    """The window of one member at one quiz."""
    given = {"of_quiz": found["id"], "who": who["person"], "in_section": who["section"]}
    made = rows(connection, _EXCEPTIONS, given)
    return windows.window(found, made, windows.late_start(found["opens"], who["since"], found["late_join"]))


def windows_of(connection: Connection, found: Row, more: Iterable[Row] = ()) -> dict[str, Window]:
    """The windows of all active learners at one quiz, by the person's id; `more`: as if these exceptions held too."""
    made = [*rows(connection, select(exception).where(exception.c.quiz == found["id"])), *more]
    learners = connection.execute(
        select(membership.c.person, membership.c.section, membership.c.since).where(
            membership.c.course == found["course"], membership.c.active, membership.c.role == "learner"
        )
    )
    return {
        who: windows.window(
            found,
            [one for one in made if one["person"] == who or (one["section"] or object()) == section],
            windows.late_start(found["opens"], since, found["late_join"]),
        )
        for who, section, since in learners
    }
