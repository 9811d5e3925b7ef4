"""Every page and form of the desk, taken from its own table of routes: who may not use it, and how.

`routes/*.json` says of each route and method what a good request holds; a route that stands in none of them fails.
Keys: ``form`` (fields), ``file`` (the field that gets a file: a bundle, or what ``holds`` says), ``script`` (a GET for
the page's own script, with the word in its header), ``roles`` (who may use it; instructors and assistants unless it
says otherwise), ``person`` is filled in with Ada's id, ``course`` and ``quiz`` with the class's own. ``good`` is the
status that a good request gets.
``before`` names what has to be there for it, of `BEFORE`.
"""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import pytest
from sqlalchemy import Connection, insert, select, update
from starlette.routing import Route

from quiz_widgets.classroom.desk.attempts import newest as newest_version
from quiz_widgets.classroom.desk.database.engine import reading, writing
from quiz_widgets.classroom.desk.database.outside_tables import course_group, final_gradebook
from quiz_widgets.classroom.desk.database.tables import (
    attempt,
    audit,
    course,
    exception,
    key_change,
    membership,
    override,
    person,
    quiz,
    submission,
)
from quiz_widgets.classroom.desk.exports import frozen, kept
from quiz_widgets.classroom.desk.library import Library
from quiz_widgets.classroom.desk.pages import live, visits
from quiz_widgets.classroom.desk.pages import routes as pages_routes
from quiz_widgets.classroom.desk.polls import kinds
from tests.classroom.small_class import EXAM, START, Class
from tests.classroom.test_pages import PREFIX, TEACHES, TO_PAGE, Pages, Visit, pages, word_of

__all__ = ["pages"]  # the fixture

SAID: dict[str, dict[str, Any]] = {
    path: methods
    for file in sorted((Path(__file__).parent / "routes").glob("*.json"))
    for path, methods in json.loads(file.read_text(encoding="utf-8")).items()
}
OPEN = {"/oauth_callback", "/logout", "/static/{name}"}  # tests of their own: test_pages
HOSTILE = "<img src=x onerror=alert(1)>\"'=1+1"


@dataclass(frozen=True)
class Use:
    """One way to use the desk's pages."""

    path: str
    method: str
    form: Mapping[str, str] = field(default_factory=dict)
    file: str | None = None
    holds: str | None = None
    script: bool = False
    roles: tuple[str, ...] = ("instructor", "assistant")
    good: int | None = None
    before: str | None = None

    def __str__(self) -> str:
        return f"{self.method} {self.path}"


def _uses() -> Iterator[Use]:
    for path, methods in SAID.items():
        for method, about in methods.items():
            roles = tuple(about.get("roles", ("instructor", "assistant")))
            yield Use(path, method, **{**about, "roles": roles})


USES = list(_uses())
OF_COURSES = [use for use in USES if "{course}" in use.path]


def test_every_route_of_the_pages_is_tested_here() -> None:
    found = {
        (route.path, method)
        for route in pages_routes.ROUTES
        for method in (route.methods or set()) - {"HEAD"}
        if route.path not in OPEN
    }
    assert found == {(use.path, use.method) for use in USES}


def _with_exception(connection: Connection, ada: str) -> None:
    connection.execute(
        insert(exception).values(
            id="exception-of-ada", quiz=Class().quiz(connection)["id"], person=ada, extra_runs=1, made_by="prof",
            made=START,
        )
    )  # fmt: skip


def _with_override(connection: Connection, ada: str) -> None:
    connection.execute(
        insert(override).values(
            id="override-of-ada", quiz=Class().quiz(connection)["id"], person=ada, score="3", reason="Lab",
            made_by="prof", made=START,
        )
    )  # fmt: skip


def _with_final(connection: Connection, _ada: str) -> None:
    text = frozen.make(connection, Library(), "cs101", "prof", START)
    connection.execute(
        insert(final_gradebook).values(
            id="final-gradebook", course="cs101", made=START, made_by="prof", sha256="0", learners=2,
            body=kept.packed(text).body,
        )
    )  # fmt: skip


def _with_group(connection: Connection, _ada: str) -> None:
    connection.execute(insert(course_group).values(course="cs101", hub_group="class-of-ada", role="learner"))


def _with_poll(connection: Connection, _ada: str) -> None:
    kinds.change(connection, Class().quiz(connection), "poll", "prof", START)


def _with_correction(connection: Connection, _ada: str) -> None:
    newest = newest_version(connection, Class().quiz(connection)["id"])
    connection.execute(
        insert(key_change).values(
            id="correction-of-week-3", version=newest, item="master-weights", kind="full", body="[]", reason="Lab",
            made_by="prof", made=START,
        )
    )  # fmt: skip


