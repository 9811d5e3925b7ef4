"""Parts of a line on their way from HTML to Markdown: escaped together, stressed only where Markdown sees the marks."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass

from quiz_widgets.formats import markdown

Report = Callable[[str, str, str], None]
"""Called with rule, message and hint."""


@dataclass(frozen=True, slots=True)
class Piece:
    """Part of a line: text still to be escaped, Markdown, or Markdown to be put between stress marks."""

    text: str
    kind: str = "text"  # text | markdown | ** | * | barrier (keeps signs beside it from making a formula)


def joined(pieces: list[Piece], say: Callable[..., None]) -> str:
    """Pieces as Markdown: neighbouring texts are escaped together, stress marks put only where Markdown sees them."""
    merged: list[Piece] = []
    for piece in pieces:
        if piece.kind == "text" and merged and merged[-1].kind == "text":
            merged[-1] = Piece(merged[-1].text + piece.text)
        elif piece.text or piece.kind == "barrier":
            merged.append(piece)
    shown = [_shown(piece) for piece in merged]
    made = ""
    for index, (piece, text) in enumerate(zip(merged, shown, strict=True)):
        if made.endswith(("\n", " ", "")) and (not made or made[-1] in " \n") and piece.kind == "text":
            text = text.lstrip(" ")  # noqa: PLW2901
        if piece.kind in {"*", "**"}:
            after = shown[index + 1][:1] if index + 1 < len(shown) else ""
            text = _stressed(text, piece.kind, made[-1:], after, say)  # noqa: PLW2901
        if text.startswith("\\\n"):
            made = made.rstrip(" ")
            if not made or made.endswith("\\\n"):
                continue  # an empty line: a paragraph has none
        made += text
    return made


def _shown(piece: Piece) -> str:
    if piece.kind != "text":
        return piece.text
    text = re.sub(r"[ \t\n\f\r\xa0]+", " ", piece.text)
    return markdown.with_formulas(text)


def _stressed(text: str, mark: str, before: str, after: str, say: Callable[..., None]) -> str:
    inner = text.strip()
    if not inner:
        return text
    lead, tail = text[: len(text) - len(text.lstrip())], text[len(text.rstrip()) :]
    opens = _flanks(inner[0], lead[-1:] or before)
    closes = _flanks(inner[-1], tail[:1] or after) and not inner.endswith("\\")
    if not (opens and closes) or before == "*" or "\n\n" in inner:
        say("html-stress", f"`{inner[:40]}` is not stressed: Markdown cannot, so near to other signs", "")
        return text
    return f"{lead}{mark}{inner}{mark}{tail}"


def _flanks(inside: str, outside: str) -> bool:
    """Whether a stress mark between these two signs counts as one."""
    return not _is_sign(inside) or not outside or outside.isspace() or _is_sign(outside)


def _is_sign(char: str) -> bool:
    return unicodedata.category(char)[0] in "PS"
