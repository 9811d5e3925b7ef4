"""Frozen weights: Adam on weights kept in 16 bits, with and without an FP32 master copy.

Adam moves a weight by about its learning rate per step, whatever the gradient's size. A 16-bit weight near 1
cannot move by less than half its spacing (2^-9 for bfloat16, 2^-12 for FP16 below 1), so a small enough
learning rate rounds every update away. A master copy adds the updates up in FP32 first.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Literal

import numpy as np

from quiz_widgets.demos.formats import FORMATS, Name, stored

Storage = Literal["fp32", "fp16", "bf16", "fp16_master", "bf16_master"]
STORAGES: tuple[Storage, ...] = ("fp32", "fp16", "bf16", "fp16_master", "bf16_master")
_FORMAT: dict[Storage, Name] = {
    "fp32": "fp32", "fp16": "fp16", "bf16": "bf16", "fp16_master": "fp16", "bf16_master": "bf16",
}  # fmt: skip

DIMENSIONS = 64
RATES: tuple[float, ...] = (1e-4, 2e-4, 3e-4, 5e-4, 1e-3, 2e-3, 4e-3)


@dataclass(frozen=True, slots=True)
class Run:
    """One training: losses before each step and after the last, and the share of updates that changed nothing."""

    losses: tuple[float, ...]
    lost: float

    @property
    def loss(self) -> float:
        """The loss after the last step."""
        return self.losses[-1]


@cache
def train(steps: int = 1000, rates: tuple[float, ...] = RATES) -> dict[tuple[Storage, float], Run]:
    """Fit a linear model for every way of keeping weights and every learning rate at once (about 0.5 s).

    All runs start from the same weights near 1, which every format holds exactly, and see the same data; the
    forward pass uses the 16-bit weights. An update is lost when the weight stays the same; only weights that are
    still at least 0.05 away from their goal count, because a finished weight has no reason to move.
    """
    rng = np.random.default_rng(1)
    start = stored(stored(rng.choice([-1.0, 1.0], DIMENSIONS) * rng.uniform(0.75, 1.25, DIMENSIONS), "bf16"), "fp16")
    goal = start + rng.choice([-1.0, 1.0], DIMENSIONS).astype(np.float32) * np.float32(0.18)
    data = rng.standard_normal((512, DIMENSIONS)).astype(np.float32)
    curvature = (data.T @ data / len(data)).astype(np.float32)

    shape = (len(STORAGES), len(rates), DIMENSIONS)
    master = np.broadcast_to(start, shape).astype(np.float32)  # for plain 16-bit storage: a copy of the weights
    weights = master.copy()
    first, second = np.zeros(shape, np.float32), np.zeros(shape, np.float32)
    rate = np.array(rates, np.float32)[None, :, None]
    losses = np.empty((steps + 1, *shape[:2]))
    lost, meant = np.zeros(shape[:2]), np.zeros(shape[:2])
    for step in range(steps + 1):
        error = weights - goal
        gradient = 2 * error @ curvature
        losses[step] = 0.5 * np.sum(error * gradient, axis=-1)
        if step == steps:
            break
        far = np.abs(error) > 0.05
        meant += far.sum(axis=-1)
        first += np.float32(0.1) * (gradient - first)
        second += np.float32(0.001) * (gradient**2 - second)
        unbias = np.sqrt(1 - 0.999 ** (step + 1)) / (1 - 0.9 ** (step + 1))
        target = (master - rate * np.float32(unbias) * first / (np.sqrt(second) + np.float32(1e-8))).astype(np.float32)
        for index, storage in enumerate(STORAGES):
            kept = stored(target[index], _FORMAT[storage])
            held = target[index] if storage.endswith("_master") else kept
            lost[index] += np.sum((held == master[index]) & far[index], axis=-1)
            master[index], weights[index] = held, kept
    return {
        (storage, value): Run(tuple(losses[:, i, j].tolist()), float(lost[i, j] / meant[i, j]))
        for i, storage in enumerate(STORAGES)
        for j, value in enumerate(rates)
    }


def add_repeatedly(value: float, times: int, name: Name, start: float = 1.0) -> float:
    """The result of adding a small number many times to a number kept in a format, rounding every time."""
    total = start
    for _ in range(times):
        total = float(stored(np.float32(total) + np.float32(value), name))
    return total


def smallest_change(weight: float, name: Name) -> float:
    """The spacing of a format's numbers just above `weight`: a change of half of it or less may be lost."""
    kept = FORMATS[name]
    exponent = np.floor(np.log2(max(abs(weight), kept.smallest_normal)))
    return float(2.0**exponent * kept.epsilon)


def frozen(rates: Sequence[float], runs: dict[tuple[Storage, float], Run], storage: Storage) -> tuple[float, ...]:
    """The learning rates at which nearly every update (99 %) of a run was lost."""
    return tuple(rate for rate in rates if runs[storage, rate].lost > 0.99)
