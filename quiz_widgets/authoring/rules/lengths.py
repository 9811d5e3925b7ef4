"""Rules about keys that give themselves away by their length."""

from __future__ import annotations

from quiz_widgets.authoring.rules.base import warning
from quiz_widgets.authoring.rules.context import ItemContext, QuizContext

MARGIN = 1.25
LETTERS = 10
ITEMS = 4
LONGEST = warning(
    "longest-key",
    f"A key that has at least {round(100 * (MARGIN - 1))}% and {LETTERS} letters more than every other option of its "
    "`single` item. Letters are those that a reader sees: no markup, code and TeX as they are written.",
    "Who knows nothing chooses the longest option, because only the truth needs qualifications.",
)
OFTEN = warning(
    "longest-keys",
    f"A quiz of {ITEMS} `single` items or more in whose greater half the key is the longest option, by however little.",
    "Learners notice after a few questions. In a published book it was so in 25 of 102 questions, no more than chance "
    "makes it.",
)
RULES = (LONGEST, OFTEN)


def check_quiz(context: QuizContext) -> None:
    """Report items, and the quiz, whose keys are longer than chance has it."""
    measured = [
        (entry, *lengths)
        for entry in context.items
        if entry.item.kind == "single" and (lengths := _lengths(entry)) is not None
    ]
    for entry, key, other in measured:
        if key >= other * MARGIN and key - other >= LETTERS:
            option = next(fields for option, fields in entry.options() if option.correct)
            message = f"the key has {key} letters, the longest other option {other}"
            context.report(
                LONGEST, option.place("text"), option.at("text"), message, "shorten it, or say more elsewhere"
            )
    longest = sum(key > other for _, key, other in measured)
    if len(measured) >= ITEMS and 2 * longest > len(measured):
        message = f"the key is the longest option in {longest} of {len(measured)} items"
        context.report(OFTEN, context.fields.key("items"), "items", message, "lengthen other options, or shorten keys")


def _lengths(entry: ItemContext) -> tuple[int, int] | None:
    """Letters of the key and of the longest other option."""
    plain = [(option.correct, len(option.text.forms[option.text.source_locale].plain)) for option in entry.item.options]
    keys, others = [size for right, size in plain if right], [size for right, size in plain if not right]
    return (keys[0], max(others)) if len(keys) == 1 and others else None
