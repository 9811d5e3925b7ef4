"""Texts as XHTML for QTI: the elements that both versions allow, formulas as MathML with their TeX beside."""

from __future__ import annotations

from xml.sax.saxutils import escape, quoteattr

from quiz_widgets import locales
from quiz_widgets.formats import markdown
from quiz_widgets.formats.html_parse import BLOCKS, VOID, Node, parse
from quiz_widgets.formats.qti.names import Version

_MATHML = "http://www.w3.org/1998/Math/MathML"
_ALLOWED: dict[str, tuple[str, ...]] = {"a": ("href",), "code": ("class", "dir"), "pre": ("dir",)}


def xhtml(source: str, language: str, version: Version) -> str:
    """A text as blocks of XHTML in a box that says its language and, where QTI has that, its direction."""
    if not source:
        return ""
    root = parse(markdown.to_mathml(source))
    if version == "2.1":
        _without_direction(root)
    made = "".join(_blocks(root))
    attributes = f" xml:lang={quoteattr(language)}" if language else ""
    if language and version == "3.0":
        attributes += f' dir="{locales.text_direction(markdown.to_plain(source), language)}"'
    return f"<div{attributes}>{made}</div>"


def _without_direction(root: Node) -> None:
    """2.1 has no `dir`: there readers go by the language and the letters."""
    stack = [root]
    while stack:
        node = stack.pop()
        node.attributes.pop("dir", None)
        stack += node.children


def _blocks(root: Node) -> list[str]:
    """The blocks, with loose text put into paragraphs: a body takes blocks only."""
    made: list[str] = []
    run = ""
    for child in [*root.children, Node("p")]:
        apart = child.name == "math" and run.endswith("</math>")  # two formulas below one another
        if child.name in BLOCKS or apart:
            made += [f"<p>{run}</p>"] if run.strip() else []
            run = _node(child) if apart else ""
            made += [] if apart else [_node(child)]
        else:
            run += _node(child)
    return made[:-1]


def _node(node: Node) -> str:
    if node.name == "#text":
        return escape(node.text)
    if node.name == "math":
        kept = _kept(node, ("display", "alttext", "dir"))
        return f'<math xmlns="{_MATHML}"{_written(kept)}>{"".join(map(_formula, node.children))}</math>'
    kept = _kept(node, _ALLOWED.get(node.name, ()))
    if node.name in VOID:
        return f"<{node.name}{_written(kept)}/>"
    return f"<{node.name}{_written(kept)}>{''.join(map(_node, node.children))}</{node.name}>"


def _kept(node: Node, names: tuple[str, ...]) -> dict[str, str]:
    return {name: node.attributes[name] for name in names if name in node.attributes}


def _formula(node: Node) -> str:
    if node.name == "#text":
        return escape(node.text)
    inner = "".join(map(_formula, node.children))
    return f"<{node.name}{_written(node.attributes)}>{inner}</{node.name}>"


def _written(attributes: dict[str, str]) -> str:
    return "".join(f" {name}={quoteattr(value)}" for name, value in attributes.items())
