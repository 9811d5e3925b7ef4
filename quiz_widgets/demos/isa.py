"""Speed of 16-bit matrix products on one CPU under several instruction sets: the same code, other hardware.

oneDNN, which does the products, can be told to leave instructions unused. That has to be said before torch starts,
so every setting has a process of its own.
"""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

SIZE = 256
REPEATS = 3
SHORTEST = 0.02  # seconds: the clock of CPU time may be coarse
TIMEOUT = 300  # seconds; a setting takes about 3

# Setting, the CPU flag that it needs, and the environment that asks for it.
_SETTINGS: tuple[tuple[str, str, dict[str, str]], ...] = (
    ("AVX2", "avx2", {"ONEDNN_MAX_CPU_ISA": "AVX2", "ATEN_CPU_CAPABILITY": "avx2"}),
    ("AVX-512", "avx512f", {"ONEDNN_MAX_CPU_ISA": "AVX512_CORE"}),
    ("AVX-512 with bfloat16", "avx512_bf16", {"ONEDNN_MAX_CPU_ISA": "AVX512_CORE_BF16"}),
    ("AMX", "amx_bf16", {"ONEDNN_MAX_CPU_ISA": "AVX512_CORE_AMX"}),
)


@dataclass(frozen=True, slots=True)
class Speed:
    """GFLOP/s of a square matrix product per dtype under one setting, by CPU time of one thread."""

    setting: str
    fp32: float
    bf16: float
    fp16: float


def cpu_flags() -> frozenset[str]:
    """The CPU's feature flags as Linux lists them; empty elsewhere."""
    file = Path("/proc/cpuinfo")
    if not file.is_file():
        return frozenset()
    for line in file.read_text(encoding="utf-8", errors="replace").splitlines():
        if line.startswith("flags"):
            return frozenset(line.split(":", 1)[1].split())
    return frozenset()


def settings() -> tuple[str, ...]:
    """The settings that this machine can run; one called after its architecture where instructions cannot be chosen."""
    flags = cpu_flags()
    return tuple(name for name, flag, _ in _SETTINGS if flag in flags) or (platform.machine(),)


def measure(setting: str) -> Speed:
    """Time products in a process with one setting (about 3 s, most of it starting torch)."""
    chosen = next((environment for name, _, environment in _SETTINGS if name == setting), {})
    done = subprocess.run(
        [sys.executable, "-m", "quiz_widgets.demos.isa"],
        env={**os.environ, **chosen, "OMP_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
        timeout=TIMEOUT,
        check=True,
    )
    return Speed(setting, **json.loads(done.stdout.splitlines()[-1]))


def timed() -> dict[str, float]:
    """GFLOP/s by dtype in this process: the best of a few runs, since other work only ever slows one down."""
    import torch

    torch.set_num_threads(1)
    speeds = {}
    for name, dtype in (("fp32", torch.float32), ("bf16", torch.bfloat16), ("fp16", torch.float16)):
        left, right = (torch.ones(SIZE, SIZE).to(dtype) for _ in range(2))
        count = 1
        while _seconds(left, right, count) < SHORTEST:
            count *= 2
        best = min(_seconds(left, right, count) for _ in range(REPEATS))
        speeds[name] = 2 * SIZE**3 * count / best / 1e9
    return speeds


def _seconds(left: Any, right: Any, count: int) -> float:
    """CPU time of that many products."""
    start = time.process_time()
    for _ in range(count):
        left @ right
    return time.process_time() - start


if __name__ == "__main__":
    sys.stdout.write(json.dumps(timed()) + "\n")
