"""Two exams that differ only in what learners must not know look alike: the same bytes leave until the reveal."""

from __future__ import annotations

import dataclasses
import itertools
import json
import secrets
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from quiz_widgets import authoring, compiled, model
from quiz_widgets.classroom.desk import submissions
from quiz_widgets.classroom.desk.receipts import Seals
from quiz_widgets.locales import available
from quiz_widgets.model import Accept, Claim, Item, Option, Quiz, Rendered, Text, Tolerance
from quiz_widgets.page import graded_html
from quiz_widgets.payload import quiz_payload
from quiz_widgets.preview import preview_html, preview_text
from tests.classroom import fresh
from tests.classroom.room import QUIZ, Ask
from tests.classroom.small_class import served
from tests.classroom.test_poll_api import PollRoom, again, opened, vote

EXAM = Path(__file__).parents[2] / "examples" / "exam"
SECRET, RUN = "5a" * 32, "a1" * 16
OTHER = Text({"en": Rendered("CANARY", "<b>CANARY</b>", "CANARY", "CANARY")})


def changed(quiz: Quiz) -> Quiz:
    """The same questions with everything turned that a learner must not see."""
    return dataclasses.replace(quiz, items=tuple(_turned(item) for item in quiz.items))


def _turned(item: Item) -> Item:
    options = tuple(_turned_option(option, index, item) for index, option in enumerate(item.options))
    if item.kind == "order":
        options = options[::-1]
    return dataclasses.replace(
        item,
        options=options,
        credit="partial" if item.credit == "exact" else "exact",
        tries=7,
        hints=(OTHER, OTHER, OTHER),
        explanation=OTHER,
        evidence="canary_evidence",
        evidence_text=OTHER,
        source=OTHER,
        section=None,
        value=None if item.value is None else item.value + 1,
        tolerance=None if item.value is None else Tolerance("relative", Decimal("0.9")),
        slips=(),
        accept=tuple(Accept(one.id, OTHER, Decimal(1) - one.credit, OTHER) for one in item.accept),
        match_case=not item.match_case,
        hash="0" * 16,
    )


def _turned_option(option: Option, index: int, item: Item) -> Option:
    other = item.targets[index % len(item.targets)].id if item.targets else None
    return dataclasses.replace(
        option,
        correct=not option.correct,
        rationale=OTHER,
        claims=(Claim("canary", "is", True),),
        match=None if option.match is None else next(t.id for t in item.targets if t.id != option.match) or other,
    )


def everything(quiz: Quiz) -> dict[str, str]:
    """All that may leave the desk, or a kernel, of one attempt at this quiz."""
    made: dict[str, Any] = {"travels": served(quiz, SECRET, RUN)}
    shown = compiled.loads(made["travels"])
    for locale in available():
        made[f"payload {locale}"] = json.dumps(quiz_payload(shown, locale, mode="graded"))
        made[f"preview {locale}"] = preview_html(shown, locale, {})
        made[f"text {locale}"] = preview_text(shown, locale, {})
        made[f"output {locale}"] = graded_html("cs101/exam", quiz.title.rendered(locale).plain, locale)
    return made


@pytest.fixture(scope="module")
def exam() -> Quiz:
    return authoring.load(EXAM)


@pytest.fixture(scope="module")
def drawn() -> Quiz:
    return compiled.read("optimizer-offload")


@pytest.mark.parametrize("which", ["exam", "drawn"])
def test_the_same_bytes_leave_whatever_the_key_is(which: str, request: pytest.FixtureRequest) -> None:
    quiz: Quiz = request.getfixturevalue(which)
    before, after = everything(quiz), everything(changed(quiz))

    assert before == after
    assert not any("CANARY" in text for text in after.values())


def test_every_kind_of_item_and_drawn_numbers_are_looked_at(exam: Quiz, drawn: Quiz) -> None:
    assert {item.kind for item in exam.items} == set(model.KINDS)
    assert any(item.variants for item in drawn.items)


def test_a_drawn_number_s_value_does_not_leave(drawn: Quiz) -> None:
    shown = compiled.loads(served(drawn, SECRET, RUN))
    for item in shown.items:
        assert item.value is None
        assert [variant.value for variant in item.variants] in ([], [Decimal(0)])
        assert not any(variant.slips for variant in item.variants)


def test_ids_of_options_differ_from_attempt_to_attempt_and_from_the_author_s(exam: Quiz) -> None:
    one, other = (compiled.loads(served(exam, SECRET, run)) for run in ("a1" * 16, "b2" * 16))
    for item, second, written in zip(one.items, other.items, exam.items, strict=True):
        ids = {option.id for option in item.options}
        assert not ids & {option.id for option in second.options}
        assert not ids & {option.id for option in written.options}


def test_receipts_say_nothing_of_right_and_wrong(exam: Quiz) -> None:
    seals = Seals([SECRET])
    item = exam.items[0]
    replies = {
        json.dumps(
            seals.sealed(
                {"submission": "s", "attempt": RUN, "item": item.id, "received": 1, "status": "recorded"}, "person"
            )
        )
        for _ in item.options
    }
    digests = {submissions.digest(item.id, [option.id], None) for option in item.options}

    assert len(replies) == 1
    assert len(digests) == len(item.options)


def phases(room: PollRoom, one: str, other: str) -> list[str]:
    """All that a learner of a poll is sent, phase by phase; of a revealed item no more than that it is there."""

    async def work(ask: Ask) -> list[str]:
        run = (await opened(ask))["attempt"]["id"]
        seen: list[str] = []
        for step, item in (
            (None, None), ("open", one), ("close", None), ("open", one), ("close", None), ("reveal", one),
            ("open", other), ("close", None), ("end", None),
        ):  # fmt: skip
            if step is not None:
                room.step(step, item)
            ids = [option.id for option in compiled.read("mixed-precision").item(one).options]
            votes = [await vote(ask, run, option, 10 * len(seen) + number, 1) for number, option in enumerate(ids)]
            reply = await again(ask, run)
            revealed = reply.pop("rounds").keys()
            reply["quiz"]["items"] = [
                shown["id"] if shown["id"] in revealed else shown for shown in reply["quiz"]["items"]
            ]
            reply["quiz"].pop("hash")
            reply["state"].pop("ticket")
            waits = (await ask("ada", "GET", f"{QUIZ}/poll")).json()
            seen.append(json.dumps([reply, waits, votes]))
        return seen

    made: list[str] = room.run(work)
    return made


def test_a_learner_of_a_poll_gets_the_same_bytes_at_every_phase_whatever_the_key_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    quiz = compiled.read("mixed-precision")
    one, other = [item.id for item in quiz.items if item.kind == "single"][:2]
    seen = []
    for name, whole in (("one", quiz), ("two", changed(quiz))):
        numbers = itertools.count()
        monkeypatch.setattr(secrets, "token_hex", lambda size=32, numbers=numbers: f"{next(numbers):0{2 * size}x}")
        engine = fresh.sqlite(tmp_path / f"{name}.sqlite")
        seen.append(phases(PollRoom(engine, text=compiled.dump(whole)), one, other))
        engine.dispose()

    for before, after in zip(*seen, strict=True):
        assert before == after
        assert "CANARY" not in after
    assert len(set(seen[0])) == len(seen[0])
