"""Out and in again: what a format holds comes back the same, and readers that are not ours find the same key in it."""

from __future__ import annotations

import dataclasses
import html
import json
import os
import re
import shutil
import subprocess
import sys
from decimal import Decimal
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from quiz_widgets import compiled
from quiz_widgets.formats import aiken, from_model, gift, html_text, markdown, moodle_grades, moodle_xml
from quiz_widgets.formats.base import Format, Source
from quiz_widgets.formats.draft import DraftItem, DraftQuiz
from quiz_widgets.locales.numbers import canonical
from tests.formats import strategies

ROOT = Path(__file__).resolve().parents[1]
FEW = settings(max_examples=25, deadline=None)


def shown(source: str) -> str:
    """A text as readers see it."""
    return markdown.forms(source).html


def options(item: DraftItem, *, rationale: bool = True) -> list[Any]:
    targets = {target.id: shown(target.text) for target in item.targets}
    return [
        (shown(option.text), option.correct, shown(option.rationale) if rationale else "", targets.get(option.target))
        for option in item.options
    ]


def sense(item: DraftItem) -> dict[str, Any]:
    """What a question means, apart from how it is written."""
    accept = [
        (part, canonical(answer.credit), shown(answer.rationale))
        for answer in item.accept
        for part in alternatives(answer.text)
    ]
    return {
        "kind": item.kind,
        "stem": shown(item.stem),
        "options": options(item, rationale=item.kind in {"single", "multiple"}),
        "targets": sorted(shown(target.text) for target in item.targets),
        "accept": accept,
        "value": item.value,
        "allowed": moodle_grades.absolute(item),
        "slips": [(slip.value, shown(slip.rationale)) for slip in item.slips],
        "explanation": shown(item.explanation),
        # With one wrong option both rules cost everything for it: Moodle has one form for the two.
        "credit": item.credit if sum(not option.correct for option in item.options) != 1 else "",
    }


def alternatives(pattern: str) -> list[str]:
    return re.split(r"(?<!\\) ?\| ?", pattern)


def there_and_back(known: Format, quiz: DraftQuiz) -> DraftQuiz:
    assert known.write is not None
    assert known.read is not None
    data = known.write(quiz).data
    imported = known.read(Source("round", data))
    assert [problem for problem in imported.problems if problem.severity == "error"] == []
    [back] = imported.quizzes
    return back


@FEW
@given(strategies.text())
@example(r"\$x^2\$ and \$y_1\$")
@example(r"\$\$x\$\$ and \\(x\\)")
@example("$$a$$\n\n$$b$$")
def test_html_of_a_text_becomes_the_text_again(source: str) -> None:
    back = html_text.to_markdown(markdown.to_html(source), lambda *_: None)

    assert shown(back) == shown(source)


@FEW
@given(strategies.quizzes(("single", "multiple", "number", "text", "match")))
def test_gift_comes_back(quiz: DraftQuiz) -> None:
    back = there_and_back(gift.FORMAT, quiz)

    assert [sense(item) for item in back.items] == [sense(item) for item in quiz.items]
    assert back.title == quiz.title


@FEW
@given(
    strategies.quizzes(("single", "multiple", "number", "text", "match", "order")),
    st.sampled_from(["en", "tr", "ar"]),
    st.integers(1, 10),
    st.decimals("0.01", 1000, places=2),
    st.lists(strategies.text(), max_size=2),
)
def test_moodle_xml_comes_back(quiz: DraftQuiz, language: str, tries: int, points: Decimal, hints: list[str]) -> None:
    items = [
        dataclasses.replace(item, tries=tries, points=points, hints=tuple(hints), set="numbers", id=f"q{index}")
        for index, item in enumerate(quiz.items)
    ]
    sent = dataclasses.replace(quiz, items=tuple(items), language=language)
    back = there_and_back(moodle_xml.FORMAT, sent)

    assert [sense(item) for item in back.items] == [sense(item) for item in sent.items]
    for one, other in zip(back.items, sent.items, strict=True):
        assert (one.tries, one.points, one.set, one.id) == (other.tries, other.points, other.set, other.id)
        assert [shown(hint) for hint in one.hints] == [shown(hint) for hint in other.hints]
    assert back.language == ("" if language == "en" else language)


@FEW
@given(strategies.quizzes(("single",)))
def test_aiken_brings_back_plain_texts_and_the_key(quiz: DraftQuiz) -> None:
    def plain(source: str) -> str:
        return " ".join(markdown.to_plain(source).split())

    back = there_and_back(aiken.FORMAT, quiz)

    for one, other in zip(back.items, quiz.items, strict=True):
        assert markdown.to_plain(one.stem) == markdown.to_plain(markdown.from_plain(plain(other.stem)))
        assert [(plain(option.text), option.correct) for option in one.options] == [
            (plain(markdown.from_plain(plain(option.text))), option.correct) for option in other.options
        ]


def exported(known: Format, name: str, locale: str) -> tuple[DraftQuiz, bytes]:
    draft, _ = from_model.quiz(compiled.read(name), locale)
    assert known.write is not None
    return draft, known.write(draft).data


