"""Adam whose state lies in a file: read, updated and written back chunk by chunk through a few buffers.

Three stages run beside each other: while one chunk is updated, the next is being read and the last is being
written. Only the buffers are in memory, so their size sets how much that is, whatever the number of parameters. Each
chunk holds the FP32 master weights and both moments; the weights that a model would use come out in 16 bits.
"""

from __future__ import annotations

import mmap
import queue
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Literal, Self

import numpy as np
import numpy.typing as npt

from quiz_widgets.demos.chunk_file import ChunkFile, wait
from quiz_widgets.demos.updates import STORES, UPDATES, Store, Update

Array = npt.NDArray[np.float32]
Backend = Literal["numpy", "torch", "torch_fused"]

BUFFERS = 3
TENSORS = 3  # master weights and two moments


@dataclass(frozen=True, slots=True)
class Times:
    """Seconds that each stage worked in one step, and the whole step: what names the bottleneck.

    `spans` tells when each stage worked: its name, start and end in seconds since the step began.
    """

    read: float
    compute: float
    write: float
    wall: float
    spans: tuple[tuple[str, float, float], ...] = ()

    @property
    def bottleneck(self) -> str:
        """The stage that worked longest: ``read``, ``compute`` or ``write``."""
        stages = {"read": self.read, "compute": self.compute, "write": self.write}
        return max(stages, key=lambda name: stages[name])


