"""`torch.amp.GradScaler` on the CPU, step by step, beside the small scaler of this course."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch

from quiz_widgets.demos.scaling import DynamicScaler


@dataclass(frozen=True, slots=True)
class Trace:
    """The scale after every step, for torch and for this course's scaler, and the steps that changed no weight."""

    torch_scales: tuple[float, ...]
    own_scales: tuple[float, ...]
    torch_good_steps: tuple[int, ...]
    own_good_steps: tuple[int, ...]
    unchanged: tuple[int, ...]

    @property
    def equal(self) -> bool:
        """Whether both scalers agree at every step, in scale and in the count towards growth."""
        return self.torch_scales == self.own_scales and self.torch_good_steps == self.own_good_steps


def defaults() -> dict[str, float]:
    """What a new scaler's state holds."""
    state = torch.amp.GradScaler("cpu").state_dict()
    return {name: float(state[name]) for name in ("scale", "growth_factor", "backoff_factor", "growth_interval")}


def trace(overflows: Sequence[bool], *, interval: int = 10) -> Trace:
    """Run both scalers through steps some of whose gradients hold an infinity (about 1 ms a step)."""
    scaler = torch.amp.GradScaler("cpu", growth_interval=interval)
    own = DynamicScaler(interval=interval)
    weight = torch.nn.Parameter(torch.ones(3))
    optimizer = torch.optim.SGD([weight], lr=1e-3)
    torch_scales, own_scales, torch_good, own_good, unchanged = [], [], [], [], []
    for step, overflow in enumerate(overflows):
        before = weight.detach().clone()
        loss = scaler.scale((weight * weight).sum())
        loss.backward()  # type: ignore[no-untyped-call]
        if overflow and weight.grad is not None:
            weight.grad[0] = float("inf")
        scaler.step(optimizer)
        scaler.update()
        optimizer.zero_grad()
        own.update(overflow=overflow)
        if torch.equal(before, weight.detach()):
            unchanged.append(step)
        torch_scales.append(scaler.get_scale())
        own_scales.append(own.scale)
        torch_good.append(int(scaler.state_dict()["_growth_tracker"]))
        own_good.append(own.good_steps)
    return Trace(tuple(torch_scales), tuple(own_scales), tuple(torch_good), tuple(own_good), tuple(unchanged))
