"""What each kind of question becomes in QTI: the declaration of its response, its interaction, its processing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from decimal import Decimal

from quiz_widgets.formats import answers, pins
from quiz_widgets.formats.base import Notices
from quiz_widgets.formats.draft import DraftItem, DraftKind
from quiz_widgets.formats.qti.content import xhtml
from quiz_widgets.formats.qti.names import Dialect
from quiz_widgets.locales.numbers import canonical

RESPONSE = {"responseIdentifier": "RESPONSE"}


def identifier(name: str) -> str:
    """An id as an identifier, which begins with a letter or ``_``."""
    return f"_{name}" if name[:1].isdigit() else name


@dataclass(slots=True)
class Answers:
    """The parts of an item that depend on its kind. `known` are conditions on the response, with what is told for each.

    `scored`: XML that sets the score. `inline`: the interaction stands in a paragraph. `by_choice`: the identifiers
    that are chosen name what is told.
    """

    declaration: str
    interaction: str
    scored: str = ""
    inline: bool = False
    by_choice: bool = False
    told: list[tuple[str, str]] = field(default_factory=list)
    known: list[tuple[str, str]] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Writer:
    """Writes in one dialect and language."""

    dialect: Dialect
    language: str
    notices: Notices

    def text(self, source: str) -> str:
        """A text as blocks."""
        return xhtml(source, self.language, self.dialect.version)

    def base(self, kind: str, value: str) -> str:
        """A value of a type."""
        return self.dialect.value("baseValue", value, {"baseType": kind})

    def declare(self, kind: str, cardinality: str, right: list[str], mapping: str = "") -> str:
        """The declaration of the response with its key."""
        values = "".join(self.dialect.value("value", value) for value in right)
        return self.dialect.element(
            "responseDeclaration",
            {"identifier": "RESPONSE", "cardinality": cardinality, "baseType": kind},
            self.dialect.element("correctResponse", {}, values),
            mapping,
        )

    def mapping(self, points: list[tuple[str, Decimal]], upper: Decimal, case: str = "") -> str:
        """The points of values; what is not among them earns nothing."""
        entries = "".join(
            self.dialect.element("mapEntry", {"mapKey": key, "mappedValue": decimal(worth), "caseSensitive": case})
            for key, worth in points
        )
        bounds = {"defaultValue": "0", "lowerBound": "0", "upperBound": canonical(upper)}
        return self.dialect.element("mapping", bounds, entries)

    def score(self, value: str) -> str:
        """Set the score."""
        return self.dialect.element("setOutcomeValue", {"identifier": "SCORE"}, value)

    def mapped(self) -> str:
        """Set the score by the mapping."""
        return self.score(self.dialect.element("mapResponse", {"identifier": "RESPONSE"}))

    def right(self, points: Decimal, test: str = "") -> str:
        """Set the score for the right response, which another test than equality may find."""
        element = self.dialect.element
        variable, correct = (
            element("variable", {"identifier": "RESPONSE"}),
            element("correct", {"identifier": "RESPONSE"}),
        )
        equal = test or element("match", {}, variable, correct)
        won, lost = self.score(self.base("float", canonical(points))), self.score(self.base("float", "0"))
        return element(
            "responseCondition",
            {},
            element("responseIf", {}, equal, won),
            element("responseElse", {}, lost),
        )


def decimal(number: Decimal) -> str:
    """A share of points with as many decimals as tell it."""
    return canonical(round(number, 12))


def choice(writer: Writer, item: DraftItem) -> Answers:
    """`single` and `multiple`."""
    element, single = writer.dialect.element, item.kind == "single"
    options = pins.in_place(item.options)
    right = [identifier(option.id) for option in options if option.correct]
    wrong = len(options) - len(right)
    mapping, scored = "", writer.right(item.points)
    if item.credit == "partial" and not single:
        gain, loss = item.points / max(len(right), 1), -item.points / max(wrong, 1)
        shares = [(identifier(option.id), gain if option.correct else loss) for option in options]
        mapping, scored = writer.mapping(shares, item.points), writer.mapped()
    choices = (
        element(
            "simpleChoice",
            {"identifier": identifier(option.id), "fixed": "true" if option.pin else ""},
            writer.text(option.text),
        )
        for option in options
    )
    asked = {**RESPONSE, "shuffle": str(item.shuffle).lower(), "maxChoices": "1" if single else "0"}
    return Answers(
        writer.declare("identifier", "single" if single else "multiple", right, mapping),
        element("choiceInteraction", asked, *choices),
        scored,
        by_choice=True,
        told=[(identifier(option.id), option.rationale) for option in options if option.rationale],
    )


def number(writer: Writer, item: DraftItem) -> Answers:
    """`number`: equal within the tolerance; known mistakes are told apart."""
    element = writer.dialect.element
    variable = element("variable", {"identifier": "RESPONSE"})
    mode, amount = {"toleranceMode": "exact"}, item.tolerance
    if amount is not None and amount.amount:
        size = canonical(amount.amount * 100 if amount.kind == "relative" else amount.amount)
        mode = {"toleranceMode": amount.kind, "tolerance": f"{size} {size}"}
    test = element("equal", mode, variable, element("correct", {"identifier": "RESPONSE"}))
    known = [
        (
            element("equal", {"toleranceMode": "exact"}, variable, writer.base("float", canonical(slip.value))),
            identifier(slip.id),
        )
        for slip in item.slips
    ]
    unit = f' <span class="unit">{inline(writer.text(item.unit))}</span>' if item.unit else ""
    return Answers(
        writer.declare("float", "single", [canonical(item.value or Decimal(0))]),
        element("textEntryInteraction", {**RESPONSE, "expectedLength": "12"}) + unit,
        writer.right(item.points, test),
        inline=True,
        told=[(identifier(slip.id), slip.rationale) for slip in item.slips if slip.rationale],
        known=known,
    )


def inline(made: str) -> str:
    """The one paragraph of a text without the box and the paragraph around it."""
    return made.partition("<p>")[2].rpartition("</p>")[0]


def text(writer: Writer, item: DraftItem) -> Answers:
    """`text`: a mapping of texts to points. A pattern with ``*`` is left out, and said."""
    case = str(item.match_case).lower()
    shares: dict[str, Decimal] = {}
    known: list[tuple[str, str]] = []
    told: list[tuple[str, str]] = []
    variable = writer.dialect.element("variable", {"identifier": "RESPONSE"})
    for answer in item.accept:
        for plain in answers.plain(answer.text, item.id, writer.notices):
            if answer.credit > 0:
                shares.setdefault(plain, answer.credit * item.points)
            if answer.rationale:
                test = writer.dialect.element(
                    "stringMatch", {"caseSensitive": case}, variable, writer.base("string", plain)
                )
                known.append((test, identifier(answer.id)))
                told.append((identifier(answer.id), answer.rationale))
    right = [plain for plain, worth in shares.items() if worth == item.points][:1]
    points = list(shares.items())
    return Answers(
        writer.declare("string", "single", right, writer.mapping(points, item.points, case) if points else ""),
        writer.dialect.element("textEntryInteraction", {**RESPONSE, "expectedLength": "24"}),
        writer.mapped(),
        inline=True,
        told=list(dict.fromkeys(told)),
        known=known,
    )


def order(writer: Writer, item: DraftItem) -> Answers:
    """`order`: the interaction shows the steps by their ids, so that their order does not tell the key."""
    element = writer.dialect.element
    shown = sorted(item.options, key=lambda option: option.id)
    choices = (
        element("simpleChoice", {"identifier": identifier(option.id)}, writer.text(option.text)) for option in shown
    )
    return Answers(
        writer.declare("identifier", "ordered", [identifier(option.id) for option in item.options]),
        element("orderInteraction", {**RESPONSE, "shuffle": "true"}, *choices),
        writer.right(item.points),
    )


def match(writer: Writer, item: DraftItem) -> Answers:
    """`match`: each prompt belongs to one target, a target to any number of prompts."""
    element = writer.dialect.element
    names = {identifier(option.id) for option in item.options}
    targets = {
        target.id: name if (name := identifier(target.id)) not in names else f"{name}.target" for target in item.targets
    }
    pairs = [f"{identifier(option.id)} {targets[option.target]}" for option in item.options if option.target in targets]
    share = item.points / max(len(pairs), 1)
    partial = item.credit == "partial"
    mapping = writer.mapping([(pair, share) for pair in pairs], item.points) if partial else ""
    left = (
        element(
            "simpleAssociableChoice", {"identifier": identifier(option.id), "matchMax": "1"}, writer.text(option.text)
        )
        for option in item.options
    )
    right = (
        element("simpleAssociableChoice", {"identifier": targets[target.id], "matchMax": "0"}, writer.text(target.text))
        for target in item.targets
    )
    asked = {**RESPONSE, "shuffle": "true", "maxAssociations": str(len(item.options))}
    return Answers(
        writer.declare("directedPair", "multiple", pairs, mapping),
        element(
            "matchInteraction",
            asked,
            element("simpleMatchSet", {}, *left),
            element("simpleMatchSet", {}, *right),
        ),
        writer.mapped() if partial else writer.right(item.points),
    )


WRITERS: dict[DraftKind, Callable[[Writer, DraftItem], Answers]] = {
    "single": choice,
    "multiple": choice,
    "number": number,
    "text": text,
    "order": order,
    "match": match,
}
"""What writes each kind."""
