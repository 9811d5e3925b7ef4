"""QTI and H5P out and in again, judged by their published rules, and read by readers that are not ours."""

from __future__ import annotations

import dataclasses
import io
import json
import re
import zipfile
from decimal import Decimal
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quiz_widgets.formats import folder, h5p, markdown, qti, qti_12
from quiz_widgets.formats.base import Format, Source
from quiz_widgets.formats.draft import DraftItem, DraftOption, DraftQuiz
from quiz_widgets.model import Pin
from tests.formats import published, strategies
from tests.test_formats_roundtrip import FEW, exported, sense, shown, there_and_back

ALL = ("single", "multiple", "number", "text", "match", "order")
WILD = {"a*"}


def without_wildcards(item: DraftItem) -> DraftItem:
    """QTI has no patterns; the first answer must stay a right one."""
    kept = tuple(answer for answer in item.accept if answer.text not in WILD)
    if item.kind == "text":
        right = [answer for answer in kept if answer.credit == 1] or [
            dataclasses.replace(item.accept[0], text="the only one", credit=Decimal(1))
        ]
        rest = [answer for answer in kept if answer.credit != 1 and (answer.credit or answer.rationale)]
        return dataclasses.replace(item, accept=(*right, *rest))
    return item


def pinned(item: DraftItem, places: list[Pin | None]) -> DraftItem:
    """Some options at the top and at the end that do not move; at least one does."""
    if item.kind not in {"single", "multiple"} or len(item.options) < 3:
        return item
    first, last = places[0], places[1]
    options = list(item.options)
    options[0] = dataclasses.replace(options[0], pin=first)
    options[-1] = dataclasses.replace(options[-1], pin=last)
    return dataclasses.replace(item, options=tuple(options))


def meaning(item: DraftItem) -> dict[str, object]:
    """What a question means, with all that QTI holds of it."""
    found = sense(item)
    found["accept"] = sorted(found["accept"])
    found["slips"] = sorted(found["slips"])
    # The sense of partial credit for steps is lost, and said.
    found["credit"] = item.credit if item.kind in {"multiple", "match"} else ""
    return found


def unpacked(known: Format, quiz: DraftQuiz) -> dict[str, bytes]:
    """The files in an exported archive."""
    assert known.write is not None
    with zipfile.ZipFile(io.BytesIO(known.write(quiz).data)) as archive:
        return {member: archive.read(member) for member in archive.namelist()}


def keeps_to_the_rules(known: Format, quiz: DraftQuiz) -> None:
    """Every document of a package is as the published description wants it."""
    for name, made in unpacked(known, quiz).items():
        if name != "imsmanifest.xml":
            assert published.qti(ET.fromstring(made), known.id.removeprefix("qti-")) == []


@pytest.mark.parametrize("known", [qti.QTI_21, qti.QTI_30], ids=lambda known: known.id)
@FEW
@given(
    quiz=strategies.quizzes(ALL),
    language=st.sampled_from(["en", "tr", "ar"]),
    points=st.decimals("0.01", 1000, places=2),
    # Hints of 2.1 are plain text, in which dollars and `\\(` may mean a formula.
    hints=st.lists(strategies.plain().filter(lambda text: not re.search(r"[$(\[]", text)), max_size=2),
    first=st.sampled_from([None, "first"]),
    last=st.sampled_from([None, "last"]),
)
def test_qti_comes_back(
    known: Format,
    quiz: DraftQuiz,
    language: str,
    points: Decimal,
    hints: list[str],
    first: Pin | None,
    last: Pin | None,
) -> None:
    items = [
        dataclasses.replace(
            pinned(without_wildcards(item), [first, last]),
            points=points,
            hints=tuple(hints),
            set="numbers",
            section="part-1",
            tries=3,
            id=f"{index}-q",
            source="A *book*",
        )
        for index, item in enumerate(quiz.items)
    ]
    sent = dataclasses.replace(quiz, items=tuple(items), language=language, description="About `it`")
    back = there_and_back(known, sent)
    keeps_to_the_rules(known, sent)

    assert [meaning(item) for item in back.items] == [meaning(item) for item in sent.items]
    for one, other in zip(back.items, sent.items, strict=True):
        assert (one.points, one.set, one.tags, one.tries, one.id, one.source) == (
            (other.points, other.set, ("section:part-1",), other.tries, other.id, other.source)
        )
        assert [shown(hint) for hint in one.hints] == [shown(hint) for hint in other.hints]
        assert [option.pin for option in one.options] == [option.pin for option in other.options]
    assert (back.language, back.title, back.description) == (language, sent.title, sent.description)


