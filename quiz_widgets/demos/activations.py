"""Bytes that autograd saves for the backward pass, counted by its own hooks: what 16 bits really make smaller.

Parameters do not count, since they are there anyway. The 16-bit copies of weights that autocast makes do count: at
a small batch they outweigh the activations that they make smaller.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import torch
from torch.nn import functional as F  # noqa: N812  # its usual name
from torch.utils.checkpoint import checkpoint

from quiz_widgets.demos.fit import activation_bytes


def saved_bytes(model: torch.nn.Module, run: Callable[[], Any]) -> int:
    """Bytes of the distinct storages that one forward pass keeps for the backward pass, parameters left out."""
    own = {parameter.untyped_storage().data_ptr() for parameter in model.parameters()}
    sizes: dict[int, int] = {}
    alive = []  # or a freed storage's address could come back and be taken for the same one

    def keep(tensor: torch.Tensor) -> torch.Tensor:
        storage = tensor.untyped_storage()
        if storage.data_ptr() not in own:
            sizes[storage.data_ptr()] = storage.nbytes()
            alive.append(storage)
        return tensor

    with torch.autograd.graph.saved_tensors_hooks(keep, lambda tensor: tensor):
        alive.append(run())
    return sum(sizes.values())


@dataclass(frozen=True, slots=True)
class Saved:
    """Bytes saved for backward by the same step in FP32 and under autocast."""

    batch: int
    fp32: int
    autocast: int

    @property
    def ratio(self) -> float:
        """Autocast's bytes over FP32's: below 1 it saves memory."""
        return self.autocast / self.fp32


def by_batch(batches: tuple[int, ...] = (16, 64, 256, 1024, 4096)) -> tuple[Saved, ...]:
    """A network of three linear layers at several batch sizes (about 1 s for the largest)."""
    torch.manual_seed(0)
    model = torch.nn.Sequential(
        torch.nn.Linear(256, 1024), torch.nn.GELU(), torch.nn.Linear(1024, 1024), torch.nn.GELU(),
        torch.nn.Linear(1024, 64),
    )  # fmt: skip
    found = []
    for batch in batches:
        inputs, targets = torch.randn(batch, 256), torch.randint(0, 64, (batch,))

        def run(inputs: torch.Tensor = inputs, targets: torch.Tensor = targets, *, low: bool = False) -> Any:
            with torch.amp.autocast("cpu", enabled=low):
                return F.cross_entropy(model(inputs), targets)

        found.append(Saved(batch, saved_bytes(model, run), saved_bytes(model, partial(run, low=True))))
    return tuple(found)


class Block(torch.nn.Module):
    """A transformer block as in the published formula: naive attention, three dropouts, GELU, two LayerNorms."""

    def __init__(self, hidden: int, heads: int) -> None:
        super().__init__()
        self.heads = heads
        self.first, self.second = torch.nn.LayerNorm(hidden), torch.nn.LayerNorm(hidden)
        self.inwards, self.outwards = torch.nn.Linear(hidden, 3 * hidden), torch.nn.Linear(hidden, hidden)
        self.wider, self.narrower = torch.nn.Linear(hidden, 4 * hidden), torch.nn.Linear(4 * hidden, hidden)

    def forward(self, inputs: torch.Tensor) -> torch.Tensor:
        """The block's output, of the shape of its input: batch, sequence, hidden."""
        batch, length, hidden = inputs.shape
        split = self.inwards(self.first(inputs)).view(batch, length, 3, self.heads, hidden // self.heads)
        query, key, value = split.permute(2, 0, 3, 1, 4).unbind(0)
        scores = (query @ key.transpose(-1, -2)) * (hidden // self.heads) ** -0.5
        mixed = _dropout(scores.softmax(dim=-1)) @ value
        inputs = inputs + _dropout(self.outwards(mixed.transpose(1, 2).reshape(batch, length, hidden)))
        return inputs + _dropout(self.narrower(F.gelu(self.wider(self.second(inputs)))))


def _dropout(tensor: torch.Tensor) -> torch.Tensor:
    # As on CUDA, where the mask is saved in one byte an element; `F.dropout` on CPU saves it in the tensor's dtype.
    dropped: torch.Tensor = torch.ops.aten.native_dropout(tensor, 0.1, True)[0]
    return dropped


@dataclass(frozen=True, slots=True)
class Checked:
    """The formula beside the bytes that a real block saved, and those of the same block under checkpointing."""

    formula: int
    saved: int
    checkpointed: int
    statistics: int
    """Bytes of the LayerNorms' means and deviations, which the formula leaves out."""


def check_formula(length: int = 64, batch: int = 2, hidden: int = 64, heads: int = 4) -> Checked:
    """Run one bfloat16 block and count what it saves (about 0.05 s)."""
    torch.manual_seed(0)
    block = Block(hidden, heads).to(torch.bfloat16)
    inputs = torch.randn(batch, length, hidden, dtype=torch.bfloat16, requires_grad=True)
    saved = saved_bytes(block, lambda: block(inputs))
    again = saved_bytes(block, lambda: checkpoint(block, inputs, use_reentrant=False, preserve_rng_state=False))
    return Checked(activation_bytes(length, batch, hidden, heads), saved, again, 2 * 2 * 2 * length * batch)
