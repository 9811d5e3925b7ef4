"""Formats: every limit is exact, and the numpy bfloat16 rounds as defined."""

import struct

import numpy as np
import pytest
from hypothesis import given, strategies

from quiz_widgets.demos import formats


@pytest.mark.parametrize(
    ("name", "bits", "largest", "normal", "smallest", "epsilon"),
    [
        ("fp16", 16, 65504.0, 2.0**-14, 2.0**-24, 2.0**-10),
        ("bf16", 16, 3.3895313892515355e38, 2.0**-126, 2.0**-133, 2.0**-7),
        ("fp32", 32, 3.4028234663852886e38, 2.0**-126, 2.0**-149, 2.0**-23),
    ],
)
def test_limits(name: formats.Name, bits: int, largest: float, normal: float, smallest: float, epsilon: float) -> None:
    kept = formats.FORMATS[name]
    found = (kept.bits, kept.largest, kept.smallest_normal, kept.smallest, kept.epsilon)
    assert found == (bits, largest, normal, smallest, epsilon)


def test_decades() -> None:
    decades = {name: round(kept.decades, 2) for name, kept in formats.FORMATS.items()}
    assert decades == {"fp32": 76.46, "bf16": 76.46, "fp16": 9.03}


@pytest.mark.parametrize(
    ("value", "name", "kept"),
    [
        (65519.996, "fp16", 65504.0),
        (65520.0, "fp16", float("inf")),  # the tie goes to the even neighbour, which is infinite
        (2.0**-25, "fp16", 0.0),
        (1.0001 * 2.0**-25, "fp16", 2.0**-24),
        (1 + 2.0**-11, "fp16", 1.0),
        (1 + 2.0**-10, "fp16", 1 + 2.0**-10),
        (1 - 2.0**-11, "fp16", 1 - 2.0**-11),
        (1 + 2.0**-8, "bf16", 1.0),
        (1 + 3 * 2.0**-8, "bf16", 1 + 2.0**-6),
        (1 + 2.0**-7, "bf16", 1 + 2.0**-7),
        (1 - 2.0**-8, "bf16", 1 - 2.0**-8),
        (3.4e38, "bf16", float("inf")),
        (1e-39, "bf16", 11 * 2.0**-133),
    ],
)
def test_what_is_stored(value: float, name: formats.Name, kept: float) -> None:
    assert float(formats.stored(value, name)) == pytest.approx(kept, rel=1e-7, abs=0)


def test_bf16_keeps_nan_and_infinities() -> None:
    kept = formats.to_bf16([float("nan"), float("inf"), float("-inf"), -0.0])
    assert np.isnan(kept[0])
    assert list(kept[1:3]) == [float("inf"), float("-inf")]
    assert np.signbit(kept[3])


@given(strategies.floats(width=32, allow_nan=False))
def test_bf16_is_the_nearest_of_its_two_neighbours(value: float) -> None:
    """Checked against the definition in exact arithmetic, over all float32 numbers."""
    pattern = struct.unpack("<I", struct.pack("<f", value))[0]
    below = pattern & 0xFFFF0000
    candidates = [struct.unpack("<f", struct.pack("<I", bits))[0] for bits in (below, min(below + 0x10000, 0xFF800000))]
    kept = float(formats.to_bf16(np.float32(value)))
    # An infinite neighbour stands where the next number would be, were there one.
    edge = {float("inf"): 2.0**128, float("-inf"): -(2.0**128)}
    distances = [abs(edge.get(candidate, candidate) - edge.get(value, value)) for candidate in candidates]
    even = candidates[(below >> 16) & 1]
    assert kept == (even if distances[0] == distances[1] else candidates[distances.index(min(distances))])


@pytest.mark.parametrize(
    ("value", "name", "fate"),
    [(1e-8, "fp16", "zero"), (1e-8, "bf16", "normal"), (1e-6, "fp16", "subnormal"), (1e5, "fp16", "infinite")],
)
def test_fate(value: float, name: formats.Name, fate: str) -> None:
    assert formats.fate(value, name) == fate


def test_shares_leave_out_zeros_and_add_up() -> None:
    found = formats.shares([0.0, 1e-9, 1e-6, 1.0, 1e6], "fp16")
    assert (found.zero, found.subnormal, found.normal, found.infinite) == (0.25, 0.25, 0.25, 0.25)
    assert formats.shares([0.0], "fp16") == formats.Shares(0.0, 0.0, 0.0, 0.0)
