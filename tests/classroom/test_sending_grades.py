"""Scores on their way to a platform: what is sent and when, and each once, whatever desk and platform go through."""

from __future__ import annotations

import asyncio
import json
import logging
from decimal import Decimal
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from sqlalchemy import Engine, delete, select, update
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response

from quiz_widgets.classroom.desk import gradebook, regrading, schedules
from quiz_widgets.classroom.desk.database.engine import connect, reading, writing
from quiz_widgets.classroom.desk.database.outside_tables import lti_line, outbox
from quiz_widgets.classroom.desk.database.rows import rows
from quiz_widgets.classroom.desk.database.tables import audit, course, person
from quiz_widgets.classroom.desk.lti import claiming, failures, listing, platforms, web
from quiz_widgets.classroom.desk.operations import learners
from tests.classroom import loops
from tests.classroom.fake_platform import elsewhere
from tests.classroom.sending import ITEM, REVEALED, WRONG, Sending
from tests.classroom.small_class import START

DAY = 86_400_000


@pytest.fixture
def sending(engine: Engine, tmp_path: Path) -> Sending:
    return Sending(engine, tmp_path)


@pytest.fixture(autouse=True)
def no_jitter(monkeypatch: pytest.MonkeyPatch) -> None:
    """Waits are as long as they may be."""
    monkeypatch.setattr(failures, "_jitter", SimpleNamespace(uniform=lambda _least, most: most))


def test_a_score_is_sent_once_its_keys_are_shown(sending: Sending) -> None:
    sending.take("ada", at=START + 1234)
    assert sending.send() == 0
    sending.now = REVEALED - 1
    assert sending.send() == 0
    assert [sending.rows()[0][name] for name in ("state", "stamp")] == ["waiting", START + 1244]
    sending.now = REVEALED + 60_000

    assert sending.send() == 1

    [line] = sending.platform.items
    assert {name: line[name] for name in ("label", "scoreMaximum", "tag")} == {
        "label": "Week 3",
        "scoreMaximum": 16,
        "tag": "quiz-desk",
    }
    assert sending.platform.scores[line["id"], "lti-ada"] == [
        {
            "userId": "lti-ada",
            "scoreGiven": 1,
            "scoreMaximum": 16,
            "activityProgress": "Completed",
            "gradingProgress": "FullyGraded",
            "timestamp": "2027-01-15T08:00:01.244Z",
            "submission": {"submittedAt": "2027-01-15T08:00:01.234Z"},
        }
    ]
    assert sending.states("ada") == ["sent"]
    assert sending.send(DAY) == 0


def ready(sending: Sending, *names: str) -> None:
    """Scores of these learners, which may be sent."""
    for name in names:
        sending.take(name)
    sending.now = REVEALED


def test_one_token_and_one_line_item_serve_all_until_the_token_expires(sending: Sending) -> None:
    ready(sending, "ada", "bob")
    assert sending.send() == 2
    assert sending.platform.calls == {"token": 1, "lines": 2, "scores": 2}
    sending.now += 3_540_000  # its last minute
    override(sending, "ada", "3")
    with writing(sending.engine) as connection:
        claiming.release(connection, sending.now)
    sending.send()

    assert sending.platform.given("lti-ada") == [1, 3]
    assert sending.platform.calls == {"token": 2, "lines": 2, "scores": 3}


def override(sending: Sending, name: str, points: str | None) -> None:
    with writing(sending.engine) as connection:
        given = None if points is None else Decimal(points)
        who = sending.class_.who(connection, name)
        gradebook.override(
            connection, sending.library, sending.class_.quiz(connection), who, given,
            reason="r", by="prof", now=sending.now,
        )  # fmt: skip


def test_a_line_item_is_found_on_a_later_page_and_brought_up_to_date(sending: Sending) -> None:
    with reading(sending.engine) as connection:
        quiz = sending.class_.quiz(connection)["id"]
    for number in range(5):
        sending.platform.make({"label": "Week 3", "resourceId": f"other{number}", "tag": "quiz-desk"})
    sending.platform.make({"label": "Week 3", "scoreMaximum": 16, "resourceId": quiz, "tag": "theirs"})
    mine = sending.platform.make({"label": "Old", "scoreMaximum": 5, "resourceId": quiz, "tag": "quiz-desk", "own": 1})
    ready(sending, "ada")

    sending.send()

    assert len(sending.platform.items) == 7
    assert [mine[name] for name in ("label", "scoreMaximum", "own")] == ["Week 3", 16, 1]
    assert list(sending.platform.scores) == [(mine["id"], "lti-ada")]
    assert (sending.platform.calls["lines"], sending.platform.calls["line"]) == (4, 1)


