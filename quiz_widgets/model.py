"""A quiz as frozen values: what authors wrote, ready to show and to grade. No input, no output, no HTML making."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Literal

from quiz_widgets import locales
from quiz_widgets.lazy import Lazy

Kind = Literal["single", "multiple", "number", "text", "order", "match"]
Level = Literal["easy", "medium", "hard"]
Credit = Literal["exact", "partial"]
Pin = Literal["first", "last"]
Operator = Literal["equals", "at_least", "at_most", "between", "is"]
Fact = bool | int | float | str

KINDS: tuple[Kind, ...] = ("single", "multiple", "number", "text", "order", "match")
LEVELS: tuple[Level, ...] = ("easy", "medium", "hard")


@dataclass(frozen=True, slots=True)
class Rendered:
    r"""One text in one locale: as the author wrote it, and in the three forms in which it is shown.

    `html` is safe HTML with MathML for the live page; `preview` is safe HTML that survives notebook
    sanitisers (no MathML: TeX in ``\(…\)``); `plain` is text without any markup.
    """

    source: str
    html: str
    preview: str
    plain: str


@dataclass(frozen=True, slots=True)
class Text:
    """One text in all its locales. `forms` always holds `source_locale`."""

    forms: Mapping[str, Rendered]
    source_locale: str = "en"

    def resolve(self, locale: str) -> str:
        """The locale in which this text is shown to a reader of `locale`: that one, else the source's."""
        return locale if locale in self.forms else self.source_locale

    def rendered(self, locale: str) -> Rendered:
        """The forms shown to a reader of `locale`."""
        return self.forms[self.resolve(locale)]

    def direction(self, locale: str) -> locales.Direction:
        """``rtl`` or ``ltr``: that of the resolved locale, but ``ltr`` for a text without any RTL letter."""
        shown = self.resolve(locale)
        return locales.text_direction(self.forms[shown].plain, shown)


@dataclass(frozen=True, slots=True)
class Claim:
    """What an option asserts about the facts of its item's evidence.

    `operator` ``equals`` compares numbers with relative tolerance `within`; ``is`` compares booleans and
    texts exactly; ``between`` takes a pair (inclusive).
    """

    fact: str
    operator: Operator
    operand: Fact | tuple[float, float]
    within: float = 1e-9


@dataclass(frozen=True, slots=True)
class Option:
    """One alternative of a `single` or `multiple` item, one part of an `order`, or one prompt of a `match`.

    `match` is the id of the target that belongs to a prompt.
    """

    id: str
    text: Text
    correct: bool = False
    rationale: Text | None = None
    claims: tuple[Claim, ...] = ()
    pin: Pin | None = None
    match: str | None = None


@dataclass(frozen=True, slots=True)
class Target:
    """What prompts of a `match` item may belong to; one may serve several prompts, or none."""

    id: str
    text: Text


@dataclass(frozen=True, slots=True)
class Accept:
    """A text that a `text` item knows: a pattern for each locale, and the share of the points that it earns.

    `text` holds no markup; `locales.patterns` reads it. A known mistake has no credit and a rationale.
    """

    id: str
    text: Text
    credit: Decimal = Decimal(1)
    rationale: Text | None = None
    claims: tuple[Claim, ...] = ()


@dataclass(frozen=True, slots=True)
class Tolerance:
    """How far a number may be from the value: absolute, in the value's unit, or relative to the value."""

    kind: Literal["absolute", "relative"]
    amount: Decimal

    def allows(self, number: Decimal, value: Decimal) -> bool:
        """Whether `number` is near enough to `value`; both edges belong to it. Exact, no floats."""
        from fractions import Fraction  # only where a number is graded

        allowed = Fraction(self.amount) * (abs(Fraction(value)) if self.kind == "relative" else 1)
        return abs(Fraction(number) - Fraction(value)) <= allowed


@dataclass(frozen=True, slots=True)
class Slip:
    """A wrong number that a known mistake leads to, with feedback of its own."""

    id: str
    rationale: Text
    value: Decimal | None = None  # None when the value is drawn: then it stands in each variant


