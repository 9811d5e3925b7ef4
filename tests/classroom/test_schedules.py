"""What instructors decide: times, exceptions, late joiners, late answers, keys that change, points by hand. As data."""

from __future__ import annotations

import json
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, Engine, event, insert, select, update
from sqlalchemy.exc import IntegrityError

from quiz_widgets import authoring, compiled
from quiz_widgets.classroom.desk import attempts, courses, gradebook, publishing, regrading, revealing, schedules
from quiz_widgets.classroom.desk.database.engine import reading, writing
from quiz_widgets.classroom.desk.database.rows import Row, first, rows
from quiz_widgets.classroom.desk.database.tables import (
    attempt,
    audit,
    course,
    exception,
    membership,
    outcome,
    quiz,
    score,
    submission,
    version,
)
from quiz_widgets.classroom.desk.library import Library
from quiz_widgets.classroom.desk.refusals import Refused
from quiz_widgets.classroom.desk.regrading import Change
from quiz_widgets.classroom.desk.submissions import keep
from tests.classroom.room import Ask, Room
from tests.classroom.small_class import HOUR, ROOT, START, Class, sent

MINUTE = 60_000
DAY = 86_400_000
HERE = Path(__file__).parent
CASES: dict[str, Any] = json.loads((HERE / "schedules.json").read_text(encoding="utf-8"))
CHANGES: dict[str, Any] = json.loads((HERE / "regrading.json").read_text(encoding="utf-8"))
del CASES["_"], CHANGES["_"]
EXAM = authoring.load(ROOT / "examples" / "exam")
TEXT = compiled.dump(EXAM)
CLASS = Class()


def at(minute: float | str) -> int:
    return START + int(float(minute) * MINUTE)


def times(given: dict[str, Any]) -> dict[str, Any]:
    """Minutes of a case, as the desk's times."""
    made = {name: at(given[name]) if name in given else None for name in ("due", "closes")}
    if "time_limit" in given:
        made["time_limit"] = given["time_limit"] * MINUTE
    return made


def score_all(connection: Connection, now: int) -> None:
    while gradebook.score_finished(connection, Library(), now):
        pass


def points(connection: Connection, who: str) -> Any:
    """Points, of how many, and what lateness cost; `None` without any."""
    person = CLASS.who(connection, who)["person"]
    found = first(connection, select(score).where(score.c.person == person))
    return None if found is None else tuple(Decimal(found[name]) for name in ("score", "max_score", "late_penalty"))


@pytest.mark.parametrize("case", CASES)
def test_a_learner_has_the_times_that_were_decided(engine: Engine, case: str) -> None:
    given = CASES[case]

    def told(connection: Connection, now: int) -> Any:
        try:
            run = CLASS.opened(connection, "ada", now)
        except Refused as refused:
            return refused.code
        return [(run[name] - START) / MINUTE for name in ("due", "closes")]

    for minute, expected in given["opening"].items():
        with engine.connect() as connection, connection.begin() as undone:
            found = CLASS.make(connection, TEXT, **times(given["quiz"]))
            ada = CLASS.who(connection, "ada")["person"]
            about = {"section": "A"} | ({"since": at(given["joined"])} if "joined" in given else {})
            connection.execute(update(membership).where(membership.c.person == ada).values(about))
            if "late_join" in given:
                changes = {"late_join": given["late_join"] * MINUTE}
                now_is = first(connection, select(course))
                assert now_is is not None
                courses.change(connection, now_is, changes, "prof", START)
            for one in given.get("exceptions", []):
                whom = {"section": one["section"]} if "section" in one else {"person": ada}
                made = {name: value for name, value in one.items() if name != "section"}
                made |= {name: at(made[name]) for name in ("opens", "due", "closes") if name in made}
                schedules.except_(connection, found, whom, made, "prof", START - HOUR)

            assert told(connection, at(minute)) == expected
            if "again" in given:
                attempts.finish(connection, _only(connection)["id"], ada, at(minute) + 1)
                assert told(connection, at(minute) + 2) == given["again"]
            for number, (later, verdict) in enumerate(given.get("sent", {}).items()):
                item = EXAM.items[0]
                [kept] = keep(connection, [sent(_only(connection), item.id, ("two",), number, at(later))])
                assert kept.verdict == verdict
            undone.rollback()


