"""An instructor's steps through a poll: open an item, close its vote, open it again, reveal, go on, end.

The desk alone knows where a poll stands. Each step names the sequence at which its page was made: of two instructors
who press at once, the second is told and nothing happens twice.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, bindparam, insert, select, update

from quiz_widgets.classroom import wire
from quiz_widgets.classroom.desk import attempts, audits, schedules
from quiz_widgets.classroom.desk.clock import Clock
from quiz_widgets.classroom.desk.database.class_tables import poll, poll_reveal, poll_round
from quiz_widgets.classroom.desk.database.engine import is_sqlite
from quiz_widgets.classroom.desk.database.rows import Row, first, rows
from quiz_widgets.classroom.desk.database.tables import attempt, quiz
from quiz_widgets.classroom.desk.library import Library
from quiz_widgets.classroom.desk.polls import kinds, rounds
from quiz_widgets.classroom.desk.refusals import Refused

STEPS = ("open", "close", "reveal", "end", "resume")
STALE = "stale"  # the code of a step for a poll that has moved on since
MOST_ROUNDS = 99
_STATE = select(poll).where(poll.c.quiz == bindparam("of_quiz"))  # made once, see `rosters`
_REVEALED = select(poll_reveal.c.item).where(poll_reveal.c.quiz == bindparam("of_quiz"))


@dataclass(frozen=True, slots=True)
class Standing:
    """Where a poll stands: the state that everybody knows, and what was done with each of its items."""

    state: wire.PollState
    ended: bool
    items: tuple[str, ...]
    rounds: Mapping[str, Sequence[tuple[int, int | None]]]
    revealed: frozenset[str]

    def may(self, step: str, item: str | None = None) -> bool:
        """Whether a step is allowed now; `open` and `reveal` are for an item, any or that one."""
        phase = self.state["phase"]
        if step == "resume" or self.ended:
            return step == "resume" and self.ended
        if step == "close" or phase == "open":
            return step == "close" and phase == "open"
        if step == "end":
            return True
        known = self.items if item is None else (item,)
        return any(self._openable(one) if step == "open" else self._revealable(one) for one in known)

    def _openable(self, item: str) -> bool:
        return item in self.items and item not in self.revealed and len(self.rounds.get(item, ())) < MOST_ROUNDS

    def _revealable(self, item: str) -> bool:
        return bool(self.rounds.get(item)) and item not in self.revealed

    @property
    def allowed(self) -> tuple[str, ...]:
        """The steps that are allowed now, each for some item."""
        return tuple(step for step in STEPS if self.may(step))


def state(connection: Connection, quiz_id: str) -> wire.PollState:
    """Where a poll stands, as its learners may know it."""
    [found] = rows(connection, _STATE, {"of_quiz": quiz_id})
    return told(found)


def told(row: Row) -> wire.PollState:
    """The state that a row of the table `poll` says."""
    return {"sequence": row["sequence"], "phase": row["phase"], "item": row["item"], "round": row["round"]}


def standing(connection: Connection, library: Library, found: Row) -> Standing:
    """Where a poll stands, with all its items."""
    return Standing(
        state(connection, found["id"]),
        kinds.ended(found),
        tuple(library.quiz(connection, attempts.newest(connection, found["id"])).sets),
        rounds.opened(connection, found["id"]),
        revealed(connection, found["id"]),
    )


def revealed(connection: Connection, quiz_id: str) -> frozenset[str]:
    """The items whose keys and votes learners see."""
    return frozenset(connection.execute(_REVEALED, {"of_quiz": quiz_id}).scalars())


def take(
    connection: Connection,
    library: Library,
    found: Row,
    step: str,
    item: str | None,
    sequence: int,
    by: str,
    clock: Clock,
) -> None:
    """Take a step. `Refused` with `STALE` when the poll has moved on since `sequence`, and with what is allowed."""
    kinds.require_poll(found)
    _hold(connection, found["id"])
    found = {**found, "closes": connection.execute(select(quiz.c.closes).where(quiz.c.id == found["id"])).scalar()}
    now = standing(connection, library, found)
    if sequence != now.state["sequence"]:
        raise Refused(STALE, "the poll has moved on since this page was made")
    if step not in STEPS or not now.may(step, item) or (item is None and step in ("open", "reveal")):
        raise Refused("not_now", f"not possible now; allowed are: {', '.join(now.allowed)}")
    changed, at = _carry_out(connection, found, now, step, item, clock)
    connection.execute(
        update(poll).where(poll.c.quiz == found["id"]).values(sequence=sequence + 1, changed=at, **changed)
    )
    thing = changed.get("item") or now.state["item"]
    number = changed.get("round", now.state["round"])
    after = None if step in ("end", "resume") else f"{thing}, round {number}"
    audits.note(connection, at, by, found["course"], f"poll {step}", found["slug"], after=after)


def _hold(connection: Connection, quiz_id: str) -> None:
    """Let no other worker take a step of this poll until this one is taken."""
    asked = select(poll.c.quiz).where(poll.c.quiz == quiz_id)
    if not is_sqlite(connection):
        asked = asked.with_for_update()
    first(connection, asked)


def _carry_out(
    connection: Connection, found: Row, now: Standing, step: str, item: str | None, clock: Clock
) -> tuple[dict[str, object], int]:
    """What changes in the poll's row, and when it did."""
    if step == "open":
        number, at = len(now.rounds.get(str(item), ())) + 1, clock()
        connection.execute(insert(poll_round).values(quiz=found["id"], item=item, number=number, opened=at))
        return {"phase": "open", "item": item, "round": number}, at
    if step == "close":
        return {"phase": "closed"}, _close(connection, found["id"], now.state, clock)
    at = clock()
    if step == "reveal":
        connection.execute(insert(poll_reveal).values(quiz=found["id"], item=item, revealed=at))
        return {"phase": "revealed", "item": item, "round": len(now.rounds[str(item)])}, at
    ends = at if step == "end" else None
    connection.execute(update(quiz).where(quiz.c.id == found["id"]).values(closes=ends))
    if step == "end":
        connection.execute(
            update(attempt)
            .where(attempt.c.quiz == found["id"], attempt.c.finished.is_(None))
            .values(finished=at, finished_by="desk")
        )
    else:
        schedules.follow(connection, {**found, "closes": None}, at)
    return {"phase": "waiting", "item": None, "round": 0}, at


def _close(connection: Connection, quiz_id: str, state: wire.PollState, clock: Clock) -> int:
    """Close the open round. The time is taken once votes that are being written are: none of them is after it."""
    here = (
        (poll_round.c.quiz == quiz_id) & (poll_round.c.item == state["item"]) & (poll_round.c.number == state["round"])
    )
    asked = select(poll_round.c.opened).where(here)
    if not is_sqlite(connection):
        asked = asked.with_for_update()
    opened: int = connection.execute(asked).scalar_one()
    at = max(clock(), opened)  # a clock may go back
    connection.execute(update(poll_round).where(here).values(closed=at))
    return at
