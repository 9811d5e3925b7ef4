"""What a notebook sees of the items of a quiz."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from quiz_widgets import model


@dataclass(frozen=True, slots=True)
class Option:
    """One alternative: its text as the author wrote it, whether it is right and why, and what it asserts.

    `claim` maps a fact of the item's evidence to what the option says of it: a value, or ``{"at_least": value}``
    and the like.
    """

    id: str
    text: str
    correct: bool
    rationale: str | None
    claim: Mapping[str, Any] | None


@dataclass(frozen=True, slots=True)
class Item:
    """One question: texts as the author wrote them (Markdown), in the quiz's locale.

    `evidence` names the demo whose result proves the key; `source` cites where nothing can be computed.
    """

    id: str
    kind: model.Kind
    stem: str
    options: tuple[Option, ...]
    explanation: str | None
    evidence: str | None
    source: str | None


def item_of(item: model.Item, locale: str) -> Item:
    """What a notebook sees of an item."""

    def optional(text: model.Text | None) -> str | None:
        return None if text is None else text.rendered(locale).source

    return Item(
        id=item.id,
        kind=item.kind,
        stem=item.stem.rendered(locale).source,
        options=tuple(
            Option(
                id=option.id,
                text=option.text.rendered(locale).source,
                correct=option.correct,
                rationale=optional(option.rationale),
                claim=_claim(option.claims),
            )
            for option in item.options
        ),
        explanation=optional(item.explanation),
        evidence=item.evidence,
        source=optional(item.source),
    )


def _claim(claims: Iterable[model.Claim]) -> dict[str, Any] | None:
    written: dict[str, Any] = {}
    for claim in claims:
        plain = claim.operator in ("equals", "is") and claim.within == 1e-9
        written[claim.fact] = claim.operand if plain else {claim.operator: claim.operand}
        if claim.within != 1e-9:
            written[claim.fact]["within"] = claim.within
    return written or None
