"""How often one may ask: a bucket that fills at a steady rate, so that a burst is fine and a flood is not.

By learner, never by address: all kernels of a Hub come through one proxy.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from time import monotonic


class Bucket:
    """Holds up to `burst` tries and gets `rate` new ones a second."""

    def __init__(self, rate: float, burst: float, clock: Callable[[], float] = monotonic) -> None:
        self._rate = rate
        self._burst = burst
        self._clock = clock
        self._full = burst
        self._at = clock()

    def take(self, count: float = 1) -> bool:
        """Whether there were as many tries left; they are used up then."""
        now = self._clock()
        self._full = min(self._burst, self._full + (now - self._at) * self._rate)
        self._at = now
        if self._full < count:
            return False
        self._full -= count
        return True


class Buckets:
    """One bucket for each name; only the most recent ones are kept, so that names cannot fill the memory."""

    def __init__(
        self, rate: float, burst: float, *, kept: int = 20_000, clock: Callable[[], float] = monotonic
    ) -> None:
        self._rate, self._burst, self._clock = rate, burst, clock
        self._kept = kept
        self._buckets: OrderedDict[str, Bucket] = OrderedDict()

    def take(self, name: str, count: float = 1) -> bool:
        """Whether that name had as many tries left."""
        if name not in self._buckets:
            self._buckets[name] = Bucket(self._rate, self._burst, self._clock)
        bucket = self._buckets[name]
        self._buckets.move_to_end(name)
        while len(self._buckets) > self._kept:
            self._buckets.popitem(last=False)
        return bucket.take(count)
