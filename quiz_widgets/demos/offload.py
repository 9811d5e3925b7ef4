"""The time line of one training step whose optimizer state is on the host: who works when, and who holds things up.

A model, not a measurement: rates are assumptions that the reader can change. The GPU runs forward and
backward; gradients go down the link in 16 bits; the host runs Adam over FP32 state, which may have to come from
NVMe and go back; updated weights go up the link in 16 bits.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, replace
from typing import Literal

Resource = Literal["gpu", "down", "read", "adam", "write", "up"]
RESOURCES: tuple[Resource, ...] = ("gpu", "down", "read", "adam", "write", "up")
Phase = Literal["forward", "backward", "down", "read", "adam", "write", "up"]

GRADIENT_BYTES = 2
WEIGHT_BYTES = 2
STATE_BYTES = 12  # master copy and two moments, FP32
CHUNKS = 16


@dataclass(frozen=True, slots=True, kw_only=True)
class Machine:
    """Assumed rates: GPU in flop/s that training reaches, links and disks in bytes/s, host Adam in parameters/s."""

    gpu_flops: float = 150e12
    link: float = 25e9
    adam: float = 1e9
    nvme_read: float = 3.2e9
    nvme_write: float = 3.0e9


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """What is trained and how: `overlap` streams by chunks, `delayed` lets the update run beside the next step."""

    parameters: float = 7e9
    tokens: float = 4096
    nvme: bool = False
    overlap: bool = False
    delayed: bool = False


@dataclass(frozen=True, slots=True)
class Span:
    """One resource at work, in seconds from the start of the shown step."""

    resource: Resource
    phase: Phase
    start: float
    end: float


@dataclass(frozen=True, slots=True)
class Step:
    """One step in the steady state: its spans, its time, and each resource's working time."""

    seconds: float
    busy: dict[Resource, float]
    spans: tuple[Span, ...]

    @property
    def gpu_idle(self) -> float:
        """The share of the step in which the GPU waits."""
        return max(0.0, 1 - self.busy["gpu"] / self.seconds)

    @property
    def bottleneck(self) -> Resource:
        """The resource that works longest: speeding up any other one cannot help as much."""
        return max(RESOURCES, key=lambda resource: self.busy[resource])


def phase_seconds(job: Job, machine: Machine) -> dict[Phase, float]:
    """How long each phase takes when nothing else is in its way."""
    forward = 2 * job.parameters * job.tokens / machine.gpu_flops
    state = STATE_BYTES * job.parameters if job.nvme else 0.0
    return {
        "forward": forward,
        "backward": 2 * forward,
        "down": GRADIENT_BYTES * job.parameters / machine.link,
        "read": state / machine.nvme_read,
        "adam": job.parameters / machine.adam,
        "write": state / machine.nvme_write,
        "up": WEIGHT_BYTES * job.parameters / machine.link,
    }


def simulate(job: Job, machine: Machine) -> Step:
    """Run a few steps on a model of the machine and return the last one, when start-up effects are gone.

    Every resource does one thing at a time. Without `overlap` a phase starts when the one before it has ended.
    With it, gradients leave as backward makes them, and state, update and weights flow by chunks; the update
    waits for the last gradient, because clipping and the overflow check need them all. With `delayed`, a step's
    forward uses the weights of the step before last, so the GPU need not wait for this update.
    """
    times = phase_seconds(job, machine)
    chunks = CHUNKS if job.overlap else 1
    free: dict[Resource, float] = defaultdict(float)
    spans: list[Span] = []

    def work(resource: Resource, phase: Phase, earliest: float, seconds: float) -> float:
        start = max(earliest, free[resource])
        free[resource] = start + seconds
        if seconds > 0:
            spans.append(Span(resource, phase, start, start + seconds))
        return start + seconds

    # When each step's weights were all on the GPU again; before the first step they are there.
    weights_ready = [0.0, 0.0]
    starts = []
    for _ in range(5):
        forward_done = work("gpu", "forward", weights_ready[-2 if job.delayed else -1], times["forward"])
        starts.append(forward_done - times["forward"])
        arrived = forward_done
        made = forward_done
        for _chunk in range(chunks):
            made = work("gpu", "backward", made, times["backward"] / chunks)
            if job.overlap:
                arrived = work("down", "down", made, times["down"] / chunks)
        if not job.overlap:
            arrived = work("down", "down", made, times["down"])
        up = updated = arrived
        for _chunk in range(chunks):
            loaded = work("read", "read", arrived, times["read"] / chunks)
            updated = work("adam", "adam", loaded, times["adam"] / chunks)
            if job.overlap:
                up = work("up", "up", updated, times["up"] / chunks)
                work("write", "write", updated, times["write"] / chunks)
        if not job.overlap:
            saved = work("write", "write", updated, times["write"])
            up = work("up", "up", saved, times["up"])
        # The next read of the state waits for this write of it.
        free["read"] = max(free["read"], free["write"])
        weights_ready.append(max(up, free["write"]) if not job.delayed else up)
    seconds = starts[-1] - starts[-2]
    busy: dict[Resource, float] = {
        "gpu": times["forward"] + times["backward"],
        **{resource: times[resource] for resource in ("down", "read", "adam", "write", "up")},
    }
    shown = tuple(
        replace(span, start=max(span.start, starts[-2]) - starts[-2], end=min(span.end, starts[-1]) - starts[-2])
        for span in spans
        if span.end > starts[-2] and span.start < starts[-1]
    )
    return Step(seconds, busy, shown)


def link_bound_below(machine: Machine) -> float:
    """The link's bytes/s under which moving 2 + 2 bytes per parameter takes longer than host Adam."""
    return (GRADIENT_BYTES + WEIGHT_BYTES) * machine.adam


def nvme_needed(machine: Machine) -> float:
    """Bytes/s, each way, that NVMe has to give so that it does not hold up host Adam."""
    return STATE_BYTES * machine.adam
