"""The desk's clock, in milliseconds since 1970 UTC: the only one that decides what is in time."""

from __future__ import annotations

import time
from collections.abc import Callable

Clock = Callable[[], int]


def now() -> int:
    """This machine's time."""
    return time.time_ns() // 1_000_000
