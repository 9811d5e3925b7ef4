"""Drafts with an id for every part, for formats that name options: their own where they have one, else of the text."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import TypeVar

from quiz_widgets.formats import ids
from quiz_widgets.formats.draft import DraftAnswer, DraftItem, DraftOption, DraftQuiz, DraftSlip

_Part = TypeVar("_Part", DraftItem, DraftOption, DraftAnswer, DraftSlip)


def quiz(draft: DraftQuiz) -> DraftQuiz:
    """The quiz with ids for its items and all their parts."""
    items = _named(draft.items, [item.stem for item in draft.items], "question")
    return dataclasses.replace(draft, items=tuple(_item(item) for item in items))


def _item(item: DraftItem) -> DraftItem:
    return dataclasses.replace(
        item,
        options=_named(item.options, [option.text for option in item.options], "option"),
        accept=_named(item.accept, [answer.text for answer in item.accept], "answer"),
        slips=_named(item.slips, [str(slip.value) for slip in item.slips], "slip"),
    )


def _named(parts: Sequence[_Part], texts: Sequence[str], prefix: str) -> tuple[_Part, ...]:
    made = ids.unique(texts, [part.id for part in parts], prefix)
    taken = {part.id for part in parts if part.id}
    found: list[_Part] = []
    for part, name in zip(parts, made, strict=True):
        if part.id:
            found.append(part)
            continue
        free, number = name, 2
        while free in taken:
            free, number = f"{name}-{number}", number + 1
        taken.add(free)
        found.append(dataclasses.replace(part, id=free))
    return tuple(found)
