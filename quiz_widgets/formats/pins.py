"""Options that do not move: other systems fix single places, we pin to the top and to the end."""

from __future__ import annotations

from collections.abc import Sequence

from quiz_widgets.formats.draft import DraftOption
from quiz_widgets.model import Pin

_PLACES: dict[Pin | None, int] = {"first": 0, None: 1, "last": 2}


def from_fixed(fixed: Sequence[bool]) -> tuple[list[Pin | None], bool]:
    """The pins of options that keep their places in a shuffle, and whether one in the middle is left without."""
    count = len(fixed)
    if all(fixed):
        return [None] * count, False
    first = next(index for index in range(count) if not fixed[index])
    last = next(index for index in reversed(range(count)) if not fixed[index])
    pins: list[Pin | None] = ["first" if index < first else "last" if index > last else None for index in range(count)]
    return pins, any(fixed[first : last + 1])


def in_place(options: Sequence[DraftOption]) -> tuple[DraftOption, ...]:
    """The options with those that are pinned at the top and at the end, where they keep their places."""
    return tuple(sorted(options, key=lambda option: _PLACES[option.pin]))
