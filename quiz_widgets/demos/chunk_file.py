"""A file of equal chunks, read and written whole and past the page cache where the platform can.

A file that was just written is usually still in memory, and reading it then measures memory. Direct I/O goes to
the device; it needs buffers, offsets and lengths that are multiples of a page. Where it is not to be had (some file
systems, other platforms), `direct` says so, and timings are those of the page cache.
"""

from __future__ import annotations

import mmap
import os
import time
from pathlib import Path
from types import TracebackType
from typing import Self

PAGE = 4096


class ChunkFile:
    """`count` chunks of `size` bytes (a multiple of 4096) in one file, which is made new.

    `rate` is a throttle in bytes per second, for experiments that should not depend on the disk: an operation
    then takes at least its bytes divided by the rate.
    """

    def __init__(self, path: Path, size: int, count: int, *, direct: bool = True, rate: float | None = None) -> None:
        if size % PAGE or size <= 0 or count <= 0:
            raise ValueError(f"{count} chunks of {size} bytes: there must be chunks, of a multiple of {PAGE} bytes")
        self.size, self.count, self.rate = size, count, rate
        self._descriptor, self.direct = _open(path, direct=direct)
        os.ftruncate(self._descriptor, size * count)

    def buffer(self) -> mmap.mmap:
        """Memory for one chunk, aligned to pages."""
        return mmap.mmap(-1, self.size)

    def read(self, index: int, buffer: mmap.mmap) -> None:
        """Fill a buffer with a chunk."""
        start = time.perf_counter()
        done = os.preadv(self._descriptor, [buffer], index * self.size)
        self._complete("read", done, start)

    def write(self, index: int, buffer: mmap.mmap) -> None:
        """Put a buffer where the chunk stands."""
        start = time.perf_counter()
        done = os.pwritev(self._descriptor, [buffer], index * self.size)
        self._complete("wrote", done, start)

    def _complete(self, what: str, done: int, start: float) -> None:
        if done != self.size:
            raise OSError(f"{what} {done} of {self.size} bytes")
        if self.rate is not None:
            wait(start, self.size / self.rate)

    def close(self) -> None:
        """Close the file; it stays on disk."""
        os.close(self._descriptor)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def wait(start: float, seconds: float) -> None:
    """Sleep until `seconds` have passed since `start` (a `time.perf_counter` reading)."""
    left = start + seconds - time.perf_counter()
    if left > 0:
        time.sleep(left)


def _open(path: Path, *, direct: bool) -> tuple[int, bool]:
    flags = os.O_RDWR | os.O_CREAT | os.O_TRUNC
    if direct and hasattr(os, "O_DIRECT"):
        try:
            descriptor = os.open(path, flags | os.O_DIRECT, 0o600)
        except OSError:
            pass  # the file system has no direct I/O
        else:
            if _works(descriptor):
                return descriptor, True
            os.close(descriptor)
    return os.open(path, flags, 0o600), False


def _works(descriptor: int) -> bool:
    """Whether a page can be written: some file systems refuse only then."""
    page = mmap.mmap(-1, PAGE)
    try:
        return os.pwritev(descriptor, [page], 0) == PAGE
    except OSError:
        return False
