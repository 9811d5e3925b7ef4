"""What has to fit on the GPU: model states by arithmetic, and activations by a published formula.

A transformer layer in 16 bits saves ``sbh (34 + 5 a s / h)`` bytes for the backward pass, with sequence length s,
batch b, hidden size h and a heads (Korthikanti et al. 2022); 34 sbh without the attention matrix, 2 sbh with full
recomputation. `activations` checks the formula to the byte against a real block.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from quiz_widgets.demos import adam

Keep = Literal["everything", "flash", "checkpoint"]


@dataclass(frozen=True, slots=True)
class Model:
    """A decoder-only transformer by its shape."""

    layers: int
    hidden: int
    heads: int
    vocabulary: int = 50257
    positions: int = 2048

    @property
    def parameters(self) -> int:
        """Parameters, biases and both LayerNorms per block included; output and input embedding are one."""
        per_layer = 12 * self.hidden**2 + 13 * self.hidden
        return self.layers * per_layer + (self.vocabulary + self.positions) * self.hidden + 2 * self.hidden


GPT2 = Model(layers=12, hidden=768, heads=12, positions=1024)
GPT3 = Model(layers=96, hidden=12288, heads=96)
LARGE = Model(layers=24, hidden=2048, heads=16)  # 1.3 billion
SEVEN = Model(layers=32, hidden=4096, heads=32)  # 6.7 billion
THIRTEEN = Model(layers=40, hidden=5120, heads=40)  # 12.9 billion


def activation_bytes(length: int, batch: int, hidden: int, heads: int, keep: Keep = "everything") -> int:
    """Bytes that one layer saves for backward in 16 bits."""
    size = length * batch * hidden
    if keep == "checkpoint":
        return 2 * size
    attention = 0 if keep == "flash" else 5 * heads * length**2 * batch
    return 34 * size + attention


@dataclass(frozen=True, slots=True)
class Fit:
    """Bytes on the GPU by part, beside its memory."""

    weights: int
    gradients: int
    optimizer: int
    activations: int
    logits: int
    memory: float

    @property
    def total(self) -> int:
        """All bytes that have to be there at once."""
        return self.weights + self.gradients + self.optimizer + self.activations + self.logits

    @property
    def fits(self) -> bool:
        """Whether the GPU's memory is enough."""
        return self.total <= self.memory


def fit(
    model: Model,
    memory: float,
    *,
    batch: int = 1,
    length: int = 2048,
    keep: Keep = "everything",
    offload: Iterable[adam.Role] = (),
) -> Fit:
    """What mixed-precision Adam needs on a GPU with `memory` bytes when the roles in `offload` are on the host.

    With checkpointing one layer is recomputed at a time and has all its activations then. Logits are FP32.
    """
    moved = frozenset(offload)
    recipe = adam.RECIPES["mixed_adam"]
    sizes = {role: 0 if role in moved else int(getattr(recipe, role) * model.parameters) for role in adam.ROLES}
    layer = activation_bytes(length, batch, model.hidden, model.heads, keep)
    again = activation_bytes(length, batch, model.hidden, model.heads) if keep == "checkpoint" else 0
    return Fit(
        weights=sizes["weights"],
        gradients=sizes["gradients"],
        optimizer=sizes["master"] + sizes["moments"],
        activations=model.layers * layer + again,
        logits=4 * length * batch * model.vocabulary,
        memory=memory,
    )


def largest_batch(
    model: Model, memory: float, *, length: int = 2048, keep: Keep = "everything", offload: Iterable[adam.Role] = ()
) -> int:
    """The largest batch that fits; 0 when not even one sequence does."""
    moved = tuple(offload)
    batch = 0
    while fit(model, memory, batch=batch + 1, length=length, keep=keep, offload=moved).fits:
        batch += 1
    return batch
