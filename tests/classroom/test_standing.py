"""How a quiz stands for its class, what a learner did in it, and what a correction would do: on both databases."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from sqlalchemy import Connection, Engine, update

from quiz_widgets import authoring, compiled
from quiz_widgets.classroom.desk import (
    attempts,
    gradebook,
    publishing,
    regrading,
    rosters,
    schedules,
    standing,
    timelines,
    verifying,
)
from quiz_widgets.classroom.desk.database.engine import writing
from quiz_widgets.classroom.desk.database.tables import course, membership, person, quiz
from quiz_widgets.classroom.desk.library import Library
from quiz_widgets.classroom.desk.receipts import Seals
from quiz_widgets.classroom.desk.refusals import Refused
from quiz_widgets.classroom.desk.regrading import Change, Effect
from quiz_widgets.classroom.desk.submissions import keep
from quiz_widgets.classroom.wire import Receipt
from tests.classroom.small_class import HOUR, ROOT, START, Class, sent

CLASS = Class(learners=("ada", "bob", "cem", "dua", "eli", "fay"))
TEXT = compiled.dump(authoring.load(ROOT / "examples" / "exam"))
ITEM = "grad-bytes-fp32"
LIBRARY = Library()


def id_of(connection: Connection, name: str) -> Any:
    return CLASS.who(connection, name)["person"]


def test_each_learner_is_in_one_state(engine: Engine) -> None:
    with writing(engine) as connection:
        found = CLASS.make(connection, TEXT, runs=1)

        def states(now: int) -> list[int]:
            return list(standing.states(connection, rosters.quiz_of(connection, "cs101", "week-3"), now).values())

        working, may_begin, before, done, missed, excused = range(6)
        assert states(START - 1)[before] == 6
        CLASS.opened(connection, "ada")
        run = CLASS.opened(connection, "bob")
        attempts.finish(connection, run["id"], run["person"], START + 1)
        made: dict[str, dict[str, object]] = {
            "cem": {"excused": True},
            "dua": {"due": START + 3 * HOUR},
            "eli": {"opens": START + 30 * 60_000},
        }
        for name, given in made.items():
            schedules.except_(connection, found, {"person": id_of(connection, name)}, given, "prof", START)
        now = states(START + 1)
        assert (now[working], now[may_begin], now[before], now[done], now[missed], now[excused]) == (1, 2, 1, 1, 0, 1)
        attempts.finish_overdue(connection, START + 2 * HOUR)
        now = states(START + 2 * HOUR)
        assert (now[working], now[may_begin], now[before], now[done], now[missed], now[excused]) == (0, 1, 0, 2, 2, 1)
        connection.execute(update(quiz).values(revealed=START + 2 * HOUR))  # whoever has time has no version left
        assert states(START + 2 * HOUR)[may_begin] == 0


def test_keys_are_told_to_come_when_the_last_learner_s_time_is_over(engine: Engine) -> None:
    with writing(engine) as connection:
        found = CLASS.make(connection, TEXT)
        CLASS.opened(connection, "ada")
        publishing.publish(connection, "cs101", "week-3", TEXT.replace("Eight", "8"), "prof", START)
        whom = {"person": id_of(connection, "bob")}
        first = standing.versions(connection, found, START)[1]["id"]
        schedules.except_(connection, found, whom, {"due": START + 5 * HOUR, "version": first}, "prof", START)
        grace = found["grace"]

        def told(now: int) -> list[tuple[Any, ...]]:
            made = standing.versions(connection, found, now)
            return [(one["number"], one["attempts"], one["shown"], one["last"]) for one in made]

        assert told(START + HOUR) == [(2, 0, False, START + HOUR + grace), (1, 1, False, START + 5 * HOUR + grace)]
        assert told(START + 2 * HOUR)[0][2] is True
        assert told(START + 2 * HOUR)[1][2] is False


def test_those_who_are_concerned_are_those_who_then_have_other_times(engine: Engine) -> None:
    with writing(engine) as connection:
        found = CLASS.make(connection, TEXT)
        for name, section in {"ada": "A", "bob": "A", "cem": "B"}.items():
            connection.execute(
                update(membership).where(membership.c.person == id_of(connection, name)).values(section=section)
            )
        connection.execute(update(course).values(late_join=HOUR))
        connection.execute(
            update(membership).where(membership.c.person == id_of(connection, "fay")).values(since=START + HOUR)
        )
        found = rosters.quiz_of(connection, "cs101", "week-3")
        made = schedules.proposed(connection, found, {"section": "A"}, {"due": START + 4 * HOUR}, "prof", START)
        looked = standing.concerned(connection, found, made)
        assert [one.who["hub_name"] for one in standing.apart(connection, found)] == ["fay"]  # joined late
        assert [(one.who["hub_name"], one.before.due, one.after.due) for one in looked] == [
            ("ada", START + HOUR, START + 4 * HOUR),
            ("bob", START + HOUR, START + 4 * HOUR),
        ]
        schedules.except_(connection, found, {"section": "A"}, {"due": START + 4 * HOUR}, "prof", START)
        assert [(one.who["hub_name"], one.after) for one in standing.apart(connection, found)][:2] == [
            (one.who["hub_name"], one.after) for one in looked
        ]


def test_a_timeline_has_all_that_happened_to_one_learner_alone(engine: Engine) -> None:
    with writing(engine) as connection:
        found = CLASS.make(connection, TEXT)
        runs = {name: CLASS.opened(connection, name, START + number) for number, name in enumerate(("ada", "bob"))}
        for name, run in runs.items():
            keep(connection, [sent(run, ITEM, ("four" if name == "ada" else "two",), arrived=START + 10)])
            attempts.finish(connection, run["id"], run["person"], START + 20)
            who = CLASS.who(connection, name)
            points = Decimal(3)
            gradebook.override(connection, LIBRARY, found, who, points, reason="r", by="prof", now=START + 30)
            gradebook.override(connection, LIBRARY, found, who, None, reason="r", by="prof", now=START + 40)
        while gradebook.score_finished(connection, LIBRARY, START + 50):
            pass
        who = rosters.somebody(connection, "cs101", id_of(connection, "ada"))
        [told] = timelines.read(connection, LIBRARY, "cs101", who)
        assert [(one.what, one.at - START) for one in told.events] == [
            ("opened", 0), ("submitted", 10), ("finished", 20), ("points", 30), ("points_back", 40),
        ]  # fmt: skip
        [answer] = [one for one in told.events if one.what == "submitted"]
        assert answer.outcome
        assert told.score
        assert answer.response == ("four",)
        assert Decimal(answer.outcome["score"]) == Decimal(told.score["score"]) == 1
        assert (told.by_hand, told.unanswered) == (None, 7)
        assert gradebook.by_hand(connection, found["id"], who["person"]) is None


def test_a_look_at_a_correction_says_what_it_then_does(engine: Engine) -> None:
    answers = {"ada": "four", "bob": "two", "cem": "eight", "dua": None}
    with writing(engine) as connection:
        found = CLASS.make(connection, TEXT)
        for name, answer in answers.items():
            run = CLASS.opened(connection, name)
            if answer is not None:
                keep(connection, [sent(run, ITEM, (answer,))])
            attempts.finish(connection, run["id"], run["person"], START + 20)
        CLASS.opened(connection, "eli")  # not finished: not counted
        changes = [
            ("key", [["two"]], Effect(1, 1, 2)),
            ("also", [["four"]], Effect(1, 0, 3)),
            ("full", [], Effect(2, 0, 2)),
        ]
        for number, (kind, responses, expected) in enumerate(changes):
            change = Change(item=ITEM, kind=kind, responses=responses, reason="r")
            assert regrading.effect(connection, LIBRARY, found, change) == expected
            assert regrading.change_key(connection, LIBRARY, found, change, "prof", START + number) == 4
            assert regrading.scored(connection, found) == (4, 4)
            while gradebook.score_finished(connection, LIBRARY, START + 50):
                pass
            assert regrading.scored(connection, found) == (4, 0)
        assert [one["kind"] for one in regrading.changes_of(connection, found)] == ["full", "also", "key"]


def test_nobody_wins_points_at_a_poll_s_question_that_was_not_opened(engine: Engine) -> None:
    with writing(engine) as connection:
        CLASS.make(connection, TEXT)
        run = CLASS.opened(connection, "ada")
        attempts.finish(connection, run["id"], run["person"], START + 20)
        full = Change(item=ITEM, kind="full", reason="r")
        assert regrading.effect(connection, LIBRARY, CLASS.quiz(connection), full) == Effect(1, 0, 0)
        connection.execute(update(quiz).values(kind="poll"))
        assert regrading.effect(connection, LIBRARY, CLASS.quiz(connection), full) == Effect(0, 0, 1)


def test_a_receipt_is_known_again_for_its_own_learner(engine: Engine) -> None:
    seals = Seals(("cd" * 32, "ab" * 32))
    with writing(engine) as connection:
        CLASS.make(connection, TEXT)
        run = CLASS.opened(connection, "ada")
        [kept] = keep(connection, [sent(run, ITEM, ("four",))])
        assert kept.receipt is not None
        old = Seals(("ab" * 32,)).sealed(kept.receipt, run["person"])
        gone = Receipt(submission="gone", attempt="a", item="i", received=1, status="recorded")
        shown = [
            (run["person"], seals.sealed(kept.receipt, run["person"])),
            (run["person"], old),
            (id_of(connection, "bob"), old),
            (run["person"], seals.sealed(gone, run["person"])),
        ]
        found = [verifying.verify(connection, seals, who, receipt) for who, receipt in shown]
    assert found == ["kept", "kept", "not_ours", "gone"]


def test_only_people_of_the_course_are_known_to_it(engine: Engine) -> None:
    with writing(engine) as connection:
        CLASS.make(connection, TEXT)
        connection.execute(person.insert().values(id="f" * 32, hub_name="rival", created=START))
        with pytest.raises(Refused):
            rosters.somebody(connection, "cs101", "f" * 32)
        assert rosters.somebody(connection, "cs101", id_of(connection, "ada"))["display_name"] == "Ada"
