"""A reply to an attempt is put together from texts that all attempts share; it has the bytes of one made whole."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable
from typing import Any

import pytest
from sqlalchemy import Connection, Engine, delete
from starlette.responses import JSONResponse

from quiz_widgets import authoring, compiled, model
from quiz_widgets.classroom.desk import attempts, public, revealing, rosters, states
from quiz_widgets.classroom.desk.database.engine import reading, writing
from quiz_widgets.classroom.desk.database.tables import attempt, submission
from quiz_widgets.classroom.desk.desk import Desk
from quiz_widgets.classroom.desk.drawing import Drawing
from quiz_widgets.classroom.desk.library import Library
from quiz_widgets.classroom.desk.polls import rounds, shown, steps
from quiz_widgets.classroom.desk.runs import Run, Runs
from quiz_widgets.classroom.desk.written import Written
from quiz_widgets.model import Item, Pool, Quiz, Rendered, Text
from tests.classroom.room import QUIZ, Ask, Room
from tests.classroom.small_class import ROOT
from tests.classroom.test_poll_api import PollRoom

EXAM = ROOT / "examples" / "exam"
RUNS = [f"{number:032x}" for number in range(5)]
ODD = 'a "quoted" \\ text\x01\u2028 % 100%b {0} \N{PILE OF POO} مرحبا","options":[{"id":"-o0."}]</script>'


def odd(quiz: Quiz) -> Quiz:
    """The same questions in texts that might be taken for something else."""
    text = Text({"en": Rendered(ODD, ODD, ODD, ODD)})
    return dataclasses.replace(quiz, title=text, items=tuple(_odd(item, text) for item in quiz.items))


def _odd(item: Item, text: Text) -> Item:
    options = tuple(dataclasses.replace(option, text=text, rationale=text) for option in item.options)
    return dataclasses.replace(item, stem=text, options=options, explanation=text)


def pooled(quiz: Quiz) -> Quiz:
    """The main set, of which all but the first item are a pool that draws three."""
    items = quiz.in_set(None)
    return dataclasses.replace(quiz, items=items, pools=(Pool("bank", 3, tuple(item.id for item in items[1:])),))


def every_second(quiz: Quiz) -> Quiz:
    """Half of the questions: as many kinds, in half the time."""
    return dataclasses.replace(quiz, items=tuple(quiz.items)[::2])


QUIZZES: dict[str, Callable[[], Quiz]] = {
    "every kind": lambda: authoring.load(EXAM),
    "drawn numbers": lambda: every_second(compiled.read("optimizer-offload")),
    "drawn items": lambda: pooled(compiled.read("mixed-precision")),
    "odd texts": lambda: odd(authoring.load(EXAM)),
}


def a_run(whole: Quiz, name: str) -> Run:
    drawing = Drawing("5a" * 32, name)
    drawn = frozenset(item.id for item in drawing.items(whole))
    return Run(name, "a person", "ada", "cs101", "week-3", "v1", "poll", drawing, whole, drawn)


def plain(run: Run, items: list[Item], revealed: frozenset[str]) -> Any:
    """The quiz made whole, as data."""
    made = [revealing.item(one, run.drawing) if one.id in revealed else public.item(one, run.drawing) for one in items]
    return json.loads(compiled.dump(public.around(run.whole, "cs101/week-3", tuple(made))))


@pytest.mark.parametrize("which", QUIZZES)
def test_the_bytes_are_those_of_a_quiz_made_whole_whatever_is_open_and_revealed(which: str) -> None:
    whole, texts = QUIZZES[which](), Written()
    for name in RUNS:
        run = a_run(whole, name)
        items = list(run.drawing.items(whole))
        for opened in range(len(items) + 1):
            for seen in (0, opened - 1, opened):
                revealed = frozenset(item.id for item in items[: max(seen, 0)])
                made = b"".join(texts.quiz(run, items[:opened], revealed))
                assert made == JSONResponse(plain(run, items[:opened], revealed)).body
        backwards = b"".join(texts.quiz(run, items[::-1]))
        assert backwards == JSONResponse(plain(run, items[::-1], frozenset())).body


def test_every_kind_of_item_drawn_numbers_and_drawn_items_are_looked_at() -> None:
    made = {which: make() for which, make in QUIZZES.items()}
    assert {item.kind for item in made["every kind"].items} == set(model.KINDS)
    assert any(item.variants for item in made["drawn numbers"].items)
    assert {len(a_run(made["drawn items"], name).drawn) for name in RUNS} == {4}


def test_a_class_writes_each_text_once(monkeypatch: pytest.MonkeyPatch) -> None:
    whole, texts = authoring.load(EXAM), Written()
    dump, dumped = compiled.dump, []

    def counting(quiz: Quiz) -> str:
        dumped.append(quiz)
        return dump(quiz)

    monkeypatch.setattr(compiled, "dump", counting)
    every = frozenset(item.id for item in whole.items)
    for number in range(50):
        run = a_run(whole, f"{number:032x}")
        texts.quiz(run, whole.items)
        texts.quiz(run, whole.items, every)
    assert len(dumped) == 1 + 2 * len(whole.items)


def test_what_is_kept_is_bounded_and_what_is_forgotten_written_again() -> None:
    whole = authoring.load(EXAM)
    run, every = a_run(whole, RUNS[0]), frozenset(item.id for item in whole.items)
    free = Written()
    expected = [b"".join(free.quiz(run, whole.items, seen)) for seen in (frozenset(), every)]
    tight, none = Written(free.size // 2), Written(0)
    for texts in (tight, none):
        for _ in range(2):
            assert [b"".join(texts.quiz(run, whole.items, seen)) for seen in (frozenset(), every)] == expected
    assert 0 < tight.size <= free.size // 2
    assert none.size == 0


def test_another_version_has_texts_of_its_own() -> None:
    whole, texts = authoring.load(EXAM), Written()
    first, second = a_run(whole, RUNS[0]), dataclasses.replace(a_run(odd(whole), RUNS[0]), version="v2")
    assert b"PILE" not in b"".join(texts.quiz(first, first.whole.items))
    made = b"".join(texts.quiz(second, second.whole.items))
    assert made == JSONResponse(plain(second, list(second.whole.items), frozenset())).body


def test_a_drawing_that_remembers_says_the_same() -> None:
    whole = authoring.load(EXAM)
    one = Drawing("5a" * 32, RUNS[0])
    other = one.remembering()
    for _ in range(2):
        for item in whole.items:
            assert one.options(item) == other.options(item)
            assert one.targets(item) == other.targets(item)
            assert one.variant(item) == other.variant(item)


def whole_reply(connection: Connection, desk: Desk, run_id: str, who: str, now: int) -> bytes:
    """The reply to an attempt, made whole."""
    run = Runs().read(connection, Library(), run_id, who)
    member, found = rosters.member(connection, "cs101", who), rosters.quiz_of(connection, "cs101", "week-3")
    made: dict[str, Any] = {
        "state": states.quiz_state(connection, found, member, now, desk.tickets.ticket(who, now)),
        "attempt": states.attempt_state(attempts.one(connection, run.id, run.person)),
        "quiz": plain(run, list(run.drawing.items(run.whole)), frozenset()),
        "saved": states.saved(connection, run, desk.seals),
    }
    if run.kind == "poll":
        opened, seen = rounds.opened(connection, found["id"]), steps.revealed(connection, found["id"])
        items = [run.whole.item(name) for name in opened]
        made["quiz"] = plain(run, items, seen)
        made["rounds"] = shown.to_learner(connection, found, run, desk.votes, Written())[1]
    return bytes(JSONResponse(made).body)


def responded(item: Item, drawing: Drawing) -> list[str]:
    """Some response, with the ids that the attempt shows."""
    options, targets = list(drawing.options(item).values()), list(drawing.targets(item).values())
    if item.kind == "match":
        return [f"{option}:{targets[0]}" for option in options]
    return {"single": options[:1], "multiple": options[:2], "order": options}.get(item.kind, ["12"])


async def same(ask: Ask, room: Room, runs: dict[str, str]) -> None:
    for who, run in runs.items():
        reply = await ask(who, "GET", f"{QUIZ}/attempts/{run}")
        assert reply.headers["content-type"] == "application/json"
        assert reply.headers["cache-control"] == "no-store"
        with reading(room.engine) as connection:
            assert room.desk
            assert reply.content == whole_reply(connection, room.desk, run, who, room.now)


async def opened(ask: Ask) -> dict[str, str]:
    made = {}
    for who in ("ada", "bob"):
        reply = await ask(who, "POST", f"{QUIZ}/attempts", json={})
        made[who] = reply.json()["attempt"]["id"]
    return made


async def send(ask: Ask, runs: dict[str, str], item: Item, round_: int) -> None:
    for who, run in runs.items():
        response = responded(item, Drawing("5a" * 32, run))
        given = {"id": f"{run}/{item.id}/{round_ + 1}", "item": item.id, "response": response, "round": round_}
        reply = await ask(who, "POST", f"{QUIZ}/attempts/{run}/submissions", json={"submissions": [given]})
        assert reply.json()["submissions"][0]["verdict"] == "recorded"


@pytest.mark.parametrize("which", QUIZZES)
def test_an_exam_s_reply_has_the_same_bytes_before_and_after_answers(engine: Engine, which: str) -> None:
    whole = QUIZZES[which]()
    room = Room(engine, text=compiled.dump(whole))

    async def work(ask: Ask) -> None:
        runs = await opened(ask)
        await same(ask, room, runs)
        for who, run in runs.items():
            for item in Drawing("5a" * 32, run).items(whole):
                await send(ask, {who: run}, item, 0)
        await same(ask, room, runs)
        finished = await ask("ada", "POST", f"{QUIZ}/attempts/{runs['ada']}/finish", json={})
        assert finished.status_code == 200
        await same(ask, room, runs)

    room.run(work)


@pytest.mark.parametrize("which", ["every kind", "drawn numbers", "odd texts"])
def test_a_poll_s_reply_has_the_same_bytes_at_every_phase(engine: Engine, which: str) -> None:
    whole = QUIZZES[which]()
    room = PollRoom(engine, text=compiled.dump(whole))

    async def work(ask: Ask) -> None:
        runs = await opened(ask)
        await same(ask, room, runs)
        for item in whole.items:
            for round_ in (1, 2):
                room.now += 1
                room.step("open", item.id)
                await send(ask, runs, item, round_)
                await same(ask, room, runs)
                room.step("close")
            await same(ask, room, runs)
            room.step("reveal", item.id)
            await same(ask, room, runs)
        room.step("end")
        await same(ask, room, runs)

    room.run(work)


def test_an_attempt_that_is_gone_is_unknown_though_this_process_has_met_it(engine: Engine) -> None:
    room = Room(engine)

    async def work(ask: Ask) -> tuple[int, int]:
        run = (await opened(ask))["ada"]
        there = await ask("ada", "GET", f"{QUIZ}/attempts/{run}")
        with writing(engine) as connection:
            connection.execute(delete(submission).where(submission.c.attempt == run))
            connection.execute(delete(attempt).where(attempt.c.id == run))
        gone = await ask("ada", "GET", f"{QUIZ}/attempts/{run}")
        return there.status_code, gone.status_code

    assert room.run(work) == (200, 404)
