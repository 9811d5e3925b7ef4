"""Exports for jupyterquiz, Anki and paper: they come back where they can, and other readers find the same key."""

from __future__ import annotations

import csv
import dataclasses
import io
import json
import re
from decimal import Decimal
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jupyterquiz.dynamic import renderer
from playwright.sync_api import Browser, Page

from quiz_widgets import locales
from quiz_widgets.formats import anki, html_page, jupyterquiz, latex, markdown, moodle_grades, paper, tex_text
from quiz_widgets.formats.base import Printing, Source
from quiz_widgets.formats.draft import DraftAnswer, DraftItem, DraftOption, DraftQuiz, DraftTarget
from quiz_widgets.formats.jupyterquiz import writer as jupyterquiz_writer
from quiz_widgets.locales.numbers import canonical
from tests.formats import strategies
from tests.test_formats_roundtrip import COURSE, FEW, exported, sense, shown, there_and_back

CASES = Path(__file__).parent / "formats" / "cases"


def literal_texts() -> st.SearchStrategy[DraftItem]:
    """Typed answers without ``*`` and shares of points, which jupyterquiz has not."""

    def kept(item: DraftItem) -> bool:
        return all(
            "*" not in answer.text.replace(r"\*", "") and answer.credit in {Decimal(0), Decimal(1)}
            for answer in item.accept
        )

    return strategies.texts().filter(kept)


@FEW
@given(
    st.lists(
        strategies.choices("single") | strategies.choices("multiple") | strategies.numbers() | literal_texts(),
        min_size=1,
        max_size=3,
    ),
    st.sampled_from(["en", "tr", "ar"]),
)
def test_jupyterquiz_comes_back(items: list[DraftItem], language: str) -> None:
    bare = [
        dataclasses.replace(item, credit="exact", explanation=item.explanation if item.kind == "number" else "")
        for item in items
    ]
    back = there_and_back(jupyterquiz.FORMAT, DraftQuiz(items=tuple(bare), language=language))

    assert [sense(item) for item in back.items] == [sense(item) for item in bare]
    assert back.language == ("" if language == "en" else language)


@FEW
@given(
    strategies.text(),
    st.decimals(-1000, 1000, places=2),
    st.sampled_from(["one", "İki", "ثلاثة", "a, b", "{=~#}"]),
    strategies.text(),
    st.sampled_from(["en", "ar"]),
)
def test_cards_of_numbers_and_words_come_back(
    stem: str, value: Decimal, word: str, explanation: str, language: str
) -> None:
    number = DraftItem(kind="number", stem=stem, id="n", value=value, explanation=explanation)
    typed = DraftItem(kind="text", stem=stem, id="t", accept=(DraftAnswer(text=word),), tags=("a", "b_c"))
    sent = DraftQuiz(items=(number, typed), title="Cards", language=language, id="q")
    back = there_and_back(anki.FORMAT, sent)

    assert [sense(item) for item in back.items] == [sense(item) for item in sent.items]
    assert [item.id for item in back.items] == ["n", "t"]
    assert back.items[1].tags == ("a", "b_c")
    assert back.title == "Cards"


def opened(browser: Browser, questions: bytes) -> Page:
    """A page on which jupyterquiz's own script shows the questions, in their order."""
    prefix = f"var questionsdiv={questions.decode()};\nif (typeof Question === 'undefined') {{\n"
    script = renderer.build_script(prefix, True, "", "div", True)
    page = browser.new_context(offline=True).new_page()
    page.set_content(renderer.render_div("div", False, False, False, 1_000_000, 600, 10, "left") + "</div>")
    page.add_script_tag(content=script)
    return page


def words(text: str) -> str:
    """A text without layout; formulas are TeX in marks in the page, and TeX alone with us."""
    return "".join(re.sub(r"\\[()\[\]]|[\s\u2066-\u2069]+", "", text).split())


