"""Experiments with the disk-offloaded Adam: how much overlap hides, and which measurement names the bottleneck.

File and update are throttled here, so that the times are those of the stated rates and not of this machine's
disk; what remains real is the pipeline, with its threads, its buffers and its waiting.
"""

from __future__ import annotations

import os
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from quiz_widgets.demos.disk_adam import BUFFERS, Array, DiskAdam, Times
from quiz_widgets.demos.pipeline import pipeline_seconds

CHUNK = 16384  # small, so that what the throttle asks for outweighs what this machine needs
CHUNKS = 16


@dataclass(frozen=True, slots=True)
class Overlap:
    """The same step with and without overlap, and what a pipeline of such stages would take."""

    serial: Times
    overlapped: Times
    predicted: float

    @property
    def speed_up(self) -> float:
        """How many times as fast the overlapped step is."""
        return self.serial.wall / self.overlapped.wall

    @property
    def error(self) -> float:
        """By how much the overlapped step misses the prediction, relative to it."""
        return self.overlapped.wall / self.predicted - 1


def compare(rate: float = 8e6, compute_rate: float = 0.65e6, *, tries: int = 3) -> Overlap:
    """Run throttled steps one after another and overlapped (about 5 s, asleep); of a few tries the quickest counts.

    `rate` is in bytes/s each way, `compute_rate` in parameters/s. A busy machine makes single steps slower, never
    faster than the throttle.
    """
    serial = min(_steps(rate, compute_rate, 2, overlap=False), key=lambda times: times.wall)
    overlapped = min(_steps(rate, compute_rate, tries, overlap=True), key=lambda times: times.wall)
    transfer = 12 * CHUNK / rate
    stages = (transfer, CHUNK / compute_rate, transfer)
    return Overlap(serial, overlapped, pipeline_seconds(stages, CHUNKS, buffers=BUFFERS))


def run_once(rate: float, compute_rate: float, *, chunks: int = CHUNKS, overlap: bool) -> Times:
    """One throttled step (a fraction of a second, most of it asleep), with the times of every chunk."""
    return _steps(rate, compute_rate, 1, overlap=overlap, chunks=chunks)[0]


def _steps(rate: float, compute_rate: float, count: int, *, overlap: bool, chunks: int = CHUNKS) -> list[Times]:
    """Times of a few throttled steps."""
    gradients = np.full(CHUNK * chunks, 0.01, np.float32)
    with (
        tempfile.TemporaryDirectory() as folder,
        DiskAdam(
            Path(folder, "state"),
            np.ones_like(gradients),
            chunk=CHUNK,
            rate=rate,
            compute_rate=compute_rate,
            direct=False,  # the throttle sets the pace, not the disk
        ) as optimizer,
    ):
        return [optimizer.step(gradients, overlap=overlap) for _ in range(count)]


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """Overlapped steps of a machine with a slow host, and of the same with one part at twice the speed.

    The times follow from what a real step moved and updated and from the stated rates, as a pipeline takes them, so
    they are the same on every machine, however busy.
    """

    base: Times
    faster_host: Times
    faster_disk: Times
    weight_difference: float


DIAGNOSED = 8  # chunks: few enough for the first read and the last write to be seen
DRIVE, HOST = 9e6, 0.4e6  # bytes/s each way, parameters/s


def diagnose() -> Diagnosis:
    """Stream a real step by chunks, then time it for a host that holds it up, a host twice as fast, and such a disk."""
    gradients = np.full(CHUNK * DIAGNOSED, 0.01, np.float32)
    start = np.ones_like(gradients)

    def stepped(*, overlap: bool) -> tuple[Array, int]:
        with (
            tempfile.TemporaryDirectory() as folder,
            DiskAdam(Path(folder, "state"), start, chunk=CHUNK, direct=False) as optimizer,
        ):
            optimizer.step(gradients, overlap=overlap)
            return optimizer.state()[0], optimizer.moved_bytes

    (serial, _), (overlapped, moved) = (stepped(overlap=overlap) for overlap in (False, True))

    def timed(rate: float, compute_rate: float) -> Times:
        transfer, update = moved / rate, gradients.size / compute_rate
        stages = [stage / DIAGNOSED for stage in (transfer, update, transfer)]
        return Times(transfer, update, transfer, pipeline_seconds(stages, DIAGNOSED, buffers=BUFFERS))

    return Diagnosis(
        timed(DRIVE, HOST),
        timed(DRIVE, 2 * HOST),
        timed(2 * DRIVE, HOST),
        float(np.abs(overlapped - serial).max()),
    )


@dataclass(frozen=True, slots=True)
class Cost:
    """Seconds of an Adam step in memory and of the same step with its state in a throttled file."""

    memory: float
    disk_serial: float
    disk_overlapped: float


