"""The rule about how many options a `single` item has."""

from __future__ import annotations

from quiz_widgets.authoring.rules.base import Rule
from quiz_widgets.authoring.rules.context import QuizContext

FEWEST, MOST = 3, 5
OPTION_COUNT = Rule(
    "option-count",
    "note",
    "A `single` item with two options, or with more than five.",
    "Of two options a guess finds the right one every second time. Of more than five some are hardly ever chosen: in "
    "one count only half of 1,542 distractors were (Tarrant et al., 2009). Three or four good ones test as well.",
)
RULES = (OPTION_COUNT,)


def check_quiz(context: QuizContext) -> None:
    """Report items with too few options to be worth a guess, or too many to be read."""
    for entry in context.items:
        count = len(entry.item.options)
        if entry.item.kind == "single" and count > 1 and not FEWEST <= count <= MOST:
            message = f"{count} options"
            hint = "a third one makes guessing harder" if count < FEWEST else "keep those that a misconception chooses"
            context.report(OPTION_COUNT, entry.fields.key("options"), entry.fields.at("options"), message, hint)
