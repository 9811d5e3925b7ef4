"""The page of a quiz's times: what is entered holds, or is refused with a reason; exceptions, and whom they are for."""

from __future__ import annotations

import json
from datetime import datetime
from pathlib import Path
from typing import Any

import httpx
import pytest
from sqlalchemy import select, update

from quiz_widgets.classroom.desk import attempts, rosters
from quiz_widgets.classroom.desk.database.engine import reading, writing
from quiz_widgets.classroom.desk.database.rows import Row, rows
from quiz_widgets.classroom.desk.database.tables import audit, course, exception, membership, quiz
from tests.classroom.pressing import QUIZ, Desk, at_desk, fields, text
from tests.classroom.small_class import HOUR, START, Class
from tests.classroom.test_pages import PREFIX, Pages, pages

__all__ = ["pages"]  # the fixture

CASES: dict[str, Any] = json.loads(Path(__file__).with_name("schedule_page.json").read_text(encoding="utf-8"))
del CASES["_"]
CLASS = Class()
EXCEPTIONS = f"{QUIZ}/exceptions"


@pytest.fixture
def berlin(pages: Pages) -> Pages:
    """The class, in a city whose clock changes twice a year."""
    with writing(pages.engine) as connection:
        connection.execute(update(course).values(zone="Europe/Berlin"))
    return pages


def now_set(pages: Pages) -> Row:
    with reading(pages.engine) as connection:
        return CLASS.quiz(connection)


def ms(told: Any) -> Any:
    return int(datetime.fromisoformat(told).timestamp() * 1000) if str(told).endswith("Z") else told


@pytest.mark.parametrize("case", CASES)
def test_settings_are_set_or_refused(berlin: Pages, case: str) -> None:
    given, before = CASES[case], now_set(berlin)
    reply = at_desk(berlin, lambda desk: desk.send(QUIZ, **given["sent"]))
    after = now_set(berlin)
    if "set" in given:
        assert reply.status_code == 303, text(reply)
        assert after == before | {name: ms(value) for name, value in given["set"].items()}
    else:
        assert (reply.status_code, after) == (given["status"], before)
        assert given["says"] in text(reply)


def test_what_was_refused_stands_in_the_form_still(berlin: Pages) -> None:
    reply = at_desk(berlin, lambda desk: desk.send(QUIZ, due="2027-10-31T02:30", runs="7", grace="60"))
    assert {"due": "2027-10-31T02:30", "runs": "7", "grace": "60"}.items() <= fields(reply).items()
    assert 'role="alert"' in reply.text


def test_a_form_sent_back_as_it_came_changes_nothing(berlin: Pages) -> None:
    twice = ms("2027-10-31T01:30:20Z")  # the second of two, with seconds that the field does not show
    with writing(berlin.engine) as connection:
        connection.execute(update(quiz).values(due=twice, grace=1500, time_limit=90_000))
    before = now_set(berlin)

    async def work(desk: Desk) -> httpx.Response:
        shown = fields(await desk.open(QUIZ))
        names = ("opens", "due", "closes", "grace", "runs", "time_limit", "late_share")
        return await desk.done(QUIZ, **{name: shown[name] for name in names})

    at_desk(berlin, work)
    assert now_set(berlin) == before
    with reading(berlin.engine) as connection:
        assert rows(connection, select(audit).where(audit.c.what == "schedule")) == []


def test_nobody_undoes_what_somebody_else_has_set_meanwhile(pages: Pages) -> None:
    async def work(desk: Desk) -> httpx.Response:
        page = await desk.open(QUIZ)
        seen = page.text.partition('name="seen" value="')[2].partition('"')[0]
        await desk.done(QUIZ, runs="5", seen=seen)
        return await desk.send(QUIZ, runs="2", seen=seen)

    reply = at_desk(pages, work)
    assert (reply.status_code, now_set(pages)["runs"]) == (409, 5)
    assert fields(reply)["runs"] == "5"


