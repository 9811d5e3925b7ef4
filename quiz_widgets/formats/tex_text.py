r"""Markdown as LaTeX: formulas stay TeX, code stays as it is written, and Latin words keep their order in Arabic.

XeTeX sets the words of a line from right to left one by one; a run of Latin words must be said to run the other way.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

from quiz_widgets.formats import html_parse, markdown
from quiz_widgets.formats.html_parse import Node

_SPECIAL = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "%": r"\%",
    "_": r"\_",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "`": r"\textasciigrave{}",
    "'": r"\textquotesingle{}",
    '"': r"\textquotedbl{}",
    "-": r"{-}",  # two of them would be a dash
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    "\u00a0": "~",
}
# Signs that text fonts often lack, and maths always has.
_SIGNS = {
    "→": r"\rightarrow",
    "←": r"\leftarrow",
    "↔": r"\leftrightarrow",
    "⇒": r"\Rightarrow",
    "≈": r"\approx",
    "≠": r"\neq",
    "≤": r"\leq",
    "≥": r"\geq",
    "−": "-",
    "∞": r"\infty",
    "√": r"\surd",
    "∈": r"\in",
    "∑": r"\sum",
    "∂": r"\partial",
    "∇": r"\nabla",
    "✓": r"\checkmark",
}
_BREAKS = dict.fromkeys("._(,=/", "\\allowbreak{}")
_LATIN = re.compile(r"[^\W_](?:[^\n]*[^\W_%)\]])?(?:\(\))?[%)\]]*")
_BROKEN = "\\end{verbatim}"


@dataclass(frozen=True, slots=True)
class Tex:
    """Makes LaTeX of texts. With `rtl` the text around is Arabic."""

    rtl: bool = False

    def text(self, source: str) -> str:
        """A Markdown text; it may end with a block of code."""
        root = html_parse.parse(markdown.forms(source).html)
        if not self.rtl or _is_rtl(root.all_text()) or not root.children:
            return self.blocks(root).strip()
        made = Tex().blocks(root).strip()
        apart = "\n\n" in made or "\\begin{" in made or "\\[" in made
        return f"\\begin{{english}}\n{made}\n\\end{{english}}" if apart else f"\\textenglish{{{made}}}"

    def line(self, source: str) -> str:
        """The same on one line, for headings and keys."""
        return " ".join(self.text(source).split())

    def plain(self, text: str) -> str:
        """Plain text."""
        if not self.rtl or not text.strip():
            return "".join(_sign(char) for char in text)
        return "".join(
            f"\\textenglish{{{''.join(_sign(char) for char in part)}}}"
            if latin
            else "".join(_sign(char) for char in part)
            for part, latin in _runs(text)
        )

    def blocks(self, node: Node) -> str:
        """The blocks in an element."""
        pieces: list[str] = []
        for child in node.children:
            if child.name == "p":
                pieces.append(f"\n\n{self.inline(child)}\n\n")
            elif child.name == "pre":
                pieces.append(self.code(child.all_text()))
            elif child.name in {"ul", "ol"}:
                pieces.append(self.entries(child))
            else:
                pieces.append(self.part(child))
        return re.sub(r"\n{3,}", "\n\n", "".join(pieces))

    def entries(self, node: Node) -> str:
        """A list."""
        start = node.attributes.get("start", "1")
        number = int(start) if start.isdigit() and len(start) < 7 else 1
        lines = ["\n\\begin{itemize}"]
        for at, child in enumerate(part for part in node.children if part.name == "li"):
            mark = f"[{number + at}.]" if node.name == "ol" else ""
            lines.append(f"\\item{mark} {{}}{self.blocks(child).strip()}")
        return "\n".join([*lines, "\\end{itemize}\n"])

    def code(self, text: str) -> str:
        """A block of code, as it is written."""
        text = text.strip("\n").expandtabs(4)
        if _BROKEN in text:
            lines = (self.typewriter(line) for line in text.split("\n"))
            return "\n\n" + "\\\\\n".join(lines) + "\n\n"
        made = f"\\begin{{verbatim}}\n{text}\n\\end{{verbatim}}"
        return f"\n\\begin{{english}}\n{made}\n\\end{{english}}\n" if self.rtl else f"\n{made}\n"

    def typewriter(self, text: str) -> str:
        """Code in a line."""
        made = "".join("\\ " if char == " " else _sign(char) + _BREAKS.get(char, "") for char in text)
        made = f"\\texttt{{{made}}}"
        return f"\\textenglish{{{made}}}" if self.rtl else made

    def inline(self, node: Node) -> str:
        """All parts of an element that stand in lines."""
        return "".join(self.part(child) for child in node.children)

    def part(self, node: Node) -> str:
        """One part of a line."""
        name = node.name
        if name == "#text":
            return self.plain(re.sub(r"\s+", " ", node.text))
        if name == "br":
            return "\\newline "
        if name == "code":
            return self.typewriter(node.all_text())
        if name == "math":
            return self.formula(node)
        if name in {"strong", "em"}:
            return f"\\{'textbf' if name == 'strong' else 'emph'}{{{self.inline(node)}}}"
        if name == "a":
            address = self.typewriter(node.attributes.get("href", ""))
            return f"{self.inline(node)} ({address})"
        return self.blocks(node)

    def formula(self, node: Node) -> str:
        r"""A formula as its TeX, in ``\(…\)`` or apart."""
        tex = node.attributes.get("alttext", "")
        if node.attributes.get("display") == "block":
            return f"\n\\[{tex}\\]\n"
        return f"\\({tex}\\)"


def _sign(char: str) -> str:
    if char in _SIGNS:
        return f"\\ensuremath{{{_SIGNS[char]}}}"
    return _SPECIAL.get(char, char)


def _is_rtl(text: str) -> bool:
    return any(unicodedata.bidirectional(char) in {"R", "AL"} for char in text)


def _runs(text: str) -> list[tuple[str, bool]]:
    """The text cut into runs of Latin words and numbers, and what is between them."""
    if not _is_rtl(text) and re.search(r"[^\W_]", text):
        lead, tail = len(text) - len(text.lstrip()), len(text.rstrip())
        return [(part, at == 1) for at, part in enumerate((text[:lead], text[lead:tail], text[tail:])) if part]
    made: list[tuple[str, bool]] = []
    for part in re.split(r"([\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc][^\n]*?(?=[A-Za-z\u00c0-\u024f0-9]|$))", text):
        found = None if _is_rtl(part) else _LATIN.search(part)
        if found is None:
            made.append((part, False))
        else:
            end = found.end()
            while part[end - 1] == ")" and part.count(")", found.start(), end) > part.count("(", found.start(), end):
                end -= 1  # it closes what the Arabic text opened
            made += [(part[: found.start()], False), (part[found.start() : end], True), (part[end:], False)]
    return [(part, latin) for part, latin in made if part]
