"""Partial sums: the error of adding many numbers in FP16 or bfloat16, and in FP32 as Tensor Cores commonly do.

numpy and torch cannot show this with `sum`, `dot` or `matmul`: they accumulate 16-bit numbers in FP32 behind
the scenes. So the loop here rounds after every addition, for many independent sums at once.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Literal

import numpy as np

from quiz_widgets.demos.formats import Name, stored, to_fp16

Accumulator = Literal["fp16", "bf16", "fp32", "fp32_fp16_out"]
ACCUMULATORS: tuple[Accumulator, ...] = ("fp16", "bf16", "fp32_fp16_out", "fp32")
LENGTHS: tuple[int, ...] = tuple(2**power for power in range(4, 15))


@dataclass(frozen=True, slots=True)
class Sums:
    """Relative error of each accumulator after each length: the mean over independent sums, against FP64."""

    lengths: tuple[int, ...]
    errors: dict[Accumulator, tuple[float, ...]]
    stuck_at: dict[Accumulator, float]
    """The running value of the first sum at the greatest length."""


@cache
def measure(trials: int = 32) -> Sums:
    """Add up to 16384 products of FP16 numbers in [0, 1), one by one, in each accumulator (about 0.5 s).

    A product of two FP16 numbers is exact in FP32; the hardware, too, rounds only when it adds.
    """
    rng = np.random.default_rng(2)
    shape = (LENGTHS[-1], trials)
    terms = to_fp16(rng.uniform(0, 1, shape)) * to_fp16(rng.uniform(0, 1, shape))
    exact = np.cumsum(terms, axis=0, dtype=np.float64)
    places = {length: place for place, length in enumerate(LENGTHS)}
    running = {"fp16": np.zeros(trials, np.float32), "bf16": np.zeros(trials, np.float32)}
    kept = {name: np.empty((len(LENGTHS), trials)) for name in ("fp16", "bf16", "fp32", "fp32_fp16_out")}
    single = np.cumsum(terms, axis=0, dtype=np.float32)  # cumsum adds one by one, in the dtype given
    formats: tuple[Name, ...] = ("fp16", "bf16")
    for index in range(LENGTHS[-1]):
        for name in formats:
            running[name] = stored(running[name] + terms[index], name)
        place = places.get(index + 1)
        if place is not None:
            kept["fp16"][place], kept["bf16"][place] = running["fp16"], running["bf16"]
            kept["fp32"][place] = single[index]
            kept["fp32_fp16_out"][place] = to_fp16(single[index])
    reference = exact[[length - 1 for length in LENGTHS]]
    return Sums(
        LENGTHS,
        {name: tuple(np.mean(np.abs(kept[name] - reference) / reference, axis=1).tolist()) for name in ACCUMULATORS},
        {name: float(kept[name][-1, 0]) for name in ACCUMULATORS},
    )


def count_ones(number: int, name: Name) -> float:
    """The sum of `number` ones, rounded to a format after every addition: it stops where 1 is half a spacing."""
    total = 0.0
    for _ in range(number):
        total = float(stored(np.float32(total) + np.float32(1), name))
    return total
