r"""A quiz as Moodle XML: HTML with language and direction on it, formulas as TeX in ``\(…\)``."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from decimal import Decimal
from xml.sax.saxutils import escape, quoteattr

from quiz_widgets import locales
from quiz_widgets.formats import answers, losses, markdown, moodle_grades
from quiz_widgets.formats.base import Notices
from quiz_widgets.formats.draft import DraftItem, DraftKind, DraftOption, DraftQuiz, Exported
from quiz_widgets.locales.numbers import canonical

_HOLDS: frozenset[losses.Part] = frozenset(
    (
        *("rationale", "explanation", "hints", "tries", "points", "credit", "shares", "unit", "tolerance", "slips"),
        *("pins", "match_case", "patterns", "language", "title", "set", "section", "ids"),
    )
)
_TYPES: dict[DraftKind, str] = {
    "single": "multichoice",
    "multiple": "multichoice",
    "number": "numerical",
    "text": "shortanswer",
    "order": "ordering",
    "match": "matching",
}


def write(quiz: DraftQuiz) -> Exported:
    """The quiz; every kind has its type."""
    kept, notices = losses.check(quiz, kinds=set(_TYPES), holds=_HOLDS)
    writer = _Writer(quiz.language, notices)
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', "<quiz>"]
    if quiz.title:
        name = markdown.to_plain(quiz.title).replace("/", "//")
        lines.append(
            f'<question type="category"><category><text>$course$/top/{escape(name)}</text></category></question>'
        )
    for item in kept.items:
        lines += writer.question(item)
    return Exported(("\n".join([*lines, "</quiz>"]) + "\n").encode(), notices.done())


def cdata(text: str) -> str:
    """A text in CDATA."""
    return f"<![CDATA[{text.replace(']]>', ']]]]><![CDATA[>')}]]>"


@dataclasses.dataclass(frozen=True, slots=True)
class _Writer:
    language: str
    notices: Notices

    def html(self, source: str) -> str:
        """A text's HTML in a box of its language; English is Moodle's own."""
        made = markdown.to_html(source)
        if not self.language or self.language == locales.SOURCE_LOCALE or not made:
            return made
        direction = locales.text_direction(markdown.to_plain(source), self.language)
        return f'<div lang={quoteattr(self.language)} dir="{direction}">{made}</div>'

    def text(self, name: str, source: str, inner: str = "", attributes: str = "") -> str:
        """An element with a text."""
        return f'<{name}{attributes} format="html"><text>{cdata(self.html(source))}</text>{inner}</{name}>'

    def question(self, item: DraftItem) -> Iterator[str]:
        yield f'<question type="{_TYPES[item.kind]}">'
        yield f"<name><text>{escape(item.name or item.id)}</text></name>"
        yield self.text("questiontext", item.stem)
        yield self.text("generalfeedback", item.explanation)
        yield f"<defaultgrade>{canonical(item.points)}</defaultgrade>"
        yield f"<penalty>{round(Decimal(1) / (item.tries or 2), 7)}</penalty>"
        yield f"<hidden>0</hidden><idnumber>{escape(item.id)}</idnumber>"
        yield from {
            "single": self.choice,
            "multiple": self.choice,
            "number": self.number,
            "text": self.short,
            "order": self.order,
            "match": self.match,
        }[item.kind](item)
        for hint in item.hints:
            yield self.text("hint", hint)
        section = [f"section:{item.section}"] if item.section else []
        tags = [*item.tags, *section, *([f"set:{item.set}"] if item.set else [])]
        if tags:
            yield "<tags>" + "".join(f"<tag><text>{escape(tag)}</text></tag>" for tag in tags) + "</tags>"
        yield "</question>"

    def choice(self, item: DraftItem) -> Iterator[str]:
        single = item.kind == "single"
        options = item.options
        if pinned := [option for option in options if option.pin]:
            message = f"no option of it is mixed there, since {len(pinned)} must not move: Moodle mixes all or none"
            self.notices.add(0, item.id, "pins", message)
            places = {"first": 0, None: 1, "last": 2}
            options = tuple(sorted(options, key=lambda option: places[option.pin]))
        right, wrong = (Decimal(100), Decimal(0)) if single else moodle_grades.shares(item, self.notices)
        yield f"<single>{str(single).lower()}</single><shuffleanswers>{str(not pinned).lower()}</shuffleanswers>"
        yield "<answernumbering>abc</answernumbering>"
        for option in options:
            yield self.answer(self.html(option.text), right if option.correct else wrong, option.rationale)

    def answer(self, text: str, share: Decimal, feedback: str, inner: str = "", format: str = "html") -> str:
        """One answer; a plain one is a pattern or a number."""
        shown = cdata(text) if format == "html" else escape(text)
        told = self.text("feedback", feedback) if feedback else ""
        return f'<answer fraction="{canonical(share)}" format="{format}"><text>{shown}</text>{told}{inner}</answer>'

    def short(self, item: DraftItem) -> Iterator[str]:
        yield f"<usecase>{int(item.match_case)}</usecase>"
        for answer in item.accept:
            share = round(answer.credit * 100, 5)
            for alternative in answers.alternatives(answer.text):
                yield self.answer(alternative, share, answer.rationale, format="plain_text")

    def number(self, item: DraftItem) -> Iterator[str]:
        moodle_grades.say_tolerance(item, self.notices)
        allowed = canonical(moodle_grades.absolute(item))
        value = canonical(item.value or Decimal(0))
        yield self.answer(value, Decimal(100), "", f"<tolerance>{allowed}</tolerance>", "plain_text")
        for slip in item.slips:
            inner = "<tolerance>0</tolerance>"
            yield self.answer(canonical(slip.value), Decimal(0), slip.rationale, inner, "plain_text")
        if item.unit:
            unit = escape(markdown.to_plain(item.unit))
            yield f"<units><unit><multiplier>1</multiplier><unit_name>{unit}</unit_name></unit></units>"
            yield "<unitgradingtype>0</unitgradingtype><unitpenalty>0</unitpenalty><showunits>3</showunits>"

    def order(self, item: DraftItem) -> Iterator[str]:
        self.rationales(item.options, item.id)
        grading = "-1" if item.credit == "exact" else "0"
        yield f"<layouttype>0</layouttype><selecttype>0</selecttype><gradingtype>{grading}</gradingtype>"
        for index, option in enumerate(item.options, start=1):
            yield self.answer(self.html(option.text), Decimal(index), "")

    def match(self, item: DraftItem) -> Iterator[str]:
        self.rationales(item.options, item.id)
        if item.credit == "exact":
            self.notices.add(0, item.id, "lost", "all or nothing is not exported: there each pair earns its share")
        if any(not markdown.is_plain(target.text) for target in item.targets):
            self.notices.add(0, item.id, "lost", "layout and formulas of what is chosen from become plain text")
        texts = {target.id: escape(markdown.to_plain(target.text)) for target in item.targets}
        named = {option.target for option in item.options}
        yield "<shuffleanswers>true</shuffleanswers>"
        for option in item.options:
            yield self.text("subquestion", option.text, f"<answer><text>{texts.get(option.target, '')}</text></answer>")
        for target in item.targets:
            if target.id not in named:
                yield self.text("subquestion", "", f"<answer><text>{texts[target.id]}</text></answer>")

    def rationales(self, options: tuple[DraftOption, ...], item: str) -> None:
        """Say that this type keeps no feedback for each option."""
        if any(option.rationale for option in options):
            self.notices.add(0, item, "lost", "not exported: the rationales of its parts")
