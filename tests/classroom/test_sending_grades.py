"""Scores on their way to a platform: what is sent and when."""

from __future__ import annotations

from sqlalchemy import delete

from quiz_widgets.classroom.desk import gradebook, regrading, schedules
from quiz_widgets.classroom.desk.database.engine import reading, writing
from quiz_widgets.classroom.desk.database.outside_tables import lti_line
from quiz_widgets.classroom.desk.lti import claiming, listing, platforms
from tests.classroom.sending import DAY, ITEM, REVEALED, WRONG, Sending, sending
from tests.classroom.small_class import START

__all__ = ["sending"]  # the fixture


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


def test_one_token_and_one_line_item_serve_all_until_the_token_expires(sending: Sending) -> None:
    sending.ready("ada", "bob")
    assert sending.send() == 2
    assert sending.platform.calls == {"token": 1, "lines": 2, "scores": 2}
    sending.now += 3_540_000  # its last minute
    sending.override("ada", "3")
    with writing(sending.engine) as connection:
        claiming.release(connection, sending.now)
    sending.send()

    assert sending.platform.given("lti-ada") == [1, 3]
    assert sending.platform.calls == {"token": 2, "lines": 2, "scores": 3}


def test_a_line_item_is_found_on_a_later_page_and_brought_up_to_date(sending: Sending) -> None:
    with reading(sending.engine) as connection:
        quiz = sending.class_.quiz(connection)["id"]
    for number in range(5):
        sending.platform.make({"label": "Week 3", "resourceId": f"other{number}", "tag": "quiz-desk"})
    sending.platform.make({"label": "Week 3", "scoreMaximum": 16, "resourceId": quiz, "tag": "theirs"})
    mine = sending.platform.make({"label": "Old", "scoreMaximum": 5, "resourceId": quiz, "tag": "quiz-desk", "own": 1})
    sending.ready("ada")

    sending.send()

    assert len(sending.platform.items) == 7
    assert [mine[name] for name in ("label", "scoreMaximum", "own")] == ["Week 3", 16, 1]
    assert list(sending.platform.scores) == [(mine["id"], "lti-ada")]
    assert (sending.platform.calls["lines"], sending.platform.calls["line"]) == (4, 1)


def test_other_points_are_sent_in_them_and_everybody_anew(sending: Sending) -> None:
    sending.ready("ada", "bob")
    sending.send()
    with writing(sending.engine) as connection:
        sending.send_quiz(connection, label="Week three", most="20")
    sending.send(60_000)

    assert sending.platform.given("lti-ada") == [1, 1.25]
    assert [one["scoreMaximum"] for one in sending.platform.items] == [20]
    assert sending.platform.items[0]["label"] == "Week three"


def test_what_does_not_change_is_not_sent_again(sending: Sending) -> None:
    sending.ready("ada", "bob")
    sending.send()
    change = regrading.Change(item=ITEM, kind="key", responses=[["underflow"]], reason="as before")
    with writing(sending.engine) as connection:
        regrading.change_key(connection, sending.library, sending.class_.quiz(connection), change, "prof", sending.now)
        assert gradebook.score_finished(connection, sending.library, sending.now) == 2
    assert len(sending.rows()) == 2


def test_a_regrade_is_sent(sending: Sending) -> None:
    sending.take("bob", WRONG)
    sending.ready("ada")
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
    sending.override("ada", "2.5")
    sending.send()
    [[body]] = sending.platform.scores.values()
    assert body["scoreGiven"] == 2.5
    assert "submission" not in body
    assert body["https://canvas.instructure.com/lti/submission"] == {"new_submission": False}
    sending.override("ada", None)
    sending.send(60_000)
    sending.send(60_000)
    assert sending.platform.given("lti-ada") == [2.5, None]


def test_of_who_is_excused_nothing_is_sent_and_what_was_is_withdrawn_once(sending: Sending) -> None:
    sending.ready("ada")
    sending.take("bob")
    sending.excuse("bob")
    sending.send()
    assert sending.platform.given("lti-bob") == []
    made = sending.excuse("ada")
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
            made = sending.excuse("ada")
            sending.send(60_000)
            assert len(kept) == 2
    sending.send(60_000)
    assert sending.platform.given("lti-ada") == [1, None, 1]


def test_nothing_is_sent_while_the_platform_is_switched_off_and_a_dry_run_tells_what_would_be(sending: Sending) -> None:
    with writing(sending.engine) as connection:
        platforms.change(connection, "cs101", {"active": False}, "prof", START)
    sending.take("ada")
    sending.excuse("bob")
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
    sending.ready("ada", "bob")
    assert sending.rows() == []
    with writing(sending.engine) as connection:
        sending.send_quiz(connection)
    assert sending.send() == 2
