"""What nobody means to send to the pages: a refusal or a good answer, never a fault, and nothing that breaks later.

`hostile.json` has texts, further fields of forms and whole bodies. Each text stands in the place of each field of each
good request of `routes/*.json`, and afterwards every page is shown still: what was taken in makes none of them fail.
On PostgreSQL only those texts are tried that ``kept`` names: that it takes or refuses in its own way.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import httpx
import pytest
from sqlalchemy import Engine

from quiz_widgets.classroom.desk.database.engine import writing
from quiz_widgets.classroom.desk.pages import live, visits
from tests.classroom import fake_hub
from tests.classroom.small_class import EXAM, Class
from tests.classroom.test_every_page import BEFORE, USES, Asking, Use
from tests.classroom.test_pages import COURSE, TO_PAGE, Pages, Visit, word_of

_CASES = json.loads((Path(__file__).parent / "hostile.json").read_text(encoding="utf-8"))
TEXTS: dict[str, str] = _CASES["texts"]
FORMS = [use for use in USES if use.method == "POST"]
YEAR = 366 * 24 * 60  # minutes
Send = Callable[..., Awaitable[httpx.Response | None]]


@pytest.fixture
def made(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> Iterator[Pages]:
    monkeypatch.setattr(live, "LONGEST_S", 0.0)
    with fake_hub.running() as hub:
        yield Pages(engine, hub)


def faults_of(made: Pages, work: Callable[[Asking, Send], Awaitable[None]], before: str | None = None) -> list[str]:
    """What failed of that work, and of all pages after it."""
    faults: list[str] = []

    async def inside(go: Visit) -> None:
        word = word_of(await made.log_in(go))
        if before is not None:
            with writing(made.engine) as connection:
                BEFORE[before](connection, str(Class().who(connection, "ada")["person"]))
        every = [Asking(made, go, use, word) for use in USES]

        async def send(name: str, path: str, method: str = "POST", **more: Any) -> httpx.Response | None:
            try:
                reply = await go(path, method, **{"headers": {}, **more})
            except Exception as error:  # noqa: BLE001 - whatever it is, it is a fault
                faults.append(f"{name}: {error!r:.200}")
                return None
            if reply.status_code >= 500:
                faults.append(f"{name}: {reply.status_code}")
            return reply

        await work(every[0], send)
        for ask in every:
            if ask.use.method == "GET":
                await send(f"{ask.use} afterwards", ask.path(), "GET", headers=headers(ask.use, word))

    made.run(inside)
    return faults


def headers(use: Use, word: str) -> dict[str, str]:
    return {visits.WORD: word} if use.script else TO_PAGE


@pytest.mark.parametrize("use", FORMS, ids=str)
def test_a_field_may_hold_anything(made: Pages, use: Use) -> None:
    async def work(first: Asking, send: Send) -> None:
        ask = Asking(made, first.go, use, first.word)
        path = ask.path()
        good = {name: value.format(person=ask.ada) for name, value in use.form.items()} | {"word": ask.word}
        files = {} if use.file is None else {"files": {use.file: (use.holds or "{}").encode()}}
        texts = TEXTS if made.engine.dialect.name == "sqlite" else {name: TEXTS[name] for name in _CASES["kept"]}
        for field in [*good, *_CASES["more"].get(use.path, ())]:
            for name, text in texts.items():
                data = {**good, field: text.encode("utf-8", "surrogatepass")}
                await send(f"{field}: {name}", path, data=data, **files)
            without = {name: value for name, value in good.items() if name != field}
            await send(f"no {field}", path, data=without, **files)
            await send(f"a file for {field}", path, data=without, files={field: b"\xff\0"})
            await send(f"{field} twice", path, data={**good, field: [good.get(field, "a"), "b"]}, **files)
        if use.file is not None:
            await send("a field for the file", path, data={**good, use.file: "a"})
            await send("an empty file", path, data=good, files={use.file: b""})
        for name, (kind, body) in _CASES["bodies"].items():
            await send(name, path, content=body.encode(), headers={"Content-Type": kind})

    assert faults_of(made, work, use.before) == []


@pytest.mark.parametrize(
    "name", ["\0", "a\0b", "\ud800", "a" * 5000, "\n"], ids=["NUL", "NUL inside", "half", "long", "break"]
)
def test_an_address_may_name_anything(made: Pages, name: str) -> None:
    replies: set[int] = set()

    async def work(first: Asking, send: Send) -> None:
        for use in USES:
            for place in ("course", "quiz", "person", "gradebook"):
                if f"{{{place}}}" in use.path:
                    path = Asking(made, first.go, use, first.word).path(
                        **{place: quote(name.encode("utf-8", "surrogatepass"), safe="")}
                    )
                    more: Any = (
                        {"headers": headers(use, first.word)}
                        if use.method == "GET"
                        else {"data": {"word": first.word, **use.form}}
                    )
                    reply = await send(f"{use} {place}", path, use.method, **more)
                    if reply is not None:
                        replies.add(reply.status_code)

    assert faults_of(made, work, "poll") == []
    assert replies <= {404, 409, 422}


def test_a_query_with_what_cannot_be_kept_is_refused(made: Pages) -> None:
    async def work(first: Asking, send: Send) -> None:
        for use in USES:
            if use.method == "GET":
                path = Asking(made, first.go, use, first.word).path()
                reply = await send(str(use), f"{path}?change=a%00b", "GET", headers=headers(use, first.word))
                assert reply is not None
                assert reply.status_code == 422

    assert faults_of(made, work, "poll") == []


@pytest.mark.parametrize("charset", ["punycode", "undefined", "unicode_escape", "utf-7", "hex", "none"])
def test_a_form_in_another_encoding_is_read_or_refused(made: Pages, charset: str) -> None:
    async def work(first: Asking, send: Send) -> None:
        fields = {"word": first.word, "title": "\\ud800", "late_join": "7"}
        parts = [
            f'--b\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{text}\r\n' for name, text in fields.items()
        ]
        kind = f"multipart/form-data; boundary=b; charset={charset}"
        body = "".join([*parts, "--b--\r\n"]).encode()
        await send(charset, f"{COURSE}/settings", content=body, headers={"Content-Type": kind})

    assert faults_of(made, work) == []


LENGTHS = ["", "-1", "1_0", "\u00b2", "9" * 20, "9" * 5000, str(2 * 1024 * 1024)]


@pytest.mark.parametrize("length", LENGTHS, ids=lambda text: ascii(text)[:25])
def test_a_form_that_does_not_say_that_it_is_small_is_refused_unread(made: Pages, length: str) -> None:
    read: list[str] = []

    async def body(path: str) -> AsyncIterator[bytes]:
        read.append(path)
        yield b""

    async def work(first: Asking, send: Send) -> None:
        for use in FORMS:
            path = Asking(made, first.go, use, first.word).path()
            large = length if length != LENGTHS[-1] else str(32 * 1024 * 1024) if use.file else length
            reply = await send(str(use), path, content=body(path), headers={"Content-Length": large.encode("latin-1")})
            assert reply is not None
            assert reply.status_code == 413

    assert faults_of(made, work) == []
    assert read == []


def test_times_stay_where_a_clock_can_show_them(made: Pages) -> None:
    statuses: list[int] = []

    async def work(first: Asking, send: Send) -> None:
        quiz, far = f"{COURSE}/quizzes/week-3", "9997-12-31T23:59"
        times = {"opens": "1971-01-01T00:00", "due": far, "closes": far}
        exception = {"whom": f"person:{first.ada}", "due": far, "act": "make"}
        for path, data in (
            (quiz, times),
            (f"{COURSE}/settings", {"title": "A course", "late_join": "366", "until": "9997-12-31"}),
            (f"{quiz}/exceptions", exception),
            *[(f"{COURSE}/move", {"minutes": str(YEAR), "direction": "later"})] * 3,
        ):
            reply = await send(path, path, data={"word": first.word, **data})
            assert reply is not None
            statuses.append(reply.status_code)

    assert faults_of(made, work) == []
    assert statuses == [303, 303, 303, 422, 422, 422]


@pytest.mark.parametrize("sign", ["\\u0000", "\\ud800", "\\uDFFF"])
def test_a_bundle_with_what_cannot_be_kept_is_refused(made: Pages, sign: str) -> None:
    text = EXAM.read_text(encoding="utf-8")
    places = [text.index(f'"{name}"') + len(name) + 1 for name in ("title", "en", "items", "id")]

    async def work(first: Asking, send: Send) -> None:
        for place in places:
            damaged = text[:place] + sign + text[place:]
            data = {"word": first.word, "slug": "made"}
            reply = await send(text[place - 9 : place], f"{COURSE}/publish", data=data, files={"bundle": damaged})
            assert reply is not None
            assert reply.status_code == 422

    assert faults_of(made, work) == []


def test_a_bundle_may_escape_what_can_be_kept(made: Pages) -> None:
    text = EXAM.read_text(encoding="utf-8").replace('"en":"', '"en":"\\ud83d\\ude00 \\\\u0000 ', 1)

    async def work(first: Asking, send: Send) -> None:
        data = {"word": first.word, "slug": "made"}
        reply = await send("the bundle", f"{COURSE}/publish", data=data, files={"bundle": text})
        assert reply is not None
        assert reply.status_code == 303

    assert faults_of(made, work) == []
