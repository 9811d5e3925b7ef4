"""Writes the three forms of a text side by side, in one walk over its Markdown tokens."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING

from quiz_widgets.markup import code, tex

if TYPE_CHECKING:
    from markdown_it.token import Token


@dataclass(frozen=True, slots=True, order=True)
class Fault:
    """Something in a text that cannot be shown; `line` and `column` count from 1 within the text."""

    line: int
    column: int
    message: str
    hint: str


_LIVE = re.compile(r"[$\\]")
_UNSUPPORTED = {
    "heading_open": ("a heading", "write **bold** text, or put `\\` before the `#`"),
    "blockquote_open": ("a quotation", "write it as a paragraph, or put `\\` before the `>`"),
    "image": ("an image", "say it in words or maths; pictures belong in the guide"),
    "html_block": ("raw HTML", "write Markdown, or put it in backticks to show it"),
    "html_inline": ("raw HTML", "write Markdown, or put it in backticks to show it"),
}
_UNSUPPORTED_ENDS = {"heading_close", "blockquote_close"}
_SIMPLE = {"strong": "strong", "em": "em", "bullet_list": "ul", "list_item": "li"}


class Writer:
    """Collects `html`, `preview` and `plain` as pieces, and `faults`."""

    def __init__(self, source: str) -> None:
        self.html: list[str] = []
        self.preview: list[str] = []
        self.plain: list[str] = []
        self.faults: list[Fault] = []
        self._source = source
        self._cursor = 0  # inline tokens carry no position: each is looked for after the one before
        self._lists: list[int | None] = []  # the next number of each open list, None for bullets
        self._lone = False
        self._reported: set[str] = set()

    def write(self, tokens: Sequence[Token]) -> None:
        """Write all tokens of a text."""
        self._lone = [token.type for token in tokens] == ["paragraph_open", "inline", "paragraph_close"]
        for index, token in enumerate(tokens):
            self._one(token)
            if token.type == "list_item_open" and tokens[index + 1].type == "list_item_close":
                hint = f"put `\\` before the `{token.markup}`, or write the entry"
                self._fault(self._find(token.info + token.markup), "an empty list entry", hint)

    def _one(self, token: Token) -> None:
        if token.map and token.level == 0:
            self._cursor = max(self._cursor, self._offset_of_line(token.map[0]))
        kind = token.type.split("_", maxsplit=1)[0]
        if token.type in _UNSUPPORTED:
            self._unsupported(token)
        elif special := {"paragraph": self._paragraph, "math": self._math, "link": self._link}.get(kind):
            special(token)
        elif token.type == "inline":
            for child in token.children or ():
                self._one(child)
        elif token.type in {"fence", "code_inline"}:
            self._code(token)
        elif token.type in {"text", "softbreak", "hardbreak"}:
            self._text("\n" if token.type != "text" else token.content, hard=token.type == "hardbreak")
        elif token.type not in _UNSUPPORTED_ENDS:
            self._element(token)

    def _text(self, text: str, *, hard: bool = False) -> None:
        self.html.append("<br>" if hard else escape(text, quote=False))
        # In a notebook's page a dollar or a backslash may start maths; alone in an element it cannot.
        self.preview.append(_LIVE.sub(lambda sign: f"<span>{sign[0]}</span>", escape(text, quote=False)))
        self.plain.append(text)

    def _both(self, html: str) -> None:
        self.html.append(html)
        self.preview.append(html)

    def _paragraph(self, token: Token) -> None:
        if not token.hidden and not self._lone:
            self._both("<p>" if token.nesting == 1 else "</p>")
        if token.nesting == -1:
            self.plain.append("\n" if token.hidden else "\n\n")

    def _element(self, token: Token) -> None:
        name, _, end = token.type.rpartition("_")
        if name == "ordered_list":
            start = int(token.attrs.get("start", 1))
            self._both("</ol>" if end == "close" else "<ol>" if start == 1 else f'<ol start="{start}">')
        else:
            self._both(f"<{'/' if end == 'close' else ''}{_SIMPLE[name]}>")
        if name.endswith("list"):
            if end == "open":
                self._lists.append(int(token.attrs.get("start", 1)) if name == "ordered_list" else None)
            else:
                self._lists.pop()
                self.plain.append("" if self._lists else "\n")
        elif token.type == "list_item_open":
            self._item()

    def _item(self) -> None:
        number = self._lists[-1]
        mark = "-" if number is None else f"{number}."
        self.plain.append(f"{'  ' * (len(self._lists) - 1)}{mark} ")
        if number is not None:
            self._lists[-1] = number + 1

    def _code(self, token: Token) -> None:
        offset = self._find(token.content if token.type == "code_inline" else token.markup)
        if token.type == "code_inline":
            shown = escape(token.content, quote=False)
            self.html.append(f'<code dir="ltr" translate="no">{shown}</code>')
            self.preview.append(f'<code dir="ltr">{shown}</code>')
            self.plain.append(token.content)
            return
        self._cursor = self._offset_of_line(token.map[1]) if token.map else self._cursor
        language = token.info.strip().split(" ")[0]
        body = token.content.rstrip("\n")
        spans = code.highlight(body, language)
        if spans is None:
            near = code.near_languages(language)
            hint = f"did you mean {' or '.join(near)}?" if near else "name a language that Pygments knows, or none"
            self._fault(offset, f"code in the unknown language `{language}`", hint)
            spans = escape(body, quote=False)
        spans = spans.rstrip("\n")
        self.html.append(f'<pre class="qz-code" dir="ltr" translate="no"><code>{spans}</code></pre>')
        self.preview.append(f'<pre dir="ltr"><code>{escape(body, quote=False)}</code></pre>')
        self.plain.append(f"{body}\n\n")

    def _math(self, token: Token) -> None:
        formula = token.content.strip()
        offset = self._find(token.markup + token.content) + len(token.markup)
        block = token.type != "math_inline"
        if not formula:
            self._fault(offset, "an empty formula", "write TeX between the dollars, or `\\$` for the sign")
            return
        offset += token.content.index(formula)

        def report(at: int, message: str, hint: str) -> None:
            self._fault(offset + at, message, hint)

        self.html.append(tex.mathml(formula, block=block, report=report))
        left, right = ("\\[", "\\]") if block else ("\\(", "\\)")
        tag = "div" if block and token.block else "span"
        shown = escape(formula, quote=False)
        self.preview.append(f'<{tag} class="mathjax_process" dir="ltr">{left}{shown}{right}</{tag}>')
        self.plain.append(f"{formula}\n\n" if token.block else formula)

    def _link(self, token: Token) -> None:
        if token.nesting == -1:
            self.html.append("</a>")
            return
        target = str(token.attrs.get("href", ""))
        if not re.match(r"https?://[^/]", target):
            self._fault(self._find(target), f"a link to `{target}`", "links go to the web: `https://…`")
        self.html.append(f'<a href="{escape(target)}">')

    def _unsupported(self, token: Token) -> None:
        what, hint = _UNSUPPORTED[token.type]
        if what not in self._reported:  # `<b>x</b>` is one slip, not two
            self._fault(self._find(token.content.split("\n")[0] or token.markup), f"{what} in a quiz text", hint)
        self._reported.add(what)
        if token.type.startswith("html"):
            self._text(token.content)

    def _fault(self, offset: int, message: str, hint: str) -> None:
        before = self._source[:offset]
        line = before.count("\n") + 1
        self.faults.append(Fault(line, offset - (before.rfind("\n") + 1) + 1, message, hint))

    def _find(self, text: str) -> int:
        """Where the text stands next in the source; the cursor moves to it."""
        found = self._source.find(text, self._cursor)
        if found >= 0:
            self._cursor = found + (1 if text else 0)
        return found if found >= 0 else self._cursor

    def _offset_of_line(self, line: int) -> int:
        """The offset of a line counted from 0."""
        offset = 0
        for _ in range(line):
            offset = self._source.find("\n", offset) + 1 or len(self._source)
        return offset
