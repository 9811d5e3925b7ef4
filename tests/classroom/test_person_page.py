"""The page of one learner: what happened, receipts that the desk knows again, points by hand and what they do."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import httpx
import pytest
from sqlalchemy import delete, insert, select, update

from quiz_widgets import authoring, compiled
from quiz_widgets.classroom.desk import attempts, courses, schedules
from quiz_widgets.classroom.desk.database.class_tables import contact
from quiz_widgets.classroom.desk.database.engine import reading, writing
from quiz_widgets.classroom.desk.database.rows import Row, rows
from quiz_widgets.classroom.desk.database.tables import audit, submission
from quiz_widgets.classroom.desk.exports import sheets
from quiz_widgets.classroom.desk.library import Library
from quiz_widgets.classroom.desk.operations import learners
from quiz_widgets.classroom.desk.pages import wording
from quiz_widgets.classroom.desk.receipts import Seals
from quiz_widgets.classroom.desk.submissions import keep
from quiz_widgets.classroom.wire import Receipt
from tests.classroom.pressing import COURSE, Desk, at_desk, text
from tests.classroom.small_class import EXAM, HOUR, ROOT, START, Class, a_single, sent
from tests.classroom.test_pages import SECRETS, Pages, pages

__all__ = ["pages"]  # the fixture

CLASS = Class()
WHOLE = compiled.loads(EXAM.read_text(encoding="utf-8"))
ITEM = a_single(WHOLE)
RIGHT = next(option for option in ITEM.options if option.correct)
WRONG = next(option for option in ITEM.options if not option.correct)


def person_of(pages: Pages, name: str = "ada") -> str:
    with reading(pages.engine) as connection:
        return str(CLASS.who(connection, name)["person"])


def page_of(pages: Pages, name: str = "ada") -> str:
    return f"{COURSE}/people/{person_of(pages, name)}"


@pytest.fixture
def worked(pages: Pages) -> Row:
    """Ada answers one question wrongly, then rightly, hands in, and sends another answer to it much too late."""
    with writing(pages.engine) as connection:
        run = CLASS.opened(connection, "ada")
        keep(connection, [sent(run, ITEM.id, (WRONG.id,), 1, START + 1000)])
        keep(connection, [sent(run, ITEM.id, (RIGHT.id,), 2, START + 2000)])
        keep(connection, [sent(run, ITEM.id, (WRONG.id,), 3, START + 2 * HOUR)])
        attempts.finish(connection, run["id"], run["person"], START + 3000)
    pages.now = START + 4000
    return run


def test_what_happened_is_told_in_its_order(pages: Pages, worked: Row) -> None:
    with writing(pages.engine) as connection:
        found = CLASS.quiz(connection)
        given = {"extra_runs": 1, "reason": "Power cut"}
        schedules.except_(connection, found, {"person": worked["person"]}, given, "prof", START + 5000)
        connection.execute(
            insert(contact).values(quiz=found["id"], person=worked["person"], at=START + 6000, waiting=2)
        )

    async def work(desk: Desk) -> str:
        await desk.score()
        return text(await desk.open(page_of(pages)))

    told = at_desk(pages, work)
    wrong, right = (option.text.rendered("en").plain for option in (WRONG, RIGHT))
    stem, receipt = ITEM.stem.rendered("en").plain, f"{worked['id']}/{ITEM.id}"
    in_order = [
        "2027-01-15 11:00:00 Attempt 1 opened, version 1",
        f"2027-01-15 11:00:01 Answer, attempt 1 Recorded {stem} {wrong} {receipt}/1",
        f"2027-01-15 11:00:02 Answer, attempt 1 Recorded {stem} {right} 1 of 1 {receipt}/2",
        "2027-01-15 11:00:03 Attempt 1 handed in",
        "2027-01-15 11:00:05 Exception made 1 more attempt Power cut ( prof )",
        "2027-01-15 11:00:06 The notebook was last heard of 2 answers waited there to be sent",
        f"2027-01-15 13:00:00 Answer, attempt 1 Arrived late: does not count {stem} {wrong} {receipt}/3",
        f"{len(WHOLE.items) - 1} questions were shown and never answered.",
    ]
    places = [told.find(part) for part in in_order]
    assert -1 not in places, in_order[places.index(-1)]
    assert places == sorted(places)
    assert f"1 {sum(item.points for item in WHOLE.items)} 0" in told  # points, of how many, lost for lateness


def test_questions_and_answers_are_in_the_reader_s_language(pages: Pages, worked: Row) -> None:
    reply = at_desk(pages, lambda desk: desk.open(page_of(pages), "ar"))
    stem = ITEM.stem.rendered("ar")
    assert stem.plain in text(reply)
    assert f'<span lang="ar" dir="rtl">{stem.plain}</span>' in reply.text


ITEMS = {item.id: item for item in authoring.load(ROOT / "examples" / "exam").items}
ANSWERS: dict[str, tuple[str, tuple[str, ...], list[str]]] = {
    "a choice": ("grad-bytes-fp32", ("two",), ["2 GB"]),
    "several": (
        "adam-moments",
        ("activations", "first-moment"),
        ["The activations of its layer", "The running mean of its gradients"],
    ),
    "none of several": ("adam-moments", (), []),
    "a number": ("accumulate-four", ("4",), ["4"]),
    "typed": ("name-the-technique", ("<b>off</b>",), ["<b>off</b>"]),
    "an order": ("step-order", ("clear", "forward"), ["Clear the gradients", "Forward pass"]),
    "pairs": ("where-it-lives", ("moments:one-layer",), ["Adam's moments: While one layer is computed"]),
    "an option that is gone": ("grad-bytes-fp32", ("sixteen",), ["sixteen"]),
}


@pytest.mark.parametrize("case", ANSWERS)
def test_an_answer_is_told_in_words(case: str) -> None:
    name, chosen, told = ANSWERS[case]
    assert [part.text for part in wording.response(ITEMS[name], chosen, "en")] == told


def test_a_drawn_question_is_told_with_its_numbers() -> None:
    drawn = next(item for item in WHOLE.items if item.variants)
    names = {f"{{{name}}}" for name in drawn.variants[0].numbers}
    asked = [name for name in names if name in wording.stem(drawn, "en").text]
    shown = {wording.stem(drawn, "en", index).text for index in range(len(drawn.variants))}
    assert asked
    assert len(shown) > 1
    assert not any(name in one for one in shown for name in asked)


def sealed(run: Row, number: int = 2, person: str | None = None) -> Receipt:
    told = Receipt(
        submission=f"{run['id']}/{ITEM.id}/{number}",
        attempt=run["id"],
        item=ITEM.id,
        received=START + 1000 * number,
        status="recorded",
    )
    return Seals(SECRETS).sealed(told, person or run["person"])


RECEIPTS: dict[str, tuple[Callable[[Row], Any], str, int]] = {
    "as it was given": (sealed, "has the answer that it tells of", 200),
    "within a line of a notebook's file": (
        lambda run: {"settled": "x", "verdict": "recorded", "receipt": sealed(run)},
        "has the answer that it tells of",
        200,
    ),
    "with another time": (lambda run: sealed(run) | {"received": START}, "no such receipt", 200),
    "with another question": (lambda run: sealed(run) | {"item": "other"}, "no such receipt", 200),
    "of somebody else": (lambda run: sealed(run, person="b" * 32), "no such receipt", 200),
    "with a seal that is made up": (lambda run: sealed(run) | {"seal": "0" * 64}, "no such receipt", 200),
    "with a seal in other letters": (lambda run: sealed(run) | {"seal": "é" * 64}, "no such receipt", 200),
    "of an answer that is not there": (lambda run: sealed(run, 7), "its database has no such answer", 200),
    "without a seal": (lambda run: {k: v for k, v in sealed(run).items() if k != "seal"}, "This is no receipt", 422),
    "with more in it": (lambda run: sealed(run) | {"score": 1}, "This is no receipt", 422),
    "a list": (lambda _run: [1, 2], "This is no receipt", 422),
    "a number for a text": (lambda run: sealed(run) | {"seal": 5}, "This is no receipt", 422),
}


@pytest.mark.parametrize("case", RECEIPTS)
def test_the_desk_knows_its_receipts_again(pages: Pages, worked: Row, case: str) -> None:
    make, says, status = RECEIPTS[case]
    reply = at_desk(pages, lambda desk: desk.send(f"{page_of(pages)}/receipt", receipt=json.dumps(make(worked))))
    assert (reply.status_code, says in text(reply)) == (status, True)


@pytest.mark.parametrize("shown", ["", "no JSON", "{", "[" * 9000, '{"seal": NaN}', '{"seal": "\ud800"}', "x" * 9000])
def test_what_is_no_receipt_is_refused(pages: Pages, worked: Row, shown: str) -> None:
    data = shown.encode("utf-8", "surrogatepass").decode("latin-1")
    reply = at_desk(pages, lambda desk: desk.send(f"{page_of(pages)}/receipt", receipt=data))
    assert reply.status_code == 422


def test_a_receipt_outlives_its_answer(pages: Pages, worked: Row) -> None:
    """A database that was restored from an older copy."""
    with writing(pages.engine) as connection:
        connection.execute(delete(submission))
    reply = at_desk(pages, lambda desk: desk.send(f"{page_of(pages)}/receipt", receipt=json.dumps(sealed(worked))))
    assert "restored from an older copy" in text(reply)


def wide(pages: Pages, name: str = "Ada") -> str:
    """A learner's line of the exported gradebook."""
    with reading(pages.engine) as connection:
        lines = list(sheets.gradebook(connection, Library(), "cs101", "wide", pages.now))
    [line] = [line for line in lines if f'"{name}"' in line]
    return line.strip()


