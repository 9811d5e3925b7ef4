"""The page of a course's settings: what it changes and what it leaves, deadlines that move once, groups of the Hub."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import httpx
import pytest
from sqlalchemy import insert, select, update

from quiz_widgets.classroom.desk import courses, groups
from quiz_widgets.classroom.desk.database.engine import reading, writing
from quiz_widgets.classroom.desk.database.tables import audit, course, exception, quiz
from quiz_widgets.classroom.desk.enrolling import Line
from tests.classroom.small_class import HOUR, START, Class
from tests.classroom.test_pages import COURSE, Pages, Visit, pages
from tests.classroom.test_people_page import Send, sent

__all__ = ["pages"]  # the fixture

SETTINGS = f"{COURSE}/settings"
DAY = 24 * HOUR
MIDNIGHT = 1_798_664_400_000  # the end of 30 December 2026 in Istanbul


def found(made: Pages) -> dict[str, Any]:
    with reading(made.engine) as connection:
        return courses.one(connection, "cs101")


def times(made: Pages) -> list[int]:
    with reading(made.engine) as connection:
        chosen = [select(quiz.c.due).where(quiz.c.course == "cs101"), select(exception.c.due)]
        return sorted(due for one in chosen for due in connection.execute(one).scalars())


SAVED: dict[str, tuple[dict[str, str], dict[str, object]]] = {
    "everything": (
        {"title": " New ", "late_join": "1,5", "until": "2026-12-30"},
        {"title": "New", "late_join": 36 * HOUR, "retained_until": MIDNIGHT},
    ),
    "nothing": ({"title": "A course", "late_join": "", "until": ""}, {}),
    "nought days": ({"late_join": "0"}, {}),
}


@pytest.mark.parametrize("case", SAVED)
def test_settings_are_saved(pages: Pages, case: str) -> None:
    form, changed = SAVED[case]
    before = found(pages)
    reply = sent(pages, lambda _, send: send(SETTINGS, **form))
    assert reply.status_code == 303, reply.text
    assert found(pages) == before | changed


def test_a_field_that_is_left_keeps_what_a_command_has_set(pages: Pages) -> None:
    """To the millisecond, which the form does not show."""
    with writing(pages.engine) as connection:
        connection.execute(update(course).values(late_join=DAY // 7, retained_until=MIDNIGHT - 5 * HOUR))
    before = found(pages)

    async def work(go: Visit, send: Send) -> list[httpx.Response]:
        page = await go(SETTINGS)
        return [page, await send(SETTINGS, title="Another", late_join="0.1429", until="2026-12-30")]

    page, reply = sent(pages, work)
    assert 'value="0.1429"' in page.text
    assert 'value="2026-12-30"' in page.text
    assert reply.status_code == 303
    assert found(pages) == before | {"title": "Another"}


UNFIT: Mapping[str, dict[str, str]] = {
    "no title": {"title": ""},
    "a long title": {"title": "t" * 257},
    "no number of days": {"late_join": "many"},
    "days below nothing": {"late_join": "-1"},
    "more than a year": {"late_join": "400"},
    "no day": {"until": "2027-02-30"},
    "a day of another age": {"until": "9999-12-31"},
    "somebody else was here": {"title": "Mine", "seen": "0"},
}


@pytest.mark.parametrize("case", UNFIT)
def test_what_does_not_fit_is_said_and_changes_nothing(pages: Pages, case: str) -> None:
    before = found(pages)
    reply = sent(pages, lambda _, send: send(SETTINGS, **UNFIT[case]))
    assert reply.status_code in (409, 422)
    assert 'role="alert"' in reply.text
    assert ("Mine" in reply.text, found(pages)) == (False, before)


def test_deadlines_move_once_and_those_that_are_over_stay(pages: Pages) -> None:
    with writing(pages.engine) as connection:
        found_ = Class().quiz(connection)
        for name, due in (("over", START - 1), ("ahead", START + 2 * HOUR)):
            connection.execute(
                insert(exception).values(id=name, quiz=found_["id"], section="A", due=due, made_by="prof", made=START)
            )

    async def work(go: Visit, send: Send) -> list[int]:
        page = await go(SETTINGS)
        assert "1 quiz has such times." in page.text
        seen = page.text.split('action="' + COURSE + '/move"')[1].split('name="seen" value="')[1].split('"')[0]
        form = {"minutes": "30", "direction": "later", "seen": seen}
        first, second = await send(f"{COURSE}/move", **form), await send(f"{COURSE}/move", **form)
        assert times(pages) == [START - 1, START + 3 * HOUR // 2, START + 5 * HOUR // 2]
        back = await send(f"{COURSE}/move", minutes="30", direction="earlier")
        return [first.status_code, second.status_code, back.status_code]

    assert sent(pages, work) == [303, 409, 303]
    assert times(pages) == [START - 1, START + HOUR, START + 2 * HOUR]


@pytest.mark.parametrize(
    "form",
    [{"minutes": "0", "direction": "later"}, {"minutes": "1.5", "direction": "later"}, {"minutes": "5"},
     {"minutes": "-5", "direction": "later"}, {"minutes": "999999", "direction": "later"}, {"direction": "later"}],
)  # fmt: skip
def test_deadlines_that_cannot_move_so_stay(pages: Pages, form: dict[str, str]) -> None:
    before = times(pages)
    assert sent(pages, lambda _, send: send(f"{COURSE}/move", **form)).status_code == 422
    assert times(pages) == before


def test_groups_are_mapped_and_removed(pages: Pages) -> None:
    async def work(go: Visit, send: Send) -> list[httpx.Response]:
        made = await send(f"{COURSE}/groups", group="Class A", role="assistant", section="A")
        page = await go(SETTINGS)
        wrong = [await send(f"{COURSE}/groups", group="g", role="king"), await send(f"{COURSE}/groups")]
        gone = await send(f"{COURSE}/groups/remove", group="gone")
        return [made, page, *wrong, gone, await send(f"{COURSE}/groups/remove", group="Class A")]

    made, page, king, none, gone, removed = sent(pages, work)
    assert [reply.status_code for reply in (made, king, none, gone, removed)] == [303, 422, 422, 404, 303]
    assert "Remove: Class A" in page.text
    with reading(pages.engine) as connection:
        assert groups.mapped(connection, "cs101") == []
        logged = connection.execute(select(audit.c.who).where(audit.c.what == "group")).scalars().all()
    assert logged == ["prof", "prof"]


def test_an_assistant_sees_settings_and_no_form(pages: Pages) -> None:
    with writing(pages.engine) as connection:
        courses.enrol(connection, "cs101", Line("second", role="instructor"), "prof", START)
        courses.enrol(connection, "cs101", Line("prof", role="assistant"), "prof", START)
        groups.put(connection, "cs101", "Class A", "learner", None, "prof", START)
    page = sent(pages, lambda go, _: go(SETTINGS))
    assert "Class A" in page.text
    assert f'action="{COURSE}' not in page.text
