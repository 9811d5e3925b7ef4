"""The page of corrections: each kind by what it does to points, a look before it, what learners sent left as it is."""

from __future__ import annotations

import json
from decimal import Decimal
from pathlib import Path
from typing import Any

import httpx
import pytest
from sqlalchemy import select

from quiz_widgets import authoring, compiled
from quiz_widgets.classroom.desk import attempts, publishing, regrading, rosters
from quiz_widgets.classroom.desk.database.engine import reading, writing
from quiz_widgets.classroom.desk.database.rows import Row, rows
from quiz_widgets.classroom.desk.database.tables import audit, key_change, outcome, score, submission
from quiz_widgets.classroom.desk.exports import sheets
from quiz_widgets.classroom.desk.library import Library
from quiz_widgets.classroom.desk.submissions import keep
from tests.classroom.pressing import COURSE, QUIZ, Desk, at_desk, text
from tests.classroom.small_class import ROOT, START, Class, sent
from tests.classroom.test_pages import Pages, pages

__all__ = ["pages"]  # the fixture

CASES: dict[str, Any] = json.loads(Path(__file__).with_name("regrading.json").read_text(encoding="utf-8"))
del CASES["_"]
CLASS = Class()
EXAM = authoring.load(ROOT / "examples" / "exam")
KEYS = f"{QUIZ}/keys"
ITEM = "grad-bytes-fp32"  # four is right; two and eight are not


@pytest.fixture
def exam(pages: Pages) -> Pages:
    """The class with a second version of its quiz: an exam with items of every kind."""
    with writing(pages.engine) as connection:
        publishing.publish(connection, CLASS.course, CLASS.slug, compiled.dump(EXAM), "prof", START)
    return pages


def handed_in(pages: Pages, name: str, item: str, answer: list[str] | None) -> Row:
    with writing(pages.engine) as connection:
        run = CLASS.opened(connection, name)
        if answer is not None:
            keep(connection, [sent(run, item, tuple(answer))])
        attempts.finish(connection, run["id"], run["person"], START + 2)
    return run


def forms(item: str, changes: list[Any]) -> list[dict[str, Any]]:
    """The forms that make these changes: the page takes one response of options at a time, and typed ones by line."""
    made: list[dict[str, Any]] = []
    for kind, responses in changes:
        if EXAM.item(item).kind in ("number", "text"):
            made.append({"kind": kind, "typed": "\n".join(one for [one] in responses)})
        elif not responses:
            made.append({"kind": kind})
        else:
            made += [{"kind": "also" if number else kind, "response": one} for number, one in enumerate(responses)]
    return [{"item": item, "version": "2", "reason": "As said in class", "act": "make", **one} for one in made]


def all_of(pages: Pages, table: Any) -> list[Row]:
    with reading(pages.engine) as connection:
        return rows(connection, select(table))


@pytest.mark.parametrize("case", CASES)
def test_a_correction_changes_points_and_no_submission(exam: Pages, case: str) -> None:
    given = CASES[case]
    run = handed_in(exam, "ada", given["item"], given["answer"])
    kept = all_of(exam, submission)

    async def work(desk: Desk) -> list[Any]:
        await desk.score()
        for form in forms(given["item"], given["changes"]):
            await desk.done(KEYS, **form)
        await desk.score()
        with reading(exam.engine) as connection:
            here = select(outcome).where(outcome.c.attempt == run["id"], outcome.c.item == given["item"])
            [one] = rows(connection, here)
            [total] = rows(connection, select(score))
            every = rows(connection, select(outcome))
        assert Decimal(total["score"]) == sum(Decimal(row["score"]) for row in every)
        assert Decimal(total["max_score"]) == sum(Decimal(row["max_score"]) for row in every)
        return [Decimal(one["score"]), Decimal(one["max_score"])]

    assert at_desk(exam, work) == [Decimal(part) for part in given["after"]]
    assert all_of(exam, submission) == kept


EFFECTS: dict[str, tuple[dict[str, Any], tuple[int, int, int]]] = {
    "another key": ({"kind": "key", "response": ["two"]}, (1, 1, 0)),
    "also accept": ({"kind": "also", "response": ["two"]}, (1, 0, 1)),
    "full points": ({"kind": "full"}, (1, 0, 1)),
    "dropped": ({"kind": "drop"}, (0, 1, 1)),
    "the same key again": ({"kind": "key", "response": ["four"]}, (0, 0, 2)),
}


@pytest.mark.parametrize("case", EFFECTS)
def test_a_look_tells_what_a_correction_would_do_and_does_nothing(exam: Pages, case: str) -> None:
    form, (more, fewer, same) = EFFECTS[case]
    handed_in(exam, "ada", ITEM, ["four"])
    handed_in(exam, "bob", ITEM, ["two"])

    async def work(desk: Desk) -> httpx.Response:
        await desk.score()
        return await desk.send(KEYS, "en", item=ITEM, version="2", act="look", reason="", **form)

    reply = at_desk(exam, work)
    assert reply.status_code == 200
    assert f"{more} would have more points {fewer} would have fewer points {same} would have as many" in text(reply)
    assert "Nothing is changed yet." in text(reply)
    assert f'value="{form["kind"]}" required checked' in reply.text
    assert all_of(exam, key_change) == []


