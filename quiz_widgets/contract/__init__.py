"""The state that kernel and page share, and the protocol of whoever keeps a learner's record.

This file owns the shapes; ``frontend/contract.js`` is written from it (``python -m quiz_widgets.contract``) and
compared in ``make check``. Keys are spelled the same on both sides. Who may write which part stands in `WRITERS`: a
link drops everything that the page has no right to write.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NotRequired, Protocol, TypedDict

from quiz_widgets.model import Quiz

CONTRACT = 2

Mode = Literal["practice", "graded"]
EventKind = Literal["submit", "hint", "reveal", "restart", "finish", "start"]

WRITERS: dict[str, Literal["kernel", "page"]] = {
    "quiz": "kernel",
    "practice": "kernel",
    "attempt": "kernel",
    "outcomes": "kernel",
    "measured": "kernel",
    "packs": "kernel",
    "view": "kernel",
    "desk": "kernel",
    "events": "page",
}


class LocalText(TypedDict):
    """A text whose language or direction differs from the payload's locale."""

    html: str
    lang: str
    dir: Literal["ltr", "rtl"]


# A plain string is HTML in the payload's own locale and direction: most texts are, and it saves a third of the bytes.
TextPayload = str | LocalText


class OptionPayload(TypedDict):
    """One option as it is shown. Never says whether it is right."""

    id: str
    text: TextPayload
    pin: NotRequired[Literal["first", "last"]]


class SectionPayload(TypedDict):
    """A place in a guide to which feedback links: the anchor is the id."""

    id: str
    title: TextPayload


class ItemPayload(TypedDict):
    """One item as it is shown. Never holds the key, the count of keys, or a rationale.

    `place` counts from 1 in the item's set, of which an attempt shows `of` items: a payload may carry only some. It is
    0 for an item of a `pool`, whose place is another one in each attempt. `dir` is the direction of a text item's
    field.
    """

    id: str
    place: int
    of: int
    kind: Literal["single", "multiple", "number", "text", "order", "match"]
    stem: TextPayload
    options: list[OptionPayload]
    points: float
    tries: int
    hints: int
    section: NotRequired[SectionPayload]
    set: NotRequired[str]
    pool: NotRequired[str]
    unit: NotRequired[TextPayload]
    variants: NotRequired[list[VariantPayload]]
    targets: NotRequired[list[TargetPayload]]
    dir: NotRequired[Literal["ltr", "rtl"]]


class TargetPayload(TypedDict):
    """What prompts of a match may belong to. Never says which do."""

    id: str
    text: TextPayload


class VariantPayload(TypedDict):
    """A drawn version of a number item: its index in the compiled file and the texts that stand for ``{name}``."""

    index: int
    numbers: dict[str, str]


class GuidePayload(TypedDict):
    """A guide that belongs to the quiz."""

    id: str
    title: TextPayload


class QuizPayload(TypedDict):
    """What may be shown to anybody: built from an allow-list, field by field.

    `pools` tells how many items of each pool an attempt shows; `confidence`, whether the page asks how sure one is.
    """

    contract: int
    id: str
    hash: str
    mode: Mode
    locale: str
    dir: Literal["ltr", "rtl"]
    title: TextPayload
    level: Literal["easy", "medium", "hard"]
    description: TextPayload
    guides: list[GuidePayload]
    items: list[ItemPayload]
    words: dict[str, str | dict[str, str]]
    pools: NotRequired[dict[str, int]]
    confidence: NotRequired[bool]


class TolerancePayload(TypedDict):
    """How far a number may be from the value; `amount` is a decimal text."""

    kind: Literal["absolute", "relative"]
    amount: str


class SlipPayload(TypedDict):
    """A known wrong number and its feedback; `value` is a decimal text."""

    id: str
    rationale: TextPayload
    value: NotRequired[str]


class AcceptPayload(TypedDict):
    """An accepted text: the texts between the stars of each alternative, normalised, by locale; `credit` is a share."""

    id: str
    credit: str
    patterns: dict[str, list[list[str]]]


class EvidencePayload(TypedDict):
    """The result that proves the key: `text` has ``{name}`` for facts, which were recorded on a day and machine.

    A page shows it with the recorded facts, or with those that its kernel has measured under `name`. `demo` names
    the demo whose cell has the anchor ``demo-NAME``.
    """

    text: TextPayload
    name: str
    facts: NotRequired[dict[str, str]]
    demo: NotRequired[str]
    date: NotRequired[str]
    machine: NotRequired[str]


class PracticeVariantPayload(TypedDict):
    """What a page needs to grade one drawn variant; values are decimal texts."""

    index: int
    value: str
    slips: dict[str, str]