def plain(source: str) -> str:
    return words(markdown.forms(source).plain)


@pytest.mark.parametrize(("name", "locale"), COURSE)
def test_jupyterquiz_itself_finds_the_key_option_by_option(browser: Browser, name: str, locale: str) -> None:
    draft, data = exported(jupyterquiz.FORMAT, name, locale)
    page = opened(browser, data)
    boxes = page.locator("#div > .Quiz")
    items = [item for item in draft.items if item.kind in {"single", "multiple", "number", "text"}]

    assert boxes.count() == len(items) >= 8
    for index, item in enumerate(items):
        box = boxes.nth(index)
        stem = box.locator(".MultipleChoiceQn, .ManyChoiceQn, .NumericQn").text_content() or ""
        assert words(stem).startswith(plain(item.stem))
        feedback = box.locator(".Feedback")
        if item.kind == "number":
            field = box.get_by_role("textbox")
            for value, right in number_answers(item):
                field.fill(value)
                field.press("Enter")
                assert ("correct" in (feedback.get_attribute("class") or "").split()) is right, (item.id, value)
            continue
        choices = box.locator("label")
        assert choices.count() == len(item.options)
        for choice, option in zip(choices.all(), item.options, strict=True):
            assert words(choice.text_content() or "") == plain(option.text)
            choice.dispatch_event("click")
            told = re.sub(r" \[\d+/\d+\]$", "", feedback.text_content() or "")
            assert ("correct" in (feedback.get_attribute("class") or "").split()) is option.correct
            assert words(told) == plain(option.rationale)
    page.context.close()


def number_answers(item: DraftItem) -> list[tuple[str, bool]]:
    """What to type, and whether it is right: both ends of the tolerance, beyond them, and the slips."""
    assert item.value is not None
    allowed = moodle_grades.absolute(item)
    typed = [(item.value, True), (item.value + allowed, True), (item.value - allowed, True)]
    typed += [(item.value + allowed * 2 + 1, False), *((slip.value, False) for slip in item.slips)]
    return [(format(value, "f"), right) for value, right in typed]


def test_dollars_and_brackets_reach_the_page_as_they_are(browser: Browser) -> None:
    stem = r"It costs \$5 or \$6: see `x[0](1)`, [x] (y) and $a[i](t)$ &amp; `$$`"
    item = DraftItem(kind="single", stem=stem, options=(DraftOption(text="`a<b`", correct=True), DraftOption(text="b")))
    page = opened(browser, jupyterquiz_writer.write(DraftQuiz(items=(item,))).data)

    assert (
        page.locator(".MultipleChoiceQn").inner_text()
        == r"It costs $5 or $6: see x[0](1), [x] (y) and \(a[i](t)\) & $$"
    )
    assert page.locator(".MultipleChoiceQn a").count() == 0
    assert page.locator("label").first.inner_text() == "a<b"
    page.context.close()


class Text(HTMLParser):
    """The text of an HTML text, read by Python's parser."""

    def __init__(self, source: str) -> None:
        super().__init__()
        self.pieces: list[str] = []
        self.feed(source)

    def handle_data(self, data: str) -> None:
        self.pieces.append(data)

    @property
    def words(self) -> str:
        return words("".join(self.pieces))


@pytest.mark.parametrize(("name", "locale"), COURSE)
def test_cards_hold_the_options_in_front_and_the_key_with_reasons_behind(name: str, locale: str) -> None:
    draft, data = exported(anki.FORMAT, name, locale)
    lines = data.decode().split("\n")
    head = [line for line in lines if line.startswith("#")]
    rows = list(csv.reader(io.StringIO("\n".join(lines[len(head) :])), delimiter="\t"))

    assert head[:3] == ["#separator:tab", "#html:true", "#notetype:Basic"]
    assert [row[0] for row in rows] == [f"{name}/{item.id}" for item in draft.items]
    for item, (_, front, back, _tags) in zip(draft.items, rows, strict=True):
        answer, _, reasons = back.partition("<hr>")
        assert Text(front).words.startswith(plain(item.stem))
        for option in item.options:
            assert plain(option.text) in Text(front).words
            assert (plain(option.text) in Text(answer).words) is option.correct
            assert plain(option.rationale) in Text(reasons).words
        if item.value is not None:
            assert Text(answer).words.startswith(canonical(item.value))
        assert plain(item.explanation) in Text(reasons).words
        if locale != "en":
            assert f'<div lang="{locale}" dir="' in front


