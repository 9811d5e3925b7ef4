"""A platform's settings: addresses that the desk calls, its own keys and who may fetch them, back-off and words."""

from __future__ import annotations

import contextlib
import json
from pathlib import Path
from typing import Any

import httpx
import pytest
from sqlalchemy import Engine

from quiz_widgets.classroom.desk.app import make
from quiz_widgets.classroom.desk.database.engine import reading, writing
from quiz_widgets.classroom.desk.desk import running
from quiz_widgets.classroom.desk.lti import addresses, ags, failures, keys, platforms
from quiz_widgets.classroom.desk.lti.web import Reply, Unreachable
from quiz_widgets.classroom.desk.refusals import Refused
from quiz_widgets.classroom.desk.settings import Settings, SettingsError, read
from tests.classroom import loops
from tests.classroom.fake_platform import CLIENT, ISSUER
from tests.classroom.small_class import START, Class

ADDRESSES: dict[str, Any] = json.loads((Path(__file__).parent / "lti_addresses.json").read_text(encoding="utf-8"))
GIVEN = {
    "issuer": ISSUER,
    "client": CLIENT,
    "token_url": "https://lms.example.org/token",
    "line_items_url": "https://lms.example.org/lines?type_id=3",
}


@pytest.mark.parametrize("case", ADDRESSES)
def test_an_address_is_one_of_a_platform(case: str) -> None:
    for where in ("page", "command"):
        if ADDRESSES[case][where]:
            addresses.checked(ADDRESSES[case]["text"], "the token URL", loopback=where == "command")
        else:
            with pytest.raises(Refused, match=r"the token URL: .*https address of the platform"):
                addresses.checked(ADDRESSES[case]["text"], "the token URL", loopback=where == "command")


@pytest.mark.parametrize(
    ("line", "scores"),
    [
        ("https://a.example/line_items/4", "https://a.example/line_items/4/scores"),
        ("https://a.example/5/lineitem/?type_id=1&x=%2F", "https://a.example/5/lineitem/scores?type_id=1&x=%2F"),
    ],
)
def test_scores_go_below_the_path_and_before_the_query(line: str, scores: str) -> None:
    assert addresses.scores_of(line) == scores


def test_a_query_keeps_what_is_in_it() -> None:
    url = addresses.with_query("https://a.example/l?type_id=1&limit=5", limit="100", tag="a b")
    assert url == "https://a.example/l?type_id=1&limit=100&tag=a+b"


@pytest.mark.parametrize(
    ("other", "same"),
    [
        ("https://A.example:443/x", True),
        ("https://a.example:444/x", False),
        ("http://a.example/x", False),
        ("https://a.example.evil/x", False),
        ("https://a.example@evil.example/x", False),
        ("/x", False),
        ("https://[", False),
    ],
)
def test_a_token_stays_at_its_host(other: str, same: bool) -> None:
    assert addresses.same_origin("https://a.example/token", other) is same


def test_links_keep_their_capitals() -> None:
    text = '<https://A.example/Next?Page=2&a=b,c>; rel="next", <https://a.example/>; rel="first"'
    reply = Reply("https://a.example", 200, httpx.Headers({"Link": text}), b"")
    assert ags.reply_links(reply)["next"] == "https://A.example/Next?Page=2&a=b,c"


def test_settings_are_kept_and_noted(engine: Engine) -> None:
    with writing(engine) as connection:
        Class().make(connection)
        with pytest.raises(Refused, match="client id"):
            platforms.change(connection, "cs101", {**GIVEN, "client": " "}, "prof", START)
        platforms.change(connection, "cs101", GIVEN, "prof", START)
        platforms.change(connection, "cs101", {"audience": "https://lms.example.org"}, "prof", START)
        platforms.send_quiz(connection, Class().quiz(connection), "", "8", "prof", START, active=True)
    with reading(engine) as connection:
        found = platforms.of(connection, "cs101")
        assert found is not None
        assert {name: found[name] for name in GIVEN} == GIVEN
        assert (found["audience"], found["active"]) == ("https://lms.example.org", True)
        [line] = platforms.lines(connection, "cs101").values()
        assert line["label"] == Class().quiz(connection)["title"]


