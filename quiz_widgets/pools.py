"""Which items an attempt shows where a quiz draws some of its items from pools.

A page holds the items of one hand: all of a small pool, `HAND` of a larger one, which follow from the first digits of
the attempt's id. A page that begins anew keeps these digits, so that what it draws from its hand without a kernel is
what is drawn here. Within a hand `ordering.drawn` decides, and the page's script does the same.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from functools import lru_cache

from quiz_widgets import ordering
from quiz_widgets.model import Pool, Quiz

HAND = 32  # items that a page carries of one pool, unless it draws more
SEED = 4  # digits of an attempt's id: 65,536 hands
SAMPLE = "preview"  # stands for an attempt where there is none


def hand(pool: Pool, attempt: str) -> tuple[str, ...]:
    """Ids of the pool's items that pages of this attempt may show, in the author's order.

    Of a large pool those with the smallest BLAKE2b (64 bits) of seed/pool/item: quick, and no page ever computes it.
    """
    return pool.items if len(pool.items) <= max(HAND, pool.draw) else _hand(pool, attempt[:SEED])


@lru_cache(maxsize=8)  # an output asks several times
def _hand(pool: Pool, seed: str) -> tuple[str, ...]:
    most = max(HAND, pool.draw)
    begun = hashlib.blake2b(f"{seed}/{pool.id}/".encode(), digest_size=8)

    def digest(item: str) -> bytes:
        hashed = begun.copy()
        hashed.update(item.encode())
        return hashed.digest()

    chosen = set(sorted(pool.items, key=digest)[:most])
    return tuple(item for item in pool.items if item in chosen)


def carried(quiz: Quiz, attempt: str) -> Mapping[str, str | None]:
    """The set of each item that pages of this attempt may show, by id; a pool stands where its first item stands."""
    return placed(quiz, lambda pool: hand(pool, attempt))


def shown(quiz: Quiz, attempt: str) -> Mapping[str, str | None]:
    """The set of each item that this attempt shows, by id, in the order in which it shows them."""
    return placed(quiz, lambda pool: ordering.drawn(attempt, pool.id, hand(pool, attempt), pool.draw))


def placed(quiz: Quiz, chosen: Callable[[Pool], tuple[str, ...]]) -> Mapping[str, str | None]:
    """The sets by id, in order, with the chosen items of each pool in the place of the pool's first item."""
    sets = quiz.sets
    if not quiz.pools:
        return sets
    member = {item: pool for pool in quiz.pools for item in pool.items}
    made: dict[str, str | None] = {}
    met: set[str] = set()
    for item, name in sets.items():
        pool = member.get(item)
        if pool is None:
            made[item] = name
        elif pool.id not in met:
            met.add(pool.id)
            made.update(dict.fromkeys(chosen(pool), name))
    return made
