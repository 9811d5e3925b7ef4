"""What an export loses: the same sentences for every format, by what the format says that it holds."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from collections.abc import Set as AbstractSet
from typing import Literal

from quiz_widgets.formats.base import Notices
from quiz_widgets.formats.draft import DraftItem, DraftKind, DraftQuiz

Part = Literal[
    "rationale", "explanation", "hints", "tries", "points", "pins", "credit", "shares", "unit", "tolerance", "slips",
    "source", "section", "set", "language", "title", "description", "match_case", "patterns", "ids", "markup",
]  # fmt: skip
"""Parts of a quiz that a format holds or not."""


def _rationales(item: DraftItem) -> list[str]:
    texts = [*(option.rationale for option in item.options), *(answer.rationale for answer in item.accept)]
    return [text for text in texts if text]


_PARTS: tuple[tuple[Part, Callable[[DraftItem], bool], str], ...] = (
    ("rationale", lambda item: bool(_rationales(item)), "the rationales"),
    ("explanation", lambda item: bool(item.explanation), "the explanation"),
    ("hints", lambda item: bool(item.hints), "the hints"),
    ("tries", lambda item: item.tries is not None, "the number of tries"),
    ("points", lambda item: item.points != 1, "the points"),
    ("pins", lambda item: any(option.pin for option in item.options), "pins: which options do not move"),
    ("credit", lambda item: item.credit == "partial", "partial credit: all or nothing there"),
    ("shares", lambda item: any(0 < answer.credit < 1 for answer in item.accept), "shares of the points of answers"),
    ("unit", lambda item: bool(item.unit), "the unit"),
    ("tolerance", lambda item: item.tolerance is not None and bool(item.tolerance.amount), "the tolerance"),
    ("slips", lambda item: bool(item.slips), "known wrong numbers and their feedback"),
    ("source", lambda item: bool(item.source), "the source"),
    ("section", lambda item: bool(item.section), "the section of the guide"),
    ("set", lambda item: bool(item.set), "the set"),
    ("match_case", lambda item: item.match_case, "that capital letters count"),
)


def check(quiz: DraftQuiz, *, kinds: AbstractSet[DraftKind], holds: AbstractSet[Part]) -> tuple[DraftQuiz, Notices]:
    """The quiz with those items that the format can hold, and what is lost of it."""
    notices = Notices(quiz.id)
    kept: list[DraftItem] = []
    for item in quiz.items:
        if item.kind not in kinds:
            message = f"the question is left out: the format has no kind `{item.kind}`"
            notices.add(0, item.id, "kind", message, "another format may have it", severity="error")
            continue
        kept.append(item)
        lost = [words for part, there, words in _PARTS if part not in holds and there(item)]
        if lost:
            severity: Literal["note", "warning"] = "note" if lost == ["the number of tries"] else "warning"
            notices.add(0, item.id, "lost", f"not exported: {'; '.join(lost)}", severity=severity)
    for part, there, words in (
        ("title", bool(quiz.title), "the title"),
        ("description", bool(quiz.description), "the description"),
        ("language", bool(quiz.language), f"the language (`{quiz.language}`)"),
    ):
        if there and part not in holds:
            notices.add(0, "", "lost", f"not exported: {words}", severity="note")
    return dataclasses.replace(quiz, items=tuple(kept)), notices
