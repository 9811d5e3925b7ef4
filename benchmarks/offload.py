"""The disk-offloaded Adam against Adam in memory and against the disk itself, as ratios with the bound behind them.

Run it with ``.venv/bin/python benchmarks/offload.py [FOLDER]`` on the drive that is to be measured. Times are the
best of several steps; the file is read and written past the page cache where the file system allows it, and the
output says when it does not.
"""

from __future__ import annotations

import argparse
import os
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np
import torch

from quiz_widgets.demos import overlap
from quiz_widgets.demos.chunk_file import ChunkFile
from quiz_widgets.demos.disk_adam import BUFFERS, DiskAdam, Times
from quiz_widgets.demos.pipeline import pipeline_seconds

CHUNK = 262_144  # parameters: buffers of 3 MiB each
STEPS = 5


def best(work: Callable[[], float]) -> float:
    """The shortest of a few runs: other work only ever adds."""
    return min(work() for _ in range(STEPS))


def in_memory(count: int) -> float:
    """Seconds of one fused torch step over FP32 weights in memory."""
    weight = torch.nn.Parameter(torch.ones(count))
    weight.grad = torch.full_like(weight, 0.01)
    optimizer = torch.optim.Adam([weight], fused=True)
    optimizer.step()

    def step() -> float:
        start = time.perf_counter()
        optimizer.step()
        return time.perf_counter() - start

    return best(step)


def disk_rates(folder: Path, chunks: int) -> tuple[float, float, bool]:
    """Bytes per second that plain reading and plain writing of such chunks reach, and whether that is direct."""
    with ChunkFile(folder / "plain", 12 * CHUNK, chunks) as file:
        buffer = file.buffer()

        def timed(move: Callable[..., None]) -> float:
            start = time.perf_counter()
            for index in range(chunks):
                move(index, buffer)
            return time.perf_counter() - start

        writing, reading = best(lambda: timed(file.write)), best(lambda: timed(file.read))
        size = file.size * file.count
        return size / reading, size / writing, file.direct


def streamed(folder: Path, count: int, *, parallel: bool) -> tuple[Times, DiskAdam]:
    """The best of a few streamed steps."""
    gradients = np.full(count, 0.01, np.float32)
    with DiskAdam(folder / "state", np.ones(count, np.float32), chunk=CHUNK, backend="torch_fused") as optimizer:
        steps = [optimizer.step(gradients, overlap=parallel) for _ in range(STEPS)]
        return min(steps, key=lambda times: times.wall), optimizer


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", nargs="?", type=Path, help="on the drive to measure (default: a temporary one)")
    parser.add_argument("--millions", type=float, default=8, help="parameters, in millions (default: 8)")
    options = parser.parse_args()
    torch.set_num_threads(1)
    count = int(options.millions * 1e6)
    chunks = -(-count // CHUNK)
    with tempfile.TemporaryDirectory(dir=options.folder) as name:
        folder = Path(name)
        memory = in_memory(count)
        read_rate, write_rate, direct = disk_rates(folder, chunks)
        serial, optimizer = streamed(folder, count, parallel=False)
        piped, _ = streamed(folder, count, parallel=True)
    moved = optimizer.moved_bytes
    print(f"{count / 1e6:g} million parameters in {chunks} chunks; {optimizer.state_bytes / 1e6:.1f} MB of state,")
    print(
        f"  {optimizer.resident_bytes / 1e6:.1f} MB of it in memory at a time; direct I/O: {'yes' if direct else 'no'}"
    )
    if not direct:
        print("  WITHOUT DIRECT I/O THE PAGE CACHE ANSWERS: the figures below are those of memory, not of a drive")
    print(f"drive alone: read {read_rate / 1e9:.2f} GB/s, write {write_rate / 1e9:.2f} GB/s")
    print(f"Adam in memory (fused): {1000 * memory:.1f} ms, {count / memory / 1e6:.0f} million parameters/s")
    bound = max(moved / read_rate, moved / write_rate, serial.compute)
    for label, times in (("one after another", serial), ("overlapped", piped)):
        print(
            f"{label}: {1000 * times.wall:.0f} ms = {times.wall / memory:.1f} x memory, "
            f"{times.wall / bound:.2f} x the bound (read {1000 * times.read:.0f}, "
            f"update {1000 * times.compute:.0f}, write {1000 * times.write:.0f} ms)"
        )
    slowest = {"reading": moved / read_rate, "writing": moved / write_rate, "the update": serial.compute}
    print(f"bound: {1000 * bound:.0f} ms, set by {max(slowest, key=lambda stage: slowest[stage])}")
    stages = (serial.read / chunks, serial.compute / chunks, serial.write / chunks)
    print(
        f"a pipeline of the serial stages would take {1000 * pipeline_seconds(stages, chunks, buffers=BUFFERS):.0f} ms"
    )
    found = overlap.compare(tries=5)
    print(
        f"under throttle: {found.serial.wall:.3f} s one after another, {found.overlapped.wall:.3f} s overlapped, "
        f"formula {found.predicted:.3f} s ({found.error:+.1%})"
    )


if __name__ == "__main__":
    main()
