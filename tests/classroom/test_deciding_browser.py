"""An instructor at the pages of times, corrections and learners, in Chromium: by role and label, without any script."""

from __future__ import annotations

import json
from datetime import datetime

import pytest
from playwright.sync_api import Page, expect
from sqlalchemy import select, update

from quiz_widgets import compiled
from quiz_widgets.classroom.desk import attempts, schedules
from quiz_widgets.classroom.desk.database.engine import reading, writing
from quiz_widgets.classroom.desk.database.rows import rows
from quiz_widgets.classroom.desk.database.tables import course, membership, submission
from quiz_widgets.classroom.desk.receipts import Seals
from quiz_widgets.classroom.desk.submissions import keep
from quiz_widgets.classroom.wire import Receipt
from tests.classroom.browsing import Browsing, audit, classroom_pages
from tests.classroom.serving import until
from tests.classroom.small_class import EXAM, START, Class, a_single, sent
from tests.classroom.test_pages import SECRETS

__all__ = ["classroom_pages"]  # the fixture

CLASS = Class()
ITEM = a_single(compiled.loads(EXAM.read_text(encoding="utf-8")))
WRONG = next(option for option in ITEM.options if not option.correct)


@pytest.fixture
def worked(classroom_pages: Browsing) -> Browsing:
    """A course in Berlin; Ada, of section A, has answered one question wrongly and handed in, Bob is ill."""
    with writing(classroom_pages.engine) as connection:
        connection.execute(update(course).values(zone="Europe/Berlin"))
        run = CLASS.opened(connection, "ada")
        connection.execute(update(membership).where(membership.c.person == run["person"]).values(section="A"))
        keep(connection, [sent(run, ITEM.id, (WRONG.id,), 1, START + 1000)])
        attempts.finish(connection, run["id"], run["person"], START + 2000)
        bob = {"person": CLASS.who(connection, "bob")["person"]}
        schedules.except_(connection, CLASS.quiz(connection), bob, {"excused": True, "reason": "Ill"}, "prof", START)
    classroom_pages.made.now = START + 5000
    return classroom_pages


def to_quiz(page: Page) -> None:
    page.get_by_role("link", name="A course").click()
    page.get_by_role("link", name="Mixed precision training").click()


def test_times_are_entered_in_the_course_s_zone_and_a_time_that_comes_twice_is_asked_about(worked: Browsing) -> None:
    page = worked.page
    to_quiz(page)
    form = page.get_by_role("form", name="Times and rules")
    form.get_by_label("Due", exact=True).fill("2027-10-31T02:30")
    form.get_by_role("button", name="Save").click()
    expect(page.get_by_role("alert")).to_contain_text("2027-10-31T02:30 comes twice in Europe/Berlin")
    assert audit(page) == []
    expect(form.get_by_label("Due", exact=True)).to_have_value("2027-10-31T02:30")
    form.get_by_label("If a time comes twice").select_option("The second one is meant")
    form.get_by_role("button", name="Save").click()
    expect(page.get_by_role("status")).to_have_text("The settings are saved.")
    expect(form.get_by_label("Due", exact=True)).to_have_value("2027-10-31T02:30")
    with reading(worked.engine) as connection:
        assert CLASS.quiz(connection)["due"] == 1000 * datetime.fromisoformat("2027-10-31T02:30+01:00").timestamp()


def test_an_exception_is_looked_at_made_and_taken_back(worked: Browsing) -> None:
    page = worked.page
    to_quiz(page)
    form = page.get_by_role("form", name="Make an exception")
    form.get_by_label("For", exact=True).select_option("A")
    form.get_by_label("Due instead").fill("2027-01-15T18:00")
    form.get_by_label("Reason").fill("Power cut")
    form.get_by_label("Reason").press("Tab")
    page.keyboard.press("Enter")  # the first of the two buttons changes nothing
    concerned = page.get_by_role("region", name="This would be for 1 learner").get_by_role("row")
    expect(concerned.nth(1)).to_contain_text("Ada")
    assert audit(page) == []
    expect(page.get_by_role("button", name="Take back the exception: Section A")).to_have_count(0)
    form.get_by_role("button", name="Make the exception").click()
    expect(page.get_by_role("status")).to_have_text("The exception is made.")
    page.get_by_role("button", name="Take back the exception: Section A").click()
    expect(page.get_by_role("status")).to_have_text("The exception is taken back.")
    expect(page.get_by_role("button", name="Take back the exception: Bob")).to_have_count(1)


