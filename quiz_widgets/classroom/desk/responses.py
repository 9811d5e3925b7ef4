"""A response as it comes in names options by the ids that the attempt shows; the desk keeps the author's."""

from __future__ import annotations

from collections.abc import Sequence

from quiz_widgets.classroom.desk.drawing import Drawing
from quiz_widgets.model import Item
from quiz_widgets.progress.events import fits


def understood(item: Item, drawing: Drawing, response: Sequence[str]) -> tuple[str, ...] | None:
    """The response with the author's ids; `None` for one that the item's field cannot hold."""
    sent = list(response)
    if item.options:
        options = {shown: name for name, shown in drawing.options(item).items()}
        if item.kind == "match":
            targets = {shown: name for name, shown in drawing.targets(item).items()}
            pairs = [part.partition(":") for part in sent]
            sent = [f"{options.get(prompt, '?')}:{targets.get(target, '?')}" for prompt, _, target in pairs]
        else:
            sent = [options.get(name, "?") for name in sent]
    return tuple(sent) if fits(sent, item) else None


def shown(item: Item, drawing: Drawing, response: Sequence[str]) -> list[str]:
    """The other way: a kept response in the ids that the attempt shows."""
    if not item.options:
        return list(response)
    options = drawing.options(item)
    if item.kind != "match":
        return [options[name] for name in response]
    targets = drawing.targets(item)
    return [f"{options[prompt]}:{targets[target]}" for prompt, _, target in (part.partition(":") for part in response)]