def _only(connection: Connection) -> Row:
    found = first(connection, select(attempt).order_by(attempt.c.number))
    assert found is not None
    return found


def test_an_excused_learner_holds_nobody_s_keys_back(engine: Engine) -> None:
    with writing(engine) as connection:
        found = CLASS.make(connection, TEXT)
        bob = {"person": CLASS.who(connection, "bob")["person"]}
        schedules.except_(connection, found, bob, {"due": START + 9 * HOUR}, "prof", START)
        version_id = attempts.newest(connection, found["id"])
        assert not revealing.is_revealed(connection, found, version_id, START + 2 * HOUR)
        schedules.except_(connection, found, bob, {"excused": True}, "prof", START + 1)
        assert revealing.is_revealed(connection, found, version_id, START + 2 * HOUR)


def test_while_the_class_has_time_nobody_else_s_is_looked_at(engine: Engine) -> None:
    asked: list[str] = []
    with writing(engine) as connection:
        found = CLASS.make(connection, TEXT)
        version_id, end = attempts.newest(connection, found["id"]), START + HOUR + found["grace"]
        event.listen(engine, "before_cursor_execute", lambda _c, _cursor, statement, *_: asked.append(statement))
        assert not revealing.is_revealed(connection, found, version_id, end)
        assert asked == []
        assert revealing.is_revealed(connection, found, version_id, end + 1)
        assert asked


def test_a_make_up_is_another_version_and_has_a_reveal_of_its_own(engine: Engine) -> None:
    with writing(engine) as connection:
        found = CLASS.make(connection, TEXT)
        ada = {"person": CLASS.who(connection, "ada")["person"]}
        first_version = attempts.newest(connection, found["id"])
        CLASS.opened(connection, "bob")
        later = START + 3 * HOUR
        more = {"due": later + HOUR}
        with pytest.raises(Refused, match="were shown already"):
            schedules.except_(connection, found, ada, more, "prof", later)
        with pytest.raises(Refused, match="were shown already"):
            schedules.change(connection, found, more, "prof", later)
        other = TEXT.replace("8 GB", "7 GB")
        made = publishing.publish(connection, "cs101", "week-3", other, "prof", later)
        schedules.except_(connection, found, ada, {**more, "version": made["id"]}, "prof", later)

        run = CLASS.opened(connection, "ada", later)
        assert run["version"] == made["id"] != first_version
        assert not revealing.is_revealed(connection, found, made["id"], later + 1)
        assert revealing.is_revealed(connection, found, first_version, later + 1)
        assert revealing.is_revealed(connection, found, made["id"], later + 2 * HOUR)


def test_all_deadlines_move_and_open_attempts_with_them(engine: Engine) -> None:
    with writing(engine) as connection:
        found = CLASS.make(connection, TEXT, closes=START + 2 * HOUR)
        publishing.publish(connection, "cs101", "past", TEXT, "prof", START - 9 * HOUR)
        connection.execute(update(quiz).where(quiz.c.slug == "past").values(due=START - HOUR))
        bob = {"person": CLASS.who(connection, "bob")["person"]}
        schedules.except_(connection, found, bob, {"due": START + 3 * HOUR}, "prof", START)
        ada_s, bob_s = CLASS.opened(connection, "ada"), CLASS.opened(connection, "bob")
        attempts.finish(connection, bob_s["id"], bob["person"], START + 5)

        assert schedules.move(connection, "cs101", 30, "prof", START + 10) == 1

        times_now = {row["slug"]: (row["due"], row["closes"]) for row in rows(connection, select(quiz))}
        assert times_now == {
            "week-3": (START + HOUR + 30 * MINUTE, START + 2 * HOUR + 30 * MINUTE),
            "past": (START - HOUR, None),
        }
        own = first(connection, select(exception))
        assert own is not None
        assert own["due"] == START + 3 * HOUR + 30 * MINUTE
        now_is = {row["id"]: (row["due"], row["closes"]) for row in rows(connection, select(attempt))}
        assert now_is[ada_s["id"]] == (START + HOUR + 30 * MINUTE, START + 2 * HOUR + 30 * MINUTE)
        assert now_is[bob_s["id"]] == (START + 3 * HOUR, START + 3 * HOUR)  # finished: it keeps its times


