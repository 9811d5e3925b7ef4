"""Tabs in the indentation of YAML: spaces take their place where it makes no difference how many."""

from __future__ import annotations

import re
from typing import Any

from quiz_widgets.authoring import tree
from quiz_widgets.authoring.tree import Node, Scalar, Sequence

_INDENT = re.compile(r"(?m)^[ \t]*\t[ \t]*(?=[^\s])")
_WIDTHS = (2, 4, 8)


def spaced(data: bytes) -> tuple[bytes | None, int]:
    """The file with spaces for tabs, and in how many lines.

    `None` where different widths of tabs give different files, or where a tab is text.
    """
    text = data.decode("utf-8")
    tabbed = {text.count("\n", 0, found.start()) + 1 for found in _INDENT.finditer(text)}
    made: dict[int, Node] = {}
    for width in _WIDTHS:
        spaces = " " * width
        mended = _INDENT.sub(lambda found, by=spaces: found[0].replace("\t", by), text)  # type: ignore[misc]
        root = tree.read(mended.encode(), "").root
        if root is not None:
            made[width] = root
    if not made or len({repr(_shape(root)) for root in made.values()}) != 1:
        return None, 0
    width, root = next(iter(made.items()))
    if any(line in tabbed for line in _texts(root)):
        return None, 0
    return _INDENT.sub(lambda found: found[0].replace("\t", " " * width), text).encode(), len(tabbed)


def _shape(node: Node) -> Any:
    """What a tree says, without its places."""
    if isinstance(node, Scalar):
        return node.text
    if isinstance(node, Sequence):
        return [_shape(entry) for entry in node.items]
    return {name: _shape(entry) for name, entry in node.entries.items()}


def _texts(node: Node) -> set[int]:
    """The lines inside of texts of several lines, whose white space may be meant."""
    if isinstance(node, Scalar):
        return set(range(node.line + 1, node.end_line)) if node.style in ("literal", "folded") else set()
    entries = node.items if isinstance(node, Sequence) else node.entries.values()
    return set().union(*(_texts(entry) for entry in entries))
