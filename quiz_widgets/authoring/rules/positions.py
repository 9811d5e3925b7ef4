"""The rule about keys that always stand at the same place."""

from __future__ import annotations

from collections import Counter

from quiz_widgets.authoring.rules.base import warning
from quiz_widgets.authoring.rules.context import QuizContext

ITEMS = 4
POSITION = warning(
    "key-position",
    f"A quiz of {ITEMS} `single` items or more in which every key stands at the same place of the file.",
    "The page shuffles options, but previews, printed quizzes and exported files keep the author's order. In one "
    "published file the key was the last of five options in 52 of 52 questions.",
)
RULES = (POSITION,)


def check_quiz(context: QuizContext) -> None:
    """Report a quiz whose keys never move."""
    places = Counter(
        index
        for entry in context.items
        if entry.item.kind == "single" and len(entry.item.key) == 1
        for index, option in enumerate(entry.item.options)
        if option.correct
    )
    if len(places) == 1 and places.total() >= ITEMS:
        [place] = places
        message = f"the key is option {place + 1} in all {places.total()} items"
        context.report(POSITION, context.fields.key("items"), "items", message, "move some of them")
