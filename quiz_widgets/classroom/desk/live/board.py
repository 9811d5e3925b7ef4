"""What is known of one quiz at work, in memory: attempts with the questions that are answered as bits of a number.

A submission sets a bit, so the same one twice, or two in another order, change nothing; and 1,000 learners with 200
questions each take a few hundred kilobytes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from quiz_widgets.classroom.desk.contacts import Heard
from quiz_widgets.classroom.desk.drawing import Drawing
from quiz_widgets.classroom.desk.live import views
from quiz_widgets.classroom.desk.live.views import ItemLine, Line, View
from quiz_widgets.model import Quiz

POOLED = 500  # items in pools, up to which it is worked out who was shown which: a hash for each item and attempt


class Member(NamedTuple):
    """One active learner of the course."""

    person: str
    name: str
    excused: bool


class Run(NamedTuple):
    """One attempt, as it stands in the database."""

    id: str
    person: str
    version: str
    number: int
    opened: int
    finished: int | None
    finished_by: str | None


@dataclass(slots=True)
class _Shown:
    """What an attempt shows: how many items, and which; 0 where that is not worked out."""

    count: int
    items: int


@dataclass(slots=True)
class _Counted:
    """What of one learner is in the counts of the items, so that only a difference is counted."""

    shown: int = 0
    answered: int = 0


@dataclass(slots=True)
class Board:
    """Of one quiz. It is filled by `reading`, in one thread at a time, and `view` tells what follows from it."""

    quiz: Mapping[str, Any]
    members: dict[str, Member] = field(default_factory=dict)
    teaching: frozenset[str] = frozenset()
    runs: dict[str, Run] = field(default_factory=dict)
    heard: dict[str, Heard] = field(default_factory=dict)
    answered: dict[str, int] = field(default_factory=dict)
    late: dict[str, set[int]] = field(default_factory=dict)
    stale: bool = True
    """Whether something was read since the last view."""
    _labels: dict[str, int] = field(default_factory=dict)
    _bits: dict[str, int] = field(default_factory=dict)
    _wholes: dict[str, Quiz] = field(default_factory=dict)
    _shown: dict[str, _Shown] = field(default_factory=dict)
    _counted: dict[str, _Counted] = field(default_factory=dict)
    _counts: list[list[int]] = field(default_factory=list)

    def enrol(self, members: Iterable[Member]) -> None:
        """These are the learners now. Each keeps the label that they had."""
        self._replace("members", {one.person: one for one in sorted(members)})
        for who in self.members:  # by the id, which is drawn: no place in it tells a name
            self._labels.setdefault(who, len(self._labels) + 1)

    def read(self, runs: dict[str, Run], heard: dict[str, Heard]) -> None:
        """These are the attempts, and what kernels said last."""
        self._replace("runs", runs)
        self._replace("heard", heard)

    def _replace(self, name: str, value: object) -> None:
        if getattr(self, name) != value:
            setattr(self, name, value)
            self.stale = True

    def knows(self, version: str) -> bool:
        """Whether that version's items are known."""
        return version in self._wholes

    def learn(self, version: str, whole: Quiz) -> None:
        """The items of a version, of which attempts show all or some."""
        self._wholes[version] = whole
        for name in whole.sets:
            if name not in self._bits:
                self._bits[name] = len(self._bits)
                self._counts.append([0, 0])
        self.stale = True

    def take(self, attempt: str, item: str, status: str, sequence: int) -> None:
        """A submission to one of this quiz's attempts."""
        self.stale = True
        if status == "late":
            self.late.setdefault(attempt, set()).add(sequence)
        elif item in self._bits:
            self.answered[attempt] = self.answered.get(attempt, 0) | 1 << self._bits[item]

    def take_all(self, attempt: str, items: Iterable[str]) -> None:
        """All items of an attempt to which there is a submission that counts."""
        bits = 0
        for item in items:
            if item in self._bits:
                bits |= 1 << self._bits[item]
        self.answered[attempt] = bits
        self.stale = True

    def view(self, former: View, now: int) -> View:
        """What is to be told; `former` itself when that is nothing new."""
        if not self.stale:
            return former
        self.stale = False
        last: dict[str, Run] = {}
        for run in self.runs.values():
            if run.person not in last or last[run.person].number < run.number:
                last[run.person] = run
        for who in self._counted.keys() - self.members.keys():  # left the course
            self._count(who, 0, 0)
        learners = {who: self._line(member, last.get(who)) for who, member in self.members.items()}
        return views.following(former, now, learners, self._items())

    def _line(self, member: Member, run: Run | None) -> Line:
        heard = self.heard.get(member.person)
        shown = _Shown(0, 0) if run is None else self._shown_by(run)
        answered = 0 if run is None else self.answered.get(run.id, 0)
        self._count(member.person, shown.items, answered)
        return Line(
            label=self._labels[member.person],
            name=member.name,
            opened=None if run is None else run.opened,
            answered=answered.bit_count(),
            asked=shown.count,
            finished=None if run is None else run.finished,
            by_desk=run is not None and run.finished_by == "desk",
            late=0 if run is None else len(self.late.get(run.id, ())),
            held=None if heard is None else heard.waiting,
            heard=None if heard is None else heard.at,
            excused=member.excused,
        )

    def _shown_by(self, run: Run) -> _Shown:
        if run.id not in self._shown:
            whole = self._wholes[run.version]
            if sum(len(pool.items) for pool in whole.pools) > POOLED:
                drawn = sum(len(pool.items) - pool.draw for pool in whole.pools)
                self._shown[run.id] = _Shown(len(whole.sets) - drawn, 0)
            elif whole.pools:
                items = [item.id for item in Drawing(self.quiz["secret"], run.id).items(whole)]
                self._shown[run.id] = _Shown(len(items), self._mask(items))
            else:
                self._shown[run.id] = _Shown(len(whole.sets), self._mask(whole.sets))
        return self._shown[run.id]

    def _mask(self, items: Iterable[str]) -> int:
        return sum(1 << self._bits[item] for item in items)

    def _count(self, who: str, shown: int, answered: int) -> None:
        """Bring the items' counts from what was counted of this learner to what is so now."""
        former = self._counted.setdefault(who, _Counted())
        for place, (was, is_now) in enumerate(((former.shown, shown), (former.answered, answered))):
            for bit in _bits(was ^ is_now):
                self._counts[bit][place] += 1 if is_now >> bit & 1 else -1
        former.shown, former.answered = shown, answered

    def _items(self) -> dict[str, ItemLine]:
        made: dict[str, ItemLine] = {}
        pooled = self._uncounted()
        for name, bit in self._bits.items():
            shown, answered = self._counts[bit]
            if name not in pooled:
                made[name] = ItemLine(name, shown, answered)
            elif answered:
                made[name] = ItemLine(name, None, answered)
        return made

    def _uncounted(self) -> frozenset[str]:
        """Items of versions whose pools are too large to work out who was shown which."""
        large = [whole for whole in self._wholes.values() if sum(len(pool.items) for pool in whole.pools) > POOLED]
        return frozenset(name for whole in large for name in whole.sets)


def _bits(number: int) -> Sequence[int]:
    """The places of the ones of a number."""
    found = []
    while number:
        lowest = number & -number
        found.append(lowest.bit_length() - 1)
        number ^= lowest
    return found
