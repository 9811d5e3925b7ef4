"""YAML as a tree of spans: where in the text each node stands, so that one can be exchanged and nothing else is."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

BREAK = re.compile("\r\n|\r|\n")
_BLANK_TAIL = re.compile("(?:(?:\r\n|\r|\n)[ \t]*)+\\Z")
Path = tuple[str | int, ...]
Value = str | list["Value"] | dict[str, "Value"]


class SpliceError(ValueError):
    """A text that cannot be edited, or an edit that would change more than it should."""


@dataclass(frozen=True, slots=True)
class Leaf:
    """A text: its span, what it reads as, and how it is written (``""``: plain, or ``'``, ``"``, ``|``, ``>``)."""

    start: int
    end: int
    text: str
    style: str


@dataclass(frozen=True, slots=True)
class List:
    """A list. `column` is that of its dashes, from 0; `dashes` holds their offsets, or nothing within brackets."""

    start: int
    end: int
    flow: bool
    column: int
    items: tuple[Node, ...]
    dashes: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Fields:
    """A mapping. `column` is that of its names, from 0."""

    start: int
    end: int
    flow: bool
    column: int
    keys: dict[str, Leaf]
    values: dict[str, Node]


Node = Leaf | List | Fields


def read(text: str) -> Node:
    """The tree of a text without byte order mark; its line ends may be of any sort.

    `SpliceError` where it is no YAML, or holds what an edit could spoil: anchors, tags, a name twice, two documents.
    """
    import yaml

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    stack: list[tuple[Any, list[Node]]] = [(None, [])]
    try:
        for event in yaml.parse(text, Loader=loader):
            kind = type(event).__name__
            if kind == "AliasEvent" or getattr(event, "anchor", None) or getattr(event, "tag", None):
                raise SpliceError("anchors, aliases and tags cannot be edited")
            if kind == "ScalarEvent":
                stack[-1][1].append(_leaf(text, event))
            elif kind in {"MappingStartEvent", "SequenceStartEvent"}:
                stack.append((event, []))
            elif kind in {"MappingEndEvent", "SequenceEndEvent"}:
                start, children = stack.pop()
                made = _fields if kind == "MappingEndEvent" else _list
                stack[-1][1].append(made(text, start, event, children))
    except yaml.YAMLError as error:
        raise SpliceError(str(error)) from None
    found = stack[0][1]
    if len(found) != 1:
        raise SpliceError(f"{len(found)} documents; one is expected")
    return found[0]


def at(node: Node, path: Iterable[str | int]) -> Node:
    """The node at a path of names and indices; `SpliceError` where there is none."""
    for step in path:
        if isinstance(node, Fields) and step in node.values:
            node = node.values[str(step)]
        elif isinstance(node, List) and isinstance(step, int) and 0 <= step < len(node.items):
            node = node.items[step]
        else:
            raise SpliceError(f"there is nothing at `{step}`")
    return node


def plain(node: Node) -> Value:
    """What the tree says, without where."""
    if isinstance(node, Leaf):
        return node.text
    if isinstance(node, List):
        return [plain(item) for item in node.items]
    return {name: plain(value) for name, value in node.values.items()}


def line_start(text: str, offset: int) -> int:
    """Where the line of an offset begins."""
    return max(text.rfind("\n", 0, offset), text.rfind("\r", 0, offset)) + 1


def line_end(text: str, offset: int) -> int:
    """Where the line of an offset ends, before its line end."""
    found = BREAK.search(text, offset)
    return found.start() if found else len(text)


def region_end(text: str, node: Node, column: int) -> int:
    """The end of the last line of an entry: a comment behind it, and deeper ones below it, belong to it."""
    end = line_end(text, node.end)
    while end < len(text):
        found = re.compile("(?:\r\n|\r|\n)( *)#[^\r\n]*").match(text, end)
        if found is None or len(found[1]) <= column:
            break
        end = found.end()
    return end


def region_start(text: str, start: int, column: int) -> int:
    """Where an entry that begins at `start` begins with the comments that stand right above it."""
    if text[line_start(text, start) : start].strip(" "):
        return start
    while True:
        line = line_start(text, start)
        above = line_start(text, max(line - 1 - text[:line].endswith("\r\n"), 0))
        shown = text[above:line].rstrip("\r\n")
        if line == 0 or not re.match(f" {{{column}}}#", shown):
            return start
        start = above + column


def _leaf(text: str, event: Any) -> Leaf:
    start, end = event.start_mark.index, event.end_mark.index
    style = event.style or ""
    if style in ("|", ">"):
        header = text[start : line_end(text, start)].split("#", maxsplit=1)[0]
        raw = text[start:end]
        if "+" in header:  # its blank lines count
            end = start + len(re.sub("(?:\r\n|\r|\n)\\Z", "", raw))
        else:
            end = start + len(_BLANK_TAIL.sub("", raw))
    return Leaf(start, end, event.value, style)


def _list(text: str, start: Any, end: Any, children: list[Node]) -> List:
    first, column = start.start_mark.index, start.start_mark.column
    if start.flow_style:
        return List(first, end.end_mark.index, True, column, tuple(children), ())
    dashes = tuple(_dash(text, child.start, column, first) for child in children)
    return List(first, max(children[-1].end, dashes[-1] + 1), False, column, tuple(children), dashes)


def _dash(text: str, offset: int, column: int, first: int) -> int:
    """The dash of an entry that begins at an offset: between them are only blanks and comments."""
    line = line_start(text, offset)
    while line > first:
        at_dash = line + column
        if text[at_dash : at_dash + 1] == "-" and not text[line:at_dash].strip(" ") and at_dash < max(offset, 1):
            return at_dash
        line = line_start(text, line - 1 - text[:line].endswith("\r\n"))
    return first


def _fields(text: str, start: Any, end: Any, children: list[Node]) -> Fields:  # noqa: ARG001 - called as `_list` is
    keys: dict[str, Leaf] = {}
    values: dict[str, Node] = {}
    for key, value in zip(children[::2], children[1::2], strict=True):
        if not isinstance(key, Leaf) or key.text in keys or key.text == "<<":
            raise SpliceError("a name that is no text, or is there twice, cannot be edited")
        keys[key.text] = key
        values[key.text] = value
    first = start.start_mark.index
    flow = bool(start.flow_style)
    last = end.end_mark.index if flow else max(children[-1].end, children[-2].end)
    return Fields(first, last, flow, start.start_mark.column, keys, values)
