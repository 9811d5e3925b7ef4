"""When a learner may open, answer and finish a quiz: the quiz's own times, and the exceptions made for the learner.

Pure: times go in and come out as milliseconds since 1970 UTC. Arrival at the desk counts, never a learner's clock.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any, Literal

Status = Literal["recorded", "late"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Window:
    """The times of one learner at one quiz. `None` for a time means: no such limit."""

    opens: int | None = None
    due: int | None = None
    closes: int | None = None
    grace: int = 60_000
    runs: int = 1
    time_limit: int | None = None
    excused: bool = False
    version: str | None = None

    @property
    def last(self) -> int | None:
        """The closing time of the quiz for this learner, before the grace: `closes`, or `due` where there is none."""
        return self.due if self.closes is None else self.closes

    def before(self, now: int) -> bool:
        """Whether the quiz is not open yet."""
        return self.opens is not None and now < self.opens

    def after(self, now: int) -> bool:
        """Whether the quiz can no longer be opened. The grace is for answers on their way, not for a late start."""
        return self.last is not None and now >= self.last

    def limits(self, opened: int) -> tuple[int | None, int | None]:
        """When an attempt opened then is due, and when it closes: its time limit, or the quiz's times if sooner."""
        end = None if self.time_limit is None else opened + self.time_limit
        return _sooner(self.due, end), _sooner(self.last, end)


def late_start(opens: int | None, joined: int | None, most: int | None) -> int:
    """By how many ms a quiz's end is moved for whoever joined its course after it opened; `most` bounds it."""
    if opens is None or joined is None or most is None:
        return 0
    return max(0, min(joined - opens, most))


def window(quiz: Mapping[str, Any], exceptions: Iterable[Mapping[str, Any]], late: int = 0) -> Window:
    """The window of a learner to whom these exceptions apply, a section's before the learner's own, older ones first.

    A later exception replaces what it names and leaves the rest; extra attempts add up. A time factor stretches the
    time limit (1.5: one and a half times as long). `late` (see `late_start`) moves the quiz's own end; times that an
    exception names hold as they are written.
    """
    made = Window(
        opens=quiz["opens"],
        due=None if quiz["due"] is None else quiz["due"] + late,
        closes=None if quiz["closes"] is None else quiz["closes"] + late,
        grace=quiz["grace"],
        runs=quiz["runs"],
        time_limit=quiz["time_limit"],
    )
    factor = Decimal(1)
    for exception in sorted(exceptions, key=lambda one: (one["person"] is not None, one["made"], one["id"])):
        made = replace(
            made,
            opens=_first(exception["opens"], made.opens),
            due=_first(exception["due"], made.due),
            # A later due date alone must not lie behind the closing time.
            closes=_first(exception["closes"], _later(made.closes, exception["due"])),
            runs=made.runs + exception["extra_runs"],
            excused=exception["excused"],
            version=_first(exception["version"], made.version),
        )
        if Decimal(exception["time_factor"]) != 1:
            factor = Decimal(exception["time_factor"])
    limit = None if made.time_limit is None else int(made.time_limit * factor)
    return replace(made, time_limit=limit)


def status(arrived: int, closes: int | None, grace: int) -> Status:
    """Whether what arrived then counts. The grace belongs to the time in which it does."""
    return "recorded" if closes is None or arrived <= closes + grace else "late"


def late_days(arrived: int, due: int | None, grace: int) -> int:
    """Days begun after the due time, 0 for what came in time or within the grace."""
    if due is None or arrived <= due + grace:
        return 0
    return -(-(arrived - due) // 86_400_000)


def _first(changed: Any, former: Any) -> Any:
    return former if changed is None else changed


def _sooner(one: int | None, other: int | None) -> int | None:
    return min((time for time in (one, other) if time is not None), default=None)


def _later(closes: int | None, due: int | None) -> int | None:
    return closes if closes is None or due is None else max(closes, due)
