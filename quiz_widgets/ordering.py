"""The order in which options are shown, which drawn variant, and which items of a pool: the same here and in the page.

Both follow from ids alone through one stated hash, so a re-run, a reload and a second tab show the same
thing. `tests/cases/order.json` holds the golden cases that this module and the page's script both pass.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

from quiz_widgets.model import Item

_FNV_OFFSET = 0x811C9DC5
_FNV_PRIME = 0x01000193
_MASK = 0xFFFFFFFF


def hash32(text: str) -> int:
    """FNV-1a (32 bits) over the text's UTF-8 bytes, then murmur3's finaliser.

    FNV alone leaves texts that differ only at their end close together; the finaliser spreads them.
    """
    value = _FNV_OFFSET
    for byte in text.encode("utf-8"):
        value = ((value ^ byte) * _FNV_PRIME) & _MASK
    value = ((value ^ (value >> 16)) * 0x85EBCA6B) & _MASK
    value = ((value ^ (value >> 13)) * 0xC2B2AE35) & _MASK
    return value ^ (value >> 16)


def option_order(item: Item, attempt: str) -> tuple[str, ...]:
    """Ids of the item's options as this attempt shows them; pinned options come first or last.

    The author's order has no part in it: two files that differ only in the order of options show the same. Only where
    it is the key, and would be shown by chance, the first option comes last.
    """
    pins = {option.id: option.pin for option in item.options}
    shuffled = _of_item(tuple(pins), f"{attempt}/{item.id}")
    placed = tuple(name for place in ("first", None, "last") for name in shuffled if pins[name] == place)
    return (*placed[1:], *placed[:1]) if item.kind == "order" and placed == item.key else placed


def target_order(item: Item, attempt: str) -> tuple[str, ...]:
    """Ids of the targets of a `match` as this attempt lists them.

    The hashed texts are others than those of options, because a target may have the id of its prompt.
    """
    return _of_item(tuple(target.id for target in item.targets), f"{attempt}/{item.id}/target")


def _shuffled(ids: Iterable[str], where: str) -> tuple[str, ...]:
    return tuple(sorted(ids, key=lambda name: (hash32(f"{where}/{name}"), name)))


@lru_cache(maxsize=4096)  # what a cell shows lists its options three times: as HTML, as text, for the page
def _of_item(ids: tuple[str, ...], where: str) -> tuple[str, ...]:
    """The few ids of one item; those of a pool may be thousands, and each attempt's are others: they are not kept."""
    return _shuffled(ids, where)


def pick(attempt: str, item_id: str, indexes: Sequence[int]) -> int:
    """The index, among those given, of the drawn variant that this attempt shows. `indexes` may not be empty."""
    return min(indexes, key=lambda index: (hash32(f"{attempt}/{item_id}/{index}"), index))


def drawn(attempt: str, pool: str, ids: Iterable[str], count: int) -> tuple[str, ...]:
    """The `count` items of a pool that this attempt shows, in the order in which it shows them."""
    return _shuffled(ids, f"{attempt}/pool/{pool}")[:count]