def test_other_points_are_sent_in_them_and_everybody_anew(sending: Sending) -> None:
    ready(sending, "ada", "bob")
    sending.send()
    with writing(sending.engine) as connection:
        sending.send_quiz(connection, label="Week three", most="20")
    sending.send(60_000)

    assert sending.platform.given("lti-ada") == [1, 1.25]
    assert [one["scoreMaximum"] for one in sending.platform.items] == [20]
    assert sending.platform.items[0]["label"] == "Week three"


def test_a_newer_score_takes_the_place_of_one_that_waits(sending: Sending) -> None:
    ready(sending, "ada")
    override(sending, "ada", "5")
    override(sending, "ada", "6")
    assert sending.states("ada") == ["replaced", "replaced", "waiting"]
    sending.send()
    assert sending.platform.given("lti-ada") == [6]


def test_times_rise_though_the_clock_goes_back(sending: Sending) -> None:
    ready(sending, "ada")
    sending.send()
    for points in ("5", "6", "7"):
        there, sending.now = sending.now, START - DAY
        override(sending, "ada", points)
        sending.now = there
        sending.send(60_000)

    assert sending.platform.given("lti-ada") == [1, 5, 6, 7]
    assert sending.platform.refused == []


def test_what_does_not_change_is_not_sent_again(sending: Sending) -> None:
    ready(sending, "ada", "bob")
    sending.send()
    change = regrading.Change(item=ITEM, kind="key", responses=[["underflow"]], reason="as before")
    with writing(sending.engine) as connection:
        regrading.change_key(connection, sending.library, sending.class_.quiz(connection), change, "prof", sending.now)
        assert gradebook.score_finished(connection, sending.library, sending.now) == 2
    assert len(sending.rows()) == 2


def test_a_regrade_is_sent(sending: Sending) -> None:
    sending.take("bob", WRONG)
    ready(sending, "ada")
    sending.send()
    change = regrading.Change(item=ITEM, kind="full", reason="two were right")
    with writing(sending.engine) as connection:
        regrading.change_key(connection, sending.library, sending.class_.quiz(connection), change, "prof", sending.now)
        gradebook.score_finished(connection, sending.library, sending.now)
    sending.send(60_000)

    assert sending.platform.given("lti-ada") == [1]
    assert sending.platform.given("lti-bob") == [0, 1]


def test_a_score_by_hand_alone_is_no_late_submission(sending: Sending) -> None:
    sending.now = REVEALED
    override(sending, "ada", "2.5")
    sending.send()
    [[body]] = sending.platform.scores.values()
    assert body["scoreGiven"] == 2.5
    assert "submission" not in body
    assert body["https://canvas.instructure.com/lti/submission"] == {"new_submission": False}
    override(sending, "ada", None)
    sending.send(60_000)
    sending.send(60_000)
    assert sending.platform.given("lti-ada") == [2.5, None]


def excuse(sending: Sending, name: str) -> str:
    with writing(sending.engine) as connection:
        found, who = sending.class_.quiz(connection), sending.class_.who(connection, name)
        return schedules.except_(
            connection, found, {"person": who["person"]}, {"excused": True, "reason": "ill"}, "prof", sending.now
        )


def test_of_who_is_excused_nothing_is_sent_and_what_was_is_withdrawn_once(sending: Sending) -> None:
    ready(sending, "ada")
    sending.take("bob")
    excuse(sending, "bob")
    sending.send()
    assert sending.platform.given("lti-bob") == []
    made = excuse(sending, "ada")
    sending.send(60_000)
    with writing(sending.engine) as connection:
        schedules.follow(connection, sending.class_.quiz(connection), sending.now)
    sending.send(60_000)
    [kept] = sending.platform.scores.values()
    assert kept[1:] == [
        {
            "userId": "lti-ada",
            "timestamp": kept[1]["timestamp"],
            "activityProgress": "Initialized",
            "gradingProgress": "NotReady",
        }
    ]
    for number in range(2):
        with writing(sending.engine) as connection:
            schedules.take_back(connection, sending.class_.quiz(connection), made, "prof", sending.now)
        if number == 0:  # and back again, before anything was sent
            made = excuse(sending, "ada")
            sending.send(60_000)
            assert len(kept) == 2
    sending.send(60_000)
    assert sending.platform.given("lti-ada") == [1, None, 1]


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
    ready(sending, "ada", "bob")

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
    ready(sending, "ada")
    sending.send()
    assert sending.platform.given("lti-ada") == [1]
    assert sending.platform.calls["token"] == 2


