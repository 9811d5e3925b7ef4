"""HTML from other systems as our Markdown: what it says and stresses, its code, lists, formulas and pictures.

Nothing of the HTML itself gets through: the result is Markdown, of which `markup` makes HTML of its own. What has no
counterpart is said in `report`, never dropped silently.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from quiz_widgets.formats import images, markdown
from quiz_widgets.formats.html_parse import BLOCKS, Node, parse
from quiz_widgets.formats.pictures import Pictures
from quiz_widgets.formats.pieces import Piece, Report, joined

__all__ = ["Report", "language", "looks_like_html", "to_markdown"]

_TAG = re.compile(
    r"</?(?:p|br|b|i|em|strong|code|pre|ul|ol|li|div|span|img|sub|sup|table|h[1-6]|a|math|font|u|tt)\b[^<>]*>",
    re.IGNORECASE,
)
_CODE = frozenset({"code", "kbd", "samp", "tt", "var"})
_PLAIN = BLOCKS - {"form", "fieldset", "details", "hr"} | frozenset(
    "abbr bdi bdo big cite dfn font ins label mark nobr q s small span strike time u wbr acronym col colgroup caption "  # noqa: SIM905
    "picture data".split()
)
_DROPPED = frozenset("script style iframe object embed form applet noscript template svg canvas head link meta".split())  # noqa: SIM905
_MEDIA = frozenset({"audio", "video"})
_SUPER = str.maketrans("0123456789+-=()ni", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁿⁱ")
_SUB = str.maketrans("0123456789+-=()", "₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎")


def looks_like_html(text: str) -> bool:
    """Whether a text that may be either has tags or entities."""
    return _TAG.search(text) is not None or re.search(r"&(?:[a-z]{2,8}|#\d+|#x[0-9a-f]+);", text) is not None


def language(html: str) -> str:
    """The language that the element around everything names; empty where there is none."""
    nodes = [node for node in parse(html[:2000]).children if node.name != "#text" or node.text.strip()]
    return nodes[0].attributes.get("lang", "") if len(nodes) == 1 else ""


def to_markdown(html: str, report: Report, pictures: Pictures | None = None) -> str:
    """The Markdown of an HTML text."""
    writer = _Writer(report, pictures or Pictures())
    return "\n\n".join(writer.blocks(parse(html))).strip()


@dataclass(slots=True)
class _Writer:
    report: Report
    pictures: Pictures
    told: set[str] = field(default_factory=set)

    def say(self, rule: str, message: str, hint: str = "") -> None:
        if message not in self.told:
            self.told.add(message)
            self.report(rule, message, hint)

    def blocks(self, node: Node) -> list[str]:
        """The blocks in an element, each as Markdown."""
        made: list[str] = []
        run: list[Node] = []

        def flush() -> None:
            if text := self.line(run):
                made.append(text)
            run.clear()

        for child in node.children:
            if self.is_block(child):
                flush()
                made += self.block(child)
            else:
                run.append(child)
        flush()
        return made

    def is_block(self, node: Node) -> bool:
        """Whether it stands apart; an inline element with a block in it does, too."""
        if node.name in BLOCKS:
            return True
        if node.name in _CODE or node.name in {"#text", "math"} or node.name in _DROPPED:
            return False
        return any(self.is_block(child) for child in node.children)

    def block(self, node: Node) -> list[str]:
        name = node.name
        if name == "pre":
            return [markdown.fence(node.all_text(), _language(node))] if node.all_text().strip() else []
        if name in {"ul", "ol"}:
            return self.entries(node)
        if name == "table":
            return self.table(node)
        if re.fullmatch(r"h[1-6]", name):
            text = self.line(node.children)
            return [f"**{text}**"] if text and "*" not in text else [text] if text else []
        if name == "hr":
            self.say("html", "a rule (`<hr>`) is left out")
            return []
        if name in _DROPPED or name not in _PLAIN:
            return [text] if (text := self.line([node])) else []
        return self.blocks(node)

    def entries(self, node: Node) -> list[str]:
        start = node.attributes.get("start", "1")
        number = int(start) if re.fullmatch(r"\d{1,6}", start) else 1
        items: list[str] = []
        for child in node.children:
            if child.name == "#text" and not child.text.strip():
                continue
            parts = self.blocks(child if child.name == "li" else Node(children=[child]))
            if not parts:
                continue
            mark = f"{number}. " if node.name == "ol" else "- "
            number += 1
            loose = "\n" if all(part.startswith(("- ", "1. ")) for part in parts[1:]) else "\n\n"
            body = loose.join(parts).replace("\n", "\n" + " " * len(mark))
            items.append(mark + re.sub(r"\n +(?=\n)", "\n", body))
        apart = any(part.name == "p" for child in node.children for part in child.children)
        return [("\n\n" if apart else "\n").join(items)] if items else []

    def table(self, node: Node) -> list[str]:
        """Rows as lines of columns in a block of text: quizzes' texts have no tables."""
        rows: list[list[str]] = []
        stack = [node]
        while stack:
            part = stack.pop()
            if part.name == "tr":
                cells = [cell for cell in part.children if cell.name in {"td", "th"}]
                rows.append([" ".join(cell.all_text().split()) for cell in cells])
                if any(inner.name == "img" for cell in cells for inner in _below(cell)):
                    self.say("html-table", "a picture in a table is left out")
            else:
                stack.extend(reversed(part.children))
        rows = [row for row in rows if any(row)]
        if not rows:
            return []
        self.say("html-table", "a table became text in columns", "quizzes' texts have no tables")
        widths = [max((len(row[at]) for row in rows if at < len(row)), default=0) for at in range(max(map(len, rows)))]
        lines = [
            " | ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=False)).rstrip() for row in rows
        ]
        return [markdown.fence("\n".join(lines), "text")]

    def line(self, nodes: Iterable[Node]) -> str:
        """Inline elements as one paragraph."""
        made = joined(self.pieces(nodes), self.say).strip(" \n").removesuffix("\\").strip(" \n")
        return markdown.paragraph(made)

    def pieces(self, nodes: Iterable[Node]) -> list[Piece]:
        made: list[Piece] = []
        for node in nodes:
            made += self.inline(node)
        return made

    def inline(self, node: Node) -> list[Piece]:  # noqa: C901, PLR0911, PLR0912 - one branch a tag
        name = node.name
        if name == "#text":
            return [Piece(node.text)]
        if name == "span" and not node.children:
            return [Piece("", "barrier")]
        if name == "br":
            return [Piece("\\\n", "markdown")]
        if name in _CODE:
            text = node.all_text().replace("\xa0", " ")
            return [Piece(markdown.inline_code(text), "markdown")] if text.strip() else [Piece(text)]
        if name in {"b", "strong", "i", "em"}:
            inner = self.pieces(node.children)
            return [Piece(joined(inner, self.say), "**" if name in {"b", "strong"} else "*")]
        if name in {"sub", "sup"}:
            return self.script(node)
        if name == "a":
            return self.link(node)
        if name == "img":
            return self.image(node)
        if name == "math":
            return self.formula(node)
        if name == "pre":
            return [Piece(markdown.inline_code(node.all_text()), "markdown")]
        if name in _MEDIA:
            source = node.attributes.get("src") or next((n.attributes.get("src", "") for n in _below(node)), "")
            self.say(
                "html-media", f"`<{name}>` is left out: {source or 'no address'}", "put a link to it into the text"
            )
            return []
        if name in _DROPPED:
            self.say("html-dropped", f"`<{name}>` and what is in it is left out", "it could run or load something")
            return []
        if name not in _PLAIN and name != "":
            self.say("html-unknown", f"`<{name}>` is not known: its text stays")
        space = [Piece(" ")] if name in BLOCKS else []
        return [*space, *self.pieces(node.children), *space]

    def script(self, node: Node) -> list[Piece]:
        text = node.all_text().strip()
        made = text.translate(_SUPER if node.name == "sup" else _SUB)
        allowed = set((_SUPER if node.name == "sup" else _SUB).values())
        if all(ord(char) in allowed for char in made):
            return [Piece(made)]
        mark = "^" if node.name == "sup" else "_"
        self.say("html-script", f"`{text[:40]}` is raised or lowered: written as `{mark}({text[:40]})`")
        return [Piece(f"{mark}({text})")]

    def link(self, node: Node) -> list[Piece]:
        target = node.attributes.get("href", "").strip()
        text = joined(self.pieces(node.children), self.say).strip()
        if not target:
            return [Piece(text, "markdown")]
        if re.fullmatch(r"https?://[^\s<>()\\`*\[\]]+", target):
            return [Piece(f"[{text or markdown.escape(target)}]({target})", "markdown")]
        self.say("html-link", f"a link to `{target[:80]}` is left out: its text stays", "links go to the web")
        return [Piece(text, "markdown")]

    def image(self, node: Node) -> list[Piece]:
        address = node.attributes.get("src", "").strip()
        alt = node.attributes.get("alt", "").strip()
        if node.attributes.get("data-equation-content"):  # Canvas draws formulas as pictures, and keeps their TeX
            return [Piece(markdown.tex(node.attributes["data-equation-content"]), "markdown")]
        if re.match(r"https?://", address):
            self.say(
                "picture-web", f"the picture {address[:120]} stands on the web: it is not fetched", "it became a link"
            )
            shown = markdown.escape(alt or "picture")
            plain = re.fullmatch(r"[^\s<>()\\`*\[\]]+", address)
            return [Piece(f"[{shown}]({address})" if plain else shown, "markdown")]
        name, fault = self.pictures.take(address)
        if fault:
            shown = address if len(address) < 80 else address[:40] + "…"
            self.say("picture", f"the picture `{shown}` is left out: {fault}", "its description stays")
            return [Piece(f"({alt})" if alt else "")]
        if not alt:
            self.say("picture-alt", f"the picture {name} has no description", "write one: not everybody sees it")
        if not images.shown():
            self.say("picture-file", f"the picture {name} is kept beside the quiz: texts cannot show it", "describe it")
        return [Piece(images.reference(name, alt), "markdown")]

    def formula(self, node: Node) -> list[Piece]:
        block = node.attributes.get("display") == "block"
        for inner in _below(node):
            if inner.name == "annotation" and "tex" in inner.attributes.get("encoding", "").lower():
                return [Piece(markdown.tex(inner.all_text(), block=block), "markdown")]
        if alt := node.attributes.get("alttext", ""):
            return [Piece(markdown.tex(alt, block=block), "markdown")]
        text = " ".join(node.all_text().split())
        self.say(
            "html-math", f"the formula `{text[:60]}` is MathML without TeX: its signs stay as text", "write it in TeX"
        )
        return [Piece(text)]


def _below(node: Node) -> Iterable[Node]:
    stack = list(reversed(node.children))
    while stack:
        part = stack.pop()
        yield part
        stack.extend(reversed(part.children))


def _language(node: Node) -> str:
    """The language of a block of code, where a class names one that can be coloured."""
    from quiz_widgets.markup import code

    names = " ".join(part.attributes.get("class", "") for part in (node, *node.children))
    found = re.search(r"(?:language-|lang-|brush: ?)([a-z0-9+#]{1,20})", names)
    return found[1] if found and code.highlight("", found[1]) is not None else ""
