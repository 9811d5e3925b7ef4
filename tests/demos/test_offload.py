"""The time line of a step: closed forms where there are some, and the laws every schedule has to obey."""

from itertools import pairwise

import pytest
from hypothesis import given, settings, strategies

from quiz_widgets.demos import offload
from quiz_widgets.demos.offload import Job, Machine, simulate

RATES = strategies.floats(min_value=0.2, max_value=5)
MACHINES = strategies.builds(
    lambda gpu, link, adam, read, write: Machine(
        gpu_flops=gpu * 150e12, link=link * 25e9, adam=adam * 1e9, nvme_read=read * 3e9, nvme_write=write * 3e9
    ),
    RATES, RATES, RATES, RATES, RATES,
)  # fmt: skip
JOBS = strategies.builds(
    Job, tokens=strategies.sampled_from([1024, 4096, 65536]), nvme=strategies.booleans(), overlap=strategies.booleans(),
    delayed=strategies.booleans(),
)  # fmt: skip


def test_phases_of_a_known_machine() -> None:
    phases = offload.phase_seconds(Job(nvme=True), Machine())
    assert {name: round(seconds, 2) for name, seconds in phases.items()} == {
        "forward": 0.38, "backward": 0.76, "down": 0.56, "read": 26.25, "adam": 7.0, "write": 28.0, "up": 0.56,
    }  # fmt: skip


def test_one_after_another_takes_the_sum() -> None:
    step = simulate(Job(), Machine())
    assert step.seconds == pytest.approx(9.267, abs=0.001)
    assert step.bottleneck == "adam"
    assert step.gpu_idle == pytest.approx(0.876, abs=0.001)


def test_bottleneck_moves_with_the_rates() -> None:
    assert simulate(Job(overlap=True, tokens=32768), Machine(adam=4e9)).bottleneck == "gpu"
    assert simulate(Job(overlap=True, nvme=True), Machine()).bottleneck == "write"
    slow = offload.link_bound_below(Machine(adam=1e9))
    assert slow == 4e9


def test_feeding_the_host() -> None:
    assert offload.nvme_needed(Machine(adam=1e9)) == 12e9


@settings(max_examples=60)
@given(JOBS, MACHINES)
def test_no_step_is_shorter_than_its_busiest_resource_nor_longer_than_the_sum(job: Job, machine: Machine) -> None:
    step = simulate(job, machine)
    total = sum(step.busy.values())
    assert step.busy[step.bottleneck] <= step.seconds * (1 + 1e-9)
    assert step.seconds <= total * (1 + 1e-9)
    assert 0 <= step.gpu_idle < 1


@settings(max_examples=60)
@given(JOBS, MACHINES)
def test_a_resource_does_one_thing_at_a_time_within_the_step(job: Job, machine: Machine) -> None:
    step = simulate(job, machine)
    for resource in offload.RESOURCES:
        spans = sorted((span.start, span.end) for span in step.spans if span.resource == resource)
        assert all(end <= start + 1e-9 for (_, end), (start, _) in pairwise(spans))
        assert all(start >= 0 and end <= step.seconds * (1 + 1e-9) for start, end in spans)


@settings(max_examples=40)
@given(MACHINES, strategies.booleans())
def test_overlap_never_costs_time_in_the_model(machine: Machine, nvme: bool) -> None:
    serial = simulate(Job(nvme=nvme), machine).seconds
    streamed = simulate(Job(nvme=nvme, overlap=True), machine).seconds
    delayed = simulate(Job(nvme=nvme, overlap=True, delayed=True), machine).seconds
    assert streamed <= serial * (1 + 1e-9)
    assert delayed <= streamed * (1 + 1e-9)
