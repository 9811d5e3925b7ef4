"""Loss scaling: how large a factor gradients need, the closed form that says when they vanish, and a dynamic scaler."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from quiz_widgets.demos.formats import FORMATS, Name, Shares, shares


def shares_by_scale(values: npt.ArrayLike, powers: Iterable[int], name: Name = "fp16") -> dict[int, Shares]:
    """What becomes of gradients under each loss scale 2**power."""
    return {power: shares(values, name, 2.0**power) for power in powers}


def largest_scale(values: npt.ArrayLike, name: Name = "fp16") -> int:
    """The largest power of two (its exponent) that leaves the largest gradient finite."""
    peak = float(np.max(np.abs(np.asarray(values, dtype=np.float32))))
    return math.floor(math.log2(FORMATS[name].largest / peak))


def smallest_saving_scale(gradient: float, name: Name = "fp16") -> int:
    """The smallest power of two (its exponent, at least 0) that keeps one gradient from becoming zero.

    Exactly half the smallest number still becomes zero (a tie goes to the even neighbour), so the product has
    to exceed it.
    """
    power = 0
    while abs(gradient) * 2.0**power <= FORMATS[name].becomes_zero:
        power += 1
    return power


def tokens_until_underflow(vocabulary: int, name: Name = "fp16") -> float:
    """How many predictions a mean loss may average before a fresh model's smallest logit gradients are zero.

    A fresh model gives every wrong token the chance 1/V, so its gradient is 1/(V T): zero once T exceeds this.
    """
    return 1 / (vocabulary * FORMATS[name].becomes_zero)


@dataclass(frozen=True, slots=True)
class Move:
    """One step of dynamic scaling: the scale that was used, whether the step was skipped, and the scale after."""

    step: int
    scale: float
    skipped: bool
    next_scale: float


@dataclass(slots=True)
class DynamicScaler:
    """The rule of dynamic loss scaling: halve on overflow, double after `interval` good steps in a row."""

    scale: float = 65536.0
    growth: float = 2.0
    backoff: float = 0.5
    interval: int = 2000
    good_steps: int = field(default=0, init=False)

    def update(self, *, overflow: bool) -> None:
        """Note whether this step's gradients held an infinity or NaN (then the step must be skipped)."""
        if overflow:
            self.scale *= self.backoff
            self.good_steps = 0
            return
        self.good_steps += 1
        if self.good_steps == self.interval:
            self.scale *= self.growth
            self.good_steps = 0

    def run(self, overflows: Iterable[bool]) -> tuple[Move, ...]:
        """Feed a whole series of steps and say what happened at each, counting from 0."""
        moves = []
        for step, overflow in enumerate(overflows):
            before = self.scale
            self.update(overflow=overflow)
            moves.append(Move(step, before, overflow, self.scale))
        return tuple(moves)
