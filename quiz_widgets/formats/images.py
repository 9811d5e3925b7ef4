"""Pictures from strangers: taken for what their first bytes say, and only where that is a picture that runs no code."""

from __future__ import annotations

import re
from functools import cache

MAX_BYTES = 5 << 20
_MAGIC = (
    (re.compile(rb"\x89PNG\r\n\x1a\n"), ".png"),
    (re.compile(rb"\xff\xd8\xff"), ".jpg"),
    (re.compile(rb"GIF8[79]a"), ".gif"),
    (re.compile(rb"RIFF.{4}WEBP", re.DOTALL), ".webp"),
)


def check(data: bytes) -> tuple[str, str]:
    """The ending that fits the picture, and why it may not be kept (empty: it may)."""
    suffix = next((end for magic, end in _MAGIC if magic.match(data)), "")
    if not suffix:
        if b"<svg" in data[:2000].lower():
            return "", "it is an SVG, which may run code: make a PNG of it"
        return "", "it is no PNG, JPEG, GIF or WebP picture"
    if len(data) > MAX_BYTES:
        return suffix, f"it has {len(data)} bytes, and {MAX_BYTES} are allowed"
    return suffix, ""


def safe_name(name: str, suffix: str, taken: frozenset[str] | set[str]) -> str:
    """A name for the file: its own as far as it is plain letters, with the ending that fits, and not taken."""
    stem = re.sub(r"[^a-z0-9]+", "-", name.rpartition("/")[2].rpartition(".")[0].lower()).strip("-")[:40] or "picture"
    made, count = stem + suffix, 2
    while made in taken:
        made, count = f"{stem}-{count}{suffix}", count + 1
    return made


@cache
def shown() -> bool:
    """Whether a quiz's texts may hold pictures."""
    from quiz_widgets import markup

    return not markup.render("![a](a.png)").faults


def reference(name: str, alt: str) -> str:
    """The picture in a text: itself where texts may hold pictures, else its description and its file's name."""
    from quiz_widgets.formats.markdown import escape, inline_code

    alt = escape(" ".join(alt.split()))
    if shown():
        return f"![{alt}]({name})"
    return f"({alt}: {inline_code(name)})" if alt else f"({inline_code(name)})"