def long_words(text: str) -> set[str]:
    """Words of seven letters and more."""
    return set(re.findall(r"[^\W\d_]{7,}", text))


def secrets(quiz: DraftQuiz) -> set[str]:
    """Words that stand in reasons alone: where one of them is, the reasons are."""
    told = [option.rationale for item in quiz.items for option in item.options]
    told += [text for item in quiz.items for text in (item.explanation, *(slip.rationale for slip in item.slips))]
    asked = [text for item in quiz.items for text in (item.stem, item.unit, *(option.text for option in item.options))]

    def found(sources: list[str]) -> set[str]:
        return set().union(*(long_words(markdown.to_plain(source)) for source in sources))

    return found(told) - found([*asked, quiz.title, quiz.description])


@pytest.mark.parametrize(("name", "locale"), COURSE)
def test_without_the_key_a_printed_file_does_not_tell_it(name: str, locale: str) -> None:
    draft, _ = exported(html_page.FORMAT, name, locale)
    heading = str(locales.words(locale)["static_print_key"])
    bare = dataclasses.replace(draft, items=tuple(keyless(item) for item in draft.items))
    for printed in (html_page.printed, latex.printed):
        asked = printed(Printing(versions=3), draft).data.decode()
        keyed = printed(Printing(key=True, versions=3), draft).data.decode()

        # Whatever is right, and why: the file is the same.
        assert asked == printed(Printing(versions=3), bare).data.decode()
        assert len(secrets(draft) & long_words(keyed)) > 20
        assert (heading in asked, heading in keyed) == (False, True)


def keyless(item: DraftItem) -> DraftItem:
    """The item with another key and without reasons."""
    return dataclasses.replace(
        item,
        options=tuple(dataclasses.replace(o, correct=not o.correct, rationale="") for o in item.options),
        value=Decimal(7) if item.value is not None else None,
        tolerance=None,
        accept=(),
        slips=(),
        explanation="",
        source="",
        hints=(),
    )


@pytest.mark.parametrize("locale", ["en", "tr", "ar"])
def test_versions_show_the_same_questions_in_other_orders_and_their_keys_fit(locale: str) -> None:
    draft, _ = exported(html_page.FORMAT, "mixed-precision", locale)
    made, _ = paper.paper(draft, Printing(key=True, versions=4))

    assert [version.name for version in made.versions] == ["A", "B", "C", "D"]
    orders = {tuple(question.item.id for question in version.questions) for version in made.versions}
    assert len(orders) == 4
    assert len({frozenset(order) for order in orders}) == 1
    for version in made.versions:
        for question in version.questions:
            if question.item.kind == "single":
                right = dict(question.options)[made.answer(question)]
                assert right.correct
    again, _ = paper.paper(draft, Printing(versions=4))
    assert again.versions == made.versions


