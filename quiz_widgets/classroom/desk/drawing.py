"""What one attempt shows: drawn items and numbers, and ids of options that tell neither key nor other attempts.

All of it follows from the course's secret and the attempt's id, so that it is the same after every restart and is kept
nowhere. Order follows from the ids: pages and previews sort by their hashes (`quiz_widgets.ordering`).
"""

from __future__ import annotations

import hmac
from collections.abc import Iterable

from quiz_widgets import pools
from quiz_widgets.model import Item, Pool, Quiz

_ID_DIGITS = 12  # 48 bits: within one item no two options get the same


class Drawing:
    """The drawing of one attempt."""

    def __init__(self, secret: str, attempt: str) -> None:
        self._key = bytes.fromhex(secret)
        self._attempt = attempt

    def remembering(self) -> Drawing:
        """The same drawing, which works out each item's ids once: for one reply, in which they are asked for often."""
        return _Remembering(self._key.hex(), self._attempt)

    def items(self, quiz: Quiz) -> tuple[Item, ...]:
        """The items that this attempt shows: of each pool those that are drawn, where its first item stands."""
        return tuple(quiz.item(name) for name in pools.placed(quiz, self._drawn))

    def options(self, item: Item) -> dict[str, str]:
        """The id that this attempt shows for each option, by the author's id."""
        return self._ids(item, "option", (option.id for option in item.options))

    def targets(self, item: Item) -> dict[str, str]:
        """The id that this attempt shows for each target of a `match`, by the author's id."""
        return self._ids(item, "target", (target.id for target in item.targets))

    def variant(self, item: Item) -> int | None:
        """The index of the drawn variant; `None` when nothing is drawn."""
        if not item.variants:
            return None
        return int(self._digest(item.id, "variant")[:12], 16) % len(item.variants)

    def _drawn(self, pool: Pool) -> tuple[str, ...]:
        return tuple(sorted(pool.items, key=lambda name: self._digest(name, "pool", pool.id))[: pool.draw])

    def _ids(self, item: Item, what: str, names: Iterable[str]) -> dict[str, str]:
        # A letter first, as in the author's ids; hex digits after it.
        return {name: f"o{self._digest(item.id, what, name)[:_ID_DIGITS]}" for name in names}

    def _digest(self, *parts: str) -> str:
        text = "\0".join((self._attempt, *parts))
        return hmac.digest(self._key, text.encode("utf-8"), "sha256").hex()


class _Remembering(Drawing):
    def __init__(self, secret: str, attempt: str) -> None:
        super().__init__(secret, attempt)
        self._known: dict[tuple[str, str], dict[str, str]] = {}

    def _ids(self, item: Item, what: str, names: Iterable[str]) -> dict[str, str]:
        if (item.id, what) not in self._known:
            self._known[item.id, what] = super()._ids(item, what, names)
        return self._known[item.id, what]