def cost(rate: float = 0.1e9, *, count: int = 2**21) -> Cost:
    """Compare a step in memory with the same step from a file at `rate` bytes/s each way (about 1 s)."""
    from quiz_widgets.demos.updates import numpy_update

    weights, first, second, gradients = (np.full(count, value, np.float32) for value in (1.0, 0.0, 0.0, 0.01))
    memory = []
    for step in range(1, 4):
        start = time.perf_counter()
        for begin in range(0, count, 2**17):
            piece = slice(begin, begin + 2**17)
            numpy_update(weights[piece], first[piece], second[piece], gradients[piece], 1e-3, step)
        memory.append(time.perf_counter() - start)
    with (
        tempfile.TemporaryDirectory() as folder,
        DiskAdam(Path(folder, "state"), weights, chunk=2**17, rate=rate, direct=False) as optimizer,
    ):
        serial = min(optimizer.step(gradients, overlap=False).wall for _ in range(2))
        overlapped = min(optimizer.step(gradients, overlap=True).wall for _ in range(2))
    return Cost(min(memory), serial, overlapped)


@dataclass(frozen=True, slots=True)
class Identity:
    """Whether streaming changes anything, beside `torch.optim.Adam` on the same weights and gradients."""

    equal: bool
    fused_equal: bool
    overlapped_equal: bool
    numpy_difference: float
    resident_bytes: int
    state_bytes: int
    moved_bytes: int
    count: int
    device: str


def identity(count: int = 300_007, chunk: int = 32768, steps: int = 3) -> Identity:
    """Run torch's Adam in memory and from a file, and compare master weights and moments bit by bit (about 0.5 s)."""
    import torch

    rng = np.random.default_rng(0)
    start = rng.standard_normal(count).astype(np.float32)
    gradients = [rng.standard_normal(count).astype(np.float32) * np.float32(0.1) for _ in range(steps)]

    def in_memory(*, fused: bool) -> Array:
        weight = torch.nn.Parameter(torch.from_numpy(start.copy()))
        optimizer = torch.optim.Adam([weight], foreach=False, fused=fused)
        for gradient in gradients:
            weight.grad = torch.from_numpy(gradient)
            optimizer.step()
        state = optimizer.state[weight]
        return np.stack([weight.detach().numpy(), state["exp_avg"].numpy(), state["exp_avg_sq"].numpy()])

    def from_file(backend: str, *, overlap: bool) -> tuple[Array, DiskAdam]:
        with (
            tempfile.TemporaryDirectory() as folder,
            DiskAdam(Path(folder, "state"), start, chunk=chunk, backend=backend, direct=False) as optimizer,  # type: ignore[arg-type]
        ):
            for gradient in gradients:
                optimizer.step(gradient, overlap=overlap)
            return optimizer.state(), optimizer

    reference = in_memory(fused=False)
    streamed, optimizer = from_file("torch", overlap=True)
    return Identity(
        np.array_equal(from_file("torch", overlap=False)[0], reference),
        np.array_equal(from_file("torch_fused", overlap=True)[0], in_memory(fused=True)),
        np.array_equal(streamed, reference),
        float(np.abs(from_file("numpy", overlap=True)[0][0] - reference[0]).max()),
        optimizer.resident_bytes,
        optimizer.state_bytes,
        optimizer.moved_bytes,
        count,
        torch.from_numpy(streamed).device.type,
    )


def streamed_difference(count: int = 40_000, steps: int = 3) -> float:
    """The largest difference that streaming makes to a weight: the numpy update from a file and in memory (0.05 s)."""
    from quiz_widgets.demos.updates import numpy_update

    rng = np.random.default_rng(0)
    weights = rng.standard_normal(count).astype(np.float32)
    gradients = [rng.standard_normal(count).astype(np.float32) for _ in range(steps)]
    with (
        tempfile.TemporaryDirectory() as folder,
        DiskAdam(Path(folder, "state"), weights, chunk=8192, direct=False) as optimizer,
    ):
        for gradient in gradients:
            optimizer.step(gradient)
        streamed = optimizer.state()[0]
    first, second = np.zeros_like(weights), np.zeros_like(weights)
    for step, gradient in enumerate(gradients, 1):
        numpy_update(weights, first, second, gradient, 1e-3, step)
    return float(np.abs(streamed - weights).max())


def small_transfers(size: int = 2**20, piece: int = 256) -> float:
    """How many times as much CPU time the same bytes of a file take in small pieces as in one (about 0.1 s)."""
    with tempfile.TemporaryFile() as file:
        file.write(bytes(size))
        file.flush()

        def cpu(step: int, times: int) -> float:
            start = time.process_time()
            for _ in range(times):
                for offset in range(0, size, step):
                    os.pread(file.fileno(), step, offset)
            return (time.process_time() - start) / times

        # The clock of CPU time may be coarse: a whole megabyte is read often enough for it.
        return cpu(piece, 8) / cpu(size, 200)