class PracticeItemPayload(TypedDict):
    """What lets the page answer alone. Practice only.

    `rationales` are those of options, or of accepted texts; `example` is the accepted text to show as the right one.
    """

    key: list[str]
    credit: Literal["exact", "partial"]
    rationales: dict[str, TextPayload]
    hints: list[TextPayload]
    explanation: NotRequired[TextPayload]
    evidence: NotRequired[EvidencePayload]
    source: NotRequired[TextPayload]
    value: NotRequired[str]
    tolerance: NotRequired[TolerancePayload]
    slips: NotRequired[list[SlipPayload]]
    variants: NotRequired[list[PracticeVariantPayload]]
    accept: NotRequired[list[AcceptPayload]]
    match_case: NotRequired[bool]
    example: NotRequired[TextPayload]


class PracticePayload(TypedDict):
    """The practice part of every item, by item id."""

    items: dict[str, PracticeItemPayload]


class AttemptPayload(TypedDict):
    """One run of a learner through a quiz: `id` is 32 hex digits, `started` is milliseconds since 1970 UTC."""

    id: str
    started: int


class ViewPayload(TypedDict):
    """What one mount shows: the items in `items`, or the whole of `set` (``None``: the main set)."""

    items: NotRequired[list[str]]
    set: NotRequired[str]


class EventPayload(TypedDict):
    """One thing the learner did. Append-only; a submit's id is ``attempt/item/try``, so repeats collapse.

    `response` holds option ids; for an order all of them as they were put, for a match ``option:target``; one
    canonical decimal for a number, what was typed for a text; for `restart` it holds the new attempt's id. Other
    ids: ``attempt/item/hint/N``, ``attempt/item/reveal``, ``attempt/restart``, ``attempt/finish/N``. `seconds` is the
    time since the item was first shown; `at` is the page's clock in ms; `confidence` is 1 (not sure) to 3 (very sure).
    `round` counts how often an item was begun anew in practice, from 0; for a poll it is that of the vote.
    """

    id: str
    attempt: str
    kind: EventKind
    item: str
    round: int
    response: list[str]
    at: int
    seconds: NotRequired[float]
    confidence: NotRequired[int]
    variant: NotRequired[int]


class OutcomePayload(TypedDict):
    """What is on record for one event id: the event itself and, for a submit, what grading returned.

    `at` is the recorder's clock in ms. `score` is missing for events that are not submits, and for graded ones until
    the reveal. `verdict`: what the desk said of one that does not count, such as ``late``; ``waiting`` before its word.
    """

    event: EventPayload
    at: int
    score: NotRequired[float]
    max_score: NotRequired[float]
    verdict: NotRequired[str]


class VotesPayload(TypedDict):
    """One vote on an item of a poll: which, how many voted, and how many for each option, by id."""

    number: int
    voters: int
    counts: dict[str, int]


class PollPayload(TypedDict):
    """Where a poll stands: the item at hand and its vote, `round` (1, 2, …); `sequence` grows with each change.

    `rounds` holds the votes on each item that is revealed, and on no other.
    """

    sequence: int
    phase: Literal["waiting", "open", "closed", "revealed"]
    item: str | None
    round: int
    rounds: dict[str, list[VotesPayload]]


class DeskPayload(TypedDict):
    """What a page knows of the desk that grades. Times are the desk's, in ms.

    `phase` is ``away`` while no desk can be asked, and `trouble` then says why, in a word. `waiting` counts what is
    sent and not answered. `number` and `due` are the open attempt's, or the last one's. `scores` holds what each item
    earned, and could have, once that is revealed. `poll` is there for polls alone.
    """

    phase: Literal["away", "before", "open", "closed"]
    trouble: str
    who: str
    course: str
    zone: str
    now: int
    opens: int | None
    due: int | None
    closes: int | None
    time_limit: int | None
    left: int
    number: int
    finished: int | None
    excused: bool
    revealed: bool
    scores: dict[str, list[float]]
    waiting: int
    poll: NotRequired[PollPayload]


class Recorder(Protocol):
    """Keeps a learner's record of one quiz: the data folder, or a classroom's desk."""

    def attempt(self) -> AttemptPayload:
        """The open attempt; made when there is none."""

    def outcomes(self) -> dict[str, OutcomePayload]:
        """Everything on record for the open attempt, by event id."""

    def record(self, events: Sequence[EventPayload]) -> dict[str, OutcomePayload]:
        """Keep events that are not kept yet, and return what is on record for all of them once it is safe.

        A ``restart`` event opens the attempt whose id it carries.
        """


class GradedRecorder(Recorder, Protocol):
    """The recorder of a graded quiz: it also knows what the desk lets its learner see."""

    @property
    def title(self) -> str:
        """The quiz's title; its name while no desk told it."""

    def desk(self) -> DeskPayload:
        """What the page may know of the desk now."""

    def quiz(self) -> tuple[Quiz | None, frozenset[str]]:
        """The quiz as the open attempt, or the last one, shows it, and the ids of the items whose keys are revealed.

        The same object as long as nothing changed; `None` before an attempt is opened.
        """