def test_the_platform_fetches_public_keys_without_a_login(engine: Engine, tmp_path: Path) -> None:
    file = tmp_path / "keys.json"

    async def fetched() -> httpx.Response:
        settings = Settings(database="", secrets=("ab" * 32,), prefix="/services/quiz/", lti_keys=file)
        app = make(running(settings, lambda: START, engine), settings.prefix)
        async with (
            app.router.lifespan_context(app),
            httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://desk") as client,
        ):
            return await client.get("/services/quiz/lti/jwks.json")

    missing = loops.run(fetched())
    assert missing.status_code == 404
    assert "keys.json" not in missing.text
    kid = keys.make(file)
    found = loops.run(fetched())
    assert found.status_code == 200
    [key] = found.json()["keys"]
    assert key["kid"] == kid
    private = json.loads(file.read_text(encoding="utf-8"))["keys"][0]
    for name in ("d", "p", "q", "dp", "dq", "qi"):
        assert private[name] not in found.text


def test_the_file_of_keys_is_named_in_the_environment(tmp_path: Path) -> None:
    given = {"QUIZ_DESK_DATABASE": "sqlite:////x", "QUIZ_DESK_SECRETS": "ab" * 32}
    assert read(given).lti_keys is None
    assert read({**given, keys.VARIABLE: "/etc/quiz/keys.json"}).lti_keys == Path("/etc/quiz/keys.json")
    with pytest.raises(SettingsError, match=f"{keys.VARIABLE} is not set"):
        keys.read(None)


REPLIES: dict[str, tuple[int, dict[str, str], bytes, str]] = {
    "Canvas": (422, {}, b'{"errors":{"type":"unprocessable","message":"bad user"}}', "422 bad user"),
    "a list": (400, {}, b'{"errors":[{"message":"one"},{"message":"two"}]}', "400 one; two"),
    "Moodle": (400, {}, b'{"status":400,"reason":"Incorrect score received"}', "400 Incorrect score received"),
    "a page": (404, {"Content-Type": "text/html"}, b"<h1>Not here</h1>", "404"),
    "text": (404, {"Content-Type": "text/plain"}, b"not\nhere\x00", "404 not here"),
    "no bytes": (400, {}, b"", "400"),
    "a secret": (400, {}, b'{"error":"invalid hush"}', "400 invalid …"),
    "very long": (400, {}, json.dumps({"message": "x" * 9999}).encode(), "400 " + "x" * 296),
}


@pytest.mark.parametrize("case", REPLIES)
def test_what_a_platform_says_is_short_and_plain(case: str) -> None:
    status, headers, body, expected = REPLIES[case]
    said = failures.word(Reply("u", status, httpx.Headers(headers), body), ["hush"])
    assert said == expected


def test_waits_grow_are_drawn_and_end() -> None:
    drawn = [[failures.backoff(failed) for _ in range(200)] for failed in range(15)]
    for failed, waits in enumerate(drawn):
        most = min(failures.MOST_MS, failures.BASE_MS * 2**failed)
        assert 1_000 <= min(waits) < 1_000 + most / 4
        assert 1_000 + most * 3 / 4 < max(waits) <= 1_000 + most
    assert failures.backoff(0, 90_000) >= 91_000
    assert failures.backoff(0, 10**12) <= 1_000 + failures.BASE_MS + failures.LONGEST_REST_MS


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("120", 120_000), ("Fri, 15 Jan 2027 08:00:30 GMT", 30_000), ("Fri, 15 Jan 2021 08:00:30 GMT", 0),
        ("", None), ("soon", None), ("-5", None), ("9" * 50, failures.LONGEST_REST_MS), ("Fri, 99 Jan", None),
        ("Fri, 31 Dec 9999 23:59:59 GMT", failures.LONGEST_REST_MS),
        ("Fri, 15 Jan 2027 08:00:30 +99999999999999", None),
    ],
)  # fmt: skip
def test_patience_is_a_number_or_a_date(text: str, expected: int | None) -> None:
    reply = Reply("u", 429, httpx.Headers({"Retry-After": text}), b"")
    assert failures.retry_after(reply, START) == expected


@pytest.mark.parametrize("body", [b"[" * 100_000, b'{"message":' * 900 + b"1" + b"}" * 900, b"1" * 5000])
def test_a_reply_that_no_reader_of_json_takes_is_a_failure_like_others(body: bytes) -> None:
    reply = Reply("u", 400, httpx.Headers(), body)
    assert isinstance(failures.of_reply(reply, START), failures.Never)
    with contextlib.suppress(Unreachable):
        reply.json()


@pytest.mark.parametrize(("left", "patient"), [("0", True), ("-3.5", True), ("700.1", False), ("x", False)])
def test_canvas_says_403_where_others_say_429(left: str, patient: bool) -> None:
    reply = Reply("u", 403, httpx.Headers({"X-Rate-Limit-Remaining": left}), b"{}")
    assert isinstance(failures.of_reply(reply, START), failures.Later) is patient
