"""A pipeline of stages that run beside each other, each on one chunk at a time: how long it takes."""

from __future__ import annotations

from collections.abc import Sequence


def pipeline_seconds(stages: Sequence[float], chunks: int, *, buffers: int | None = None) -> float:
    """The time until the last chunk has left the last stage, in the unit of the stages' times.

    `buffers` limits how many chunks are inside at once: a chunk enters when one of them has left (no limit: `None`).
    """
    free = [0.0] * len(stages)
    finished: list[float] = []
    for chunk in range(chunks):
        at = finished[chunk - buffers] if buffers is not None and chunk >= buffers else 0.0
        for stage, time in enumerate(stages):
            at = free[stage] = max(at, free[stage]) + time
        finished.append(at)
    return finished[-1] if finished else 0.0
