"""Rules about evidence: its name, its claims, its records, and whether anything proves the key at all."""

from __future__ import annotations

from difflib import get_close_matches

from quiz_widgets.authoring.claims import NAME
from quiz_widgets.authoring.fields import listed
from quiz_widgets.authoring.rules.base import Rule, error, warning
from quiz_widgets.authoring.rules.context import QuizContext

UNKNOWN = error(
    "unknown-evidence",
    "A name of evidence that nothing registers, although the course registers evidence.",
    "It is misspelt, or its function is gone: the key would stay unproved without a word. Modules named in the "
    "course's `pyproject.toml` are read, not run, so no package has to be installed for it.",
)
UNREGISTERED = Rule(
    "unregistered",
    "note",
    "A name of evidence that nothing registers, in a course that registers none.",
    "No result is shown until a demo computes it.",
)
RULES = (
    UNKNOWN,
    UNREGISTERED,
    error(
        "evidence", "A name of evidence that is none, or an `evidence_text` without evidence.", "Nothing could fill it."
    ),
    error("claim", "A claim that asserts nothing, or that no evidence could decide.", "It would prove nothing."),
    error(
        "record",
        "Recorded evidence that cannot be read, is missing, or was made by other code.",
        "Pages show these numbers.",
    ),
    error("modules", "Modules of evidence that cannot be read or imported.", "Their functions would be unknown."),
    warning(
        "proof",
        "An item with neither `evidence` nor `source`.",
        "A key that nothing proves is an opinion. Let code compute it, or cite where it can be read.",
    ),
)


def check_quiz(context: QuizContext) -> None:
    """Report names of evidence that nothing registers."""
    named = [(entry, entry.item.evidence) for entry in context.items if entry.item.evidence is not None]
    if not named:
        return
    registered = context.registered
    if registered.problems:
        context.problems += registered.problems
        return
    # A name that is known shows that the quiz means a register that is there.
    certain = registered.complete and (registered.modules or any(name in registered.names for _, name in named))
    for entry, name in named:
        # What is no name, and what cannot be drawn, is reported where it is read.
        if name in registered.names or not NAME.fullmatch(name or "") or entry.fields.has("draw"):
            continue
        near = get_close_matches(name or "", sorted(registered.names), n=3)
        rule = UNKNOWN if certain or near else UNREGISTERED
        hint = f"did you mean {listed(near, 'or')}?" if near else "register it, or correct the name"
        if rule is UNREGISTERED:
            hint = "no result is shown until a demo computes it"
        context.report(
            rule,
            entry.fields.place("evidence"),
            entry.fields.at("evidence"),
            f"the evidence `{name}` is not registered",
            hint,
        )
