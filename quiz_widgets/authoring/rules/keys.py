"""Rules about the key: there is one, it can be reached, and every option can be told from the others."""

from __future__ import annotations

from quiz_widgets.authoring.rules.base import error, warning
from quiz_widgets.authoring.rules.context import QuizContext

ALL_RIGHT = warning(
    "all-right",
    "A `multiple` item all of whose options are right.",
    "There is nothing to find out: whoever ticks everything, without reading, is right.",
)
RULES = (
    error(
        "key",
        "A question without a right answer, or a `single` with two.",
        "Nobody could answer it, or two learners with different right answers would not both be told so.",
    ),
    error("options", "Fewer than two options.", "There is nothing to choose from."),
    error("option-twice", "Two options with one id.", "An answer could mean either of them."),
    error("same-text", "Two options that read the same.", "Learners cannot tell the right one from the wrong one."),
    error("targets", "Fewer than two targets of a `match`.", "There is nothing to choose from."),
    error("target-twice", "Two targets with one id.", "An answer could mean either of them."),
    error("match", "A prompt of a `match` that belongs to no target.", "Nobody could answer it."),
    error("accept-twice", "Two accepted texts with one id.", "Records could mean either of them."),
    error(
        "pattern",
        "An accepted text that is empty, cut or too long, or that an earlier one takes.",
        "Nothing that a learner types would ever get to it.",
    ),
    error("share", "A `credit` of an accepted text that is no share of the points.", "It goes from 0 % to 100 %."),
    ALL_RIGHT,
)


def check_quiz(context: QuizContext) -> None:
    """Report `multiple` items in which everything is right."""
    for entry in context.items:
        options = entry.item.options
        if entry.item.kind == "multiple" and len(options) > 1 and all(option.correct for option in options):
            place, path = entry.fields.key("options"), entry.fields.at("options")
            context.report(
                ALL_RIGHT, place, path, "every option is right", "add a distractor that a misconception chooses"
            )