def test_more_time_opens_again_what_the_desk_closed_and_nothing_else(engine: Engine) -> None:
    with writing(engine) as connection:
        found = CLASS.make(connection, TEXT, reveal="manual")
        runs = {who: CLASS.opened(connection, who) for who in CLASS.learners}
        keep(connection, [sent(run, EXAM.items[0].id, ("four",)) for run in runs.values()])
        attempts.finish(connection, runs["bob"]["id"], runs["bob"]["person"], START + 5)
        over = START + HOUR + 2 * MINUTE
        attempts.finish_overdue(connection, over)
        score_all(connection, over)
        assert points(connection, "ada") == (1, 8, 0)

        schedules.change(connection, found, {"due": over + HOUR}, "prof", over)

        open_now = {row["person"]: row["finished"] for row in rows(connection, select(attempt))}
        assert open_now == {runs["ada"]["person"]: None, runs["bob"]["person"]: START + 5}
        assert CLASS.opened(connection, "ada", over + 1)["id"] == runs["ada"]["id"]
        more = sent(runs["ada"], EXAM.items[0].id, ("two",), 2, over + 2)
        assert [kept.verdict for kept in keep(connection, [more])] == ["recorded"]
        attempts.finish(connection, runs["ada"]["id"], runs["ada"]["person"], over + 3)
        score_all(connection, over + 4)
        assert points(connection, "ada") == (0, 8, 0)


@pytest.mark.parametrize(
    ("policy", "expected"), [("last", "0.9000"), ("best", "1"), ("first", "0")], ids=["last", "best", "first"]
)
def test_the_attempt_that_the_policy_names_counts_less_what_lateness_costs(
    engine: Engine, policy: str, expected: str
) -> None:
    item = EXAM.items[0].id
    with writing(engine) as connection:
        CLASS.make(connection, TEXT, runs=3, policy=policy, late_share="0.1", closes=START + 9 * DAY)
        for answer, when in (("two", START + 1), ("four", START + 2), ("four", START + HOUR + 2 * MINUTE)):
            run = CLASS.opened(connection, "ada", when)
            keep(connection, [sent(run, item, (answer,), arrived=when)])
            attempts.finish(connection, run["id"], run["person"], when)
        score_all(connection, START + DAY)
        found = points(connection, "ada")

    assert found is not None
    assert found[0] == Decimal(expected)
    assert found[2] == (Decimal("0.1") if policy == "last" else 0)


@pytest.mark.parametrize("case", CHANGES)
def test_a_changed_key_scores_the_same_answers_again(engine: Engine, case: str) -> None:
    given = CHANGES[case]
    with writing(engine) as connection:
        found = CLASS.make(connection, TEXT)
        run = CLASS.opened(connection, "ada")
        if given["answer"] is not None:
            keep(connection, [sent(run, given["item"], tuple(given["answer"]))])
        attempts.finish(connection, run["id"], run["person"], START + 2)
        score_all(connection, START + 3)
        kept, published = rows(connection, select(submission)), rows(connection, select(version))
        before = _won(connection, given["item"])
        for kind, responses in given["changes"]:
            change = Change(item=given["item"], kind=kind, responses=responses, reason="it was wrong")
            assert regrading.change_key(connection, Library(), found, change, "prof", START + 4) == 1
        score_all(connection, START + 5)

        if given["before"][0] is not None:
            assert before == given["before"]
        assert _won(connection, given["item"]) == given["after"]
        total = sum(Decimal(row["score"]) for row in rows(connection, select(outcome)))
        now_has = points(connection, "ada")
        assert now_has is not None
        assert now_has[0] == total
        assert now_has[1] == 7 + given["after"][1]
        assert (rows(connection, select(submission)), rows(connection, select(version))) == (kept, published)
        logged = rows(connection, select(audit).where(audit.c.what == "key change"))
        assert [(row["who"], row["after"]) for row in logged] == [("prof", kind) for kind, _ in given["changes"]]


def _won(connection: Connection, item: str) -> list[Decimal]:
    found = first(connection, select(outcome).where(outcome.c.item == item))
    assert found is not None
    return [Decimal(found["score"]), Decimal(found["max_score"])]