@pytest.mark.parametrize("kind", ["order", "match", "text", "multiple"])
def test_the_key_of_other_kinds_is_letters_and_words(kind: str) -> None:
    case = next(case for case in json.loads((CASES / "paper.json").read_text("utf-8"))["cases"] if case["kind"] == kind)
    made, _ = paper.paper(DraftQuiz(items=(item_of(case["item"]),), id="q"), Printing(key=True))
    [question] = made.versions[0].questions

    assert [(letter, option.text) for letter, option in question.options] == [tuple(pair) for pair in case["options"]]
    assert [(letter, target.text) for letter, target in question.targets] == [tuple(pair) for pair in case["targets"]]
    assert made.answer(question) == case["answer"]
    # A blank for each prompt; letters are those of what is chosen from.
    page = html_page.printed(Printing(), DraftQuiz(items=(item_of(case["item"]),), id="q")).data.decode()
    marks = re.findall(r"<li><span>([^<]*)</span><div>", page)
    letters = [f"{letter})" for letter, _ in (question.targets or question.options)]
    assert [mark for mark in marks if ")" in mark] == letters
    assert page.count('class="blank"') == (len(question.options) if kind in {"order", "match"} else 0)


def item_of(data: dict[str, Any]) -> DraftItem:
    """A draft from plain data."""
    return DraftItem(
        kind=data["kind"],
        id=data["id"],
        stem=data["stem"],
        options=tuple(DraftOption(**option) for option in data.get("options", ())),
        targets=tuple(DraftTarget(**target) for target in data.get("targets", ())),
        accept=tuple(DraftAnswer(text=text) for text in data.get("accept", ())),
    )


@pytest.mark.parametrize("locale", ["en", "ar"])
def test_a_page_prints_from_a_file_without_a_network_or_a_script(browser: Browser, locale: str, tmp_path: Path) -> None:
    draft, _ = exported(html_page.FORMAT, "mixed-precision", locale)
    path = tmp_path / "test.html"
    path.write_bytes(html_page.printed(Printing(key=True, versions=2), draft).data)
    context = browser.new_context(offline=True, java_script_enabled=False)
    page = context.new_page()
    requests: list[str] = []
    page.on("request", lambda request: requests.append(request.url))
    page.goto(path.as_uri())

    assert requests == [path.as_uri()]
    assert page.locator("html").get_attribute("dir") == locales.direction(locale)
    assert page.locator("h1").count() == 2
    assert page.locator("section.version > ol > li").count() == 2 * len(draft.items)
    first = page.locator("section.version li.question").first.bounding_box()
    number = page.locator("section.version .number").first.bounding_box()
    assert first is not None
    assert number is not None
    # The number stands where the line begins.
    assert (number["x"] - first["x"] > first["width"] / 2) is (locale == "ar")
    short = dataclasses.replace(draft, items=draft.items[:1])
    path.write_bytes(html_page.printed(Printing(key=True, versions=2), short).data)
    page.reload()
    # Questions, sheet and key of each version begin a page.
    assert len(re.findall(rb"/Type\s*/Page\b", page.pdf())) == 6
    context.close()


@pytest.mark.parametrize(
    "case", json.loads((CASES / "tex.json").read_text("utf-8"))["cases"], ids=lambda case: case["text"][:30]
)
def test_a_text_becomes_tex(case: dict[str, Any]) -> None:
    assert tex_text.Tex(rtl=case.get("rtl", False)).text(case["text"]) == case["tex"]


@FEW
@given(strategies.text(), st.booleans())
def test_tex_keeps_formulas_and_balances_braces(source: str, rtl: bool) -> None:
    made = tex_text.Tex(rtl=rtl).text(source)
    outside = re.sub(r"\\begin\{verbatim\}.*?\\end\{verbatim\}", "", made, flags=re.DOTALL)

    for formula in re.findall(r'alttext="([^"]*)"', shown(source)):
        assert json.loads(f'"{json.dumps(formula)[1:-1]}"') in made or "&" in formula
    assert re.sub(r"\\.", "", outside).count("{") == re.sub(r"\\.", "", outside).count("}")


def test_exports_are_not_taken_for_files_to_import() -> None:
    draft, _ = exported(html_page.FORMAT, "mixed-precision", "en")
    for format in (html_page, latex):
        data = format.printed(Printing(), draft).data
        assert format.FORMAT.recognise(Source("x", data)) == 0
        assert format.FORMAT.read is None
