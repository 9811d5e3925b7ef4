"""Left-to-right runs in right-to-left text: ``14 GB``, ``3–5``, ``C++`` and ``softmax()`` must not be reordered.

The bidirectional algorithm takes signs, and numbers after Arabic letters, to the direction of the text around them.
In HTML a run is isolated with ``<bdi dir="ltr">``, in plain text with U+2066 and U+2069. A run that begins with a
Latin letter and ends with a letter or digit needs nothing, and neither does a number alone.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from quiz_widgets.locales import Direction

LRI, RLI, PDI = "\u2066", "\u2067", "\u2069"

_WORD = r"(?:\{\w+\}|[A-Za-z0-9_µ°\u00b2\u00b3\u00b9\u2070-\u207f]+)"
_SIGN = r"[-+\u2212\u2013\u00d7*/=<>\u2264\u2265\u2248\u00b1^\u00b7\u2192%|~]"
_JOINT = rf"(?: ?{_SIGN} ?|\(\) ?|\([A-Za-z0-9_=.,]+\) ?|[.,:'](?=[A-Za-z0-9])| )"
_LEAD = r"(?:(?<!\S)[-+\u2212\u00b1~\u2248<>\u2264\u2265])?"
_RUN = re.compile(rf"{_LEAD}{_WORD}(?:{_JOINT}{_WORD})*(?:\+\+|\(\)|\([A-Za-z0-9_=.,]+\)|[%°+])?")
_SAFE = re.compile(r"[A-Za-z][^{}]*[A-Za-z0-9]|[A-Za-z]|[0-9]+(?:[.,][0-9]+)*|\{\w+\}")
# What is no prose: tags, and the elements that stand left to right by themselves; formulas; entities.
_HTML = re.compile(
    r"<(code|pre|math|bdi)\b.*?</\1>|<[^>]*>|(?P<tex>\\\(.*?\\\)|\\\[.*?\\\])|&#?\w+;|(?P<prose>[^<&\\]+|\\)",
    re.DOTALL,
)
# What is no prose in Markdown: code, formulas, targets of links, tags, and the signs of its own.
_MARKDOWN = re.compile(
    r"(?P<code>(?P<ticks>`+)(?!`).+?(?<!`)(?P=ticks)(?!`))|\$\$.+?\$\$|\$[^$]+\$|\]\([^)]*\)|<[^>]*>|(?P<prose>[^`$\]<*|\n]+)",
    re.DOTALL,
)

# A paragraph: what begins no heading, table, list, quotation, fence, formula or box. One line, as guides write them.
_PROSE_BLOCK = re.compile(r"(?!<(?!span)|[#|>`~]|\$\$|[-*+] |[0-9]+[.)] |\(\S+\)=)\S")


def isolated_html(html: str) -> str:
    """HTML of a right-to-left text with its left-to-right runs isolated; placeholders stay as they are."""

    def part(found: re.Match[str]) -> str:
        if found["prose"] is not None:
            return _runs(found["prose"], lambda run: f'<bdi dir="ltr">{run}</bdi>')
        return f'<bdi dir="ltr">{found[0]}</bdi>' if found["tex"] is not None else found[0]

    return _HTML.sub(part, html)


def isolated_markdown(text: str, locale: str) -> str:
    """Markdown of a right-to-left text, in a box of its language and direction, with left-to-right runs isolated."""

    def part(found: re.Match[str]) -> str:
        if found["prose"] is not None:
            return isolated_text(found[0])
        if found["code"] is None:
            return found[0]
        block = len(found["ticks"]) > 2
        return f'<div dir="ltr">\n\n{found[0]}\n\n</div>' if block else f'<span dir="ltr">{found[0]}</span>'

    return "\n\n".join([f'<div dir="rtl" lang="{locale}">', *_aligned(_MARKDOWN.sub(part, text)), "</div>"])


def _aligned(markdown: str) -> Iterator[str]:
    """The blocks, with paragraphs that begin at the right also where the host's own style puts every paragraph left.

    JupyterLab does so, and of an inline style its sanitiser keeps these two properties; others take the box's side.
    """
    in_fence = False
    for block in markdown.split("\n\n"):
        in_fence = block == '<div dir="ltr">' or (in_fence and block != "</div>")
        prose = not in_fence and "\n" not in block and _PROSE_BLOCK.match(block)
        yield f'<span style="display:block;text-align:right">{block}</span>' if prose else block


def isolated_text(text: str) -> str:
    """Plain text from right to left with its left-to-right runs isolated."""
    return _runs(text, lambda run: f"{LRI}{run}{PDI}")


def embedded(text: str, direction: Direction) -> str:
    """Plain text, each line of which keeps its direction wherever it is put."""
    mark = RLI if direction == "rtl" else LRI
    return "\n".join(f"{mark}{line}{PDI}" if line.strip() else line for line in text.split("\n"))


def _runs(text: str, isolate: Callable[[str], str]) -> str:
    return _RUN.sub(lambda run: run[0] if _SAFE.fullmatch(run[0]) else isolate(run[0]), text)
