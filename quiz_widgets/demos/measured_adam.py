"""Optimizer state measured from real `torch.optim` objects: every tensor's bytes, counted after a step.

Adam allocates its state at the first step, so nothing can be measured before it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import torch

from quiz_widgets.demos import adam

SHAPES: tuple[tuple[int, ...], ...] = ((33, 57), (57,), (129, 33), (33,), (5, 7, 11), (1,), (127, 121))

_MAKERS: dict[adam.Optimizer, Callable[..., torch.optim.Optimizer]] = {
    "adam": torch.optim.Adam,
    "adamw": torch.optim.AdamW,
    "amsgrad": partial(torch.optim.Adam, amsgrad=True),
    "sgd": partial(torch.optim.SGD, lr=0.1),
    "momentum": partial(torch.optim.SGD, lr=0.1, momentum=0.9),
    "rmsprop": torch.optim.RMSprop,
    "adagrad": torch.optim.Adagrad,
    "adafactor": torch.optim.Adafactor,
}
OPTIMIZERS = tuple(_MAKERS)


@dataclass(frozen=True, slots=True)
class Measured:
    """Bytes of state before the first step and after it, beside what arithmetic says."""

    parameters: int
    tensors: int
    before: int
    after: int
    arithmetic: int

    @property
    def per_parameter(self) -> float:
        """Measured bytes per parameter, the step counters included."""
        return self.after / self.parameters


def tensor_bytes(optimizer: torch.optim.Optimizer) -> int:
    """Bytes of all tensors in an optimizer's state."""
    return sum(
        value.numel() * value.element_size()
        for state in optimizer.state.values()
        for value in state.values()
        if isinstance(value, torch.Tensor)
    )


def measure(name: adam.Optimizer, *, bf16: bool = False) -> Measured:
    """Make an optimizer for seven tensors of odd shapes, take one step, and count."""
    generator = torch.Generator().manual_seed(0)
    kind = torch.bfloat16 if bf16 else torch.float32
    parameters = [torch.randn(shape, generator=generator).to(kind).requires_grad_() for shape in SHAPES]
    optimizer = _MAKERS[name](parameters)
    before = tensor_bytes(optimizer)
    for parameter in parameters:
        parameter.grad = torch.full_like(parameter, 0.01)
    optimizer.step()
    count = sum(parameter.numel() for parameter in parameters)
    arithmetic = adam.state_bytes(name, SHAPES, element_bytes=2 if bf16 else 4)
    return Measured(count, len(parameters), before, tensor_bytes(optimizer), arithmetic)


@dataclass(frozen=True, slots=True)
class Mixed:
    """Measured bytes of each part of a mixed-precision recipe that was built by hand, and of its step counters."""

    parameters: int
    weights: int
    gradients: int
    master: int
    moments: int
    counters: int

    @property
    def state_per_parameter(self) -> float:
        """Bytes per parameter of master copy and moments."""
        return (self.master + self.moments) / self.parameters

    @property
    def total_per_parameter(self) -> float:
        """Bytes per parameter of everything."""
        return (self.weights + self.gradients + self.master + self.moments) / self.parameters


def measure_mixed() -> Mixed:
    """FP16 weights and gradients, an FP32 master copy, and Adam on that copy; one step, then count."""
    generator = torch.Generator().manual_seed(0)
    weights = [torch.randn(shape, generator=generator).half() for shape in SHAPES]
    gradients = [torch.full_like(weight, 0.01) for weight in weights]
    masters = [weight.float().requires_grad_() for weight in weights]
    optimizer = torch.optim.Adam(masters)
    for master, gradient in zip(masters, gradients, strict=True):
        master.grad = gradient.float()
    optimizer.step()
    for master in masters:
        master.grad = None  # made for the step only: this recipe keeps no FP32 gradients
    counters = sum(state["step"].numel() * state["step"].element_size() for state in optimizer.state.values())

    def size(tensors: list[torch.Tensor]) -> int:
        return sum(tensor.numel() * tensor.element_size() for tensor in tensors)

    return Mixed(
        sum(weight.numel() for weight in weights),
        size(weights),
        size(gradients),
        size(masters),
        tensor_bytes(optimizer) - counters,
        counters,
    )
