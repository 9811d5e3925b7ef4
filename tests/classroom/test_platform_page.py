"""The page on which grades are sent: what is entered, refused, listed and tried again, also in a browser."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import httpx
import pytest
from playwright.sync_api import expect
from sqlalchemy import select, update

from quiz_widgets.classroom.desk import attempts, gradebook, submissions
from quiz_widgets.classroom.desk.database.engine import reading, writing
from quiz_widgets.classroom.desk.database.outside_tables import lti_line, lti_platform, outbox
from quiz_widgets.classroom.desk.database.rows import rows
from quiz_widgets.classroom.desk.database.tables import audit as audited
from quiz_widgets.classroom.desk.database.tables import person
from quiz_widgets.classroom.desk.library import Library
from quiz_widgets.classroom.desk.lti import claiming, failures, keys, platforms
from tests.classroom.browsing import Browsing, audit, classroom_pages
from tests.classroom.fake_platform import CLIENT, ISSUER
from tests.classroom.sending import ITEM, RIGHT
from tests.classroom.small_class import START, Class, sent
from tests.classroom.test_pages import COURSE, Pages, Visit, pages, word_of

__all__ = ["classroom_pages", "pages"]  # fixtures

GIVEN = {
    "issuer": ISSUER,
    "client": CLIENT,
    "token_url": "https://lms.example.org/token",
    "audience": "",
    "line_items_url": "https://lms.example.org/lines",
    "active": "yes",
}
PLACE = f"{COURSE}/lti"


def scored(engine: Any) -> None:
    """Ada has a score that failed, Bob one that waits for his name there."""
    with writing(engine) as connection:
        platforms.change(connection, "cs101", {**GIVEN, "active": True}, "prof", START)
        platforms.send_quiz(connection, Class().quiz(connection), "", "16", "prof", START, active=True)
        connection.execute(
            update(person).where(person.c.hub_name == "ada").values(lti_issuer=ISSUER, lti_subject="<b>17")
        )
        for name in ("ada", "bob"):
            run = Class().opened(connection, name)
            submissions.keep(connection, [sent(run, ITEM, RIGHT)])
            attempts.finish(connection, run["id"], run["person"], START + 2)
        gradebook.score_finished(connection, Library(), START + 3)
        connection.execute(update(outbox).values(waits_for=None))
        claimed = claiming.claim(connection, START + 4)
        assert isinstance(claimed, claiming.Claimed)
        claiming.failed(connection, claimed, "400 no such user <i>")
        assert claiming.claim(connection, START + 4) is None


def test_an_instructor_enters_a_platform_and_sends_a_quiz(pages: Pages, tmp_path: Path) -> None:
    object.__setattr__(pages.settings, "lti_keys", tmp_path / "keys.json")
    keys.make(tmp_path / "keys.json")

    async def work(go: Visit) -> list[httpx.Response]:
        word = word_of(await pages.log_in(go, path=COURSE))
        empty = await go(PLACE)
        saved = await go(PLACE, "POST", data={"word": word, **GIVEN})
        line = {"word": word, "label": "Week three", "max_score": "10,5", "active": "yes"}
        quiz = await go(f"{PLACE}/quizzes/week-3", "POST", data=line)
        off = await go(PLACE, "POST", data={"word": word, **GIVEN, "active": "", "client": "8"})
        return [empty, saved, quiz, await go(quiz.headers["location"]), off]

    empty, saved, quiz, shown, off = pages.run(work)
    assert "http://127.0.0.1/services/quiz/lti/jwks.json" in empty.text
    assert "has no key" not in empty.text
    assert [one.status_code for one in (saved, quiz, off)] == [303] * 3
    assert "The quiz is saved." in shown.text
    assert 'value="https://lms.example.org/token"' in shown.text
    assert 'value="Week three"' in shown.text
    with reading(pages.engine) as connection:
        [kept] = rows(connection, select(lti_platform))
        assert (kept["client"], kept["active"], kept["audience"]) == ("8", False, None)
        [line] = rows(connection, select(lti_line))
        assert (line["max_score"], line["active"]) == ("10.5", True)
        logged = connection.execute(select(audited.c.what).where(audited.c.who == "prof")).scalars().all()
    assert logged[-3:] == ["platform", "line item", "platform"]


WRONG: dict[str, tuple[dict[str, str], str]] = {
    "http": ({"token_url": "http://lms.example.org/token"}, "the token URL"),
    "this machine": ({"token_url": "http://127.0.0.1:8001/api/routes"}, "the token URL: this machine is no platform"),
    "this machine's network": ({"line_items_url": "https://10.0.0.1/"}, "the line items URL"),
    "no issuer": ({"issuer": " "}, "give the issuer"),
}


@pytest.mark.parametrize("case", WRONG)
def test_what_is_entered_wrong_stays_in_the_form(pages: Pages, case: str) -> None:
    wrong, says = WRONG[case]

    async def work(go: Visit) -> httpx.Response:
        word = word_of(await pages.log_in(go, path=COURSE))
        return await go(PLACE, "POST", data={"word": word, **GIVEN, **wrong})

    reply = pages.run(work)
    assert reply.status_code == 422
    assert says in reply.text
    assert f'value="{next(iter(wrong.values())).strip()}"' in reply.text
    assert f'value="{CLIENT}"' in reply.text
    with reading(pages.engine) as connection:
        assert rows(connection, select(lti_platform)) == []


def test_points_in_words_stay_in_the_form(pages: Pages) -> None:
    async def work(go: Visit) -> httpx.Response:
        word = word_of(await pages.log_in(go, path=COURSE))
        line = {"word": word, "label": "Week three", "max_score": "many", "active": "yes"}
        return await go(f"{PLACE}/quizzes/week-3", "POST", data=line)

    reply = pages.run(work)
    assert (reply.status_code, "points is a number" in reply.text) == (422, True)
    assert 'value="many"' in reply.text
    assert "no key" in reply.text


def test_what_failed_is_named_and_tried_again(pages: Pages) -> None:
    scored(pages.engine)

    async def work(go: Visit) -> list[httpx.Response]:
        word = word_of(await pages.log_in(go, path=COURSE))
        return [await go(PLACE), await go(f"{PLACE}/again", "POST", data={"word": word}), await go(f"{PLACE}/dry-run")]

    shown, again, dry = pages.run(work)
    assert "400 no such user &lt;i&gt;" in shown.text
    assert claiming.NO_SUBJECT in shown.text
    assert again.status_code == 303
    assert "2 scores would be sent; nothing was." in dry.text
    assert "&lt;b&gt;17" in dry.text
    assert "missing in the roster" in dry.text
    with reading(pages.engine) as connection:
        assert connection.execute(select(outbox.c.state)).scalars().all() == ["waiting", "waiting"]


def test_a_platform_that_rests_says_why(pages: Pages) -> None:
    scored(pages.engine)
    with writing(pages.engine) as connection:
        connection.execute(update(outbox).values(state="waiting", next_try=START))
        connection.execute(update(person).where(person.c.hub_name == "bob").values(lti_subject="18"))
        claimed = claiming.claim(connection, START + 4)
        assert isinstance(claimed, claiming.Claimed)
        claiming.later(connection, claimed, failures.Later("no token: 400 invalid_client", whole=True), START)

    async def work(go: Visit) -> httpx.Response:
        await pages.log_in(go, path=COURSE)
        return await go(PLACE)

    shown = pages.run(work)
    assert "does not answer as it should" in shown.text
    assert "400 invalid_client" in shown.text


@pytest.mark.slow
@pytest.mark.parametrize(
    ("language", "heading", "button"),
    [
        ("en", "Sending grades", "Send again"),
        ("tr", "Not gönderimi", "Yeniden gönder"),
        ("ar", "إرسال الدرجات", "أعد الإرسال"),
    ],
)
def test_grades_are_sent_from_a_browser(classroom_pages: Browsing, language: str, heading: str, button: str) -> None:
    scored(classroom_pages.engine)
    page = classroom_pages.open(locale=language, viewport={"width": 320, "height": 800})
    page.goto(f"{classroom_pages.url}courses/cs101/lti")
    expect(page.get_by_role("heading", level=1)).to_contain_text(heading)
    assert audit(page) == []
    page.get_by_role("button", name=button).press("Enter")
    expect(page.get_by_role("status")).to_be_visible()
    page.locator('a[href$="/lti/dry-run"]').click()
    expect(page.get_by_role("table")).to_contain_text("Ada")
    assert audit(page) == []
