"""The same facts measured on a CUDA device, where there is one: memory, dtypes, speed, transfers and their overlap.

Nothing but `available` can be called without one: `device` asks, and says in words what a cell shows instead.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import torch

DEVICE = "cuda"
SIZE = 4096
REPEATS = 10


def available() -> bool:
    """Whether torch sees a CUDA device."""
    return bool(torch.cuda.is_available())


def device_name() -> str:
    """The kind of the current device, as its driver calls it."""
    return str(torch.cuda.get_device_name())


@dataclass(frozen=True, slots=True)
class Memory:
    """Bytes of the device that a first step of Adam keeps, and that it had allocated at its peak, over the start."""

    kept: int
    peak: int


def state_memory(parameters: int = 10_000_000) -> Memory:
    """What Adam's first step makes CUDA's allocator hand out, in blocks of 512 bytes, for one tensor in FP32."""
    weight = torch.nn.Parameter(torch.ones(parameters, device=DEVICE))
    weight.grad = torch.ones_like(weight)
    optimizer = torch.optim.Adam([weight], fused=True)
    torch.cuda.synchronize()
    torch.cuda.reset_peak_memory_stats()
    before = torch.cuda.memory_allocated()
    optimizer.step()
    torch.cuda.synchronize()
    return Memory(torch.cuda.memory_allocated() - before, torch.cuda.max_memory_allocated() - before)


@dataclass(frozen=True, slots=True)
class Speed:
    """TFLOP/s of a square matrix product per dtype; FP32 without TF32."""

    fp32: float
    fp16: float
    bf16: float


def matmul_speed() -> Speed:
    """Time products of 4096 x 4096 matrices (under 1 s on a data-centre GPU)."""
    matrices: Any = torch.backends.cuda.matmul
    allowed, matrices.allow_tf32 = matrices.allow_tf32, False
    try:
        speeds = {}
        for name, dtype in (("fp32", torch.float32), ("fp16", torch.float16), ("bf16", torch.bfloat16)):
            left, right = (torch.ones(SIZE, SIZE, device=DEVICE, dtype=dtype) for _ in range(2))
            seconds = _seconds(partial(torch.matmul, left, right))
            speeds[name] = 2 * SIZE**3 / seconds / 1e12
    finally:
        matrices.allow_tf32 = allowed
    return Speed(**speeds)


@dataclass(frozen=True, slots=True)
class Transfer:
    """GB/s from the host to the device, and how well copying and computing share the time."""

    pageable: float
    pinned: float
    serial_seconds: float
    overlapped_seconds: float


def transfer(size: int = 2**28) -> Transfer:
    """Copy from ordinary and from pinned memory, then copy while the device multiplies matrices."""
    target = torch.empty(size, dtype=torch.uint8, device=DEVICE)
    pageable = torch.empty(size, dtype=torch.uint8)
    pinned = torch.empty(size, dtype=torch.uint8, pin_memory=True)
    matrix = torch.ones(SIZE, SIZE, device=DEVICE, dtype=torch.float16)
    streams: Any = torch.cuda
    side = streams.Stream()
    copying = _seconds(lambda: target.copy_(pinned, non_blocking=True))
    products = max(1, round(copying / _seconds(lambda: matrix @ matrix)))  # about as long as the copy

    def compute() -> None:
        for _ in range(products):
            matrix @ matrix

    def both() -> None:
        side.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(side):
            target.copy_(pinned, non_blocking=True)
        compute()
        torch.cuda.current_stream().wait_stream(side)

    def one_after_the_other() -> None:
        target.copy_(pinned, non_blocking=True)
        compute()

    return Transfer(
        size / _seconds(lambda: target.copy_(pageable)) / 1e9,
        size / copying / 1e9,
        _seconds(one_after_the_other),
        _seconds(both),
    )


def _seconds(work: Callable[[], object]) -> float:
    """The best time of a few runs by the device's own clock."""
    work()
    times = []
    events: Any = torch.cuda
    for _ in range(REPEATS):
        start, end = (events.Event(enable_timing=True) for _ in range(2))
        start.record()
        work()
        end.record()
        torch.cuda.synchronize()
        times.append(start.elapsed_time(end) / 1000)
    return float(min(times))
