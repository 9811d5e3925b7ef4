"""A learner's way through a graded quiz on a real Hub: log in, open, answer, finish; and what nobody may do on it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.classroom.hub.driving import ANSWER, Seat, asked
from tools.classroom.room import Room

Seats = Callable[[str], Seat]
QUIZ = "api/v1/courses/demo/quizzes/exam"
LATER = "api/v1/courses/demo/quizzes/later"


def test_a_learner_answers_in_a_kernel_and_the_desk_has_it(room: Room, seats: Seats) -> None:
    told = seats("ada").kernel(
        ANSWER
        + """
recorder.record([event("finish", run)])
until(lambda: recorder.desk()["finished"])
again = DeskRecorder(parse("demo/exam"))
again.refresh()
print(json.dumps([recorder.desk(), again.outcomes(), [item.key for item in again.quiz()[0].items]]))
"""
    )
    desk, outcomes, keys = told
    assert (desk["who"], desk["waiting"], desk["trouble"]) == ("ada", 0, "")
    assert desk["finished"]
    submits = [one["event"] for one in outcomes.values() if one["event"]["kind"] == "submit"]
    assert sorted(event["item"] for event in submits) == ["count", "first-letter"]
    assert not any("score" in one or "verdict" in one for one in outcomes.values())
    assert keys == [[], []]
    assert room.manage("export", "ada", str(room.folder / "desk" / f"ada-{desk['finished']}.json"))


def test_a_quiz_that_is_not_open_shows_no_question(room: Room, seats: Seats) -> None:
    ada = seats("ada")
    status, text = asked(f"{room.url}/services/quiz/{LATER}", ada.token())
    assert (status, "stem-mark" in text) == (200, False)
    status, text = asked(f"{room.url}/services/quiz/{LATER}/attempts", ada.token(), "POST", {})
    assert (status, "stem-mark" in text) == (409, False)


@pytest.mark.parametrize("name", ["ada", "prof"])
def test_no_kernel_s_token_teaches_whoever_s_it_is(room: Room, seats: Seats, name: str) -> None:
    token = seats(name).token()
    status, text = asked(f"{room.url}/services/quiz/{QUIZ}/versions", token, "POST", {"compiled": "{}"})
    assert (status, '"scope"' in text) == (403, True)
    status, text = asked(f"{room.hub_api}/user", token)
    assert status == 200
    assert "custom:quiz:submit" in text
    assert "custom:quiz:teach" not in text


def test_the_hub_gives_no_learner_a_token_that_teaches(room: Room, seats: Seats) -> None:
    sent = {"scopes": ["custom:quiz:teach"]}
    assert asked(f"{room.hub_api}/users/ada/tokens", seats("ada").token(), "POST", sent)[0] in (400, 403)


def test_a_service_s_token_is_no_learner_s(room: Room) -> None:
    assert asked(f"{room.url}/services/quiz/{QUIZ}", room.service_token)[0] == 401
