"""Problems that only follow from others: they would hide the one mistake that was made."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from quiz_widgets.authoring.rules import OF_TEXTS
from quiz_widgets.problems import Problem

_COMPARED = frozenset({"number", "code", "maths", "placeholder"})  # of a translation with its source
_ITEM = re.compile(r"items\[\d+\]")
_DRAWING = re.compile(r"\.(?:draw|value)\b")
_MOVED = re.compile(r"`[^`]*` belongs to the section (`[^`]*`)")
_UNPLACED = re.compile(r"the item (`[^`]*`) is never placed")


def left_out(problems: Iterable[Problem], ids: Sequence[str] = ()) -> list[Problem]:
    """The problems without those that vanish when another one is mended; `ids` are those of the items, in order."""
    known = list(problems)
    # TeX that YAML spoilt is no TeX any more.
    spoilt = {(one.file, one.line) for one in known if one.rule == "tex-escape"}
    # An option that is meant to be right, but says so in another way.
    meant = {_item(one) for one in known if _means_right(one)}
    # A text that YAML took for an anchor or a tag is gone.
    taken = {(one.file, one.line, one.column) for one in known if one.rule in ("tag", "anchor")}
    unknown = {one.message for one in known if one.rule == "section"}
    # A place that names the item, but misspells it.
    misspelt = " ".join(one.message for one in known if one.rule == "guide-place" and "did you mean" in one.message)
    # A dollar or a fence too many makes other formulas, code and numbers of a text than its translations have.
    faulty = {_item(one) for one in known if one.rule in OF_TEXTS and one.severity == "error"}
    broken = tuple(f"items.{item_id}." for at, item_id in enumerate(ids) if f"items[{at}]" in faulty)
    # Numbers that cannot be drawn as they are written need no evidence yet.
    undrawn = {_item(one) for one in known if one.severity == "error" and _DRAWING.search(one.path)}
    # Of two items with one id nobody knows which one a place means.
    mixed = any(one.rule == "item-twice" for one in known)

    def follows(one: Problem) -> bool:
        if one.rule in OF_TEXTS:
            return (one.file, one.line) in spoilt
        if one.rule in _COMPARED and one.path.startswith(broken):
            return True
        if one.rule == "empty":
            return (one.file, one.line, one.column) in taken
        if one.rule == "draw" and one.path.endswith(".evidence"):
            return _item(one) in undrawn
        if one.rule == "key":
            return _item(one) in meant
        if one.rule == "guide-place":
            moved, unplaced = _MOVED.match(one.message), _UNPLACED.match(one.message)
            there = unplaced is not None and unplaced[1] in misspelt
            return mixed or there or (moved is not None and f"unknown section {moved[1]}" in unknown)
        return False

    return [one for one in known if not follows(one)]


def _item(problem: Problem) -> str:
    found = _ITEM.match(problem.path)
    return found[0] if found else ""


def _means_right(problem: Problem) -> bool:
    if problem.rule == "truth":
        return problem.path.endswith(".correct")
    return problem.rule == "unknown-field" and ".options[" in problem.path and "`correct`" in problem.hint
