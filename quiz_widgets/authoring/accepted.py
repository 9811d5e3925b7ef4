"""The key of text items: accepted texts in order, each a pattern with its credit; known mistakes stand among them."""

from __future__ import annotations

import re
from decimal import Decimal

from quiz_widgets.authoring import claims
from quiz_widgets.authoring.fields import NO_TEXT, Fields, Sink
from quiz_widgets.authoring.options import claimed
from quiz_widgets.authoring.tree import Scalar
from quiz_widgets.grading import accepted
from quiz_widgets.locales import patterns, typed
from quiz_widgets.model import Accept, Item, Rendered, Response, Text

FIELDS = ("id", "text", "credit", "rationale", "claim")
PERCENT = re.compile(r"([0-9]{1,3}(?:\.[0-9]{1,6})?) ?%")


def read(fields: Fields) -> tuple[Accept, ...]:
    """The accepted texts of an item; faults are reported."""
    fields.require("accept")
    found: list[Accept] = []
    match_case = fields.has("match_case") and getattr(fields.place("match_case"), "text", "") == "true"
    for entry in fields.mappings("accept"):
        one = _accept(entry, claimable=fields.has("evidence"))
        if any(one.id and earlier.id == one.id for earlier in found):
            entry.error("id", "accept-twice", f"another accepted text is called `{one.id}`", "rename one")
        _reached(entry, one, found, match_case=match_case)
        found.append(one)
    if found and not any(one.credit == 1 for one in found):
        place = fields.key("accept")
        hint = "leave `credit` out at the right one"
        fields.sink.add(place, fields.at("accept"), "key", "no accepted text earns all points", hint)
    return tuple(found)


def pattern(node: Scalar, path: str, sink: Sink) -> Rendered:
    """A pattern as it is written, without markup; empty, and reported, when it cannot be used."""
    text = node.text.strip()
    fault = hint = ""
    if not text:
        fault, hint = "the pattern is empty", "write the text to accept"
    elif node.comment:
        fault, hint = "the pattern is cut at ` #`: what follows is a YAML comment", "put the pattern in single quotes"
    elif len(text) > typed.MAX_LENGTH:
        fault, hint = f"the pattern has {len(text)} characters", f"at most {typed.MAX_LENGTH}: accept a phrase"
    elif patterns.lacks_text(text):
        fault, hint = "an alternative is empty", r"write something on both sides of `|`; the sign itself is `\|`"
    if fault:
        sink.add(node, path, "pattern", fault, hint)
        text = ""
    return Rendered(text, text, text, text)


def _accept(fields: Fields, *, claimable: bool) -> Accept:
    fields.only(FIELDS)
    fields.require("id", "text")
    claimed(fields, claimable=claimable)
    node = fields.scalar("text")
    credit = _credit(fields)
    if credit < 1 and fields.lacks("rationale"):
        hint = "say what is wrong or missing in it"
        fields.sink.add(fields.node, fields.path, "rationale", "`rationale` is missing", hint)
    return Accept(
        id=fields.id("id") or "",
        text=Text({"en": pattern(node, fields.at("text"), fields.sink)}) if node is not None else NO_TEXT,
        credit=credit,
        rationale=fields.text("rationale"),
        claims=claims.read(fields),
    )


def _credit(fields: Fields) -> Decimal:
    """A share from 0 to 1, or per cent; all of it where there is no `credit`."""
    word = fields.word("credit")
    if word is None:
        return Decimal(1)
    percent = PERCENT.fullmatch(word)
    share = Decimal(percent[1]) / 100 if percent else fields.decimal("credit", "write `50%` or `0.5`")
    if share is None:
        return Decimal(1)
    if not 0 <= share <= 1:
        fields.error("credit", "share", f"a credit of {word}", "from `0%` to `100%`, or from 0 to 1")
        return Decimal(1)
    return share


def _reached(fields: Fields, one: Accept, earlier: list[Accept], *, match_case: bool) -> None:
    """Report alternatives that an earlier accepted text takes: nobody would ever get to them."""
    before = Item(id="", kind="text", stem=NO_TEXT, accept=tuple(earlier), match_case=match_case)
    for phrase in patterns.phrases(one.text.forms["en"].source):
        taken = accepted(before, Response((phrase.strip(),)))
        if taken is not None:
            message = f"`{phrase.strip()}` is never reached: `{taken.id}` above accepts it, and the first decides"
            fields.error("text", "pattern", message, "move it up, or narrow the one above")