def test_points_by_hand_are_shown_at_once_exported_logged_and_taken_back(pages: Pages, worked: Row) -> None:
    async def work(desk: Desk) -> None:
        path = page_of(pages)
        await desk.score()
        assert wide(pages).endswith(",1,1,16")
        made = text(await desk.done(f"{path}/points", quiz="week-3", points="3,5", reason="Read out wrongly"))
        assert "The points are set." in made
        assert "Mixed precision training 3.5 16 0 Set by hand" in made
        assert "Points set by hand Read out wrongly ( prof ) 3.5" in made
        assert wide(pages).endswith(",3.5,3.5,16")
        back = text(await desk.done(f"{path}/points/taken-back", quiz="week-3", reason="It was right"))
        assert "Mixed precision training 1 16 0 Mixed" in back.replace("Points by hand", "Mixed")
        assert "Points by hand taken back It was right ( prof )" in back
        assert wide(pages).endswith(",1,1,16")

    at_desk(pages, work)
    with reading(pages.engine) as connection:
        log = rows(connection, select(audit).where(audit.c.what == "override").order_by(audit.c.sequence))
    assert [(one["who"], one["object"], one["before"], one["after"]) for one in log] == [
        ("prof", worked["person"], None, "3.5"),
        ("prof", worked["person"], "3.5", None),
    ]