def test_a_platform_that_takes_none_of_its_tokens_is_left_in_peace(sending: Sending) -> None:
    ready(sending, "ada")
    sending.platform.faults["lines"] = [401, 401]
    assert sending.send() == 1
    assert sending.platform.calls == {"token": 2, "lines": 2}
    assert "own token" in sending.rests()["trouble"]


def test_a_desk_without_keys_says_so_and_goes_on(sending: Sending) -> None:
    ready(sending, "ada")
    kept = sending.file.rename(sending.file.with_name("moved"))
    assert sending.send() == 1
    assert "cannot be read" in sending.rests()["trouble"]
    kept.rename(sending.file)
    sending.send(20_000)
    assert sending.states("ada") == ["sent"]


def test_who_is_unknown_there_is_named_and_stops_nobody(sending: Sending) -> None:
    sending.platform.users.discard("lti-ada")
    ready(sending, "ada", "bob")
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
    ready(sending, "ada")
    sending.send()
    [(line, _)] = sending.platform.scores
    by_hand = {"scoreGiven": 8, "scoreMaximum": 16, "timestamp": "2027-02-01T00:00:00Z"}
    sending.platform.scores[line, "lti-ada"].append(by_hand)
    override(sending, "ada", "4")
    sending.send(60_000)
    assert sending.states("ada")[-1] == "failed"
    sending.now += 30 * DAY
    with writing(sending.engine) as connection:
        platforms.again(connection, "cs101", "prof", sending.now)
    sending.send(60_000)
    assert sending.platform.given("lti-ada") == [1, 8, 4]


def test_who_has_no_name_there_waits_until_the_roster_has_it(sending: Sending) -> None:
    ready(sending, "ada")
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
    ready(sending, "ada")
    sending.send()
    sending.platform.items.clear()
    override(sending, "ada", "4")
    sending.send(60_000)
    sending.send(60_000)
    assert [one["scoreMaximum"] for one in sending.platform.items] == [16]
    assert sending.states("ada") == ["sent", "sent"]


def test_one_score_that_always_fails_is_given_up_in_the_end(sending: Sending) -> None:
    ready(sending, "ada")
    sending.platform.faults["scores"] = [500] * 50
    for _ in range(30):
        sending.send(3_700_000)
    assert sending.states("ada") == ["failed"]
    assert "given up after 12 tries: 500 fault 500" in sending.rows("ada")[0]["last_error"]
    assert sending.platform.calls["scores"] == claiming.MOST_TRIES


def test_a_worker_that_dies_before_it_writes_it_down_sends_nothing_twice(sending: Sending) -> None:
    ready(sending, "ada")

    def dies(work: Any) -> Any:
        with writing(sending.engine) as connection:
            if sending.platform.scores:
                raise KeyboardInterrupt
            return work(connection)

    with pytest.raises(KeyboardInterrupt):
        loops.run(sending.worker(write=dies).send_due())
    assert sending.platform.given("lti-ada") == [1]
    assert sending.states("ada") == ["waiting"]

    assert sending.send() == 0  # it may be alive
    assert sending.send(claiming.CLAIM_MS) == 1
    assert sending.platform.given("lti-ada") == [1]
    assert sending.states("ada") == ["sent"]
    assert len(sending.platform.refused) == 1  # the same time again, which counts as done


def test_a_newer_score_waits_for_the_one_that_is_on_its_way(sending: Sending) -> None:
    ready(sending, "ada")
    with writing(sending.engine) as connection:
        claiming.release(connection, sending.now)
        claimed = claiming.claim(connection, sending.now)
    assert isinstance(claimed, claiming.Claimed)
    override(sending, "ada", "5")
    assert sending.states("ada") == ["waiting", "waiting"]
    assert sending.send() == 0
    with writing(sending.engine) as connection:
        claiming.later(connection, claimed, failures.Later("500", unsure=True), sending.now)
    assert sending.states("ada") == ["replaced", "waiting"]
    assert sending.send(60_000) == 1
    assert sending.platform.given("lti-ada") == [5]