def test_an_attempt_at_hand_gets_the_new_times_and_the_log_a_line(pages: Pages) -> None:
    with writing(pages.engine) as connection:
        run = CLASS.opened(connection, "ada")
    at_desk(pages, lambda desk: desk.done(QUIZ, due="2027-01-16T00:00"))
    with reading(pages.engine) as connection:
        later = attempts.one(connection, run["id"], run["person"])
        [line] = rows(connection, select(audit).where(audit.c.what == "schedule"))
    assert later["due"] == ms("2027-01-15T21:00Z")
    assert (line["who"], json.loads(line["before"])) == ("prof", {"due": START + HOUR})


def test_the_page_says_who_still_has_time_and_when_keys_are_shown(pages: Pages) -> None:
    with writing(pages.engine) as connection:
        CLASS.opened(connection, "ada")

    async def work(desk: Desk) -> list[str]:
        early = text(await desk.open(QUIZ))
        pages.now = START + 2 * HOUR
        return [early, text(await desk.open(QUIZ))]

    early, late = at_desk(pages, work)
    assert "Answering now 1 Can begin 1 " in early
    assert "Shown after 2027-01-15 12:01" in early
    assert "Finished, no time or attempt left 1 Never began, and can no longer 1" in late
    assert "2027-01-15 12:01 Shown " in late


def ada_of(pages: Pages) -> str:
    with writing(pages.engine) as connection:
        ada = str(CLASS.who(connection, "ada")["person"])
        connection.execute(update(membership).where(membership.c.person == ada).values(section="A"))
    return ada


def window(pages: Pages, name: str) -> Any:
    with reading(pages.engine) as connection:
        return rosters.window_of(connection, CLASS.quiz(connection), CLASS.who(connection, name))


def test_looking_changes_nothing_and_names_those_who_are_concerned(pages: Pages) -> None:
    ada_of(pages)
    form = {"whom": "section:A", "due": "2027-01-15T18:00", "extra_runs": "1", "reason": "Bus was late"}

    async def work(desk: Desk) -> list[httpx.Response]:
        return [await desk.send(EXCEPTIONS, act="look", **form), await desk.done(EXCEPTIONS, act="make", **form)]

    looked, made = at_desk(pages, work)
    assert looked.status_code == 200
    assert "This would be for 1 learner" in text(looked)
    assert "Ada 2027-01-15 11:00 2027-01-15 12:00 2027-01-15 18:00" in text(looked)
    assert "Bus was late" in looked.text
    assert "None: everybody has the times above." in text(looked)
    assert "Section A Due : 2027-01-15 18:00 1 more attempt Bus was late prof" in text(made).replace("Due:", "Due :")
    assert "1 learner has other times" in text(made)
    assert (window(pages, "ada").runs, window(pages, "bob").runs) == (2, 1)


def test_an_exception_for_one_learner_is_made_and_taken_back(pages: Pages) -> None:
    ada, own = ada_of(pages), window(pages, "ada")
    form = {
        "whom": f"person:{ada}",
        "opens": "2027-01-15T10:30",
        "due": "2027-01-15T13:00",
        "closes": "2027-01-15T14:00",
        "time_factor": "1,5",
        "extra_runs": "2",
        "version": "1",
        "excused": "yes",
        "reason": "Certificate",
    }

    async def work(desk: Desk) -> httpx.Response:
        await desk.done(EXCEPTIONS, act="make", **form)
        with reading(pages.engine) as connection:
            [kept] = rows(connection, select(exception))
        assert (kept["time_factor"], kept["reason"], kept["made_by"]) == ("1.5", "Certificate", "prof")
        assert window(pages, "ada").excused
        assert window(pages, "ada").closes == ms("2027-01-15T11:00Z")
        return await desk.done(f"{EXCEPTIONS}/taken-back", exception=kept["id"])

    assert "The exception is taken back." in text(at_desk(pages, work))
    assert window(pages, "ada") == own
    with reading(pages.engine) as connection:
        told = [one["what"] for one in rows(connection, select(audit).order_by(audit.c.sequence))]
        whole = json.dumps(rows(connection, select(audit)))
    assert told[-2:] == ["exception", "exception taken back"]
    assert "Certificate" not in whole  # a reason may name somebody


