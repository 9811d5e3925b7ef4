"""The page of a course's people: finding, enrolling, changing, dropping, and rosters that are good or not."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from time import perf_counter
from typing import Any

import httpx
import pytest
from sqlalchemy import update

from quiz_widgets.classroom.desk import courses, people
from quiz_widgets.classroom.desk.database.engine import reading, writing
from quiz_widgets.classroom.desk.database.rows import Row
from quiz_widgets.classroom.desk.database.tables import membership
from quiz_widgets.classroom.desk.enrolling import Line
from quiz_widgets.classroom.desk.pages.people import AT_ONCE
from tests.classroom.small_class import START
from tests.classroom.test_pages import COURSE, Pages, Visit, pages, word_of

__all__ = ["pages"]  # the fixture

PEOPLE = f"{COURSE}/people"
Send = Callable[..., Awaitable[httpx.Response]]


def by_name(made: Pages) -> dict[str, Row]:
    with reading(made.engine) as connection:
        return {one["hub_name"]: one for one in people.members(connection, "cs101")}


def sent(made: Pages, work: Callable[[Visit, Send], Awaitable[Any]]) -> Any:
    """What `work` finds that gets the pages, and what sends a form of theirs."""

    async def inside(go: Visit) -> Any:
        word = word_of(await made.log_in(go))

        async def send(path: str, file: bytes | None = None, **form: str) -> httpx.Response:
            files = {} if file is None else {"files": {"roster": file}}
            return await go(path, "POST", data={"word": word, **form}, headers={}, **files)

        return await work(go, send)

    return made.run(inside)


def test_somebody_is_enrolled_changed_and_dropped(pages: Pages) -> None:
    async def work(go: Visit, send: Send) -> list[httpx.Response]:
        made = await send(PEOPLE, name=" eve ", display_name="Eve", email="eve@x", section="B", role="assistant")
        eve = by_name(pages)["eve"]["person"]
        form = await go(f"{PEOPLE}?change={eve}")
        changed = await send(PEOPLE, change=eve, name="mallory", display_name="Eve E.", role="learner", lti_sub="s-1")
        after = by_name(pages)
        assert "mallory" not in after  # whom a change is for says the id
        seen = [(after["eve"][name]) for name in ("display_name", "email", "section", "role", "lti_subject")]
        assert seen == ["Eve E.", None, None, "learner", "s-1"]  # what the form had empty is gone
        return [made, form, changed, await send(f"{PEOPLE}/{eve}/drop"), await go(PEOPLE)]

    made, form, changed, dropped, page = sent(pages, work)
    assert 'value="eve@x"' in form.text
    assert [reply.status_code for reply in (made, changed, dropped)] == [303] * 3
    assert dropped.headers["location"].endswith("people?done=people.dropped")
    assert not by_name(pages)["eve"]["active"]
    assert page.text.count("dropped</td>") == 1


def test_what_is_entered_wrong_is_said_beside_it(pages: Pages) -> None:
    with writing(pages.engine) as connection:
        courses.enrol(connection, "cs101", Line("bob", lti_sub="held"), "prof", START)
    prof = by_name(pages)["prof"]["person"]

    async def work(_: Visit, send: Send) -> list[httpx.Response]:
        return [
            await send(PEOPLE, name="", display_name="Kept", role="king"),
            await send(PEOPLE, name="eve", section="s" * 65),
            await send(PEOPLE, name="eve", lti_sub="held"),
            await send(PEOPLE, change=prof, role="learner"),
            await send(f"{PEOPLE}/{prof}/drop"),
        ]

    before = by_name(pages)
    empty, long, taken, demoted, dropped = sent(pages, work)
    assert [reply.status_code for reply in (empty, long, taken, demoted, dropped)] == [422, 422, 422, 409, 409]
    assert "`name` is empty; `king` is no role" in empty.text
    assert 'value="Kept"' in empty.text
    assert "longer than 64" in long.text
    assert "that of `bob` too" in taken.text
    for reply in (demoted, dropped):
        assert "keeps at least one instructor" in reply.text
        assert 'role="alert"' in reply.text
    assert by_name(pages) == before


ROSTERS: dict[str, tuple[bytes, str]] = {
    "faults of lines": (b"name,role\nada,king\n,\nada,learner\n", "line 2: `king` is no role"),
    "another encoding": ("name\nJosé\n".encode("latin-1"), "no UTF-8 text (byte 8)"),
    "one id for three": (b"name,lti_sub\nada,x\nbob,x\neve,x\n", "line 4: `lti_sub` x is that of `ada` too"),
    "a script": (b"name\n<script>alert(1)</script>,x\n", "more values than columns"),
    "nobody": (b"name\n", "nobody in this roster"),
    "no instructor": (b"name\nprof\n", "keeps at least one instructor"),
}


@pytest.mark.parametrize("case", ROSTERS)
def test_of_a_bad_roster_nothing_is_taken_and_every_fault_is_named(pages: Pages, case: str) -> None:
    data, said = ROSTERS[case]
    before = by_name(pages)
    reply = sent(pages, lambda _, send: send(f"{COURSE}/roster", data, drop="yes"))
    assert reply.status_code in (409, 422)
    assert said in reply.text.replace("&#39;", "'")
    assert "<script>alert" not in reply.text
    assert by_name(pages) == before


def test_many_faults_are_counted_and_some_are_shown(pages: Pages) -> None:
    data = b"name,role\n" + b"".join(b"n%d,king\n" % n for n in range(130))
    reply = sent(pages, lambda _, send: send(f"{COURSE}/roster", data))
    assert "the roster has 130 faults" in reply.text
    assert "and 30 more" in reply.text
    assert reply.text.count("is no role") == 100


def test_a_roster_is_taken_and_the_others_are_dropped_on_demand(pages: Pages) -> None:
    async def work(_: Visit, send: Send) -> list[httpx.Response]:
        kept = await send(f"{COURSE}/roster", "\ufeffname;section\nada;A\nnur;A\n".encode())
        assert by_name(pages)["bob"]["active"]
        return [kept, await send(f"{COURSE}/roster", b"name,section\nada,A\n", drop="yes")]

    assert [reply.status_code for reply in sent(pages, work)] == [303, 303]
    found = by_name(pages)
    assert {name: one["active"] for name, one in found.items()} == {
        "ada": True,
        "nur": False,
        "bob": False,
        "prof": True,
    }


def test_an_instructor_changes_nobody_s_number_in_a_course_of_others(pages: Pages) -> None:
    """Grades find their way by it there."""
    known = Line("ada", "Ada", "12", email="ada@x", lti_sub="s-1")
    with writing(pages.engine) as connection:
        courses.enrol(connection, "other", known, "rival", START)

    async def work(_: Visit, send: Send) -> list[httpx.Response]:
        ada = by_name(pages)["ada"]["person"]
        refused = [
            await send(PEOPLE, name="ada", student_number="13"),
            await send(PEOPLE, change=ada, student_number="12", email="", lti_sub="s-1"),
            await send(f"{COURSE}/roster", b"name,lti_sub,email\nada,s-2,a@x\n"),
        ]
        assert by_name(pages)["ada"]["student_number"] == "12"
        fine = await send(PEOPLE, name="ada", display_name="Ada L.", student_number="12", section="B")
        with writing(pages.engine) as connection:
            courses.enrol(connection, "other", Line("prof", role="instructor"), "rival", START)
        return [*refused, fine, await send(PEOPLE, name="ada", student_number="13")]

    number, emptied, roster, fine, taught = sent(pages, work)
    assert [reply.status_code for reply in (number, emptied, roster, fine, taught)] == [422, 422, 422, 303, 303]
    assert "another course knows `ada` by another `student_number`" in number.text
    assert "by another `email`" in emptied.text
    assert roster.text.count("line 2: another course knows `ada`") == 2
    assert by_name(pages)["ada"]["student_number"] == "13"


def test_a_roster_needs_a_file_and_a_size(pages: Pages) -> None:
    async def work(_: Visit, send: Send) -> list[int]:
        none = await send(f"{COURSE}/roster", roster="name\nada\n")
        large = await send(f"{COURSE}/roster", b"name\n" + b"a" * 9_000_000)
        return [none.status_code, large.status_code]

    assert sent(pages, work) == [422, 413]


def test_an_assistant_sees_people_and_no_form(pages: Pages) -> None:
    with writing(pages.engine) as connection:
        courses.enrol(connection, "cs101", Line("second", role="instructor"), "prof", START)
        courses.enrol(connection, "cs101", Line("prof", role="assistant"), "prof", START)
        ada = next(one for one in people.members(connection, "cs101") if one["hub_name"] == "ada")["person"]

    async def work(go: Visit, _: Send) -> list[httpx.Response]:
        return [await go(PEOPLE), await go(f"{PEOPLE}?change={ada}")]

    for page in sent(pages, work):
        assert page.status_code == 200
        assert f"/people/{ada}" in page.text
        assert f'action="{PEOPLE}"' not in page.text.replace('method="get" action', "")
        assert "roster" not in page.text.replace("roster</td>", "")


def test_people_are_filtered_and_paged_in_good_time(pages: Pages) -> None:
    with writing(pages.engine) as connection:
        lines = [
            Line(f"learner-{n:04}", f"Learner {n:04}", str(n), "A&B" if n % 2 else None, lti_sub=f"s-{n}")
            for n in range(2_000)
        ]
        people.take_roster(connection, "cs101", lines, "prof", START)
        grouped = membership.c.section == "A&B"
        connection.execute(update(membership).where(grouped).values(source="hub_group"))
    took: list[float] = []

    async def work(go: Visit, _: Send) -> list[httpx.Response]:
        replies = []
        for query in ("", "?page=11", "?page=99", "?page=x", "?section=%3DA%26B&text=0101", "?section=none&text=no"):
            began = perf_counter()
            replies.append(await go(f"{PEOPLE}{query}"))
            took.append(perf_counter() - began)
        return replies

    found = [(len(re.findall(r'<th scope="row">', page.text)), page.text) for page in sent(pages, work)]
    assert [count for count, _ in found] == [AT_ONCE, 3, 3, AT_ONCE, 1, 0]
    assert "2003 people" in found[0][1]
    assert "page=11" in found[0][1]
    assert "1 person fits" in found[4][1]
    assert 'value="=A&amp;B" selected' in found[4][1]
    assert "0 people fit" in found[5][1]
    assert min(took) < 2
