"""Texts with the few elements that H5P keeps in a field; of others what they say stays."""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from html import escape

from quiz_widgets import locales
from quiz_widgets.formats import markdown
from quiz_widgets.formats.html_parse import Node, parse

# What the fields of H5P.MultiChoice 1.16 and H5P.QuestionSet 1.20 name in their semantics; H5P keeps `div`, `span`,
# `p` and `br` everywhere.
QUESTION = frozenset({"strong", "em", "pre", "code"})
ANSWER = frozenset({"strong", "em", "code"})
FEEDBACK = frozenset({"strong", "em", "code", "a"})
_ALWAYS = frozenset({"p", "br", "div"})


def html(source: str, language: str, kept: AbstractSet[str]) -> str:
    """A text's HTML in a box of its language and direction."""
    if not source:
        return ""
    made = _inner(parse(markdown.to_html(source)), kept)
    if not language:
        return made
    direction = locales.text_direction(markdown.to_plain(source), language)
    return f'<div lang="{escape(language)}" dir="{direction}">{made}</div>'


def loses(source: str, kept: AbstractSet[str]) -> bool:
    """Whether something of the text's layout is not kept in such a field."""
    stack = [parse(markdown.to_html(source))]
    while stack:
        node = stack.pop()
        if node.name not in kept | _ALWAYS | {"", "#text", "span"}:
            return True
        stack += node.children
    return False


def _inner(node: Node, kept: AbstractSet[str]) -> str:
    return "".join(_shown(child, kept) for child in node.children)


def _shown(node: Node, kept: AbstractSet[str]) -> str:
    name = node.name
    if name == "#text":
        return escape(node.text, quote=False)
    if name == "br":
        return "<br>"
    if name == "span":
        return "<span></span>" if not node.children else _inner(node, kept)
    if name == "pre" and name not in kept:
        lines = node.all_text().rstrip("\n").split("\n")
        return (
            "<p>" + "<br>".join(f"<code>{escape(line, quote=False)}</code>" for line in lines if line.strip()) + "</p>"
        )
    if name in {"ul", "ol"}:
        entries = [child for child in node.children if child.name == "li"]
        marks = (f"{number}. " if name == "ol" else "• " for number in range(1, len(entries) + 1))
        return "".join(f"<p>{mark}{_inner(entry, kept)}</p>" for mark, entry in zip(marks, entries, strict=True))
    inner = _inner(node, kept)
    if name == "a":
        address = escape(node.attributes.get("href", ""))
        return f'<a href="{address}">{inner}</a>' if name in kept else f"{inner} ({address})"
    return f"<{name}>{inner}</{name}>" if name in kept | _ALWAYS else inner
