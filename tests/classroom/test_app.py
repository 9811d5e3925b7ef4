"""The desk over HTTP, in this process: what a learner gets, and what they never get."""

from __future__ import annotations

import json
from typing import Any

import httpx
import pytest
from sqlalchemy import Engine

from quiz_widgets import compiled
from tests.classroom.room import QUIZ, Room
from tests.classroom.small_class import EXAM, HOUR, START, a_single

WHOLE = compiled.loads(EXAM.read_text(encoding="utf-8"))
ITEM = a_single(WHOLE)


@pytest.fixture
def room(engine: Engine) -> Room:
    return Room(engine)


def test_a_learner_opens_answers_and_finishes(room: Room) -> None:
    async def work(ask: Any) -> dict[str, Any]:
        before = (await ask("ada", "GET", QUIZ)).json()
        opened = (await ask("ada", "POST", f"{QUIZ}/attempts")).json()
        run = opened["attempt"]["id"]
        item = next(item for item in opened["quiz"]["items"] if item["id"] == ITEM.id)
        sent = {"id": f"{run}/{ITEM.id}/1", "item": ITEM.id, "response": [item["options"][0]["id"]]}
        kept = (await ask("ada", "POST", f"{QUIZ}/attempts/{run}/submissions", json={"submissions": [sent]})).json()
        done = (await ask("ada", "POST", f"{QUIZ}/attempts/{run}/finish")).json()
        return {"before": before, "opened": opened, "kept": kept, "done": done, "sent": sent}

    told = room.run(work)
    assert told["before"]["phase"] == "open"
    assert told["before"]["used"] == 0
    assert "items" not in json.dumps(told["before"])
    [reply] = told["kept"]["submissions"]
    assert reply["verdict"] == "recorded"
    assert reply["receipt"]["received"] == START
    assert told["done"]["attempt"]["finished"] == START
    assert told["done"]["saved"] == [{"receipt": reply["receipt"], "response": told["sent"]["response"]}]


def test_nothing_that_leaves_before_the_reveal_holds_a_key(room: Room) -> None:
    rationales = [
        option.rationale.rendered("en").plain for item in WHOLE.items for option in item.options if option.rationale
    ]

    async def work(ask: Any) -> tuple[str, httpx.Response]:
        opened = await ask("ada", "POST", f"{QUIZ}/attempts")
        run = opened.json()["attempt"]["id"]
        return opened.text, await ask("ada", "GET", f"{QUIZ}/attempts/{run}/reveal")

    text, reveal = room.run(work)
    quiz = compiled.loads(json.dumps(json.loads(text)["quiz"]))
    assert [item.id for item in quiz.items] == [item.id for item in WHOLE.items]
    assert not any(option.correct or option.rationale for item in quiz.items for option in item.options)
    assert all(item.explanation is None and item.evidence is None and not item.hints for item in quiz.items)
    assert all(item.value is None and item.tolerance is None and not item.accept for item in quiz.items)
    assert not any(json.dumps(rationale, ensure_ascii=False)[1:-1] in text for rationale in rationales)
    assert (reveal.status_code, reveal.json()["error"]) == (409, "not_revealed")


def test_after_everybody_s_time_the_key_is_shown_in_the_attempt_s_own_ids(room: Room) -> None:
    async def work(ask: Any) -> dict[str, Any]:
        opened = (await ask("ada", "POST", f"{QUIZ}/attempts")).json()
        room.now = START + HOUR + 60_001
        return {
            "opened": opened,
            "shown": (await ask("ada", "GET", f"{QUIZ}/attempts/{opened['attempt']['id']}/reveal")).json(),
        }

    told = room.run(work)
    shown = compiled.loads(json.dumps(told["shown"]["quiz"]))
    offered = {option["id"] for item in told["opened"]["quiz"]["items"] for option in item.get("options", ())}
    [key] = shown.item(ITEM.id).key
    assert key in offered
    assert shown.item(ITEM.id).option(key).text == ITEM.option(ITEM.key[0]).text


@pytest.mark.parametrize("path", [QUIZ, "/api/v1/courses/cs101/quizzes/gone", "/api/v1/courses/gone/quizzes/week-3"])
def test_whoever_is_not_in_the_course_learns_nothing(room: Room, path: str) -> None:
    async def work(ask: Any) -> httpx.Response:
        return await ask("eve", "GET", path)  # type: ignore[no-any-return]

    refused = room.run(work)
    assert (refused.status_code, refused.json()["error"]) == (404, "unknown")


def test_another_learner_s_attempt_is_as_unknown_as_none(room: Room) -> None:
    async def work(ask: Any) -> list[httpx.Response]:
        run = (await ask("ada", "POST", f"{QUIZ}/attempts")).json()["attempt"]["id"]
        return [
            await ask("bob", method, f"{QUIZ}/attempts/{attempt}{tail}", **more)
            for attempt in (run, "0" * 32)
            for method, tail, more in (
                ("GET", "", {}),
                ("POST", "/finish", {}),
                ("GET", "/reveal", {}),
                ("POST", "/submissions", {"json": {"submissions": [{"id": "a", "item": "b", "response": []}]}}),
            )
        ]

    replies = room.run(work)
    assert {(reply.status_code, reply.text) for reply in replies} == {(404, replies[0].text)}


def test_nobody_is_known_without_a_token_and_none_is_read_from_the_address(room: Room) -> None:
    async def work(ask: Any) -> list[int]:
        return [
            (await ask("", "GET", QUIZ)).status_code,
            (await ask("", "GET", f"{QUIZ}?token={room.tokens['ada']}")).status_code,
            (await ask("prof", "GET", QUIZ)).status_code,
            (await ask("ada", "POST", f"{QUIZ}/versions", json={"compiled": "{}"})).status_code,
        ]

    assert room.run(work) == [401, 401, 403, 403]