@dataclass(frozen=True, slots=True)
class Variant:
    """One drawn version of a number item, computed by `build`.

    `value` is graded; `slips` gives the value of each `Slip` by id; `numbers` are the texts that stand for
    ``{name}`` in stem, unit, explanation and slips.
    """

    value: Decimal
    slips: Mapping[str, Decimal] = field(default_factory=dict)
    numbers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Recorded:
    """What the item's evidence found when it was recorded: facts by name, as texts; day and kind of machine."""

    facts: Mapping[str, str]
    date: str
    machine: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """One question with all its parts.

    `options` is empty for `number`, whose key is `value` and `tolerance`, and for `text`, whose key is `accept`. Those
    of an `order` stand in the right order; those of a `match` name their `targets`.
    """

    id: str
    set: str | None = None  # beside the id: a compiled item's line tells both before it is read
    kind: Kind = "single"
    stem: Text
    section: str | None = None
    options: tuple[Option, ...] = ()
    credit: Credit = "exact"
    points: Decimal = Decimal(1)
    tries: int = 2
    hints: tuple[Text, ...] = ()
    explanation: Text | None = None
    evidence: str | None = None
    evidence_text: Text | None = None
    recorded: Recorded | None = None
    source: Text | None = None
    value: Decimal | None = None
    tolerance: Tolerance | None = None
    unit: Text | None = None
    slips: tuple[Slip, ...] = ()
    draw: Mapping[str, tuple[str, ...]] | None = None
    variants: tuple[Variant, ...] = ()
    accept: tuple[Accept, ...] = ()
    match_case: bool = False
    targets: tuple[Target, ...] = ()
    hash: str = ""

    @property
    def key(self) -> tuple[str, ...]:
        """The right response, in the author's order: ids of options, or ``option:target`` for a `match`."""
        if self.kind == "order":
            return tuple(option.id for option in self.options)
        if self.kind == "match":
            return tuple(f"{option.id}:{option.match}" for option in self.options)
        return tuple(option.id for option in self.options if option.correct)

    def option(self, option_id: str) -> Option:
        """The option of that id; `KeyError` when there is none."""
        for option in self.options:
            if option.id == option_id:
                return option
        raise KeyError(option_id)


@dataclass(frozen=True, slots=True)
class Guide:
    """A related guide: its id and title, its sections' titles by id in the guide's order, and their demos."""

    id: str
    title: Text
    sections: Mapping[str, Text] = field(default_factory=dict)
    demos: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Pool:
    """Items of which each attempt shows `draw`: their ids, in the author's order. They are all in one set.

    `bank` is the id of the quiz whose items they are; `None`: the quiz's own.
    """

    id: str
    draw: int
    items: tuple[str, ...]
    bank: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Quiz:
    """Ordered items with their heading. `hash` is the content hash over all items.

    The items of a compiled quiz are made when they are asked for: where their ids or sets are enough, ask `sets`.
    """

    id: str
    title: Text
    level: Level
    description: Text
    guides: tuple[Guide, ...] = ()
    items: Sequence[Item]
    locales: tuple[str, ...] = ("en",)
    hash: str = ""
    pools: tuple[Pool, ...] = ()
    confidence: bool = False  # whether the page asks how sure a learner is

    @property
    def sets(self) -> Mapping[str, str | None]:
        """The set of each item by the item's id, in order; ``None`` is the main set."""
        return self.items.groups if isinstance(self.items, Lazy) else {item.id: item.set for item in self.items}

    @property
    def own(self) -> tuple[Item, ...]:
        """The items that stand in the quiz's own file: all but those of banks."""
        borrowed = {item_id for pool in self.pools if pool.bank is not None for item_id in pool.items}
        return tuple(item for item in self.items if item.id not in borrowed)

    def item(self, item_id: str) -> Item:
        """The item of that id; `KeyError` when there is none."""
        if isinstance(self.items, Lazy):
            found: Item = self.items.by_id(item_id)
            return found
        for item in self.items:
            if item.id == item_id:
                return item
        raise KeyError(item_id)

    def those(self, ids: Iterable[str]) -> tuple[Item, ...]:
        """The items of these ids, in the order of the ids; unknown ids are left out."""
        if isinstance(self.items, Lazy):
            return tuple(self.items.by_id(item_id) for item_id in ids if item_id in self.items.groups)
        known = {item.id: item for item in self.items}
        return tuple(known[item_id] for item_id in ids if item_id in known)

    def in_set(self, name: str | None) -> tuple[Item, ...]:
        """The items of one set, in order; ``None`` names the quiz's main set."""
        if isinstance(self.items, Lazy):
            return tuple(self.items.by_id(item_id) for item_id, known in self.items.groups.items() if known == name)
        return tuple(item for item in self.items if item.set == name)


@dataclass(frozen=True, slots=True)
class Response:
    """What was chosen: ids of options, for an `order` all of them as they were put, for a `match` ``option:target``.

    For a `number` it is one canonical decimal (``"12"``, ``"0.5"``), for a `text` what was typed.
    `variant` is the index of the drawn variant that was shown, if the item has variants.
    """

    chosen: tuple[str, ...]
    variant: int | None = None


@dataclass(frozen=True, slots=True)
class Outcome:
    """What grading returned: points won, out of how many, and whether that is all of them."""

    score: Decimal
    max_score: Decimal

    @property
    def correct(self) -> bool:
        """Whether the response earned every point."""
        return self.score == self.max_score
