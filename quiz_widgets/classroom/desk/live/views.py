"""What a page of a class at work is told: one line a learner, one a question, the counts; whole, or what has changed.

No response, key or score is in it. Names are: the page shows them when it is asked to.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple


class Line(NamedTuple):
    """One learner. Times in ms; `None` for what has not happened."""

    label: int
    """What stands for the name: it says nothing of who it is."""
    name: str
    opened: int | None
    answered: int
    asked: int
    """How many questions the attempt shows; 0 while none is opened."""
    finished: int | None
    by_desk: bool
    late: int
    """Answers that came too late to count."""
    held: int | None
    """How many answers the kernel held when it was last heard of, at `heard`."""
    heard: int | None
    excused: bool

    @property
    def open(self) -> int:
        """Questions that this learner has before them and has not answered."""
        return self.asked - self.answered if self.finished is None else 0


class ItemLine(NamedTuple):
    """One question: how many learners' attempts show it (`None`: not counted, for a large pool), how many answered."""

    item: str
    opened: int | None
    answered: int


class Totals(NamedTuple):
    """The counts of a class."""

    learners: int = 0
    opened: int = 0
    finished: int = 0
    answered: int = 0
    asked: int = 0
    open: int = 0
    late: int = 0
    """Learners of whom an answer came too late."""
    held: int = 0


@dataclass(frozen=True)
class View:
    """The state at one moment; `sequence` is one more with each change. Never altered: all readers share it."""

    sequence: int
    at: int
    learners: Mapping[str, Line]
    items: Mapping[str, ItemLine]
    totals: Totals
    changed: Mapping[str, Line]
    gone: tuple[str, ...]
    changed_items: tuple[ItemLine, ...]

    @cached_property
    def whole(self) -> bytes:
        """All of it, as JSON."""
        return self._json(self.learners, tuple(self.items.values()), {})

    @cached_property
    def change(self) -> bytes:
        """What differs from the view before, as JSON."""
        return self._json(self.changed, self.changed_items, {"since": self.sequence - 1, "gone": self.gone})

    def _json(self, learners: Mapping[str, Line], items: tuple[ItemLine, ...], more: Mapping[str, Any]) -> bytes:
        told = {
            "sequence": self.sequence,
            "at": self.at,
            "totals": self.totals._asdict(),
            "learners": [[who, *line] for who, line in learners.items()],
            "items": items,
            **more,
        }
        return json.dumps(told, ensure_ascii=False, separators=(",", ":")).encode("utf-8")


def nothing() -> View:
    """Before anything is read."""
    return View(0, 0, {}, {}, Totals(), {}, (), ())


def following(former: View, at: int, learners: Mapping[str, Line], items: Mapping[str, ItemLine]) -> View:
    """The next view; the former one itself when nothing has changed."""
    changed = {who: line for who, line in learners.items() if former.learners.get(who) != line}
    gone = tuple(who for who in former.learners if who not in learners)
    changed_items = tuple(line for name, line in items.items() if former.items.get(name) != line)
    if former.sequence and not changed and not gone and not changed_items:
        return former
    return View(former.sequence + 1, at, learners, items, _totals(learners), changed, gone, changed_items)


def _totals(learners: Mapping[str, Line]) -> Totals:
    lines = learners.values()
    return Totals(
        learners=len(lines),
        opened=sum(line.opened is not None for line in lines),
        finished=sum(line.finished is not None for line in lines),
        answered=sum(line.answered for line in lines),
        asked=sum(line.asked for line in lines),
        open=sum(line.open for line in lines),
        late=sum(line.late > 0 for line in lines),
        held=sum(line.held or 0 for line in lines),
    )
