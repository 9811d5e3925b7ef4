"""Further languages of what an output carries, so that a page can change its language without a kernel.

A pack holds only what differs: the leaves of the payload in order, 0 where a leaf is the same, as deflated JSON in
base64. `frontend/frame.js` puts them in the places of its own. A leaf is whatever is no list and no object, and an
object with ``html`` (a text with its language) or ``other`` (a counting message).
"""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Iterator
from typing import Any

from quiz_widgets import locales, pools
from quiz_widgets.contract import Mode, ViewPayload
from quiz_widgets.model import Quiz
from quiz_widgets.payload import practice_payload, quiz_payload


def packs(
    quiz: Quiz,
    locale: str,
    view: ViewPayload | None = None,
    *,
    mode: Mode = "practice",
    attempt: str = pools.SAMPLE,
    keys: ViewPayload | bool = True,
) -> dict[str, str]:
    """A pack for each locale of the quiz but `locale`, in which the page has its payload; by locale.

    Without `keys` for a page that has no practice part; a view of its own for one that has it of other items.
    """
    others = [name for name in quiz.locales if name != locale and name in locales.available()]
    if not others:  # the usual quiz of one's own: nothing to compare with
        return {}

    def payload(name: str) -> list[Any]:
        shown = quiz_payload(quiz, name, view, mode=mode, attempt=attempt)
        if keys is False:
            return [shown]
        return [shown, practice_payload(quiz, name, view if keys is True else keys, attempt=attempt)]

    base = payload(locale)
    return {name: _packed(list(_leaves(base, payload(name)))) for name in sorted(others)}


def _leaves(base: Any, other: Any) -> Iterator[Any]:
    if isinstance(base, list):
        for part, there in zip(base, other, strict=True):
            yield from _leaves(part, there)
    elif isinstance(base, dict) and "html" not in base and "other" not in base:
        for name, part in base.items():
            yield from _leaves(part, other[name])
    else:
        yield 0 if base == other else other


def _packed(leaves: list[Any]) -> str:
    text = json.dumps(leaves, ensure_ascii=False, separators=(",", ":"))
    return base64.b64encode(zlib.compress(text.encode(), 9)).decode("ascii")