BEFORE: dict[str, Callable[[Connection, str], None]] = {
    "exception": _with_exception,
    "group": _with_group,
    "override": _with_override,
    "poll": _with_poll,
    "final": _with_final,
    "correction": _with_correction,
}


@pytest.fixture(autouse=True)
def _streams_end_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The client of these tests has a reply when it is over; a stream goes on for minutes."""
    monkeypatch.setattr(live, "LONGEST_S", 0.0)


@pytest.fixture(autouse=True)
def what_is_there_before(request: pytest.FixtureRequest) -> None:
    """Before a test looks at what a refused request must leave as it was."""
    use = getattr(request.node, "callspec", None) and request.node.callspec.params.get("use")
    if use is not None and use.before is not None:
        with writing(request.getfixturevalue("pages").engine) as connection:
            BEFORE[use.before](connection, str(Class().who(connection, "ada")["person"]))


class Asking:
    """Requests to one use, as one session makes them."""

    def __init__(self, made: Pages, go: Visit, use: Use, word: str) -> None:
        with reading(made.engine) as connection:
            self.ada = str(Class().who(connection, "ada")["person"])
        self.go, self.use, self.word = go, use, word

    def path(self, **names: str) -> str:
        filled = {"course": "cs101", "quiz": "week-3", "person": self.ada, "gradebook": "final-gradebook", **names}
        return PREFIX.rstrip("/") + self.use.path.format(**filled)

    async def __call__(
        self, *, word: str | None = None, headers: Mapping[str, str] | None = None, **names: str
    ) -> httpx.Response:
        shown = self.word if word is None else word
        if self.use.method == "GET":
            own = {visits.WORD: shown, "Sec-Fetch-Mode": "cors"} if self.use.script else TO_PAGE
            return await self.go(self.path(**names), headers=own if headers is None else headers)
        form = {name: value.format(person=self.ada) for name, value in self.use.form.items()}
        sent: dict[str, Any] = {"data": {**form, **({"word": shown} if shown else {})}}
        if self.use.file is not None:
            sent["files"] = {self.use.file: EXAM.read_bytes() if self.use.holds is None else self.use.holds.encode()}
        return await self.go(self.path(**names), self.use.method, headers=dict(headers or {}), **sent)


def asked(made: Pages, use: Use, work: Callable[[Asking], Awaitable[Any]], name: str = "prof") -> Any:
    """What `work` finds with a session of `name`."""

    async def inside(go: Visit) -> Any:
        first = await made.log_in(go, name)
        word = word_of(first) if first.status_code == 200 else "none"
        return await work(Asking(made, go, use, word))

    return made.run(inside)


@pytest.mark.parametrize("use", USES, ids=str)
def test_the_good_request_works(pages: Pages, use: Use) -> None:
    reply = asked(pages, use, lambda ask: ask())
    assert reply.status_code == (use.good or (200 if use.method == "GET" else 303)), reply.text


@pytest.mark.parametrize("use", USES, ids=str)
def test_nobody_without_a_login_gets_anything(pages: Pages, use: Use) -> None:
    async def work(go: Visit) -> httpx.Response:
        return await Asking(pages, go, use, "none")()

    before = _rows(pages)
    reply = pages.run(work)
    assert reply.status_code in ((302, 403) if use.method == "GET" else (403,))
    assert "cs101" not in reply.text
    assert _rows(pages) == before


@pytest.mark.parametrize("use", USES, ids=str)
def test_a_learner_gets_nothing(pages: Pages, use: Use) -> None:
    before = _rows(pages)
    reply = asked(pages, use, lambda ask: ask(), "ada")
    assert reply.status_code == 403
    assert _rows(pages) == before


@pytest.mark.parametrize("use", USES, ids=str)
def test_a_script_of_another_page_gets_nothing(pages: Pages, use: Use) -> None:
    script = {"Sec-Fetch-Mode": "cors", "Sec-Fetch-Dest": "empty"}
    wrong = {visits.WORD: "A" * 43, **script}

    async def work(ask: Asking) -> list[httpx.Response]:
        return [await ask(word="", headers=script), await ask(word="A" * 43, headers=wrong)]

    before = _rows(pages)
    replies = asked(pages, use, work)
    assert {reply.status_code for reply in replies} == {403}
    assert not any("A course" in reply.text for reply in replies)
    assert _rows(pages) == before


@pytest.mark.parametrize("use", OF_COURSES, ids=str)
def test_another_s_course_is_unknown(pages: Pages, use: Use) -> None:
    async def work(ask: Asking) -> list[httpx.Response]:
        return [await ask(course="other"), await ask(course="gone")]

    before = _rows(pages)
    foreign, gone = asked(pages, use, work)
    assert (foreign.status_code, gone.status_code) == (404, 404)
    assert "Another course" not in foreign.text
    assert _rows(pages) == before


@pytest.mark.parametrize("use", [use for use in OF_COURSES if "{quiz}" in use.path], ids=str)
def test_a_quiz_of_another_course_is_unknown(pages: Pages, use: Use) -> None:
    with writing(pages.engine) as connection:
        connection.execute(update(quiz).where(quiz.c.course == "other").values(slug="theirs"))
    before = _rows(pages)
    assert asked(pages, use, lambda ask: ask(quiz="theirs")).status_code == 404
    assert _rows(pages) == before


@pytest.mark.parametrize("use", [use for use in OF_COURSES if "{person}" in use.path], ids=str)
def test_somebody_of_another_course_is_unknown(pages: Pages, use: Use) -> None:
    with reading(pages.engine) as connection:
        rival = connection.execute(select(person.c.id).where(person.c.hub_name == "rival")).scalar_one()
    before = _rows(pages)
    assert asked(pages, use, lambda ask: ask(person=rival)).status_code == 404
    assert _rows(pages) == before


@pytest.mark.parametrize("role", ["dropped", "learner", "assistant", "instructor"])
@pytest.mark.parametrize("use", OF_COURSES, ids=str)
def test_the_role_in_the_course_decides_at_each_request(pages: Pages, use: Use, role: str) -> None:
    """Whoever was an instructor when they logged in."""

    async def work(ask: Asking) -> httpx.Response:
        with writing(pages.engine) as connection:
            prof = select(person.c.id).where(person.c.hub_name == "prof").scalar_subquery()
            is_now = {"active": False} if role == "dropped" else {"role": role}
            connection.execute(update(membership).where(membership.c.person == prof).values(is_now))
            connection.execute(
                insert(person).values(id="ff" * 16, hub_name="second", display_name="Second", created=START)
            )
            connection.execute(
                insert(membership).values(course="cs101", person="ff" * 16, role="instructor", active=True, since=START)
            )
        return await ask()

    reply = asked(pages, use, work)
    if role in use.roles:
        assert reply.status_code == (use.good or (200 if use.method == "GET" else 303)), reply.text
    else:
        assert reply.status_code == 404
        assert "A course" not in reply.text


@pytest.mark.parametrize("language", ["en", "tr", "ar"])
@pytest.mark.parametrize("use", [use for use in USES if use.method == "GET"], ids=str)
def test_what_others_wrote_is_text(pages: Pages, use: Use, language: str) -> None:
    with writing(pages.engine) as connection:
        connection.execute(update(course).values(title=f"A course {HOSTILE}"))
        connection.execute(update(quiz).values(title=HOSTILE))
        connection.execute(
            update(person)
            .where(person.c.hub_name == "ada")
            .values(display_name=HOSTILE, student_number=HOSTILE, email=HOSTILE)
        )
        connection.execute(update(membership).where(membership.c.role == "learner").values(section=HOSTILE))
        connection.execute(
            insert(audit).values(at=START, who=HOSTILE, course="cs101", what="enrol", object=HOSTILE, after=HOSTILE)
        )
        run = Class().opened(connection, "ada")
        connection.execute(
            insert(submission).values(
                person=run["person"],
                id=f"{run['id']}/{HOSTILE}/1",
                attempt=run["id"],
                item=HOSTILE,
                response=json.dumps([HOSTILE]),
                digest="d",
                received=START + 1,
                round=0,
                status="recorded",
            )
        )
        connection.execute(update(attempt).values(finished=START + 2, finished_by="learner", scored=True))

    headers = {**TO_PAGE, "Accept-Language": language}
    reply = asked(pages, use, lambda ask: ask(headers=None if use.script else headers))
    assert reply.status_code == (use.good or 200), reply.text
    kind = reply.headers["content-type"]
    if kind.startswith("text/html"):
        assert "<img" not in reply.text
        assert "script-src 'unsafe" not in reply.headers["content-security-policy"]
        assert "frame-ancestors 'none'" in reply.headers["content-security-policy"]
    elif kind.startswith("text/csv"):
        assert not any(cell.startswith(("=", "+", "-", "@")) for cell in reply.text.replace("\n", ",").split(","))
    assert reply.headers["cache-control"] == "no-store"
    assert reply.headers["x-content-type-options"] == "nosniff"


def test_no_page_stands_under_the_interface_for_programs() -> None:
    for route in pages_routes.ROUTES:
        assert isinstance(route, Route)
        assert not route.path.startswith("/api/")
    assert "custom:quiz:teach" in TEACHES


def _rows(made: Pages) -> list[Any]:
    """What a refused request must leave as it was: everything that the audit log notes, and the log."""
    with reading(made.engine) as connection:
        return [
            sorted(map(tuple, connection.execute(select(table)).all()), key=repr)
            for table in (audit, course, quiz, membership, person)
        ]
