"""Groups of the Hub: who comes into a course through them, who leaves, and what a kernel cannot make of anybody."""

from __future__ import annotations

import json
from pathlib import Path
from time import monotonic
from typing import Any

import httpx
import pytest
from sqlalchemy import Engine, insert, select, update

from quiz_widgets.classroom.desk import courses, groups, people, rosters
from quiz_widgets.classroom.desk.database.engine import reading, writing
from quiz_widgets.classroom.desk.database.rows import Row
from quiz_widgets.classroom.desk.database.tables import audit, course, membership, person
from quiz_widgets.classroom.desk.enrolling import Line
from quiz_widgets.classroom.desk.identity.who import Who
from quiz_widgets.classroom.desk.refusals import Refused
from tests.classroom.small_class import HOUR, START, Class
from tests.classroom.test_pages import COURSE, PREFIX, TEACHES, Pages, Visit, pages

__all__ = ["pages"]  # the fixture

CASES: dict[str, Any] = json.loads((Path(__file__).parent / "groups.json").read_text(encoding="utf-8"))
STATE = f"{PREFIX}api/v1/courses/cs101/quizzes/week-3"
MAPPED = [
    ("class-a", "learner", "A"),
    ("class-b", "learner", "B"),
    ("helpers", "assistant", "H"),
    ("staff", "instructor", None),
]
UNFIT = [
    ("", "learner", None),
    ("g" * 256, "learner", None),
    ("g", "king", None),
    ("g", "learner", "s" * 65),
    ("g\0", "learner", None),
]


def mapped(engine: Engine) -> None:
    with writing(engine) as connection:
        for group, role, section in MAPPED:
            groups.put(connection, "cs101", group, role, section, "prof", START)


def member(engine: Engine, name: str) -> Row | None:
    with reading(engine) as connection:
        found = [one for one in people.members(connection, "cs101") if one["hub_name"] == name]
        return found[0] if found else None


@pytest.mark.parametrize("case", CASES)
def test_who_a_group_makes_of_somebody(engine: Engine, case: str) -> None:
    given = CASES[case]
    with writing(engine) as connection:
        Class().make(connection)
        if "was" in given:
            role, section, active = given["was"]
            made = Class().enrol(connection, "eve", role, section)
            is_so = {"active": active, "source": given.get("source", "hub_group")}
            connection.execute(update(membership).where(membership.c.person == made).values(is_so))
    mapped(engine)
    told = None if given["groups"] is None else frozenset(given["groups"])
    who = Who("eve", frozenset({"submit"}), given.get("from", "hub"), groups=told)
    with writing(engine) as connection:
        groups.follow(connection, who, START, "cs101")
        assert groups.moves(connection, who, "cs101") == []
    found = member(engine, "eve")
    assert (None if found is None else [found["role"], found["section"], found["active"]]) == given["then"]


def test_through_a_browser_all_courses_are_looked_at(engine: Engine) -> None:
    who = Who("eve", frozenset({"teach"}), "browser", groups=frozenset({"staff"}))
    with writing(engine) as connection:
        Class().make(connection)
        for name in ("one", "two"):
            courses.create(connection, name, name, "UTC", "prof", "test", START)
        for name in ("one", "cs101"):
            groups.put(connection, name, "staff", "instructor", None, "prof", START)
        groups.follow(connection, who, START)
        chosen = select(membership.c.course).join(person, person.c.id == membership.c.person)
        assert sorted(connection.execute(chosen.where(person.c.hub_name == "eve")).scalars()) == ["cs101", "one"]
        groups.remove(connection, "one", "staff", "prof", START)
        groups.follow(connection, who, START)
        active = chosen.where(person.c.hub_name == "eve", membership.c.active)
        assert list(connection.execute(active).scalars()) == ["cs101"]


def test_a_course_s_last_instructor_stays_when_the_group_goes(engine: Engine) -> None:
    left = Who("prof", frozenset({"teach"}), "browser", groups=frozenset())
    with writing(engine) as connection:
        Class().make(connection)
        connection.execute(update(membership).where(membership.c.role == "instructor").values(source="hub_group"))
        groups.follow(connection, left, START)
        assert Class().who(connection, "prof")["active"]
        courses.enrol(connection, "cs101", Line("second", role="instructor"), "prof", START)
        groups.follow(connection, left, START)
        with pytest.raises(Refused):
            Class().who(connection, "prof")


