"""The pages for instructors: logging in through the Hub with two workers, and what neither scripts nor learners may."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Iterator
from contextlib import AsyncExitStack
from pathlib import Path
from time import monotonic
from typing import Any

import httpx
import pytest
from sqlalchemy import Engine, select

from quiz_widgets.classroom.desk import courses, publishing
from quiz_widgets.classroom.desk.app import make
from quiz_widgets.classroom.desk.database.engine import reading, writing
from quiz_widgets.classroom.desk.database.tables import quiz
from quiz_widgets.classroom.desk.desk import Desk, running
from quiz_widgets.classroom.desk.identity import browser
from quiz_widgets.classroom.desk.identity.browser import Cookies, Session
from quiz_widgets.classroom.desk.settings import Settings
from tests.classroom import fake_hub, fresh, loops
from tests.classroom.fake_hub import ACCESS, SERVICE_TOKEN, FakeHub
from tests.classroom.small_class import EXAM, HOUR, START, Class

CLASS = Class()
PREFIX = "/services/quiz/"
COURSE = f"{PREFIX}courses/cs101"
TO_PAGE = {"Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"}
TEACHES = [ACCESS, "custom:quiz:submit", "custom:quiz:teach"]
SECRETS = ("ab" * 32,)

Visit = Callable[..., Awaitable[httpx.Response]]


class Pages:
    """Two workers of one desk, and a browser that meets now one, now the other."""

    def __init__(self, engine: Engine, hub: FakeHub) -> None:
        self.engine = engine
        self.hub = hub
        self.now = START
        self.desks: list[Desk] = []
        self.settings = Settings(
            database="",
            secrets=SECRETS,
            prefix=PREFIX,
            hub_api=hub.api,
            hub_token=SERVICE_TOKEN,
            callback=f"{PREFIX}oauth_callback",
        )
        hub.users |= {"prof": TEACHES, "ada": TEACHES[:2]}
        with writing(engine) as connection:
            CLASS.make(connection)
            courses.create(connection, "other", "Another course", "UTC", "rival", "test", START)
            publishing.publish(connection, "other", "week-3", EXAM.read_text(encoding="utf-8"), "rival", START)

    def run(self, work: Callable[[Visit], Awaitable[Any]]) -> Any:
        async def inside() -> Any:
            async with AsyncExitStack() as stack:
                workers = []
                for _ in range(2):
                    app = make(running(self.settings, lambda: self.now, self.engine), PREFIX)
                    await stack.enter_async_context(app.router.lifespan_context(app))
                    self.desks.append(app.state.desk)
                    client = httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://127.0.0.1")
                    workers.append(await stack.enter_async_context(client))
                jar = httpx.Cookies()

                async def go(path: str, method: str = "GET", **more: Any) -> httpx.Response:
                    workers.reverse()  # whoever answered last does not answer next
                    workers[0].cookies = jar
                    more.setdefault("headers", TO_PAGE)
                    reply = await workers[0].request(method, path, **more)
                    jar.update(workers[0].cookies)
                    return reply

                return await work(go)

        return loops.run(inside())

    async def log_in(self, go: Visit, name: str = "prof", path: str = PREFIX) -> httpx.Response:
        """To a page, from there to the Hub, back, and to the page."""
        sent = await go(path)
        assert sent.status_code == 302
        back = await go(self.hub.authorize(sent.headers["location"], name))
        assert back.status_code == 303
        return await go(back.headers["location"])


@pytest.fixture
def pages(tmp_path: Path) -> Iterator[Pages]:
    engine = fresh.sqlite(tmp_path / "desk.sqlite")
    with fake_hub.running() as hub:
        yield Pages(engine, hub)
    engine.dispose()


def word_of(page: httpx.Response) -> str:
    found = re.search(r'name="word" value="([^"]+)"', page.text)
    assert found
    return found[1]


def test_an_instructor_logs_in_with_one_worker_and_goes_on_with_the_other(pages: Pages) -> None:
    async def work(go: Visit) -> list[httpx.Response]:
        return [await pages.log_in(go, path=COURSE), await go(PREFIX)]

    course, first = pages.run(work)
    assert course.status_code == 200
    assert "cs101/week-3" in course.text
    assert "A course" in first.text
    assert "Another course" not in first.text
    assert "default-src 'none'" in first.headers["content-security-policy"]
    assert first.headers["cache-control"] == "no-store"


def test_the_session_s_cookie_is_for_the_desk_alone(pages: Pages) -> None:
    async def work(go: Visit) -> list[httpx.Response]:
        secure = await go(PREFIX, headers={**TO_PAGE, "X-Forwarded-Proto": "https,http"})
        sent = await go(PREFIX)
        address = pages.hub.authorize(sent.headers["location"], "prof")
        return [secure, await go(address), await go(address)]

    secure, back, again = pages.run(work)
    session = back.headers.get_list("set-cookie")[1]
    for cookie in (secure.headers["set-cookie"], session):
        assert {"httponly", "samesite=lax", f"path={PREFIX}"} <= {part.strip().lower() for part in cookie.split(";")}
    assert ("; Secure" in secure.headers["set-cookie"], "; Secure" in session) == (True, False)
    assert again.status_code == 403


BAD_RETURNS = {
    "a state of another browser": lambda address: re.sub("state=[^&]+", "state=mine", address),
    "no code": lambda address: re.sub("code=[^&]+", "code=", address),
    "a made-up code": lambda address: re.sub("code=[^&]+", "code=00", address),
}


@pytest.mark.parametrize("case", BAD_RETURNS)
def test_a_login_that_was_not_begun_here_is_none(pages: Pages, case: str) -> None:
    async def work(go: Visit) -> list[httpx.Response]:
        sent = await go(PREFIX)
        back = await go(BAD_RETURNS[case](pages.hub.authorize(sent.headers["location"], "prof")))
        return [back, await go(PREFIX)]

    back, after = pages.run(work)
    assert (back.status_code, after.status_code) == (403, 302)


def test_a_login_is_over_after_ten_minutes_and_a_session_after_a_day(pages: Pages) -> None:
    async def work(go: Visit) -> list[int]:
        sent = await go(PREFIX)
        address = pages.hub.authorize(sent.headers["location"], "prof")
        pages.now += browser.LOGIN_MS
        late = await go(address)
        await pages.log_in(go)
        pages.now += browser.SESSION_MS
        return [late.status_code, (await go(PREFIX)).status_code]

    assert pages.run(work) == [403, 302]


def test_a_learner_logs_in_and_sees_nothing(pages: Pages) -> None:
    async def work(go: Visit) -> list[httpx.Response]:
        return [await pages.log_in(go, "ada"), await go(COURSE)]

    first, course = pages.run(work)
    assert {first.status_code, course.status_code} == {403}
    assert "for instructors" in first.text


def test_who_no_longer_teaches_is_shown_out_within_seconds(pages: Pages) -> None:
    async def work(go: Visit) -> list[int]:
        before = await pages.log_in(go)
        pages.hub.users["prof"] = TEACHES[:2]
        for desk in pages.desks:
            assert desk.teachers
            desk.teachers._clock = lambda: monotonic() + 10
        return [before.status_code, (await go(PREFIX)).status_code, (await go(PREFIX)).status_code]

    assert pages.run(work) == [200, 403, 403]


@pytest.mark.parametrize("path", [f"{PREFIX}courses/other", f"{PREFIX}courses/gone", f"{PREFIX}courses/%2e%2e"])
def test_another_s_course_is_as_unknown_as_none(pages: Pages, path: str) -> None:
    async def work(go: Visit) -> list[httpx.Response]:
        word = word_of(await pages.log_in(go))
        posted = [
            await go(f"{path}{tail}", "POST", data={"word": word, "slug": "a"}, files={"bundle": b"{}"}, headers={})
            for tail in ("/publish", "/quizzes/week-3/reveal")
        ]
        return [await go(path), *posted]

    assert {(reply.status_code, "no such page for you" in reply.text) for reply in pages.run(work)} == {(404, True)}


SCRIPTS = {
    "fetch": {"Sec-Fetch-Mode": "cors", "Sec-Fetch-Dest": "empty"},
    "fetch without answer": {"Sec-Fetch-Mode": "no-cors", "Sec-Fetch-Dest": "empty"},
    "a frame": {"Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "iframe"},
    "a script that says it is a page": {"Sec-Fetch-Mode": "cors", "Sec-Fetch-Dest": "document"},
    "no word on it": {},
}


@pytest.mark.parametrize("case", SCRIPTS)
def test_a_script_of_the_same_origin_reads_no_page(pages: Pages, case: str) -> None:
    async def work(go: Visit) -> httpx.Response:
        await pages.log_in(go)
        return await go(COURSE, headers=SCRIPTS[case])

    refused = pages.run(work)
    assert (refused.status_code, "week-3" in refused.text) == (403, False)


def test_a_form_without_its_session_s_word_does_nothing(pages: Pages) -> None:
    other = Cookies(SECRETS).form_word(Session("another", "prof", "", 0))

    async def work(go: Visit) -> list[int]:
        await pages.log_in(go)
        return [
            (await go(f"{COURSE}/quizzes/week-3/reveal", "POST", data={"anyway": "yes", **more})).status_code
            for more in ({}, {"word": ""}, {"word": other}, {"word": "ß\ud800".encode("utf-8", "surrogatepass")})
        ]

    assert set(pages.run(work)) == {403}
    assert revealed(pages) is None


def test_a_bundle_is_published_and_a_bad_one_is_named(pages: Pages) -> None:
    async def work(go: Visit) -> list[httpx.Response]:
        word = word_of(await pages.log_in(go))

        async def upload(data: bytes, slug: str = "exam") -> httpx.Response:
            return await go(
                f"{COURSE}/publish", "POST", data={"word": word, "slug": slug}, files={"bundle": data}, headers={}
            )

        done = await upload(EXAM.read_bytes())
        bad = [await upload(b"{}"), await upload(b"\xff"), await upload(EXAM.read_bytes(), "No name")]
        return [done, await go(done.headers["location"]), *bad]

    done, shown, *bad = pages.run(work)
    assert done.status_code == 303
    assert "cs101/exam" in shown.text
    assert "The quiz is published." in shown.text
    assert {reply.status_code for reply in bad} == {422}


@pytest.mark.parametrize(
    ("sent", "status", "opens"),
    [
        ({"opens": ""}, 303, [None]),
        ({"opens": "2027-01-15T11:30"}, 303, [START + HOUR // 2]),  # Istanbul's clock
        ({"opens": "tomorrow"}, 422, []),
        ({"opens": "2027-01-15T11:30", "poll": "yes"}, 422, []),
    ],
)
def test_a_quiz_is_published_with_its_opening_or_not_at_all(
    pages: Pages, sent: dict[str, str], status: int, opens: list[int | None]
) -> None:
    async def work(go: Visit) -> httpx.Response:
        form = {"word": word_of(await pages.log_in(go)), "slug": "exam", **sent}
        return await go(f"{COURSE}/publish", "POST", data=form, files={"bundle": EXAM.read_bytes()}, headers={})

    assert pages.run(work).status_code == status
    with reading(pages.engine) as connection:
        assert list(connection.execute(select(quiz.c.opens).where(quiz.c.slug == "exam")).scalars()) == opens


def test_keys_are_shown_only_with_a_tick_while_learners_can_answer(pages: Pages) -> None:
    async def work(go: Visit) -> list[httpx.Response]:
        word = word_of(await pages.log_in(go))
        path = f"{COURSE}/quizzes/week-3/reveal"
        refused = await go(path, "POST", data={"word": word})
        assert revealed(pages) is None
        return [refused, await go(path, "POST", data={"word": word, "anyway": "yes"}), await go(COURSE)]

    refused, done, course = pages.run(work)
    assert (refused.status_code, done.status_code) == (409, 303)
    assert revealed(pages) == START
    assert "Show the keys now" not in course.text


def test_titles_are_text_wherever_they_are_shown(pages: Pages) -> None:
    with writing(pages.engine) as connection:
        courses.create(connection, "x", "<img src=x onerror=alert(1)>", "UTC", "prof", "test", START)

    async def work(go: Visit) -> list[httpx.Response]:
        return [await pages.log_in(go), await go(f"{PREFIX}courses/x")]

    for reply in pages.run(work):
        assert "&lt;img" in reply.text
        assert "<img" not in reply.text


@pytest.mark.parametrize(
    ("accepted", "locale", "dir_"), [("tr", "tr", "ltr"), ("ar-EG,en;q=0.5", "ar", "rtl"), ("fr", "en", "ltr")]
)
def test_pages_speak_the_reader_s_language(pages: Pages, accepted: str, locale: str, dir_: str) -> None:
    async def work(go: Visit) -> httpx.Response:
        await pages.log_in(go)
        return await go(COURSE, headers={**TO_PAGE, "Accept-Language": accepted})

    assert f'<html lang="{locale}" dir="{dir_}">' in pages.run(work).text


def test_a_language_that_is_chosen_wins_over_the_browser_s(pages: Pages) -> None:
    turkish = {**TO_PAGE, "Accept-Language": "tr"}

    async def work(go: Visit) -> list[httpx.Response]:
        word = word_of(await pages.log_in(go))

        async def choose(language: str, to: str = f"{COURSE}?a=b") -> httpx.Response:
            return await go(
                f"{PREFIX}language", "POST", data={"word": word, "language": language, "to": to}, headers={}
            )

        chosen = await choose("ar")
        page = await go(chosen.headers["location"], headers=turkish)
        return [chosen, page, await choose("ar", "https://evil.example/"), await choose("xx"), await choose("../en")]

    chosen, page, elsewhere, unknown, path = pages.run(work)
    assert (chosen.status_code, chosen.headers["location"]) == (303, f"{COURSE}?a=b")
    cookie = {part.strip().lower() for part in chosen.headers["set-cookie"].split(";")}
    assert {"quiz-desk-language=ar", "httponly", "samesite=lax", f"path={PREFIX}"} <= cookie
    assert '<html lang="ar" dir="rtl">' in page.text
    assert f'name="to" value="{COURSE}?a=b"' in page.text
    assert "Cookie" in page.headers["vary"]
    assert elsewhere.headers["location"] == PREFIX
    assert {unknown.status_code, path.status_code} == {422}


def test_a_language_in_a_cookie_that_is_none_is_the_browser_s(pages: Pages) -> None:
    headers = {**TO_PAGE, "Accept-Language": "tr", "Cookie": "quiz-desk-language=<b>"}
    assert '<html lang="tr"' in pages.run(lambda go: go(f"{PREFIX}oauth_callback", headers=headers)).text


ELSEWHERE = [
    "//evil.example/",
    "https://evil.example/",
    "/services/quiz/../hub",
    "/services/quiz//evil",
    "/services/quiz/\\evil",
    "/hub/",
    "",
]


@pytest.mark.parametrize("text", ELSEWHERE)
def test_nobody_is_sent_elsewhere_after_a_login(text: str) -> None:
    assert browser.own_path(text, PREFIX) == PREFIX


def test_a_changed_cookie_is_none() -> None:
    cookies = Cookies(SECRETS)
    text = cookies.sealed(Session("i", "prof", "t", START))
    body, _, seal = text.partition(".")
    assert cookies.session(text, START - 1) == Session("i", "prof", "t", START)
    assert Cookies(("cd" * 32, *SECRETS)).session(text, START - 1) is not None
    for wrong in (f"{body}A.{seal}", body, f"{body}.", "", "é", f"{body}.!", None):
        assert cookies.session(wrong, START - 1) is None
    assert cookies.login(text, START - 1) is None
    assert Cookies(("cd" * 32,)).session(text, START - 1) is None


def revealed(pages: Pages) -> int | None:
    with reading(pages.engine) as connection:
        found: int | None = CLASS.quiz(connection)["revealed"]
        return found
