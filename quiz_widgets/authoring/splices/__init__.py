"""Edits of a YAML file by exchanging spans of it: comments, order, quotation marks and line ends stay as they are.

Every edit is reread before it is handed out: the file then says what it said, but for what was to be changed. A way of
writing that would say anything else is not taken, and where none is left the edit is refused.
"""

from __future__ import annotations

import copy
from collections.abc import Sequence

from quiz_widgets.authoring.splices import spans, styles
from quiz_widgets.authoring.splices.rereading import decoded, first, settled
from quiz_widgets.authoring.splices.spans import Fields, Leaf, List, Path, SpliceError, Value

__all__ = ["Path", "SpliceError", "Value", "add_field", "insert", "move", "read", "remove", "set_text"]


def read(data: bytes) -> Value:
    """What a file says, as texts, lists and dicts; `SpliceError` where it cannot be edited."""
    return spans.plain(spans.read(decoded(data)[1]))


def set_text(data: bytes, path: Path, new: str) -> bytes:
    """The file with another text at a path; the text's own style is kept where it can hold the new one."""
    mark, text = decoded(data)
    root = spans.read(text)
    leaf = spans.at(root, path)
    if not isinstance(leaf, Leaf):
        raise SpliceError("a text is expected there")
    if leaf.text == new:
        return data
    wanted = spans.plain(root)
    _put(wanted, path, new)
    setting = _setting(text, root, path, leaf)
    gap = " " if leaf.start == leaf.end and text[leaf.start - 1 : leaf.start] in (":", "-", ",") else ""
    ways = [(leaf.start, leaf.end, gap + one) for one in styles.ways(new, leaf.style, setting)]
    return mark + first(text, ([way] for way in ways), wanted)


@settled
def add_field(data: bytes, path: Path, name: str, value: Value, order: Sequence[str] = ()) -> bytes:
    """The file with one more field in the mapping at a path, at its place in `order`; at the end if it has none."""
    mark, text = decoded(data)
    root = spans.read(text)
    node = spans.at(root, path)
    wanted = spans.plain(root)
    mapping = _at(wanted, path)
    if isinstance(node, Leaf) and not node.text and not node.style:  # a name and nothing behind it yet
        _put(wanted, path, {name: value})
        column = _parent_column(text, root, path) + 2
        shown = f"\n{' ' * column}{styles.fields(name, value, column)}"
        return mark + first(text, [[(spans.line_end(text, node.end),) * 2 + (shown,)]], wanted)
    if not isinstance(node, Fields) or not isinstance(mapping, dict) or name in mapping:
        raise SpliceError(f"`{name}` cannot be added there")
    names = list(mapping)
    place = _place(name, names, order)
    _put(wanted, path, dict([*list(mapping.items())[:place], (name, value), *list(mapping.items())[place:]]))
    if node.flow:
        shown = styles.flow({name: value})[1:-1]
        where, shown = (node.values[names[place - 1]].end, f", {shown}") if place else (node.start + 1, shown)
        shown += ", " if names and not place else ""
    elif not place:
        where = spans.region_start(text, node.keys[names[0]].start, node.column)
        shown = f"{styles.fields(name, value, node.column)}\n{' ' * node.column}"
    else:
        last = node.values[names[place - 1]]
        where = spans.region_end(text, last, node.column)
        shown = f"\n{' ' * node.column}{styles.fields(name, value, node.column)}"
    return mark + first(text, [[(where, where, shown)]], wanted)


@settled
def insert(data: bytes, path: Path, index: int, value: Value) -> bytes:
    """The file with one more entry in the list at a path, at that index."""
    mark, text = decoded(data)
    root = spans.read(text)
    node = _list(root, path)
    wanted = spans.plain(root)
    entries = _at(wanted, path)
    if not isinstance(entries, list) or not 0 <= index <= len(entries):
        raise SpliceError(f"there is no place {index}")
    entries.insert(index, value)
    if node.flow:
        edit = _insert_flow(node, index, styles.flow(value))
    else:
        regions = _regions(text, node)
        compact = all(isinstance(one, Fields) and one.flow for one in node.items)
        shown = f"- {styles.flow(value) if compact else styles.entry(value, node.column)}"
        blank = len(regions) > 1 and text[regions[0][1] : regions[1][0]].count("\n") > 1
        gap = ("\n\n" if blank else "\n") + " " * node.column
        where = regions[index][0] if index < len(regions) else regions[-1][1]
        edit = (where, where, shown + gap if index < len(regions) else gap + shown)
    return mark + first(text, [[edit]], wanted)


@settled
def move(data: bytes, path: Path, old: int, new: int) -> bytes:
    """The file with an entry of the list at a path at another index; what stands between entries stays there."""
    mark, text = decoded(data)
    root = spans.read(text)
    node = _list(root, path)
    count = len(node.items)
    if not (0 <= old < count and 0 <= new < count):
        raise SpliceError(f"there is no place {new if 0 <= old < count else old}")
    order = list(range(count))
    order.insert(new, order.pop(old))
    regions = _regions(text, node)
    wanted = spans.plain(root)
    entries = _at(wanted, path)
    if isinstance(entries, list):
        entries[:] = [entries[one] for one in order]
    edits = [
        (start, end, text[regions[one][0] : regions[one][1]])
        for (start, end), one in zip(regions, order, strict=True)
        if regions[one] != (start, end)
    ]
    return mark + first(text, [edits], wanted, as_written=True)


