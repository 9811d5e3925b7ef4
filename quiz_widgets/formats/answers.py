"""Accepted texts of other systems as our patterns and back: there ``*`` is any run of signs, here ``|`` is "or" too."""

from __future__ import annotations

import re
from collections.abc import Iterator

from quiz_widgets.formats.base import Notices


def to_pattern(text: str) -> str:
    r"""A text with ``*`` and ``\*`` (Moodle's short answer) as a pattern that means the same."""
    found = re.sub(r"\\\*|[\\|]", lambda sign: sign[0] if sign[0] == r"\*" else "\\" + sign[0], text)
    return " ".join(found.split())


def literal(text: str) -> str:
    """A text without any special sign as a pattern."""
    return re.sub(r"([*|\\])", r"\\\1", " ".join(text.split()))


def alternatives(pattern: str) -> list[str]:
    r"""The alternatives of a pattern as texts with ``*`` and ``\*``."""
    parts = [""]
    for found in re.finditer(r"\\([*|\\])|(\|)|.", pattern, re.DOTALL):
        if found[2]:
            parts.append("")
        elif found[1] in {"|", "\\"}:
            parts[-1] += found[1]
        else:
            parts[-1] += found[0]
    return [part.strip() for part in parts]


def plain(pattern: str, item: str, notices: Notices) -> Iterator[str]:
    """The alternatives of a pattern for a system without patterns; one with ``*`` is left out, which is noted."""
    for part in alternatives(pattern):
        if "*" in part.replace(r"\*", ""):
            message = f"not exported: the answer `{part[:40]}`, since `*` stands for any signs"
            notices.add(0, item, "lost", message, "name the answers that are meant")
        else:
            yield part.replace(r"\*", "*")