class DiskAdam:
    """Adam (default betas and eps) for one flat array of weights, with its state in a file.

    `chunk` is the number of parameters per chunk, a multiple of 1024. `rate` throttles the file (bytes/s) and
    `compute_rate` the update (parameters/s), so that an experiment gives the same figures on any machine. New weights
    go to `out`, an array of the model's own, or to a new one in FP16.
    """

    def __init__(  # noqa: PLR0913  # each is a knob of an experiment, and named
        self,
        path: Path,
        weights: Array,
        *,
        chunk: int = 32768,
        lr: float = 1e-3,
        backend: Backend = "numpy",
        direct: bool = True,
        rate: float | None = None,
        compute_rate: float | None = None,
        out: npt.NDArray[np.floating] | None = None,
    ) -> None:
        if chunk % 1024:
            raise ValueError(f"chunks of {chunk} parameters: a multiple of 1024 is needed")
        self.count, self.chunk, self.steps = weights.size, chunk, 0
        self.weights: npt.NDArray[np.floating] = weights.astype(np.float16) if out is None else out
        self._lr, self._compute_rate = lr, compute_rate
        self._update: Update = UPDATES[backend]
        self._store: Store = STORES[backend]
        chunks = -(-weights.size // chunk)
        self._file = ChunkFile(path, TENSORS * 4 * chunk, chunks, direct=direct)
        self._buffers = [self._file.buffer() for _ in range(BUFFERS)]
        for index in range(chunks):
            parts = self._parts(self._buffers[0])
            parts[:] = 0
            piece = weights[index * chunk : (index + 1) * chunk]
            parts[0, : piece.size] = piece
            self._file.write(index, self._buffers[0])
        self._file.rate = rate  # making the file is no part of the experiment

    @property
    def direct(self) -> bool:
        """Whether the file is read and written past the page cache."""
        return self._file.direct

    @property
    def resident_bytes(self) -> int:
        """Bytes of state in memory: the buffers."""
        return len(self._buffers) * self._file.size

    @property
    def state_bytes(self) -> int:
        """Bytes of state in all, without what fills up the last chunk."""
        return TENSORS * 4 * self.count

    @property
    def moved_bytes(self) -> int:
        """Bytes that one step reads, and writes."""
        return self._file.size * self._file.count

    def state(self) -> Array:
        """Master weights and both moments, read from the file: an array of three rows."""
        found = np.empty((TENSORS, self._file.count * self.chunk), np.float32)
        for index in range(self._file.count):
            self._file.read(index, self._buffers[0])
            found[:, index * self.chunk : (index + 1) * self.chunk] = self._parts(self._buffers[0])
        return found[:, : self.count]

    def step(self, gradients: Array, *, overlap: bool = True) -> Times:
        """One Adam step over all chunks; afterwards `weights` holds the new ones.

        `ValueError` when there is not one gradient for each weight.
        """
        if gradients.size != self.count:
            raise ValueError(f"{gradients.size} gradients for {self.count} weights")
        self.steps += 1
        spans: list[tuple[str, float, float]] = []  # appending is safe from several threads

        def timed(stage: str, work: Callable[[], None]) -> None:
            began = time.perf_counter()
            work()
            spans.append((stage, began - start, time.perf_counter() - start))

        def read(index: int, buffer: mmap.mmap) -> None:
            timed("read", lambda: self._file.read(index, buffer))

        def compute(index: int, buffer: mmap.mmap) -> None:
            timed("compute", lambda: self._compute(index, buffer, gradients))

        def write(index: int, buffer: mmap.mmap) -> None:
            timed("write", lambda: self._file.write(index, buffer))

        start = time.perf_counter()
        if overlap:
            _Pipeline(self._buffers, (read, compute, write)).run(range(self._file.count))
        else:
            for index in range(self._file.count):
                for stage in (read, compute, write):
                    stage(index, self._buffers[0])
        wall = time.perf_counter() - start
        read_time, compute_time, write_time = (
            sum(end - began for name, began, end in spans if name == stage) for stage in ("read", "compute", "write")
        )
        return Times(read_time, compute_time, write_time, wall, tuple(spans))

    def _compute(self, index: int, buffer: mmap.mmap, gradients: Array) -> None:
        start = time.perf_counter()
        first = index * self.chunk
        piece = gradients[first : first + self.chunk]
        master, first_moment, second_moment = self._parts(buffer)[:, : piece.size]
        self._update(master, first_moment, second_moment, piece, self._lr, self.steps)
        self._store(master, self.weights[first : first + piece.size])
        if self._compute_rate is not None:
            wait(start, self.chunk / self._compute_rate)

    def _parts(self, buffer: mmap.mmap) -> Array:
        return np.frombuffer(buffer, np.float32).reshape(TENSORS, self.chunk)

    def close(self) -> None:
        """Close the file; it stays on disk."""
        self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


_Stage = Callable[[int, mmap.mmap], None]
_Queue = queue.SimpleQueue[tuple[int, mmap.mmap] | None]


class _Pipeline:
    """Takes every index through three stages in order, each in a thread of its own.

    A free buffer goes round: reading takes one, and writing gives it back. `None` ends a stage, and then the next.
    """

    def __init__(self, buffers: list[mmap.mmap], stages: tuple[_Stage, _Stage, _Stage]) -> None:
        self._read, self._compute, self._write = stages
        self._free, self._loaded, self._updated = _Queue(), _Queue(), _Queue()
        self._faults: list[BaseException] = []
        for buffer in buffers:
            self._free.put((-1, buffer))

    def run(self, indexes: range) -> None:
        """Do all the work; the first fault of any stage is raised."""
        threads = [
            threading.Thread(target=self._reader, args=(indexes,), daemon=True),
            threading.Thread(target=self._hand_on, args=(self._write, self._updated, self._free), daemon=True),
        ]
        for thread in threads:
            thread.start()
        self._hand_on(self._compute, self._loaded, self._updated)
        for thread in threads:
            thread.join()
        if self._faults:
            raise self._faults[0]

    def _reader(self, indexes: range) -> None:
        for index in indexes:
            taken = self._free.get()
            if taken is not None:
                self._carry(self._read, index, taken[1])
                self._loaded.put((index, taken[1]))
        self._loaded.put(None)

    def _hand_on(self, stage: _Stage, source: _Queue, target: _Queue) -> None:
        while (taken := source.get()) is not None:
            self._carry(stage, *taken)
            target.put(taken)
        target.put(None)

    def _carry(self, stage: _Stage, index: int, buffer: mmap.mmap) -> None:
        if not self._faults:  # after a fault chunks only pass through, so that no stage waits for ever
            try:
                stage(index, buffer)
            except BaseException as error:  # noqa: BLE001  # raised in the thread that called
                self._faults.append(error)