def remove(data: bytes, path: Path) -> bytes:
    """The file without the field or the entry at a path; refused for the last one, and where a comment would go."""
    mark, text = decoded(data)
    root = spans.read(text)
    parent = spans.at(root, path[:-1])
    node = spans.at(root, path)
    wanted = spans.plain(root)
    if isinstance(parent, Leaf):  # it has nothing in it, and so there is nothing at the path
        raise SpliceError("there is nothing to remove")
    if isinstance(parent, Fields):
        starts, nodes = [key.start for key in parent.keys.values()], list(parent.values.values())
        index = list(parent.keys).index(str(path[-1]))
    else:
        starts = list(parent.dashes) or [one.start for one in parent.items]
        nodes, index = list(parent.items), int(path[-1])
    _drop(wanted, path)
    if len(nodes) == 1:
        raise SpliceError("nothing would be left")
    end = max(node.end, starts[index] + 1)
    if index + 1 < len(nodes) and (parent.flow or text[spans.line_start(text, starts[index]) : starts[index]].strip()):
        span = (starts[index], starts[index + 1])
    elif parent.flow:
        span = (nodes[index - 1].end, end)
    else:
        line = spans.line_start(text, starts[index])
        span = (line - 1 - text[:line].endswith("\r\n"), spans.line_end(text, end))
    if "#" in text[end : span[1]]:
        raise SpliceError("a comment would be lost")
    return mark + first(text, [[(*span, "")]], wanted)


def _setting(text: str, root: spans.Node, path: Path, leaf: Leaf) -> styles.Setting:
    raw = text[leaf.start : leaf.end]
    flow = any(not isinstance(one := spans.at(root, path[:end]), Leaf) and one.flow for end in range(len(path)))
    column = leaf.start - spans.line_start(text, leaf.start)
    broken = spans.BREAK.search(raw) is not None
    lines = [line for line in spans.BREAK.split(raw)[1:] if line.strip(" ")]
    indent = _parent_column(text, root, path) + 2
    if lines:
        indent = len(lines[0]) - len(lines[0].lstrip(" "))
    note = ""
    if leaf.style in ("|", ">"):
        header = spans.BREAK.split(raw)[0]
        note = header[len(header.split("#")[0].rstrip()) :] if "#" in header else ""
        broken = False
    return styles.Setting(flow, column, max(indent, 1), broken, note)


def _parent_column(text: str, root: spans.Node, path: Path) -> int:
    """The column of the name or the dash of what stands at a path."""
    if not path:
        return -2
    parent = spans.at(root, path[:-1])
    if isinstance(parent, Fields) and not parent.flow:
        return parent.column
    if isinstance(parent, List) and not parent.flow:
        return parent.column
    start = parent.start
    return start - spans.line_start(text, start)


def _list(root: spans.Node, path: Path) -> List:
    node = spans.at(root, path)
    if not isinstance(node, List):
        raise SpliceError("a list is expected there")
    return node


def _regions(text: str, node: List) -> list[tuple[int, int]]:
    """The span of each entry: with its dash, and the comments that belong to it."""
    if node.flow:
        return [(one.start, one.end) for one in node.items]
    return [
        (spans.region_start(text, dash, node.column), spans.region_end(text, _whole(one, dash), node.column))
        for dash, one in zip(node.dashes, node.items, strict=True)
    ]


def _whole(node: spans.Node, dash: int) -> spans.Node:
    return Leaf(dash, dash + 1, "", "") if node.end <= dash else node


def _insert_flow(node: List, index: int, shown: str) -> tuple[int, int, str]:
    if index < len(node.items):
        return node.items[index].start, node.items[index].start, f"{shown}, "
    if node.items:
        return node.items[-1].end, node.items[-1].end, f", {shown}"
    return node.start + 1, node.start + 1, shown


def _place(name: str, names: Sequence[str], order: Sequence[str]) -> int:
    """Behind which of `names`, counted from 1, a new one belongs; 0: before all of them."""
    if name not in order:
        return len(names)
    at = order.index(name)
    behind = [names.index(one) + 1 for one in order[:at] if one in names]
    before = [names.index(one) for one in order[at + 1 :] if one in names]
    return max(behind) if behind else min(before, default=len(names))


def _at(value: Value, path: Path) -> Value:
    for step in path:
        value = value[step]  # type: ignore[index]  # the path has been found in the tree before
    return value


def _put(value: Value, path: Path, new: Value) -> None:
    if not path and isinstance(value, dict) and isinstance(new, dict):
        fresh = copy.copy(new)
        value.clear()
        value.update(fresh)
    elif path:
        _at(value, path[:-1])[path[-1]] = new  # type: ignore[index]
    else:
        raise SpliceError("the whole file is no field")


def _drop(value: Value, path: Path) -> None:
    del _at(value, path[:-1])[path[-1]]  # type: ignore[union-attr,arg-type]
