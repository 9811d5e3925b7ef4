"""Items: from fields to `model.Item`, with the rules that make an item usable."""

from __future__ import annotations

from decimal import Decimal
from typing import cast

from quiz_widgets.authoring import accepted, claims, numbers, options, placeholders
from quiz_widgets.authoring.fields import NO_TEXT, Fields
from quiz_widgets.model import KINDS, Credit, Item, Kind, Text

_HEAD = ("id", "section", "set", "pool", "kind", "stem")
_TAIL = ("points", "tries", "hints", "explanation", "evidence", "evidence_text", "source", "exceptions")
FIELDS: dict[Kind, tuple[str, ...]] = {
    "single": (*_HEAD, "options", *_TAIL),
    "multiple": (*_HEAD, "credit", "options", *_TAIL),
    "number": (*_HEAD, "value", "tolerance", "unit", "slips", "draw", "digits", *_TAIL),
    "text": (*_HEAD, "accept", "match_case", *_TAIL),
    "order": (*_HEAD, "credit", "options", *_TAIL),
    "match": (*_HEAD, "credit", "options", "targets", *_TAIL),
}
OPTION_FIELDS = tuple(dict.fromkeys(name for names in options.FIELDS.values() for name in names))
MAX_TRIES = 10


def read(fields: Fields) -> Item:
    """The item that the fields describe; faults are reported, and stand-ins take the place of what is missing."""
    kind = cast("Kind", fields.one_of("kind", KINDS, "single"))
    fields.only(FIELDS[kind])
    fields.require("id", "stem")
    item_id = fields.id("id") or ""
    if fields.lacks("explanation"):
        message = "`explanation` is missing"
        hint = "say why the key is right"
        fields.sink.add(fields.node, fields.path, "explanation", message, hint)
    evidence, evidence_text = _evidence(fields)
    targets = options.targets(fields) if kind == "match" else ()
    number = numbers.read(fields) if kind == "number" else numbers.Number()
    return Item(
        id=item_id,
        kind=kind,
        stem=fields.text("stem") or NO_TEXT,
        section=fields.id("section"),
        set=fields.id("set"),
        options=options.read(fields, kind, targets) if "options" in FIELDS[kind] else (),
        credit=cast("Credit", fields.one_of("credit", ("exact", "partial"), "exact"))
        if "credit" in FIELDS[kind]
        else "exact",
        points=_points(fields),
        tries=_tries(fields),
        hints=fields.texts("hints"),
        explanation=fields.text("explanation"),
        evidence=evidence,
        evidence_text=evidence_text,
        source=_source(fields, evidence),
        value=number.value,
        tolerance=number.tolerance,
        unit=number.unit,
        slips=number.slips,
        draw=number.draw,
        variants=number.variants,
        accept=accepted.read(fields) if kind == "text" else (),
        match_case=kind == "text" and fields.truth("match_case"),
        targets=targets,
    )


def _points(fields: Fields) -> Decimal:
    points = fields.decimal("points") if fields.has("points") else Decimal(1)
    if points is None:
        return Decimal(1)
    if not 0 < points <= 1000 or points != round(points, 2):
        message = f"{points} points"
        fields.error("points", "points", message, "more than 0, at most 1000, and at most two decimals")
    return points


def _tries(fields: Fields) -> int:
    tries = fields.decimal("tries") if fields.has("tries") else Decimal(2)
    if tries is None:
        return 2
    if not 1 <= tries <= MAX_TRIES or tries != int(tries):
        fields.error("tries", "tries", f"{tries} tries", f"a whole number from 1 to {MAX_TRIES}")
        return 2
    return int(tries)


def _evidence(fields: Fields) -> tuple[str | None, Text | None]:
    name = fields.word("evidence")
    if name is not None and not claims.NAME.fullmatch(name):
        hint = "it is the name of a function: a-z, 0-9 and `_`"
        fields.error("evidence", "evidence", f"`{name}` is no name of evidence", hint)
    if fields.has("evidence_text") and not fields.has("evidence"):
        fields.error(
            "evidence_text", "evidence", "`evidence_text` without `evidence`", "name the evidence that fills it"
        )
    text = fields.text("evidence_text")
    if text is not None:
        _placeholders(fields, text)
    return name, text


def _placeholders(fields: Fields, text: Text) -> None:
    """Report braces outside code and maths that hold no fact's name."""
    for found in placeholders.braces(text.forms["en"].source):
        if found.name is None and not found.verbatim:
            message = f"`{found.written}` is no placeholder"
            fields.error("evidence_text", "placeholder", message, "write `{name_of_a_fact}`")


def _source(fields: Fields, evidence: str | None) -> Text | None:
    source = fields.text("source")
    if evidence is None and source is None and not fields.has("evidence"):
        message = "neither `evidence` nor `source`: nothing proves the key"
        hint = "name the evidence that computes it, or cite a `source`"
        fields.sink.add(fields.node, fields.path, "proof", message, hint)
    return source
