"""One item of QTI 2 or 3 while it is read: its parts, and what is said about it."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from decimal import Decimal

from quiz_widgets.authoring.fields import ID
from quiz_widgets.formats import html_text, markdown
from quiz_widgets.formats.base import Notices, decimal
from quiz_widgets.formats.pictures import Pictures
from quiz_widgets.formats.qti import html
from quiz_widgets.formats.qti.processing import Processing
from quiz_widgets.formats.xml_tree import Element

FEEDBACK = frozenset({"feedbackBlock", "feedbackInline"})


def own_id(identifier: str) -> str:
    """Our id in an identifier; empty where it is none. An id that begins with a digit is written with ``_`` before."""
    name = identifier.removeprefix("_")
    return name if ID.fullmatch(name) else ""


@dataclass(frozen=True, slots=True)
class Declared:
    """What is declared of a response: right values, and points by value."""

    identifier: str = ""
    cardinality: str = "single"
    type: str = "identifier"
    correct: tuple[str, ...] = ()
    points: Mapping[str, Decimal] = field(default_factory=dict)
    cased: frozenset[str] = frozenset()
    upper: Decimal | None = None
    mapped: bool = False

    @property
    def most(self) -> Decimal:
        """The points of the best response."""
        best = [points for points in self.points.values() if points > 0]
        whole = max(best, default=Decimal(0)) if self.cardinality == "single" else sum(best, Decimal(0))
        return self.upper or whole


def declared(item: Element, identifier: str) -> Declared:
    """The declaration of that response."""
    found = next(
        (part for part in item.children("responseDeclaration") if part.attributes.get("identifier") == identifier), None
    )
    if found is None:
        return Declared(identifier)
    right, mapping = found.child("correctResponse"), found.child("mapping")
    entries = list(mapping.children("mapEntry")) if mapping is not None else []
    points = {
        " ".join(entry.attributes.get("mapKey", "").split()): number
        for entry in entries
        if (number := decimal(entry.attributes.get("mappedValue", ""))) is not None
    }
    return Declared(
        identifier,
        found.attributes.get("cardinality", "single"),
        found.attributes.get("baseType", "identifier"),
        tuple(" ".join(value.text().split()) for value in right.children("value")) if right is not None else (),
        points,
        frozenset(
            " ".join(entry.attributes.get("mapKey", "").split())
            for entry in entries
            if entry.attributes.get("caseSensitive", "true") != "false"
        ),
        decimal(mapping.attributes.get("upperBound", "")) if mapping is not None else None,
        mapping is not None,
    )


@dataclass(slots=True)
class Told:
    """Feedback of an item: what shows it, and its text."""

    identifier: str
    outcome: str
    text: str
    line: int


@dataclass(slots=True)
class Question:
    """An item with one interaction."""

    element: Element
    interaction: Element
    response: Declared
    processing: Processing
    name: str
    notices: Notices
    pictures: Pictures
    feedback: list[Told] = field(default_factory=list)

    def say(self, line: int, rule: str, message: str, hint: str = "", *, error: bool = False) -> None:
        """Note something about the item."""
        self.notices.add(line, self.name, rule, message, hint, severity="error" if error else "warning")

    def markdown(self, element: Element, *, skip: Collection[str] = ()) -> str:
        """The Markdown of what is in an element."""
        return self.from_html(html.of(element, skip=skip), element.line)

    def from_html(self, made: str, line: int) -> str:
        """The Markdown of HTML of this item."""

        def report(rule: str, message: str, hint: str) -> None:
            self.notices.add(line, self.name, rule, message, hint)

        return html_text.to_markdown(made, report, self.pictures)

    def option(self, element: Element) -> str:
        """The text of an option, without the feedback that stands in it; that is kept under the option's identifier."""
        identifier = element.attributes.get("identifier", "")
        for part in element.all(*FEEDBACK):
            self.tell(part, identifier)
        return self.markdown(element, skip=FEEDBACK)

    def tell(self, element: Element, option: str = "") -> None:
        """Keep feedback, for an option where it stands in one."""
        text = self.markdown(element)
        if not text:
            return
        if element.attributes.get("showHide", "show") != "show":
            shown = markdown.to_plain(text)[:80]
            message = f"feedback that is hidden by an outcome is not carried: {shown}"
            self.say(element.line, "qti-feedback", message, "put what it says into rationales or the explanation")
            return
        outcome = element.attributes.get("outcomeIdentifier", "")
        self.feedback.append(Told(option or element.attributes.get("identifier", ""), outcome, text, element.line))

    def take(self, *identifiers: str) -> str:
        """The feedback of these identifiers, which is then no longer left."""
        found = [told for told in self.feedback if told.identifier in identifiers]
        self.feedback = [told for told in self.feedback if told not in found]
        return "\n\n".join(dict.fromkeys(told.text for told in found))

    def shown_for(self, response: str) -> list[str]:
        """The identifiers of feedback that the processing shows for one response."""
        return [name for name, test in self.processing.shown.items() if test == (response,)]

    def shown(self, *tests: str) -> list[str]:
        """The identifiers of feedback that is shown always, for the right response, and so on."""
        return [name for name, test in self.processing.shown.items() if test in tests]
