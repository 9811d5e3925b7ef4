"""Tag soup to a tree, as tolerantly as a browser and in one pass: time grows with the length, whatever the text is."""

from __future__ import annotations

import html
import re
from dataclasses import dataclass, field

MAX_DEPTH = 60
MAX_CHARS = 1_000_000
MAX_ATTRIBUTES = 50
"""More in one tag, and it is text: each would be read again from the next ``<`` on."""
VOID = frozenset("area base br col embed hr img input link meta param source track wbr".split())  # noqa: SIM905
BLOCKS = frozenset(
    "address article aside blockquote body center dd details div dl dt fieldset figcaption figure footer form h1 h2 h3 "  # noqa: SIM905
    "h4 h5 h6 header hr html legend li main nav ol p pre section summary table tbody td tfoot th thead tr ul".split()
)
# An end tag is often left out: what begins ends these, up to the element that holds them.
_ENDS = {
    "li": {"li"},
    "dt": {"dt", "dd"},
    "dd": {"dt", "dd"},
    "tr": {"tr", "td", "th"},
    "td": {"td", "th"},
    "th": {"td", "th"},
}
_HOLDERS = frozenset({"ul", "ol", "dl", "table", "td", "th", "blockquote", "div"})
_RAW = frozenset({"script", "style", "textarea", "title", "iframe", "noscript"})
_TAG = re.compile(r"<(/?)([A-Za-z][A-Za-z0-9:-]*)(?=[\s/>])")  # `a<b\)` is a formula, and no tag
_TAG_END = re.compile(r"[\s/]*>")
_ATTRIBUTE = re.compile(r"""[\s/]*([^\s/>=<][^\s/>=<]*)(?:\s*=\s*("[^"]*"|'[^']*'|[^\s>"']*))?""")


@dataclass(slots=True)
class Node:
    """An element in small letters (the root has no name), or a text, whose entities are read."""

    name: str = ""
    attributes: dict[str, str] = field(default_factory=dict)
    children: list[Node] = field(default_factory=list)
    text: str = ""

    def all_text(self) -> str:
        """All text in it; `br` is a line end."""
        pieces: list[str] = []
        stack = [self]
        while stack:
            node = stack.pop()
            pieces.append("\n" if node.name == "br" else node.text)
            stack.extend(reversed(node.children))
        return "".join(pieces)


def parse(text: str) -> Node:
    """The tree of an HTML text. Anything is accepted."""
    text = text[:MAX_CHARS]
    root = Node()
    stack = [root]
    at = 0
    unclosed: set[str] = set()  # ends that were looked for and are nowhere: looked for once, or time would be squared
    while at < len(text):
        start = text.find("<", at)
        if start < 0:
            start = len(text)
        _add_text(stack[-1], text[at:start])
        if start == len(text):
            break
        at = _markup(text, start, stack, unclosed)
    return root


def _add_text(node: Node, raw: str) -> None:
    if raw:
        node.children.append(Node("#text", text=html.unescape(raw)))


def _markup(text: str, start: int, stack: list[Node], unclosed: set[str]) -> int:
    """Read what begins with a ``<``; where to go on."""
    tag = _TAG.match(text, start)
    if tag is None:
        for opener, closer in (("<!--", "-->"), ("<!", ">"), ("<?", ">"), ("</", ">")):
            if text.startswith(opener, start) and (end := _find(text, closer, start, unclosed)) >= 0:
                return end
        _add_text(stack[-1], "&lt;")
        return start + 1
    name = tag[2].lower()
    attributes, at = _attributes(text, tag.end())
    if at < 0:  # the text ends within the tag
        _add_text(stack[-1], "&lt;")
        return start + 1
    if tag[1]:
        _close(stack, name)
    else:
        at = _open(text, at, stack, Node(name, attributes), unclosed)
    return at


def _find(text: str, closer: str, start: int, unclosed: set[str]) -> int:
    if closer in unclosed:
        return -1
    end = text.find(closer, start)
    if end < 0:
        unclosed.add(closer)
        return -1
    return end + len(closer)


def _attributes(text: str, at: int) -> tuple[dict[str, str], int]:
    """Attributes and the place after the ``>``; −1 when there is none near."""
    found: dict[str, str] = {}
    for _ in range(MAX_ATTRIBUTES):
        matched = _ATTRIBUTE.match(text, at)
        if matched is None:
            break
        value = matched[2] or ""
        quoted = value[:1] in {'"', "'"} and len(value) > 1
        found.setdefault(matched[1].lower(), html.unescape(value[1:-1] if quoted else value))
        at = matched.end()
    if end := _TAG_END.match(text, at):
        return found, end.end()
    nearest = text.find(">", at, at + 1000)
    return found, nearest + 1 if nearest >= 0 else -1


def _open(text: str, at: int, stack: list[Node], node: Node, unclosed: set[str]) -> int:
    if node.name in BLOCKS and stack[-1].name == "p":
        stack.pop()
    if ends := _ENDS.get(node.name):
        _close_up_to(stack, ends)
    stack[-1].children.append(node)
    if node.name in _RAW:
        closer = f"</{node.name}"
        end = _find(text, closer, at, unclosed)
        if end >= 0:
            node.children.append(Node("#text", text=text[at : end - len(closer)]))
            return end - len(closer)
    if node.name not in VOID and len(stack) < MAX_DEPTH:
        stack.append(node)
    return at


def _close_up_to(stack: list[Node], ends: set[str]) -> None:
    """Close the outermost of these elements within the one that holds them."""
    outermost = len(stack)
    for index in range(len(stack) - 1, 0, -1):
        if stack[index].name in ends:
            outermost = index
        elif stack[index].name in _HOLDERS:
            break
    del stack[outermost:]


def _close(stack: list[Node], name: str) -> None:
    for index in range(len(stack) - 1, 0, -1):
        if stack[index].name == name:
            del stack[index:]
            return
