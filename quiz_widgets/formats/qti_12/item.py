"""One item of QTI 1.2 while it is read: its texts, conditions and feedback."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from decimal import Decimal
from html import escape

from quiz_widgets.formats import html_text, markdown
from quiz_widgets.formats.base import Notices
from quiz_widgets.formats.pictures import Pictures
from quiz_widgets.formats.qti_12.conditions import Condition
from quiz_widgets.formats.xml_tree import Element

RESPONSES = frozenset({"response_lid", "response_str", "response_num", "response_grp", "response_xy", "response_na"})
GENERAL, RIGHT, WRONG = "general_fb", "correct_fb", "general_incorrect_fb"
"""The names that Canvas gives to feedback that belongs to no answer."""


@dataclass(slots=True)
class Question:
    """An item's element with its conditions and its feedback by name."""

    element: Element
    name: str
    notices: Notices
    pictures: Pictures
    conditions: list[Condition]
    languages: list[str]
    feedback: dict[str, str] = field(default_factory=dict)
    canvas: bool = False

    def say(self, line: int, rule: str, message: str, hint: str = "", *, error: bool = False) -> None:
        """Note something about the item."""
        self.notices.add(line, self.name, rule, message, hint, severity="error" if error else "warning")

    @property
    def responses(self) -> list[Element]:
        """What is asked, in order."""
        presentation = self.element.child("presentation")
        return list(presentation.all(*RESPONSES)) if presentation is not None else []

    @property
    def scored(self) -> list[Condition]:
        """The conditions that earn points."""
        return [condition for condition in self.conditions if condition.points]

    def take(self, *names: str) -> str:
        """The feedback of these names, which is then no longer left."""
        return "\n\n".join(dict.fromkeys(text for name in names if (text := self.feedback.pop(name, ""))))

    def told(self, response: str, value: str) -> str:
        """The feedback that is shown for one value of a response."""
        names: list[str] = []
        for condition in self.conditions:
            alone = {(one.response, one.value) for one in condition.equal} == {(response, value)}
            if alone and not condition.unequal:
                names += [name for name in condition.feedback if name not in {GENERAL, RIGHT, WRONG}]
        return self.take(*names)

    def text(self, element: Element | None) -> str:
        """The Markdown of the material in an element, without that of what is asked in it."""
        parts = [self._material(part) for part in _materials(element)] if element is not None else []
        return "\n\n".join(part for part in parts if part)

    def _material(self, part: Element) -> str:
        def report(rule: str, message: str, hint: str) -> None:
            self.notices.add(part.line, self.name, rule, message, hint)

        if part.name == "matimage":
            address = escape(part.attributes.get("uri", ""))
            label = escape(part.attributes.get("label", ""))
            return html_text.to_markdown(f'<img src="{address}" alt="{label}">', report, self.pictures)
        if part.name != "mattext":
            self.say(part.line, "qti-material", f"`{part.name[:20]}` is left out", "describe it in words")
            return ""
        written = part.text().strip()
        kind = part.attributes.get("texttype", "")
        if language := part.attributes.get("lang") or html_text.language(written):
            self.languages.append(language)
        if "html" in kind or (not kind and html_text.looks_like_html(written)):
            return html_text.to_markdown(written, report, self.pictures)
        return markdown.from_plain(written)


def _materials(element: Element) -> Iterator[Element]:
    stack = [element]
    while stack:
        part = stack.pop()
        if part.name in {"mattext", "matemtext", "matimage", "mataudio", "matvideo", "matapplet", "matapplication"}:
            yield part
        elif part is element or part.name not in RESPONSES | {"response_label", "itemfeedback"}:
            stack.extend(reversed(list(part.children())))


def share(points: Decimal, best: Decimal) -> Decimal:
    """Points as a share of the best in percent."""
    return round(points * 100 / (best or 1), 5)