def test_an_excused_learner_is_so_in_the_exported_gradebook(pages: Pages, worked: Row) -> None:
    async def work(desk: Desk) -> str:
        await desk.score()
        path = f"{COURSE}/quizzes/week-3/exceptions"
        await desk.done(path, act="make", whom=f"person:{worked['person']}", excused="yes", reason="Ill")
        return text(await desk.open(page_of(pages)))

    assert "Excused" in at_desk(pages, work)
    assert wide(pages).endswith(',"excused",,')
    assert wide(pages, "Bob").endswith(",,,")


UNFIT = {
    "a word": ({"points": "ten"}, 422, "is a number"),
    "below zero": ({"points": "-1"}, 422, "is a number"),
    "nothing": ({"points": ""}, 422, "is a number"),
    "not a number by name": ({"points": "NaN"}, 422, "is a number"),
    "too many": ({"points": "1000000"}, 422, "points are 0 to 1000000"),
    "too fine": ({"points": "1.00001"}, 422, "at most four decimals"),
    "no reason": ({"reason": " "}, 422, "say why"),
    "a long reason": ({"reason": "x" * 2001}, 422, "say why"),
}


@pytest.mark.parametrize("case", UNFIT)
def test_points_that_make_no_sense_are_refused_and_stay_in_the_form(pages: Pages, worked: Row, case: str) -> None:
    form, status, says = UNFIT[case]
    entered = {"quiz": "week-3", "points": "2", "reason": "Because", **form}
    reply = at_desk(pages, lambda desk: desk.send(f"{page_of(pages)}/points", **entered))
    assert (reply.status_code, says in text(reply)) == (status, True)
    assert f'value="{entered["reason"].strip()}"' in reply.text
    with reading(pages.engine) as connection:
        assert rows(connection, select(audit).where(audit.c.what == "override")) == []


def test_nothing_is_taken_back_where_nothing_was_set(pages: Pages, worked: Row) -> None:
    path = f"{page_of(pages)}/points/taken-back"
    reply = at_desk(pages, lambda desk: desk.send(path, quiz="week-3", reason="?"))
    assert (reply.status_code, "no points are set by hand" in text(reply)) == (409, True)


def test_only_learners_of_the_course_have_points(pages: Pages) -> None:
    with writing(pages.engine) as connection:
        bob = page_of(pages, "bob")
        courses.drop(connection, "cs101", "bob", "prof", START)

    async def work(desk: Desk) -> list[httpx.Response]:
        form = {"quiz": "week-3", "points": "1", "reason": "r"}
        return [
            await desk.send(f"{page_of(pages, 'prof')}/points", **form),
            await desk.send(f"{bob}/points", **form),
            await desk.send(f"{page_of(pages)}/points", **form | {"quiz": "none"}),
            await desk.open(bob),
        ]

    prof, dropped, no_quiz, page = at_desk(pages, work)
    assert [one.status_code for one in (prof, dropped, no_quiz, page)] == [422, 422, 404, 200]
    assert "no longer in the course" in text(page)
    assert "Set the points" not in page.text


def test_whoever_was_erased_has_a_page_without_a_name(pages: Pages, worked: Row) -> None:
    path = page_of(pages)
    with writing(pages.engine) as connection:
        learners.erase(connection, "ada", "prof", START + 9000)
        connection.execute(update(submission).values(response="[]"))
    told = text(at_desk(pages, lambda desk: desk.open(path)))
    assert "A person who was erased" in told
    assert "Ada" not in told
    assert "the answer was erased" in told
