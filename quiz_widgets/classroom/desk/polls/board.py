"""What those who teach see of a poll: every item and what may be done, the counter, and after closing who took what.

The board's ids and order of options are its own and follow from no key, so that a screen tells nothing before a reveal.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal

from sqlalchemy import Connection

from quiz_widgets import ordering
from quiz_widgets.classroom.desk import attempts, public, revealing
from quiz_widgets.classroom.desk.database.rows import Row
from quiz_widgets.classroom.desk.drawing import Drawing
from quiz_widgets.classroom.desk.library import Library
from quiz_widgets.classroom.desk.polls import judging, steps, votes
from quiz_widgets.classroom.desk.polls.steps import Standing
from quiz_widgets.model import Item, Option

Advice = Literal["explain", "discuss", "go_on"]
FEW, MANY = Decimal("0.35"), Decimal("0.70")  # Crouch & Mazur 2001: in between, learners convince each other


@dataclass(frozen=True, slots=True)
class Bar:
    """One option in one round: how many took it, of those who voted."""

    count: int
    voters: int

    @property
    def percent(self) -> int:
        """The share, in whole percent."""
        return round(100 * self.count / self.voters) if self.voters else 0


@dataclass(frozen=True, slots=True)
class OptionBars:
    """One option with its bars, round by round."""

    option: Option
    bars: Sequence[Bar]


@dataclass(frozen=True, slots=True)
class AtHand:
    """The item at hand as it may be shown; `voters` of each closed round stand beside the options' bars."""

    item: Item
    options: Sequence[OptionBars]
    rounds: Sequence[int]
    voters: Sequence[int]
    right: Sequence[int]


@dataclass(frozen=True, slots=True)
class Board:
    """What is shown: `titles` has every item by id, and is empty on a screen; `voted` and `present` count learners."""

    standing: Standing
    titles: Mapping[str, Item]
    at_hand: AtHand | None
    voted: int
    present: int
    advice: Advice | None

    @property
    def next(self) -> str | None:
        """The first item that was never opened."""
        return next((name for name in self.standing.items if not self.standing.rounds.get(name)), None)


def counter(connection: Connection, found: Row) -> tuple[Mapping[str, object], int, int]:
    """The state, how many have voted in its round, and how many have the poll open."""
    state = steps.state(connection, found["id"])
    item = state["item"]
    voted = 0 if item is None else votes.voted(connection, found, item, state["round"])
    return state, voted, votes.present(connection, found)


def read(connection: Connection, library: Library, found: Row, *, screen: bool = False) -> Board:
    """The board as it is now. On a `screen` nothing of votes or keys is there before the reveal."""
    standing = steps.standing(connection, library, found)
    _, voted, present = counter(connection, found)
    whole = library.quiz(connection, attempts.newest(connection, found["id"]))
    drawing = Drawing(found["secret"], f"board {found['id']}")
    name, phase = standing.state["item"], standing.state["phase"]
    titles = {} if screen else {one: public.item(whole.item(one), drawing) for one in standing.items}
    at_hand, advice = None, None
    if name is not None and name in whole.sets:
        judged = phase == "revealed" or (phase == "closed" and not screen)
        at_hand = _at_hand(connection, library, found, whole.item(name), drawing, standing, judged=judged)
        if phase == "closed" and at_hand.voters and not screen:
            advice = advised(at_hand.right[-1], at_hand.voters[-1])
    return Board(standing, titles, at_hand, voted, present, advice)


def advised(right: int, voters: int) -> Advice | None:
    """What to do after a vote, by the share of right ones: few, some, most; `None` if nobody voted."""
    if not voters:
        return None
    share = Decimal(right) / voters
    return "explain" if share < FEW else "discuss" if share <= MANY else "go_on"


def _at_hand(
    connection: Connection,
    library: Library,
    found: Row,
    item: Item,
    drawing: Drawing,
    standing: Standing,
    *,
    judged: bool,
) -> AtHand:
    shown = revealing.item(item, drawing) if judged else public.item(item, drawing)
    order = ordering.option_order(public.item(item, drawing), "board")
    if not judged:
        return AtHand(shown, [OptionBars(shown.option(name), ()) for name in order], (), (), ())
    histograms = votes.counted(connection, found, [item.id])
    numbers = [number for number, _ in standing.rounds[item.id]]
    made = [histograms.get((item.id, number), votes.NONE) for number in numbers]
    drawn = drawing.options(item)
    taken = [{drawn[name]: count for name, count in one.of_options(item).items()} for one in made]
    right = judging.right(connection, library, found, item.id)
    return AtHand(
        shown,
        [
            OptionBars(
                shown.option(name),
                [Bar(counts[name], one.voters) for counts, one in zip(taken, made, strict=True) if counts],
            )
            for name in order
        ],
        numbers,
        [one.voters for one in made],
        [right.get(number, 0) for number in numbers],
    )