def test_points_set_by_hand_outlast_attempts_and_regrades(engine: Engine) -> None:
    item, library = EXAM.items[0].id, Library()
    with writing(engine) as connection:
        found = CLASS.make(connection, TEXT, runs=2)
        ada = CLASS.who(connection, "ada")

        def by_hand(value: Decimal | None, now: int) -> None:
            gradebook.override(connection, library, found, ada, value, reason="r", by="prof", now=now)

        by_hand(Decimal(5), START)  # before any attempt
        assert points(connection, "ada") == (5, 8, 0)
        run = CLASS.opened(connection, "ada")
        keep(connection, [sent(run, item, ("four",))])
        attempts.finish(connection, run["id"], run["person"], START + 2)
        score_all(connection, START + 3)
        assert points(connection, "ada") == (5, 8, 0)
        change = Change(item=item, kind="drop", reason="unclear")
        regrading.change_key(connection, library, found, change, "prof", START + 4)
        score_all(connection, START + 5)
        assert points(connection, "ada") == (5, 7, 0)
        by_hand(Decimal("6.5"), START - 1)  # the clock went back: the order counts
        assert points(connection, "ada") == (Decimal("6.5"), 7, 0)
        by_hand(None, START + 6)
        assert points(connection, "ada") == (0, 7, 0)
        logged = rows(connection, select(audit).where(audit.c.what == "override").order_by(audit.c.sequence))
        assert [(row["before"], row["after"]) for row in logged] == [(None, "5"), ("5", "6.5"), ("6.5", None)]


def test_a_key_is_changed_over_http_by_whoever_teaches(engine: Engine) -> None:
    room = Room(engine)
    path = "/api/v1/courses/cs101/quizzes/week-3/key-changes"
    change = {"item": "loss-scaling", "kind": "also", "responses": [["full-disk"]], "reason": "unclear"}
    with writing(engine) as connection:
        run = CLASS.opened(connection, "ada")
        keep(connection, [sent(run, "loss-scaling", ("full-disk",))])
        attempts.finish(connection, run["id"], run["person"], START + 2)

    async def work(ask: Ask) -> list[int]:
        told = [
            await ask("ada", "POST", path, json=change),
            await ask("prof", "POST", path, json={**change, "kind": "maybe"}),
            await ask("prof", "POST", path, json={**change, "responses": ["full-disk"]}),
            await ask("prof", "POST", path, json={**change, "version": 9}),
            await ask("prof", "POST", path, json=change),
        ]
        assert room.desk is not None
        await room.desk.catch_up()
        return [reply.status_code for reply in told]

    assert room.run(work) == [403, 422, 422, 404, 201]
    with reading(engine) as connection:
        assert points(connection, "ada") == (1, 16, 0)


def test_exceptions_of_another_quiz_are_unknown(engine: Engine) -> None:
    with writing(engine) as connection:
        found = CLASS.make(connection, TEXT)
        publishing.publish(connection, "cs101", "other", TEXT, "prof", START)
        ada = {"person": CLASS.who(connection, "ada")["person"]}
        made = schedules.except_(connection, found, ada, {"excused": True}, "prof", START)
        other = Class(slug="other").quiz(connection)
        with pytest.raises(Refused, match="no such exception"):
            schedules.take_back(connection, other, made, "prof", START)
        schedules.take_back(connection, found, made, "prof", START)
        assert rows(connection, select(exception)) == []


@pytest.mark.parametrize(
    "whom", [{}, {"person": "p", "section": "A"}], ids=["for nobody", "for a learner and a section"]
)
def test_an_exception_is_for_one_learner_or_one_section(engine: Engine, whom: dict[str, Any]) -> None:
    with writing(engine) as connection:
        found = CLASS.make(connection, TEXT)
        with pytest.raises(Refused, match="one learner or for one section"):
            schedules.except_(connection, found, whom, {"excused": True}, "prof", START)


def test_the_tables_take_no_exception_for_both(engine: Engine) -> None:
    with writing(engine) as connection:
        found = CLASS.make(connection, TEXT)
        one = {"id": "e", "quiz": found["id"], "made_by": "prof", "made": START, "time_factor": "1", "extra_runs": 0}
        with pytest.raises(IntegrityError):
            connection.execute(insert(exception).values(**one, excused=False, reason=""))
