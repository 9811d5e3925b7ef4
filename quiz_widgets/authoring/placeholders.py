"""Placeholders: ``{name}`` in a text stands for a number. Which there are, where, and which can never be filled."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from difflib import get_close_matches

from quiz_widgets.authoring.claims import NAME
from quiz_widgets.authoring.fields import Fields, listed, place_in
from quiz_widgets.authoring.tree import Mapping, Node, Scalar, Sequence

_BRACES = re.compile(r"\{([^{}]*)\}|[{}]")
_VERBATIM = re.compile(r"(`+).+?\1|\$\$.+?\$\$|\$[^$\s](?:[^$]*[^$\s])?\$", re.DOTALL)
_TEXTS = ("stem", "unit", "hints", "explanation", "slips")
RULE = "placeholder"


@dataclass(frozen=True, slots=True)
class Braces:
    """Braces in a text: what they hold (``None``: one brace alone), where, and whether in code or maths."""

    written: str
    name: str | None
    start: int
    verbatim: bool


def braces(text: str) -> Iterator[Braces]:
    """All braces of a text in order."""
    spans = [found.span() for found in _VERBATIM.finditer(text)]
    for found in _BRACES.finditer(text):
        verbatim = any(start <= found.start() < end for start, end in spans)
        name = found[1] if found[1] is not None and NAME.fullmatch(found[1]) else None
        yield Braces(found[0], name, found.start(), verbatim)


def names(text: str) -> list[str]:
    """The placeholders of a text, as often as they stand in it."""
    return [found.name for found in braces(text) if found.name is not None and not found.verbatim]


def texts(fields: Fields) -> Iterator[tuple[str, Scalar]]:
    """Path and text of everything in a number item that may show drawn numbers."""
    for name in _TEXTS:
        yield from _below(fields.at(name), fields.node.entries.get(name))


def _below(path: str, node: Node | None) -> Iterator[tuple[str, Scalar]]:
    if isinstance(node, Scalar):
        yield path, node
    elif isinstance(node, Sequence):
        for index, entry in enumerate(node.items):
            inner = entry.entries.get("rationale") if isinstance(entry, Mapping) else entry
            yield from _below(f"{path}[{index}]" + (".rationale" if isinstance(entry, Mapping) else ""), inner)


def check(fields: Fields, known: Collection[str]) -> None:
    """Report what a drawn item's texts hold in braces and no drawn number fills."""
    for path, node in texts(fields):
        for found in braces(node.text.strip("\n")):
            if found.verbatim and found.name in known:
                message = f"`{found.written}` inside code or maths shows no number"
                _report(fields, path, node, found, message, "say it outside of it, in words and numbers")
            elif not found.verbatim and found.name not in known:
                near = get_close_matches(found.name or "", list(known), n=3)
                allowed = f"did you mean {listed(near, 'or')}?" if near else f"known are {listed(sorted(known))}"
                _report(fields, path, node, found, f"`{found.written}` stands for no drawn number", allowed)


def check_undrawn(fields: Fields) -> None:
    """Report placeholders in a number item that draws nothing."""
    for path, node in texts(fields):
        for found in braces(node.text.strip("\n")):
            if found.name is not None and not found.verbatim:
                message = f"`{found.written}` stands for a drawn number, and nothing is drawn"
                _report(fields, path, node, found, message, "add `draw:`, or write the number")


def _report(fields: Fields, path: str, node: Scalar, found: Braces, message: str, hint: str) -> None:
    before = node.text.strip("\n")[: found.start]
    line, column = place_in(node, before.count("\n") + 1, found.start - before.rfind("\n"), fields.sink)
    fields.sink.add_at(line, column, path, RULE, message, hint)