@FEW
@given(
    quiz=strategies.quizzes(ALL),
    language=st.sampled_from(["en", "tr", "ar"]),
    points=st.decimals("0.01", 1000, places=2),
    hints=st.lists(strategies.text(), max_size=2),
    first=st.sampled_from([None, "first"]),
    last=st.sampled_from([None, "last"]),
)
def test_qti_1_comes_back(
    quiz: DraftQuiz, language: str, points: Decimal, hints: list[str], first: Pin | None, last: Pin | None
) -> None:
    items = [
        dataclasses.replace(
            pinned(without_wildcards(item), [first, last]),
            points=points,
            hints=tuple(hints),
            set="numbers",
            section="part-1",
            id=f"q-{index}",
            source="A book",
        )
        for index, item in enumerate(quiz.items)
    ]
    sent = dataclasses.replace(quiz, items=tuple(items), language=language, description="About `it`")
    back = there_and_back(qti_12.FORMAT, sent)

    for one, other in zip(back.items, sent.items, strict=True):
        assert {**meaning(one), "credit": ""} == {**meaning(other), "credit": ""}
        # Canvas has no other rule for several options than the partial one.
        assert one.kind != "multiple" or one.credit == "partial"
        assert (one.points, one.set, one.tags, one.id, one.source) == (
            (other.points, other.set, ("section:part-1",), other.id, other.source)
        )
        assert [shown(hint) for hint in one.hints] == [shown(hint) for hint in other.hints]
        assert [option.pin for option in one.options] == [option.pin for option in other.options]
    assert (back.language, back.title, back.description) == (language, sent.title, sent.description)


def without_blocks(source: str) -> str:
    """A text without what H5P's fields do not keep."""
    return re.sub(r"\[web\]\([^)]*\)", "web", source)


@FEW
@given(
    quiz=strategies.quizzes(("single", "multiple")),
    language=st.sampled_from(["en", "tr", "ar"]),
    tries=st.sampled_from([1, 2]),
    explanation=st.just("") | strategies.plain(),
)
def test_h5p_comes_back(quiz: DraftQuiz, language: str, tries: int, explanation: str) -> None:
    items = [
        dataclasses.replace(
            item,
            id=f"q-{index}",
            tries=tries,
            explanation=explanation,
            stem=without_blocks(item.options[0].text),
            options=tuple(
                dataclasses.replace(option, text=f"{number} {without_blocks(option.text)}", rationale=option.text)
                for number, option in enumerate(item.options)
            ),
        )
        for index, item in enumerate(quiz.items)
    ]
    sent = dataclasses.replace(quiz, items=tuple(items), language=language, description="About `it`")
    back = there_and_back(h5p.FORMAT, sent)
    content = json.loads(unpacked(h5p.FORMAT, sent)["content/content.json"])
    assert published.h5p(content, published.RULES["H5P.QuestionSet"]) == []

    for one, other in zip(back.items, sent.items, strict=True):
        assert one.credit == other.credit
        assert {**sense(one), "explanation": ""} == {**sense(other), "explanation": ""}
        assert markdown.to_plain(one.explanation) == markdown.to_plain(
            markdown.from_plain(markdown.to_plain(other.explanation))
        )
        assert (one.id, one.tries) == (other.id, other.tries if other.tries == 1 else None)
    assert (back.language, back.title, back.description) == (language, sent.title, sent.description)


@pytest.mark.parametrize("known", [qti.QTI_21, qti.QTI_30, qti_12.FORMAT], ids=lambda known: known.id)
def test_ids_that_formats_use_themselves_are_told_apart(known: Format) -> None:
    names = ("correct", "general", "explanation", "response", "feedback")
    options = tuple(
        DraftOption(id=name, text=name, correct=name == "general", rationale=f"Why {name}") for name in names
    )
    item = DraftItem(kind="single", id="which", stem="Which?", options=options, explanation="So it is.")
    [back] = there_and_back(known, DraftQuiz(items=(item,), title="Names")).items

    assert back.options == options
    assert back.explanation == "So it is."


@pytest.mark.parametrize("known", [qti.QTI_21, qti.QTI_30, qti_12.FORMAT, h5p.FORMAT], ids=lambda known: known.id)
def test_a_quiz_of_the_course_passes_the_check_when_it_comes_back(known: Format, tmp_path: Path) -> None:
    sent, data = exported(known, "mixed-precision", "en")
    assert known.read is not None
    [back] = known.read(Source("quiz.zip", data)).quizzes
    prepared = folder.prepare(back, "quiz.zip", "Imported from a test", tmp_path)

    assert prepared.left_out == 0
    assert prepared.items == (len(sent.items) if known is not h5p.FORMAT else 8)
