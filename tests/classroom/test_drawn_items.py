"""A graded attempt shows, takes and scores the items that are drawn for it, and no others."""

from __future__ import annotations

import dataclasses
import json
from decimal import Decimal
from typing import Any

import pytest
from sqlalchemy import Engine

from quiz_widgets import compiled
from quiz_widgets.classroom.desk import publishing, revealing, scoring
from quiz_widgets.classroom.desk.drawing import Drawing
from quiz_widgets.classroom.desk.library import Library
from quiz_widgets.classroom.desk.refusals import Refused
from quiz_widgets.classroom.desk.runs import Runs
from quiz_widgets.model import Pool, Quiz
from tests.classroom.small_class import EXAM, START, Class, served

SECRET = "5a" * 32
RUNS = [f"{number:032x}" for number in range(200)]


@pytest.fixture(scope="module")
def pooled() -> Quiz:
    """The main set of the exam, of which the second to fifth item are a pool that draws two."""
    whole = compiled.loads(EXAM.read_text(encoding="utf-8"))
    items = whole.in_set(None)
    pool = Pool("bank", 2, tuple(item.id for item in items[1:5]))
    return dataclasses.replace(whole, items=items, pools=(pool,))


def ids(quiz: Quiz) -> list[str]:
    return [item.id for item in quiz.items]


def test_an_attempt_shows_as_many_as_are_drawn_where_the_pool_stands(pooled: Quiz) -> None:
    [pool] = pooled.pools
    whole = ids(pooled)
    shown = [ids(compiled.loads(served(pooled, SECRET, run))) for run in RUNS]

    assert all(len(set(one)) == len(whole) - 2 for one in shown)
    assert all(one[:1] == whole[:1] and one[3:] == whole[5:] for one in shown)
    assert all(set(one[1:3]) < set(pool.items) for one in shown)


def test_every_item_and_every_order_is_drawn_about_as_often(pooled: Quiz) -> None:
    drawn = [tuple(item.id for item in Drawing(SECRET, run).items(pooled))[1:3] for run in RUNS]
    other = [tuple(item.id for item in Drawing("6b" * 32, run).items(pooled))[1:3] for run in RUNS]

    assert len(set(drawn)) == 12
    assert all(70 < sum(name in one for one in drawn) < 130 for name in pooled.pools[0].items)
    assert sum(one == another for one, another in zip(drawn, other, strict=True)) < 40


def test_keys_are_shown_of_the_same_items_after_the_reveal(pooled: Quiz) -> None:
    drawing = Drawing(SECRET, RUNS[3])
    revealed = revealing.quiz(pooled, drawing, "x")

    assert ids(revealed) == ids(compiled.loads(served(pooled, SECRET, RUNS[3])))
    assert revealed.pools == ()
    assert all(item.explanation is not None for item in revealed.items)


def test_only_what_was_drawn_is_scored(pooled: Quiz) -> None:
    drawing = Drawing(SECRET, RUNS[5])
    drawn = drawing.items(pooled)
    left_out = next(item for item in pooled.items if item not in drawn)

    def row(number: int, name: str, chosen: tuple[str, ...]) -> dict[str, Any]:
        about = {"item": name, "sequence": number, "received": number, "round": 0, "status": "recorded"}
        return {**about, "response": json.dumps(chosen)}

    sent = [row(1, drawn[1].id, drawn[1].key), row(2, left_out.id, left_out.key)]
    scored = scoring.score_attempt(pooled, drawing, sent, [])

    assert [one.item for one in scored] == [item.id for item in drawn]
    assert sum(one.outcome.score for one in scored) == drawn[1].points
    assert sum(one.outcome.max_score for one in scored) == sum((item.points for item in drawn), Decimal(0))


def test_no_answer_is_taken_to_an_item_that_was_not_drawn(engine: Engine, pooled: Quiz) -> None:
    room = Class()
    with engine.begin() as connection:
        room.make(connection, compiled.dump(pooled))
        opened = room.opened(connection, "ada", START)
        run = Runs().read(connection, Library(), opened["id"], "ada")
    drawn = {item.id for item in run.drawing.items(run.whole)}

    assert {name for name in run.whole.sets if run.item(name) is not None} == drawn
    assert len(drawn) == len(run.whole.items) - 2


@pytest.mark.parametrize("items", [(), ("bf16-or-fp16", "nowhere")])
def test_a_pool_of_what_is_not_there_is_not_published(engine: Engine, pooled: Quiz, items: tuple[str, ...]) -> None:
    room = Class()
    broken = dataclasses.replace(pooled, pools=(Pool("bank", 1, items),))

    with engine.begin() as connection:
        room.make(connection)
        with pytest.raises(Refused, match="a pool names an item that is not there"):
            publishing.publish(connection, room.course, "other", compiled.dump(broken), "prof", START)
