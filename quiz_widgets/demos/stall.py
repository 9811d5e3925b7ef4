"""Training that stands still: output gradients that FP16 rounds to zero, and the loss scale that saves them.

A linear map learns by gradient descent. Everything is FP32 except the gradient at the output, which is kept
in FP16 as a mixed-precision backward pass keeps it. The loss is a mean over many outputs, so near the end each
output's gradient is 2 * error / outputs, and once that is under 2^-25 for all of them nothing moves any more.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from quiz_widgets.demos.formats import FORMATS, Name, stored
from quiz_widgets.demos.scaling import DynamicScaler

SAMPLES = 128
INPUTS = 32
OUTPUTS = 2560


@dataclass(frozen=True, slots=True)
class Run:
    """One training: its last loss, the share of output gradients that were zero at the end, and skipped steps."""

    loss: float
    losses: tuple[float, ...]
    zero_share: float
    skipped: int
    scales: tuple[float, ...]


def train(name: Name = "fp16", *, scale: float = 1.0, dynamic: bool = False, skip: bool = True, steps: int = 30) -> Run:
    """Train with output gradients in a format and a loss scale (about 0.1 s).

    `dynamic` lets the scale follow overflows (growing after 10 good steps); `skip` leaves out a step whose
    gradients overflowed, as every scaler does: without it, an infinity reaches the weights.
    """
    rng = np.random.default_rng(0)
    basis, _ = np.linalg.qr(rng.standard_normal((SAMPLES, INPUTS)))
    inputs = (basis * np.sqrt(SAMPLES)).astype(np.float32)  # columns of unit spread, independent of each other
    goal = (rng.standard_normal((INPUTS, OUTPUTS)) / np.sqrt(INPUTS)).astype(np.float32)
    targets = inputs @ goal
    weights = np.zeros_like(goal)
    # The step that would remove half of the remaining error, were the gradient exact.
    rate = np.float32(OUTPUTS / 4)
    scaler = DynamicScaler(scale, interval=10)
    losses, scales = [], []
    zero_share, skipped = 0.0, 0
    with np.errstate(over="ignore", invalid="ignore"):
        for _ in range(steps):
            error = inputs @ weights - targets
            losses.append(float(np.mean(error.astype(np.float64) ** 2)))
            scales.append(scaler.scale)
            exact = error * np.float32(2 / error.size)
            gradient = stored(exact * np.float32(scaler.scale), name)
            zero_share = float(np.mean(gradient[exact != 0] == 0))
            overflow = not bool(np.isfinite(gradient).all())
            if dynamic:
                scale_used = np.float32(scaler.scale)
                scaler.update(overflow=overflow)
            else:
                scale_used = np.float32(scale)
            if overflow and skip:
                skipped += 1
                continue
            weights = weights - rate * (inputs.T @ (gradient / scale_used))
        losses.append(float(np.mean((inputs @ weights - targets).astype(np.float64) ** 2)))
    return Run(losses[-1], tuple(losses), zero_share, skipped, tuple(scales))


def stalls_below(name: Name = "fp16", scale: float = 1.0) -> float:
    """The error of one output at which its gradient becomes zero: the closed form of the stall."""
    return FORMATS[name].becomes_zero / scale * SAMPLES * OUTPUTS / 2


def compare(scales: Sequence[float]) -> dict[float, Run]:
    """FP16 runs at several fixed scales."""
    return {scale: train("fp16", scale=scale) for scale in scales}
