"""The options of an item: alternatives, the parts of an order, or prompts with the targets that they belong to."""

from __future__ import annotations

import unicodedata
from collections.abc import Collection
from difflib import get_close_matches
from typing import cast

from quiz_widgets.authoring import claims
from quiz_widgets.authoring.fields import NO_TEXT, Fields, listed
from quiz_widgets.authoring.tree import Node
from quiz_widgets.model import Kind, Option, Pin, Target, Text

FIELDS: dict[Kind, tuple[str, ...]] = {
    "single": ("id", "text", "correct", "rationale", "claim", "pin"),
    "multiple": ("id", "text", "correct", "rationale", "claim", "pin"),
    "order": ("id", "text", "rationale", "claim"),
    "match": ("id", "text", "match", "rationale", "claim", "pin"),
}
TARGET_FIELDS = ("id", "text")
_RATIONALE = {
    "order": "say why it belongs where it stands, or what it means to put it elsewhere",
    "match": "say why it belongs to its target, or which mistake leads elsewhere",
}


def read(fields: Fields, kind: Kind, targets: Collection[Target] = ()) -> tuple[Option, ...]:
    """The options of an item of that kind; faults are reported."""
    fields.require("options")
    options: list[Option] = []
    ids: dict[str, int] = {}
    texts: dict[str, str] = {}
    for option_fields in fields.mappings("options"):
        option = _option(option_fields, kind, claimable=fields.has("evidence"))
        _unique(option_fields, option, ids, texts)
        if kind == "match":
            _matched(option_fields, option, [target.id for target in targets])
        options.append(option)
    if fields.items("options"):
        _count(fields, kind, options)
    return tuple(options)


def targets(fields: Fields) -> tuple[Target, ...]:
    """What the prompts of a `match` may belong to; faults are reported."""
    fields.require("targets")
    found: list[Target] = []
    ids: dict[str, int] = {}
    texts: dict[str, str] = {}
    for target_fields in fields.mappings("targets"):
        target_fields.only(TARGET_FIELDS)
        target_fields.require(*TARGET_FIELDS)
        target = Target(target_fields.id("id") or "", target_fields.text("text") or NO_TEXT)
        _unique(target_fields, target, ids, texts)
        found.append(target)
    if len(found) == 1:
        message = "1 target is nothing to choose from"
        fields.sink.add(fields.key("targets"), fields.at("targets"), "targets", message, "write two or more")
    return tuple(found)


def normalised(text: Text) -> str:
    """What a reader sees of a text: composed letters, single spaces."""
    return unicodedata.normalize("NFC", " ".join(text.forms[text.source_locale].plain.split()))


def _option(fields: Fields, kind: Kind, *, claimable: bool) -> Option:
    fields.only(FIELDS[kind])
    fields.require("id", "text")
    if fields.lacks("rationale"):
        hint = _RATIONALE.get(kind, "say why the option is right, or which mistake leads to it")
        fields.sink.add(fields.node, fields.path, "rationale", "`rationale` is missing", hint)
    claimed(fields, claimable=claimable)
    pin = fields.one_of("pin", ("first", "last"), "") if "pin" in FIELDS[kind] and fields.has("pin") else ""
    return Option(
        id=fields.id("id") or "",
        text=fields.text("text") or NO_TEXT,
        correct=fields.truth("correct") if "correct" in FIELDS[kind] else False,
        rationale=fields.text("rationale"),
        claims=claims.read(fields),
        pin=cast("Pin", pin) if pin else None,
        match=fields.id("match") if "match" in FIELDS[kind] else None,
    )


def claimed(fields: Fields, *, claimable: bool) -> None:
    """Report a claim that nothing could prove."""
    if fields.has("claim") and not claimable:
        hint = "name the item's `evidence`, or remove the claim"
        fields.error("claim", "claim", "a claim, but the item has no `evidence` that could prove it", hint)


def _unique(fields: Fields, entry: Option | Target, ids: dict[str, int], texts: dict[str, str]) -> None:
    """Report an id or a text that an earlier entry has."""
    name = "target" if isinstance(entry, Target) else "option"
    if entry.id and entry.id in ids:
        message = f"`{entry.id}` is the id of the {name} on line {ids[entry.id]} too"
        fields.error("id", f"{name}-twice", message, "rename one")
    ids.setdefault(entry.id, fields.place("id").line)
    text = normalised(entry.text)
    if text and text in texts:
        fields.error("text", "same-text", f"the {name} `{texts[text]}` has the same text", "say it differently")
    texts.setdefault(text, entry.id)


def _matched(fields: Fields, option: Option, known: list[str]) -> None:
    """Report a prompt that belongs to no target."""
    if fields.lacks("match"):
        hint = "name the target that belongs to it"
        fields.sink.add(fields.node, fields.path, "match", "`match` is missing: nobody could answer", hint)
    elif option.match is not None and known and option.match not in known:
        near = get_close_matches(option.match, known, n=3)
        hint = f"did you mean {listed(near, 'or')}?" if near else f"the targets are {listed(known)}"
        fields.error("match", "match", f"unknown target `{option.match}`", hint)


def _count(fields: Fields, kind: Kind, options: list[Option]) -> None:
    place: Node = fields.key("options")
    if len(options) < 2:
        message = f"{len(options)} option is nothing to {kind if kind in ('order', 'match') else 'choose from'}"
        fields.sink.add(place, fields.at("options"), "options", message, "write two or more")
    if kind in ("order", "match"):
        return
    keys = [option.id for option in options if option.correct]
    if kind == "single" and len(keys) > 1:
        hint = "leave `correct: true` at one of them, or write `kind: multiple`"
        fields.sink.add(place, fields.at("options"), "key", f"{len(keys)} right options: {listed(keys)}", hint)
    elif not keys:
        hint = "mark the key with `correct: true`"
        fields.sink.add(place, fields.at("options"), "key", "no option is right: nobody could answer", hint)