UNFIT = {
    "nobody": ({"whom": "", "extra_runs": "1"}, "choose a learner or a section"),
    "a person of another course": ({"whom": "person:{rival}", "extra_runs": "1"}, "choose a learner or a section"),
    "the instructor": ({"whom": "person:{prof}", "extra_runs": "1"}, "choose a learner or a section"),
    "a section that nobody is in": ({"whom": "section:Z", "extra_runs": "1"}, "choose a learner or a section"),
    "nothing changed": ({"whom": "section:A"}, "an exception changes something"),
    "a factor out of range": ({"whom": "section:A", "time_factor": "11"}, "0.5 to 10"),
    "a factor of many digits": ({"whom": "section:A", "time_factor": "1.123456789"}, "0.5 to 10"),
    "many attempts": ({"whom": "section:A", "extra_runs": "101"}, "0 to 100"),
    "a version that there is not": ({"whom": "section:A", "version": "7"}, "no version 7"),
    "closing before it is due": (
        {"whom": "section:A", "due": "2027-01-15T18:00", "closes": "2027-01-15T17:00"},
        "is due before it closes",
    ),
    "a long reason": ({"whom": "section:A", "extra_runs": "1", "reason": "x" * 2001}, "at most 2000"),
}


@pytest.mark.parametrize("act", ["look", "make"])
@pytest.mark.parametrize("case", UNFIT)
def test_an_exception_that_makes_no_sense_is_refused_with_a_reason(pages: Pages, case: str, act: str) -> None:
    ada_of(pages)
    form, says = UNFIT[case]
    with reading(pages.engine) as connection:
        ids = {
            "prof": CLASS.who(connection, "prof")["person"],
            "rival": rosters.member(connection, "other", "rival")["person"],
        }
    sent = {name: value.format(**ids) for name, value in form.items()}
    reply = at_desk(pages, lambda desk: desk.send(EXCEPTIONS, act=act, **sent))
    assert reply.status_code == 422
    assert says in text(reply)
    with reading(pages.engine) as connection:
        assert rows(connection, select(exception)) == []


def test_nobody_gets_more_time_for_answers_that_were_shown(pages: Pages) -> None:
    ada = ada_of(pages)
    with writing(pages.engine) as connection:
        CLASS.opened(connection, "ada")
    pages.now = START + 2 * HOUR
    reply = at_desk(pages, lambda desk: desk.send(EXCEPTIONS, act="make", whom=f"person:{ada}", extra_runs="1"))
    assert reply.status_code == 409
    assert "it takes another version" in text(reply)


def test_an_exception_of_another_quiz_is_not_taken_back_here(pages: Pages) -> None:
    ada_of(pages)

    async def work(desk: Desk) -> list[int]:
        await desk.done(EXCEPTIONS, act="make", whom="section:A", extra_runs="1")
        with reading(pages.engine) as connection:
            [kept] = rows(connection, select(exception))
        there = f"{PREFIX}courses/other/quizzes/week-3/exceptions/taken-back"
        return [(await desk.send(path, exception=kept["id"])).status_code for path in (there,)] + [
            (await desk.send(f"{EXCEPTIONS}/taken-back", exception="none")).status_code
        ]

    assert at_desk(pages, work) == [404, 404]
    with reading(pages.engine) as connection:
        assert len(rows(connection, select(exception))) == 1


def test_an_assistant_looks_and_finds_no_form(pages: Pages) -> None:
    with writing(pages.engine) as connection:
        prof = CLASS.who(connection, "prof")["person"]
        connection.execute(update(membership).where(membership.c.person == prof).values(role="assistant"))
    reply = at_desk(pages, lambda desk: desk.open(QUIZ))
    assert "Published versions" in reply.text
    assert "Times and rules" not in reply.text
    assert "Make the exception" not in reply.text


@pytest.mark.parametrize(("language", "says"), [("tr", "iki kez geliyor"), ("ar", "مرتين")])
def test_what_is_unclear_is_said_in_the_reader_s_language(berlin: Pages, language: str, says: str) -> None:
    reply = at_desk(berlin, lambda desk: desk.send(QUIZ, language, due="2027-10-31T02:30"))
    assert says in text(reply)