def test_a_look_stands_on_earlier_corrections(exam: Pages) -> None:
    handed_in(exam, "ada", ITEM, ["eight"])
    with writing(exam.engine) as connection:
        full = regrading.Change(item=ITEM, kind="full", reason="r")
        regrading.change_key(connection, Library(), CLASS.quiz(connection), full, "prof", START)
        drop = regrading.Change(item=ITEM, kind="drop", reason="r")
        assert regrading.effect(connection, Library(), CLASS.quiz(connection), drop) == regrading.Effect(0, 1, 0)
        also = regrading.Change(item=ITEM, kind="also", responses=[["two"]], reason="r")
        assert regrading.effect(connection, Library(), CLASS.quiz(connection), also) == regrading.Effect(0, 0, 1)


def test_the_page_shows_the_question_its_key_and_what_was_corrected(
    exam: Pages, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def nothing(_desk: Any) -> None:
        """A desk that does not score before the page is there."""

    monkeypatch.setattr("quiz_widgets.classroom.desk.desk.Desk.catch_up", nothing)
    handed_in(exam, "ada", ITEM, ["two"])

    async def work(desk: Desk) -> list[str]:
        before = text(await desk.open(f"{KEYS}?version=2&item={ITEM}"))
        form = {"item": ITEM, "version": "2", "kind": "also", "response": "two", "reason": "Half precision <was> meant"}
        after = text(await desk.done(KEYS, act="make", **form))
        return [before, after]

    before, after = at_desk(exam, work)
    assert "With each correction 1 finished attempt is scored again." in before
    assert "2 GB 4 GB (the published key) 8 GB" in before
    assert "None. Questions of version 2" in before
    assert "The correction is made." in after
    assert "1 still waits to be scored." in after
    assert "Also accept this answer 2 GB Half precision <was> meant prof" in after
    [line] = [one for one in all_of(exam, audit) if one["what"] == "key change"]
    assert (line["who"], line["object"], line["after"]) == ("prof", f"week-3 version 2 {ITEM}", "also")


@pytest.mark.parametrize("item", [item.id for item in EXAM.items])
@pytest.mark.parametrize("language", ["en", "tr", "ar"])
def test_every_kind_of_question_has_a_form_for_its_key(exam: Pages, item: str, language: str) -> None:
    reply = at_desk(exam, lambda desk: desk.open(f"{KEYS}?version=2&item={item}", language))
    kind = EXAM.item(item).kind
    assert reply.status_code == 200
    typed = kind in ("number", "text")
    assert ('name="typed"' in reply.text, 'name="response"' in reply.text) == (typed, not typed)


def test_a_question_of_several_versions_is_corrected_in_each(exam: Pages) -> None:
    with writing(exam.engine) as connection:
        text_2 = compiled.dump(EXAM).replace("Eight questions", "Eight good questions")
        publishing.publish(connection, CLASS.course, CLASS.slug, text_2, "prof", START)
    reply = at_desk(exam, lambda desk: desk.open(f"{KEYS}?item={ITEM}"))
    assert "Version 3 ·" in text(reply)
    assert f'href="{KEYS}?version=2&amp;item={ITEM}"' in reply.text
    assert f'href="{KEYS}?version=1&amp;item={ITEM}"' not in reply.text


def test_the_last_correction_of_a_question_is_taken_back(exam: Pages) -> None:
    handed_in(exam, "ada", ITEM, ["two"])
    with writing(exam.engine) as connection:
        found = CLASS.quiz(connection)
        for kind in ("full", "drop"):
            change = regrading.Change(item=ITEM, kind=kind, reason="r")
            regrading.change_key(connection, Library(), found, change, "prof", START)
    dropped, full = (one["id"] for one in sorted(all_of(exam, key_change), key=lambda one: one["kind"]))

    async def work(desk: Desk) -> list[Any]:
        first = await desk.send(f"{KEYS}/taken-back", correction=full)
        told: list[Any] = [(first.status_code, "take the later one back first" in text(first))]
        for one in (dropped, full):
            await desk.score()
            [total] = all_of(exam, score)
            told.append((Decimal(total["score"]), Decimal(total["max_score"])))
            assert "The correction is taken back." in text(await desk.done(f"{KEYS}/taken-back", correction=one))
        await desk.score()
        [total] = all_of(exam, score)
        return [*told, (Decimal(total["score"]), Decimal(total["max_score"]))]

    assert at_desk(exam, work) == [(409, True), (0, 7), (1, 8), (0, 8)]
    log = [(one["what"], one["before"]) for one in all_of(exam, audit) if "key change" in one["what"]]
    assert log[-2:] == [("key change taken back", "drop"), ("key change taken back", "full")]


def test_a_correction_of_another_quiz_is_not_taken_back_here(exam: Pages) -> None:
    with writing(exam.engine) as connection:
        publishing.publish(connection, CLASS.course, "another", compiled.dump(EXAM), "prof", START)
        other = rosters.quiz_of(connection, CLASS.course, "another")
        change = regrading.Change(item=ITEM, kind="full", reason="r")
        regrading.change_key(connection, Library(), other, change, "prof", START)
    [one] = all_of(exam, key_change)
    reply = at_desk(exam, lambda desk: desk.send(f"{KEYS}/taken-back", correction=one["id"]))
    assert (reply.status_code, len(all_of(exam, key_change))) == (404, 1)


@pytest.mark.parametrize(("kinds", "most"), [(["drop"], 7), (["drop", "full"], 8), (["full", "drop"], 7), ([], 8)])
def test_what_a_quiz_is_out_of_in_exports_follows_the_last_correction(exam: Pages, kinds: list[str], most: int) -> None:
    with writing(exam.engine) as connection:
        for kind in kinds:
            change = regrading.Change(item=ITEM, kind=kind, reason="r")
            regrading.change_key(connection, Library(), CLASS.quiz(connection), change, "prof", START)
    with reading(exam.engine) as connection:
        lines = list(sheets.gradebook(connection, Library(), "cs101", "canvas", START))
    assert lines[1].strip().endswith(f",{most}")


UNFIT: dict[str, tuple[dict[str, Any], int, str]] = {
    "no reason": ({"kind": "full", "reason": " "}, 422, "say why"),
    "a long reason": ({"kind": "full", "reason": "x" * 2001}, 422, "say why"),
    "no answer": ({"kind": "key"}, 422, "cannot be answered with nothing"),
    "two answers to a choice": ({"kind": "key", "response": ["two", "four"]}, 422, "cannot be answered with two, four"),
    "an option that there is not": ({"kind": "also", "response": ["ten"]}, 422, "its options are two, four, eight"),
    "no kind": ({}, 422, "is no change of a key"),
    "an unknown kind": ({"kind": "luck"}, 422, "is no change of a key"),
    "nothing typed": (
        {"item": "accumulate-four", "kind": "key", "typed": " \n "},
        422,
        "give the response that is right",
    ),
    "a word for a number": (
        {"item": "accumulate-four", "kind": "also", "typed": "four"},
        422,
        "cannot be answered with",
    ),
    "half an order": ({"item": "step-order", "kind": "key", "response": ["clear", ""]}, 422, "cannot be answered with"),
    "an unknown question": ({"item": "none", "kind": "full"}, 404, "no such page"),
    "an unknown version": ({"version": "9", "kind": "full"}, 404, "no such page"),
    "a version of words": ({"version": "two", "kind": "full"}, 404, "no such page"),
}


@pytest.mark.parametrize("act", ["look", "make"])
@pytest.mark.parametrize("case", UNFIT)
def test_a_correction_that_makes_no_sense_is_refused(exam: Pages, case: str, act: str) -> None:
    form, status, says = UNFIT[case]
    if act == "look" and "reason" in case:
        status, says = 200, "Nothing is changed yet."
    entered = {"item": ITEM, "version": "2", "reason": "r", "act": act, **form}
    reply = at_desk(exam, lambda desk: desk.send(KEYS, "en", **entered))
    assert (reply.status_code, says in text(reply)) == (status, True), text(reply)
    assert all_of(exam, key_change) == []


@pytest.mark.parametrize(
    "query", ["version=9", "version=x", "item=none", "version=1&item=grad-bytes-fp32", "version=²"]
)
def test_what_is_not_there_is_unknown(exam: Pages, query: str) -> None:
    assert at_desk(exam, lambda desk: desk.open(f"{KEYS}?{query}")).status_code == 404


def test_numbers_are_typed_as_the_reader_s_language_has_them(exam: Pages) -> None:
    async def work(desk: Desk) -> None:
        form = {
            "item": "accumulate-four",
            "version": "2",
            "kind": "also",
            "typed": "4,5\n٣",
            "reason": "r",
            "act": "make",
        }
        assert (await desk.send(KEYS, "tr", **form)).status_code == 303

    at_desk(exam, work)
    assert [json.loads(one["body"]) for one in all_of(exam, key_change)] == [[["4.5"], ["3"]]]


def test_the_course_s_page_leads_here(pages: Pages) -> None:
    course = at_desk(pages, lambda desk: desk.open(COURSE))
    assert f'href="{QUIZ}"' in course.text
    assert f'href="{KEYS}"' in at_desk(pages, lambda desk: desk.open(QUIZ)).text
