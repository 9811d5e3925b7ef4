"""Scores on their way to a platform that fails or refuses: what is tried again, and what is told."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import update
from starlette.responses import JSONResponse, PlainTextResponse, Response

from quiz_widgets.classroom.desk.database.engine import reading, writing
from quiz_widgets.classroom.desk.database.tables import person
from quiz_widgets.classroom.desk.lti import claiming, listing, platforms, web
from tests.classroom.fake_platform import elsewhere
from tests.classroom.sending import DAY, Sending, sending

__all__ = ["sending"]  # the fixture

PATIENCE = PlainTextResponse("403 Forbidden (Rate Limit Exceeded)\n", 403)
FAULTS: dict[str, tuple[str, Any, int]] = {
    "429": ("scores", Response(status_code=429, headers={"Retry-After": "90"}), 90_000),
    "429 until a date": (
        "scores", Response(status_code=429, headers={"Retry-After": "Fri, 15 Jan 2027 09:03:00 GMT"}), 120_000,
    ),
    "Canvas's 403": ("scores", PATIENCE, 0),
    "500": ("scores", 500, 0),
    "503 with patience": ("scores", Response(status_code=503, headers={"Retry-After": "30"}), 30_000),
    "the reply is lost": ("scores", "dropped", 0),
    "no token": ("token", 500, 0),
    "a client id that it does not know": ("token", 400, 0),
    "a token in no JSON": ("token", PlainTextResponse("hello"), 0),
    "no list of line items": ("lines", JSONResponse({"a": 1}), 0),
    "line items are forbidden": ("lines", 403, 0),
    "a line item elsewhere": ("lines", JSONResponse([], headers={"Link": '<https://evil.example/>; rel="next"'}), 0),
    "a redirect to another host": ("lines", elsewhere("https://evil.example/"), 0),
    "a reply without end": ("lines", PlainTextResponse("[]" + " " * web.LARGEST), 0),
    "a compressed reply": ("lines", JSONResponse([], headers={"Content-Encoding": "gzip"}), 0),
}  # fmt: skip


@pytest.mark.parametrize("case", FAULTS)
def test_what_fails_for_a_while_is_sent_once_afterwards(sending: Sending, case: str) -> None:
    kind, fault, asked_for = FAULTS[case]
    sending.platform.faults[kind] = [fault]
    sending.ready("ada", "bob")

    assert sending.send() == 1
    assert sending.send() == 0
    rests = sending.rests()
    assert asked_for + 1_000 < rests["rests_until"] - sending.now <= asked_for + 6_000
    assert rests["trouble"]
    assert any(one["last_error"] for one in sending.rows())
    if asked_for:
        assert sending.send(asked_for) == 0
    sending.send(20_000)
    sending.send(200_000)

    assert {name: sending.states(name) for name in ("ada", "bob")} == {"ada": ["sent"], "bob": ["sent"]}
    assert sending.platform.given("lti-ada") == sending.platform.given("lti-bob") == [1]
    assert len(sending.platform.items) == 1
    assert sending.platform.hosts == {"lms.example.org"}
    assert (sending.rests()["trouble"], sending.rests()["rests"]) == (None, 0)


def test_a_token_that_is_no_longer_taken_is_asked_for_anew(sending: Sending) -> None:
    sending.platform.faults["scores"] = ["expired"]
    sending.ready("ada")
    sending.send()
    assert sending.platform.given("lti-ada") == [1]
    assert sending.platform.calls["token"] == 2


def test_a_platform_that_takes_none_of_its_tokens_is_left_in_peace(sending: Sending) -> None:
    sending.ready("ada")
    sending.platform.faults["lines"] = [401, 401]
    assert sending.send() == 1
    assert sending.platform.calls == {"token": 2, "lines": 2}
    assert "own token" in sending.rests()["trouble"]


def test_a_desk_without_keys_says_so_and_goes_on(sending: Sending) -> None:
    sending.ready("ada")
    kept = sending.file.rename(sending.file.with_name("moved"))
    assert sending.send() == 1
    assert "cannot be read" in sending.rests()["trouble"]
    kept.rename(sending.file)
    sending.send(20_000)
    assert sending.states("ada") == ["sent"]


def test_who_is_unknown_there_is_named_and_stops_nobody(sending: Sending) -> None:
    sending.platform.users.discard("lti-ada")
    sending.ready("ada", "bob")
    assert sending.send() == 2
    assert (sending.states("ada"), sending.states("bob")) == (["failed"], ["sent"])
    with reading(sending.engine) as connection:
        [problem] = listing.problems(connection, "cs101")
    assert problem["hub_name"] == "ada"
    assert problem["last_error"] == "400 Incorrect score received lti-ada"
    assert sending.send(DAY) == 0

    sending.platform.users.add("lti-ada")
    with writing(sending.engine) as connection:
        assert platforms.again(connection, "cs101", "prof", sending.now) == 1
    sending.send(60_000)
    assert sending.states("ada") == ["sent"]


def test_a_later_score_of_the_platform_stands_until_an_instructor_sends_again(sending: Sending) -> None:
    sending.ready("ada")
    sending.send()
    [(line, _)] = sending.platform.scores
    by_hand = {"scoreGiven": 8, "scoreMaximum": 16, "timestamp": "2027-02-01T00:00:00Z"}
    sending.platform.scores[line, "lti-ada"].append(by_hand)
    sending.override("ada", "4")
    sending.send(60_000)
    assert sending.states("ada")[-1] == "failed"
    sending.now += 30 * DAY
    with writing(sending.engine) as connection:
        platforms.again(connection, "cs101", "prof", sending.now)
    sending.send(60_000)
    assert sending.platform.given("lti-ada") == [1, 8, 4]


def test_who_has_no_name_there_waits_until_the_roster_has_it(sending: Sending) -> None:
    sending.ready("ada")
    with writing(sending.engine) as connection:
        connection.execute(update(person).where(person.c.hub_name == "ada").values(lti_subject=None))
    assert sending.send() == 0
    [row] = sending.rows()
    assert (row["state"], row["last_error"]) == ("waiting", claiming.NO_SUBJECT)
    with writing(sending.engine) as connection:
        connection.execute(update(person).where(person.c.hub_name == "ada").values(lti_subject="lti-ada"))
    sending.send(claiming.LOOK_AGAIN_MS)
    assert sending.states("ada") == ["sent"]


def test_a_line_item_that_somebody_deleted_is_made_anew(sending: Sending) -> None:
    sending.ready("ada")
    sending.send()
    sending.platform.items.clear()
    sending.override("ada", "4")
    sending.send(60_000)
    sending.send(60_000)
    assert [one["scoreMaximum"] for one in sending.platform.items] == [16]
    assert sending.states("ada") == ["sent", "sent"]


def test_one_score_that_always_fails_is_given_up_in_the_end(sending: Sending) -> None:
    sending.ready("ada")
    sending.platform.faults["scores"] = [500] * 50
    for _ in range(30):
        sending.send(3_700_000)
    assert sending.states("ada") == ["failed"]
    assert "given up after 12 tries: 500 fault 500" in sending.rows("ada")[0]["last_error"]
    assert sending.platform.calls["scores"] == claiming.MOST_TRIES
