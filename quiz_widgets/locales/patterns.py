r"""Accepted texts as patterns: ``*`` stands for any run of characters, ``|`` separates alternatives.

``\*``, ``\|`` and ``\\`` stand for the signs themselves. There are no regular expressions: a pattern reads like a
phrase, and matching takes no longer than reading it. A pattern becomes the texts between its stars; the page gets
these, and needs no reader of patterns of its own.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from quiz_widgets.locales.typed import normalised

_STAR = "\uffff"  # no character: YAML refuses it, and it survives normalising
_ESCAPED = re.compile(r"\\([*|\\])|([*|])")

Parts = tuple[str, ...]
"""One alternative: the texts between its stars, at least one."""


def parts(pattern: str, locale: str, *, match_case: bool = False) -> tuple[Parts, ...]:
    """The alternatives of a pattern, normalised under the rules of its locale."""
    return tuple(
        tuple(normalised(alternative, locale, match_case=match_case).split(_STAR))
        for alternative in _alternatives(pattern)
    )


def fits(alternative: Sequence[str], text: str) -> bool:
    """Whether a normalised text is this alternative."""
    first, *others = alternative
    if not others:
        return text == first
    *middle, last = others
    if not text.startswith(first):
        return False
    at = len(first)
    for part in middle:
        at = text.find(part, at)
        if at < 0:
            return False
        at += len(part)
    return text.endswith(last) and len(text) - len(last) >= at


def example(pattern: str) -> str:
    """A text to show as the right one: the first alternative without stars, else the first with ``…`` for them."""
    alternatives = _alternatives(pattern)
    shown = next((one for one in alternatives if _STAR not in one), alternatives[0])
    return " ".join(shown.replace(_STAR, "…").split())


def phrases(pattern: str) -> tuple[str, ...]:
    """The alternatives without stars, as they are written."""
    return tuple(one for one in _alternatives(pattern) if _STAR not in one)


def lacks_text(pattern: str) -> bool:
    """Whether an alternative holds neither letters nor a star, so that only an empty response would be it."""
    return any(not one.strip() for one in _alternatives(pattern))


def _alternatives(pattern: str) -> list[str]:
    """The alternatives with their escapes resolved and a mark for each star."""
    found = [""]
    at = 0
    for sign in _ESCAPED.finditer(pattern):
        found[-1] += pattern[at : sign.start()] + (sign[1] or (_STAR if sign[2] == "*" else ""))
        if sign[2] == "|":
            found.append("")
        at = sign.end()
    found[-1] += pattern[at:]
    return found
