"""Drafts: quizzes on their way in or out of another system. All texts are Markdown, as authors write it here.

A draft may be faulty (no key, no text): what that means is decided when it is written, so that nothing is lost on the
way. `Problem` says what could not be carried, by stable rules; `place` of a draft says where it came from.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Literal

from quiz_widgets.model import Level, Pin
from quiz_widgets.problems import Problem

DraftKind = Literal["single", "multiple", "number", "text", "order", "match"]
DraftCredit = Literal["exact", "partial"]


@dataclass(frozen=True, slots=True)
class Place:
    """Where a draft came from: the file, or ``archive.zip/member``, and the line (0: not known)."""

    file: str = ""
    line: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class DraftOption:
    """An alternative of `single` and `multiple`, a step of `order`, or the left side of a pair of `match`.

    `weight` is the share of the points in percent (−100…100) where the source gives one; `target` names the
    `DraftTarget` of a pair. An empty `id` is made from the text when the draft is written.
    """

    text: str
    id: str = ""
    correct: bool = False
    weight: Decimal | None = None
    rationale: str = ""
    pin: Pin | None = None
    target: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class DraftTarget:
    """The right side of a pair of `match`; one that no option names is a distractor."""

    id: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DraftAnswer:
    r"""An answer that a `text` item accepts. `text` is a pattern: ``*`` any signs, ``|`` or; ``\*``, ``\|``, ``\\``.

    `credit` is the share of the points, 0…1; 0 is a known wrong answer with feedback of its own.
    """

    text: str
    id: str = ""
    credit: Decimal = Decimal(1)
    rationale: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class DraftSlip:
    """A known wrong number of a `number` item, with its feedback."""

    value: Decimal
    rationale: str
    id: str = ""


@dataclass(frozen=True, slots=True)
class DraftTolerance:
    """How far a number may be from the value."""

    kind: Literal["absolute", "relative"]
    amount: Decimal


@dataclass(frozen=True, slots=True, kw_only=True)
class DraftItem:
    """One question. Fields that its kind does not use are empty.

    `name` is what the source calls it, `category` and `tags` how it files it. `shuffle` says whether the source mixes
    the options. `options` of an `order` item stand in the right order.
    """

    kind: DraftKind
    stem: str
    id: str = ""
    name: str = ""
    options: tuple[DraftOption, ...] = ()
    targets: tuple[DraftTarget, ...] = ()
    accept: tuple[DraftAnswer, ...] = ()
    match_case: bool = False
    value: Decimal | None = None
    tolerance: DraftTolerance | None = None
    unit: str = ""
    slips: tuple[DraftSlip, ...] = ()
    credit: DraftCredit = "exact"
    points: Decimal = Decimal(1)
    tries: int | None = None
    hints: tuple[str, ...] = ()
    explanation: str = ""
    source: str = ""
    set: str = ""
    section: str = ""
    category: str = ""
    tags: tuple[str, ...] = ()
    shuffle: bool = True
    place: Place = Place()

    @property
    def key(self) -> tuple[str, ...]:
        """The texts of the right options, in the source's order."""
        return tuple(option.text for option in self.options if option.correct)


@dataclass(frozen=True, slots=True, kw_only=True)
class DraftQuiz:
    """A quiz. `language` is a BCP 47 tag or empty; `files` are pictures by the name that texts give them."""

    items: tuple[DraftItem, ...]
    title: str = ""
    id: str = ""
    description: str = ""
    level: Level = "medium"
    language: str = ""
    files: Mapping[str, bytes] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Imported:
    """What a file held, and everything about it that was not carried, or means something else than it seems."""

    quizzes: tuple[DraftQuiz, ...]
    problems: tuple[Problem, ...] = ()


@dataclass(frozen=True, slots=True)
class Exported:
    """A file for another system, and what of the quiz it cannot hold."""

    data: bytes
    problems: tuple[Problem, ...] = ()