COURSE = [(name, locale) for name in compiled.names() for locale in ("en", "tr", "ar")]


@pytest.mark.parametrize(("name", "locale"), COURSE)
def test_a_draft_says_what_the_quiz_says(name: str, locale: str) -> None:
    quiz = compiled.read(name)
    draft, said = from_model.quiz(quiz, locale)

    assert (draft.id, draft.title, draft.language) == (quiz.id, quiz.title.rendered(locale).source, locale)
    for made, item in zip(draft.items, quiz.items, strict=True):
        assert (made.id, made.kind, made.points, made.tries, made.credit) == (
            *(item.id, item.kind, item.points, item.tries, item.credit),
        )
        assert tuple(option.id for option in made.options if option.correct) == item.key
        for option, source in zip(made.options, item.options, strict=True):
            rationale = source.rationale.rendered(locale).source if source.rationale else ""
            assert (option.text, option.rationale) == (source.text.rendered(locale).source, rationale)
        if item.variants:
            assert made.value == item.variants[0].value
            assert [slip.value for slip in made.slips] == list(item.variants[0].slips.values())
            assert "{" not in re.sub(r"\$[^$]*\$|`[^`]*`", "", made.stem + made.explanation)
            assert any(problem.path == item.id and problem.rule == "drawn" for problem in said)
        assert len(made.hints) == len(item.hints)


def bare(made: str) -> str:
    """The words of HTML."""
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", made)).split())


@pytest.mark.parametrize(("name", "locale"), COURSE)
def test_gift_is_read_by_a_reader_that_is_not_ours(name: str, locale: str, tmp_path: Path) -> None:
    draft, data = exported(gift.FORMAT, name, locale)
    (tmp_path / "quiz.gift").write_bytes(data)
    reader = ROOT / "tests" / "formats" / "gift_reader.mjs"
    places = f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}"
    node = shutil.which("node", path=places)  # that of the environment where the machine has none
    assert node is not None
    command = [node, str(reader), str(tmp_path / "quiz.gift")]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stderr
    found = {question["id"]: question for question in json.loads(done.stdout) if question["type"] != "Category"}

    assert list(found) == [item.id for item in draft.items]
    for item in draft.items:
        question = found[item.id]
        assert question["title"] == item.name
        assert bare(question["stem"]["text"]) == bare(reading(item.stem))
        if item.kind == "number":
            choices = question["choices"] if isinstance(question["choices"], list) else [question["choices"]]
            first = choices[0]
            assert Decimal(str(first["text"]["number"])) == item.value
            assert Decimal(str(first["text"]["range"])) == moodle_grades.absolute(item)
            assert [Decimal(str(choice["text"]["number"])) for choice in choices[1:]] == [s.value for s in item.slips]
        else:
            assert question["type"] == "MC"
            got = [
                (bare(choice["text"]["text"]), choice["isCorrect"], bare((choice["feedback"] or {}).get("text", "")))
                for choice in question["choices"]
            ]
            wanted = [
                (bare(reading(option.text)), option.correct, bare(reading(option.rationale))) for option in item.options
            ]
            assert got == wanted


def reading(source: str) -> str:
    """A text as the export writes it: as HTML where it has markup."""
    return gift.writer.shown(source)


@pytest.mark.parametrize(("name", "locale"), COURSE)
def test_moodle_xml_says_key_shares_and_feedback_option_by_option(name: str, locale: str) -> None:
    draft, data = exported(moodle_xml.FORMAT, name, locale)
    questions = [element for element in ET.fromstring(data) if element.get("type") != "category"]

    assert len(questions) == len(draft.items) >= 8
    for element, item in zip(questions, draft.items, strict=True):
        assert element.findtext("idnumber") == item.id
        assert bare(element.findtext("questiontext/text") or "") == bare(markdown.to_html(item.stem))
        assert bare(element.findtext("generalfeedback/text") or "") == bare(markdown.to_html(item.explanation))
        assert Decimal(element.findtext("penalty") or "") == round(Decimal(1) / (item.tries or 2), 7)
        assert [bare(hint.findtext("text") or "") for hint in element.findall("hint")] == [
            bare(markdown.to_html(hint)) for hint in item.hints
        ]
        got = [
            (answer.get("fraction"), bare(answer.findtext("text") or ""), bare(answer.findtext("feedback/text") or ""))
            for answer in element.findall("answer")
        ]
        if item.kind == "number":
            assert element.get("type") == "numerical"
            wanted = [("100", canonical(item.value or Decimal(0)), "")]
            wanted += [("0", canonical(slip.value), bare(markdown.to_html(slip.rationale))) for slip in item.slips]
            assert Decimal(element.findtext("answer/tolerance") or "") == moodle_grades.absolute(item)
        else:
            assert element.get("type") == "multichoice"
            wanted = [
                (
                    "100" if option.correct else "0",
                    bare(markdown.to_html(option.text)),
                    bare(markdown.to_html(option.rationale)),
                )
                for option in item.options
            ]
        assert got == wanted
        box = f'<div lang="{locale}" dir="' if locale != "en" else ""
        assert (element.findtext("questiontext/text") or "").startswith(box)
