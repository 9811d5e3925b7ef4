"""Rules about number items: value, tolerance, known slips, drawn numbers and their placeholders."""

from quiz_widgets.authoring.rules.base import error

DRAW = error(
    "draw",
    "Numbers that cannot be drawn: no evidence, wrong parameters, or none left.",
    "They are computed when the quiz is compiled, so that what is shown is what is graded.",
)
RULES = (
    error("value", "A number item without a value, or with one beside `draw`.", "Nobody could answer it."),
    error(
        "tolerance",
        "A tolerance that does not say whether it is absolute or relative, or that is out of range.",
        "0.01 may mean a hundredth of the unit, or one per cent of the value.",
    ),
    error(
        "slip",
        "A slip that counts as right, has no value, or is there twice.",
        "A learner who made the mistake would be told that it is right.",
    ),
    error("digits", "`digits` without `draw`, or not from 1 to 12.", "It says how computed numbers are rounded."),
    DRAW,
    error(
        "placeholder",
        "Braces that stand for no number, or placeholders that a translation drops.",
        "Readers would see the braces.",
    ),
)
