"""Attempts that could not be scored: set aside for a while, so that those behind them are not kept waiting.

They stay unscored in the database, and are tried again: a mistake may be mended by a changed key or a newer desk. The
times are kept by each process alone; one that starts anew tries all of them at once.
"""

from __future__ import annotations

from collections.abc import Collection

FIRST_MS, LONGEST_MS = 60_000, 3_600_000  # how long one waits for its second try, and for later ones at most


class Aside:
    """Which attempts wait for another try, and when it comes."""

    def __init__(self) -> None:
        self._waits: dict[str, tuple[int, int]] = {}  # attempt id -> when it is tried again, and the wait before that

    def __len__(self) -> int:
        return len(self._waits)

    def put(self, attempts: Collection[str], now: int) -> None:
        """They could not be scored: each waits twice as long as the last time."""
        for one in attempts:
            _, before = self._waits.get(one, (0, 0))
            wait = min(2 * before, LONGEST_MS) or FIRST_MS
            self._waits[one] = (now + wait, wait)

    def forget(self, attempts: Collection[str]) -> None:
        """They are scored."""
        for one in attempts:
            self._waits.pop(one, None)

    def waiting(self, now: int) -> list[str]:
        """Those whose next try has not come yet."""
        return [one for one, (again, _) in self._waits.items() if again > now]
