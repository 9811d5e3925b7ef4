"""The order in which a printed quiz or a flash card shows things: from ids and a seed, the same on every run."""

from __future__ import annotations

from collections.abc import Sequence

from quiz_widgets.formats.draft import DraftItem, DraftOption, DraftTarget
from quiz_widgets.ordering import hash32


def options(item: DraftItem, seed: str) -> tuple[DraftOption, ...]:
    """The item's options mixed, those with a pin first or last; steps never by chance in their right order."""
    mixed = sorted(item.options, key=lambda option: (hash32(f"{seed}/{item.id}/{option.id}"), option.id))
    placed = [option for pin in ("first", None, "last") for option in mixed if option.pin == pin]
    if item.kind == "order" and placed == list(item.options):
        placed = [*placed[1:], *placed[:1]]
    return tuple(placed)


def targets(item: DraftItem, seed: str) -> tuple[DraftTarget, ...]:
    """The targets of a `match`, mixed."""
    return tuple(sorted(item.targets, key=lambda target: (hash32(f"{seed}/{item.id}/target/{target.id}"), target.id)))


def items(drafts: Sequence[DraftItem], seed: str) -> tuple[DraftItem, ...]:
    """The questions, mixed."""
    return tuple(sorted(drafts, key=lambda item: (hash32(f"{seed}/{item.id}"), item.id)))