def test_nobody_gets_more_time_by_asking_late(engine: Engine) -> None:
    """Late joiners have a quiz later; when somebody joined a group is not known."""
    with writing(engine) as connection:
        Class().make(connection)
        connection.execute(update(course).values(late_join=24 * HOUR))
        groups.put(connection, "cs101", "class-a", "learner", "A", "prof", START)
        late = Who("eve", frozenset({"submit"}), "hub", groups=frozenset({"class-a"}))
        groups.follow(connection, late, START + HOUR // 2, "cs101")
        found = Class().quiz(connection)
        assert rosters.window_of(connection, found, Class().who(connection, "eve")).due == START + HOUR
        courses.enrol(connection, "cs101", Line("eve"), "prof", START + HOUR // 2)
        assert rosters.window_of(connection, found, Class().who(connection, "eve")).due == START + HOUR


def test_mapping_a_group_is_logged_and_taken_back(engine: Engine) -> None:
    with writing(engine) as connection:
        Class().make(connection)
        for role in ("learner", "learner", "assistant"):
            groups.put(connection, "cs101", "Class A", role, "A", "prof", START)
        [found] = groups.mapped(connection, "cs101")
        assert (found["hub_group"], found["role"], found["section"]) == ("Class A", "assistant", "A")
        groups.remove(connection, "cs101", "Class A", "prof", START)
        assert groups.mapped(connection, "cs101") == []
        told = connection.execute(select(audit.c.before, audit.c.after).where(audit.c.what == "group")).all()
        assert len(told) == 3
        for group, role, section in UNFIT:
            with pytest.raises(Refused):
                groups.put(connection, "cs101", group, role, section, "prof", START)
        with pytest.raises(Refused):
            groups.remove(connection, "cs101", "gone", "prof", START)


def asked(made: Pages, *steps: Any) -> list[httpx.Response]:
    """What a kernel of eve's gets that asks for the state; between two it does what `steps` say."""
    made.hub.users["eve"] = TEACHES[:2]
    shown = {"Authorization": f"token {made.hub.give('eve')}"}

    async def work(go: Visit) -> list[httpx.Response]:
        replies = []
        for step in steps:
            step()
            for desk in made.desks:  # a minute later, when the Hub's word is fresh
                assert desk.hub
                desk.hub._clock = lambda later=made.now: monotonic() + (later - START) / 1000  # type: ignore[misc]
            replies.append(await go(STATE, headers=shown))
            made.now += 61_000
        return replies

    found: list[httpx.Response] = made.run(work)
    return found


def test_a_kernel_asks_and_its_learner_is_in_and_later_out(pages: Pages) -> None:
    mapped(pages.engine)
    before, inside, after = asked(
        pages,
        lambda: pages.hub.groups.update(eve=["others"]),
        lambda: pages.hub.groups.update(eve=["class-a", "staff"]),
        lambda: pages.hub.groups.update(eve=[]),
    )
    assert (before.status_code, inside.status_code, after.status_code) == (404, 200, 404)
    found = member(pages.engine, "eve")
    assert found
    assert (found["role"], found["section"], found["source"]) == ("learner", "A", "hub_group")


def test_a_ticket_and_a_submission_ask_nothing_of_groups(pages: Pages, monkeypatch: pytest.MonkeyPatch) -> None:
    mapped(pages.engine)
    pages.hub.groups["eve"] = ["class-a"]
    [state] = asked(pages, lambda: None)

    async def work(go: Visit) -> list[httpx.Response]:
        monkeypatch.setattr(groups, "moves", None)  # whoever calls it fails
        shown = {"Authorization": f"token {state.json()['ticket']}"}
        opened = await go(f"{STATE}/attempts", "POST", headers=shown)
        run = opened.json()["attempt"]["id"]
        item = opened.json()["quiz"]["items"][0]
        sent = {"id": f"{run}/{item['id']}/1", "item": item["id"], "response": [item["options"][0]["id"]]}
        kept = await go(f"{STATE}/attempts/{run}/submissions", "POST", headers=shown, json={"submissions": [sent]})
        return [await go(STATE, headers=shown), opened, kept]

    assert [reply.status_code for reply in pages.run(work)] == [200, 200, 200]


def test_a_browser_s_visit_makes_an_instructor(pages: Pages) -> None:
    mapped(pages.engine)
    pages.hub.users["eve"] = TEACHES
    pages.hub.groups["eve"] = ["staff"]

    async def work(go: Visit) -> list[httpx.Response]:
        first = await pages.log_in(go, "eve")
        pages.hub.groups["eve"] = []
        for desk in pages.desks:
            assert desk.teachers
            desk.teachers._clock = lambda: monotonic() + 11
        return [first, await go(COURSE)]

    first, after = pages.run(work)
    assert "A course" in first.text
    assert after.status_code == 404


def test_a_learner_s_browser_changes_nothing(pages: Pages) -> None:
    mapped(pages.engine)
    pages.hub.users["eve"] = TEACHES[:2]
    pages.hub.groups["eve"] = ["staff"]
    reply = pages.run(lambda go: pages.log_in(go, "eve"))
    assert reply.status_code == 403
    assert member(pages.engine, "eve") is None


def test_what_else_the_hub_may_say_of_groups_is_nothing(pages: Pages) -> None:
    mapped(pages.engine)
    pages.hub.groups["eve"] = {"class-a": True}  # type: ignore[assignment]
    [reply] = asked(pages, lambda: None)
    assert reply.status_code == 404


def test_what_is_known_of_somebody_stays_when_a_group_brings_them(engine: Engine) -> None:
    with writing(engine) as connection:
        Class().make(connection)
        connection.execute(insert(person).values(id="e" * 32, hub_name="eve", display_name="Eve", created=START))
        groups.put(connection, "cs101", "class-a", "learner", None, "prof", START)
        who = Who("eve", frozenset({"submit"}), "hub", groups=frozenset({"class-a"}))
        groups.follow(connection, who, START, "cs101")
        assert Class().who(connection, "eve")["display_name"] == "Eve"