def test_two_workers_share_one_database_and_each_score_is_sent_once(postgres_database: str, tmp_path: Path) -> None:
    engine, other = connect(postgres_database), connect(postgres_database)
    names = tuple(f"learner-{number:02}" for number in range(40))
    sending = Sending(engine, tmp_path, names)
    ready(sending, *names)
    with writing(engine) as connection:
        claiming.release(connection, sending.now)

    async def both() -> list[int]:
        workers = [sending.worker(one) for one in (engine, other)]
        tried = [0, 0]
        for _ in range(200):
            for number, count in enumerate(await asyncio.gather(*(worker.send_due() for worker in workers))):
                tried[number] += count
            if all(one["state"] == "sent" for one in sending.rows()):
                break
            sending.now += 6_000
        return tried

    tried = loops.run(both())
    assert {len(kept) for kept in sending.platform.scores.values()} == {1}
    assert len(sending.platform.scores) == len(names)
    assert (sending.platform.refused, len(sending.platform.items)) == ([], 1)
    assert min(tried) > 0
    for one in (engine, other):
        one.dispose()


def test_nothing_is_sent_while_the_platform_is_switched_off_and_a_dry_run_tells_what_would_be(sending: Sending) -> None:
    with writing(sending.engine) as connection:
        platforms.change(connection, "cs101", {"active": False}, "prof", START)
    sending.take("ada")
    excuse(sending, "bob")
    sending.now = REVEALED
    assert sending.send() == 0
    with reading(sending.engine) as connection:
        [line] = listing.dry_run(connection, "cs101")
    assert (line.name, line.quiz, line.given, line.most, line.subject, line.held) == (
        "ada", "week-3", 1, 16, "lti-ada", False,
    )  # fmt: skip
    assert sending.platform.calls == {}
    with writing(sending.engine) as connection:
        platforms.change(connection, "cs101", {"active": True}, "prof", START)
        sending.send_quiz(connection, active=False)
    assert sending.send(60_000) == 0
    with writing(sending.engine) as connection:
        sending.send_quiz(connection)
    assert sending.send(60_000) == 1


def test_a_quiz_that_is_switched_on_late_sends_what_is_there(sending: Sending) -> None:
    with writing(sending.engine) as connection:
        connection.execute(delete(lti_line))
    ready(sending, "ada", "bob")
    assert sending.rows() == []
    with writing(sending.engine) as connection:
        sending.send_quiz(connection)
    assert sending.send() == 2


def test_no_secret_is_written_down_or_logged(sending: Sending, caplog: pytest.LogCaptureFixture) -> None:
    """Whatever a platform repeats of what it was shown."""
    shown: list[str] = []

    async def repeats(request: Request) -> Response:
        form = await request.form()
        shown.append(str(form.get("client_assertion") or request.headers["authorization"].removeprefix("Bearer ")))
        return JSONResponse({"error": "no", "error_description": f"bad {shown[-1]}"}, 400)

    caplog.set_level(logging.DEBUG)
    sending.platform.faults = {"token": [repeats], "scores": [repeats]}
    ready(sending, "ada")
    sending.send()
    trouble = sending.rests()
    sending.send(20_000)

    assert (trouble["trouble"], sending.rows()[0]["last_error"]) == ("no token: 400 bad …: no", "400 bad ...: no")
    with reading(sending.engine) as connection:
        kept = json.dumps([trouble, *rows(connection, select(outbox)), *rows(connection, select(audit))])
    assert len(shown) == 2
    for secret in shown:
        assert secret not in kept
        assert secret not in caplog.text


def test_an_erased_learner_leaves_nothing_to_send(sending: Sending) -> None:
    sending.platform.users.discard("lti-ada")
    ready(sending, "ada")
    sending.send()
    with writing(sending.engine) as connection:
        told = learners.export(connection, "ada")
        assert [one["state"] for one in told["outbox"]] == ["failed"]
        erased = learners.erase(connection, "ada", "prof", sending.now)
    with reading(sending.engine) as connection:
        [row] = rows(connection, select(outbox).where(outbox.c.person == erased))
    assert (row["state"], row["last_error"]) == ("replaced", None)
    with writing(sending.engine) as connection:
        connection.execute(update(course).values(retained_until=sending.now))
        learners.purge(connection, "prof", sending.now)
        assert rows(connection, select(person).where(person.c.id == erased)) == []
