"""What makes an edit safe: the edited text is read again, and has to say what is wanted and nothing else."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterable, Sequence
from typing import Concatenate, ParamSpec

from quiz_widgets.authoring.splices import spans
from quiz_widgets.authoring.splices.spans import Leaf, List, SpliceError, Value

_MARK = "\ufeff"
_P = ParamSpec("_P")


def settled(edit: Callable[Concatenate[bytes, _P], bytes]) -> Callable[Concatenate[bytes, _P], bytes]:
    """Let an edit that is refused try again once the block at the end of the file ends as it reads.

    Where the file's last line has no end, a block there has none either, and would get one from whatever follows it.
    """

    @functools.wraps(edit)
    def tried(data: bytes, /, *args: _P.args, **kwargs: _P.kwargs) -> bytes:
        try:
            return edit(data, *args, **kwargs)
        except SpliceError:
            mark, text = decoded(data)
            leaf = _last(spans.read(text))
            header = re.compile("[|>][0-9]?(?![0-9+-])").match(text, leaf.start)
            if leaf.end < len(text) or header is None:
                raise
            return edit(mark + f"{text[: header.end()]}-{text[header.end() :]}".encode(), *args, **kwargs)

    return tried


def _last(node: spans.Node) -> Leaf:
    """The text at the end of a tree; an empty one where there is none."""
    while not isinstance(node, Leaf):
        inner = node.items if isinstance(node, List) else tuple(node.values.values())
        node = inner[-1] if inner else Leaf(node.end, node.end, "", "")
    return node


def decoded(data: bytes) -> tuple[bytes, str]:
    """The byte order mark, if there is one, and the text."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        raise SpliceError("the file is not UTF-8") from None
    return (_MARK.encode(), text[1:]) if text.startswith(_MARK) else (b"", text)


def first(
    text: str, ways: Iterable[Sequence[tuple[int, int, str]]], wanted: Value, *, as_written: bool = False
) -> bytes:
    """The text with the first of several sets of edits after which it says what is wanted."""
    found = spans.BREAK.search(text)
    end = found[0] if found else "\n"
    for edits in ways:
        made = text
        for start, stop, new in sorted(edits, reverse=True):
            made = made[:start] + (new if as_written else new.replace("\n", end)) + made[stop:]
        try:
            after = spans.plain(spans.read(made))
            if _ordered(after) == _ordered(wanted):
                return made.encode("utf-8")
        except (SpliceError, UnicodeEncodeError):
            continue
    raise SpliceError("there is no way to write it here without changing something else")


def _ordered(value: Value) -> object:
    """The value in a form in which the order of names counts."""
    if isinstance(value, dict):
        return {"": [(name, _ordered(one)) for name, one in value.items()]}
    return [_ordered(one) for one in value] if isinstance(value, list) else value
