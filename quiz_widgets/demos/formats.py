"""FP32, FP16 and bfloat16: bits, limits, and what becomes of a number that is stored in them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

Name = Literal["fp32", "bf16", "fp16"]
Fate = Literal["zero", "subnormal", "normal", "infinite"]
Array = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Format:
    """A binary floating-point format: one sign bit, then exponent and mantissa."""

    name: Name
    exponent_bits: int
    mantissa_bits: int

    @property
    def bits(self) -> int:
        """Bits in all."""
        return 1 + self.exponent_bits + self.mantissa_bits

    @property
    def bias(self) -> int:
        """The largest exponent."""
        return int(2 ** (self.exponent_bits - 1) - 1)

    @property
    def largest(self) -> float:
        """The largest finite number."""
        return (2 - self.epsilon) * 2.0**self.bias

    @property
    def smallest_normal(self) -> float:
        """The smallest number kept with full precision."""
        return 2.0 ** (1 - self.bias)

    @property
    def smallest(self) -> float:
        """The smallest number above zero: the last step below the normal range."""
        return 2.0 ** (1 - self.bias - self.mantissa_bits)

    @property
    def epsilon(self) -> float:
        """The gap from 1 to the next number."""
        return 2.0**-self.mantissa_bits

    @property
    def decades(self) -> float:
        """Powers of ten from the smallest normal to the largest number."""
        return math.log10(self.largest / self.smallest_normal)

    @property
    def becomes_zero(self) -> float:
        """The largest number that is stored as zero: half the smallest one, which ties to even."""
        return self.smallest / 2


FORMATS: dict[Name, Format] = {
    "fp32": Format("fp32", 8, 23),
    "bf16": Format("bf16", 8, 7),
    "fp16": Format("fp16", 5, 10),
}


def to_bf16(values: npt.ArrayLike) -> Array:
    """Round to bfloat16 (nearest, ties to even) and give the result back as float32, which holds it exactly.

    bfloat16 is the upper half of a float32, so rounding is one integer addition: half a unit, less one when
    the last kept bit is even. NaN is kept out of it, since the addition could carry it over to infinity.
    """
    exact = np.asarray(values, dtype=np.float32)
    bits = exact.view(np.uint32)
    rounded = (bits + np.uint32(0x7FFF) + ((bits >> np.uint32(16)) & np.uint32(1))) & np.uint32(0xFFFF0000)
    return np.where(np.isnan(exact), exact, rounded.view(np.float32))


def to_fp16(values: npt.ArrayLike) -> Array:
    """Round to FP16 and give the result back as float32; what is too large becomes infinite."""
    with np.errstate(over="ignore"):
        return np.asarray(values, dtype=np.float32).astype(np.float16).astype(np.float32)


def stored(values: npt.ArrayLike, name: Name) -> Array:
    """The values as the named format keeps them."""
    if name == "bf16":
        return to_bf16(values)
    if name == "fp16":
        return to_fp16(values)
    return np.asarray(values, dtype=np.float32)


def fate(value: float, name: Name) -> Fate:
    """What storing one number (not zero) in a format makes of it."""
    kept = abs(float(stored(np.float32(value), name)))
    if kept == 0:
        return "zero"
    if math.isinf(kept):
        return "infinite"
    return "subnormal" if kept < FORMATS[name].smallest_normal else "normal"


@dataclass(frozen=True, slots=True)
class Shares:
    """Parts of a set of non-zero numbers by what a format makes of them; they add up to 1."""

    zero: float
    subnormal: float
    normal: float
    infinite: float


def shares(values: npt.ArrayLike, name: Name, scale: float = 1.0) -> Shares:
    """What becomes of the non-zero `values` once multiplied by `scale` and stored; all zero when there are none."""
    exact = np.abs(np.asarray(values, dtype=np.float32).ravel())
    exact = exact[exact > 0]
    if exact.size == 0:
        return Shares(0.0, 0.0, 0.0, 0.0)
    with np.errstate(over="ignore"):
        kept = stored(exact * np.float32(scale), name)
    zero = float(np.mean(kept == 0))
    infinite = float(np.mean(np.isinf(kept)))
    subnormal = float(np.mean((kept > 0) & (kept < FORMATS[name].smallest_normal)))
    return Shares(zero, subnormal, 1.0 - zero - infinite - subnormal, infinite)