def test_a_question_is_corrected_and_its_points_are_on_the_learner_s_page(worked: Browsing) -> None:
    page = worked.page
    to_quiz(page)
    page.get_by_role("link", name="Corrections").click()
    page.get_by_role("link", name=f"Show and correct {ITEM.stem.rendered('en').plain}").click()
    form = page.get_by_role("form", name="Correct this question")
    form.get_by_label("Also accept this answer").check()
    form.get_by_label(WRONG.text.rendered("en").plain).check()
    form.get_by_label("Reason").fill("Both were taught")
    form.get_by_role("button", name="Show what it would do").click()
    expect(page.get_by_role("status")).to_contain_text("1 would have more points")
    assert audit(page) == []
    form.get_by_role("button", name="Make the correction").click()
    expect(page.get_by_role("status")).to_contain_text("The correction is made.")
    expect(page.get_by_role("region", name="Corrections made")).to_contain_text("Both were taught")
    with reading(worked.engine) as connection:
        ada = CLASS.who(connection, "ada")["person"]
    until("the desk has scored again", lambda: "1 of 1" in of_learner(page, worked, ada))


def of_learner(page: Page, worked: Browsing, person: str) -> str:
    page.goto(f"{worked.url}courses/cs101/people/{person}")
    return page.get_by_role("region", name="Mixed precision training").inner_text()


def test_points_by_hand_and_a_receipt(worked: Browsing) -> None:
    page = worked.page
    with reading(worked.engine) as connection:
        ada = CLASS.who(connection, "ada")["person"]
        [row] = rows(connection, select(submission))
    page.goto(f"{worked.url}courses/cs101/people/{ada}")
    form = page.get_by_role("form", name="Points by hand")
    form.get_by_label("Points").fill("7.5")
    form.get_by_label("Reason").fill("Fire alarm")
    form.get_by_role("button", name="Set the points").click()
    expect(page.get_by_role("status")).to_have_text("The points are set.")
    expect(page.get_by_role("region", name="Points").get_by_role("row").nth(1)).to_contain_text("7.5")
    told = Receipt(
        submission=row["id"], attempt=row["attempt"], item=row["item"], received=row["received"], status=row["status"]
    )
    verify = page.get_by_role("form", name="Verify a receipt")
    verify.get_by_label("The receipt, as JSON").fill(json.dumps(Seals(SECRETS).sealed(told, ada)))
    verify.get_by_role("button", name="Verify this receipt").click()
    expect(page.get_by_role("status")).to_contain_text("The desk gave this receipt to this learner")
    page.get_by_label("Reason for taking them back").fill("No alarm after all")
    page.get_by_role("button", name="Take back the points set by hand").click()
    expect(page.get_by_role("status")).to_contain_text("taken back")


PATHS = ["quizzes/week-3", "quizzes/week-3/keys?item={item}", "quizzes/week-3/keys", "people/{ada}"]


@pytest.mark.parametrize("locale", ["en", "tr", "ar"])
def test_everybody_can_use_the_pages(worked: Browsing, locale: str) -> None:
    with reading(worked.engine) as connection:
        ada = CLASS.who(connection, "ada")["person"]
    found: dict[str, list[str]] = {}
    for scheme, width in (("light", 1280), ("dark", 320)):
        page = worked.open(locale=locale, color_scheme=scheme, viewport={"width": width, "height": 800})
        for path in PATHS:
            page.goto(f"{worked.url}courses/cs101/{path.format(ada=ada, item=ITEM.id)}")
            found[f"{path} {scheme}"] = audit(page)
    assert {path: faults for path, faults in found.items() if faults} == {}
