"""Rules about evidence: its name, its claims, its records, and whether anything proves the key at all."""

from __future__ import annotations

from difflib import get_close_matches

from quiz_widgets.authoring.claims import NAME
from quiz_widgets.authoring.fields import listed
from quiz_widgets.authoring.rules.base import Rule, error, warning
from quiz_widgets.authoring.rules.context import ItemContext, QuizContext
from quiz_widgets.authoring.rules.numbers import DRAW

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
UNDRAWN = error(
    "undrawn",
    "Drawn numbers that a course's own code computes, where that code was not run.",
    "Reading a quiz runs nobody's code, so such a quiz cannot be shown yet. Run the code if you trust it: "
    "`check`, `preview` and `export` do with `--evidence`, and so do `build` and `load_quiz(…, evidence=True)`. A "
    "plain `check` tells it as a note.",
)
RULES = (
    UNKNOWN,
    UNREGISTERED,
    UNDRAWN,
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
        if not NAME.fullmatch(name or ""):
            continue  # reported where it is read
        if entry.fields.has("draw"):
            _drawn(context, entry, name or "")
            continue
        if name in registered.names:
            continue
        near = get_close_matches(name or "", sorted(registered.names), n=3)
        rule = UNKNOWN if certain or (near and registered.complete) else UNREGISTERED
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


def _drawn(context: QuizContext, entry: ItemContext, name: str) -> None:
    """Report drawn numbers whose evidence has not been imported, or is not there."""
    registered = context.registered
    inside = f"{entry.fields.path}."
    faulty = any(one.severity == "error" and one.path.startswith(inside) for one in entry.fields.sink.problems)
    if name in registered.imported or faulty:  # with other faults about, nothing is drawn anyway
        return
    place, path = entry.fields.place("evidence"), entry.fields.at("evidence")
    if name in registered.names or not registered.complete:
        message = f"nothing is drawn: the course's own code computes `{name}`, and was not run"
        context.report(UNDRAWN, place, path, message, "run it with --evidence, build, or load_quiz(…, evidence=True)")
    else:
        message = f"nothing is drawn: the evidence `{name}` is not registered"
        context.report(DRAW, place, path, message, "register it")
