"""Which parts of a text are prose, and which are code or maths, where a sign means something else."""

from __future__ import annotations

import re

_FENCE = re.compile(r"(?m)^ {0,3}(?P<mark>`{3,}|~{3,})[^\n]*\n(?:.*\n)*? {0,3}(?P=mark)[`~]*[ \t]*(?:\n|\Z)")
_CODE = re.compile(r"(?<![\\`])(`+)(?!`).+?(?<!`)\1(?!`)", re.DOTALL)
_ESCAPE = re.compile(r"\\[^\w\s]")
# As the parser takes it: no space inside the dollars, no digit right outside.
_MATHS = re.compile(r"\$\$.+?\$\$|(?<![\d$])\$(?![\s$])(?:[^$]*[^$\s])?\$(?![\d$])", re.DOTALL)
VERBATIM = re.compile(r"(?:(?<!`)`+(?!`).+?`+|\$\$.+?\$\$|\$[^$\s](?:[^$]*[^$\s])?\$)", re.DOTALL)


def blanked(text: str, *, maths: bool = True) -> str:
    """The text with code, escaped signs and, unless told otherwise, maths blanked out; everything keeps its place."""
    for pattern in (_FENCE, _CODE, _ESCAPE, *((_MATHS,) if maths else ())):
        if pattern is _MATHS and "$" not in text:
            continue
        # An escaped sign is no space: `$\$5$` is maths.
        text = pattern.sub("\ufffc\ufffc" if pattern is _ESCAPE else _blank, text)
    return text


def _blank(found: re.Match[str]) -> str:
    return re.sub(r"[^\n]", " ", found[0])
