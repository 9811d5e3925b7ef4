"""Rules about sections: every question belongs to one, and every section has a question. Only with guides."""

from __future__ import annotations

from quiz_widgets.authoring.guides import Section
from quiz_widgets.authoring.rules.base import error, warning
from quiz_widgets.authoring.rules.context import QuizContext
from quiz_widgets.problems import Problem

NO_SECTION = warning(
    "no-section",
    "An item without a `section`, in a quiz that names guides.",
    "Feedback could not lead back to where it is explained.",
)
EMPTY = warning(
    "empty-section",
    "A section of the quiz's own guide to which no item belongs and in which no quiz stands.",
    "Readers could not find out whether they have understood it. A heading without an anchor is no section.",
)
RULES = (
    error("section", "A `section` that no guide of the quiz has.", "Feedback would link nowhere."),
    NO_SECTION,
    EMPTY,
)


def check_quiz(context: QuizContext) -> None:
    """Report items without a section, and sections without an item."""
    if not context.documents:
        return
    for entry in context.items:
        if entry.fields.lacks("section"):
            hint = "name the section of the guide that explains it"
            context.report(NO_SECTION, entry.fields.node, entry.fields.path, "`section` is missing", hint)
    used = {entry.item.section for entry in context.items}
    guide = context.documents.get(context.quiz.id)
    if guide is None:
        return
    used |= {place.section for place in guide.quiz_places}
    for block in guide.blocks:
        if isinstance(block, Section) and block.id not in used:
            message = f"no question belongs to the section `{block.id}`"
            hint = "add one, or remove the anchor"
            place = (guide.file, block.line, 1, "")
            context.problems.append(Problem(*place, message, hint, EMPTY.severity, EMPTY.id))
