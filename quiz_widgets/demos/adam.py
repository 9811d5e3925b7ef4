"""What an optimizer keeps for every parameter, by arithmetic: bytes of weights, gradients, moments and master copy.

Three totals are in print for mixed-precision Adam, and all are right about something: 16 with 16-bit gradients,
18 where an FP32 gradient buffer takes their place, 20 where both are kept.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

Role = Literal["weights", "gradients", "master", "moments"]
ROLES: tuple[Role, ...] = ("weights", "gradients", "master", "moments")

BLOCK = 256  # parameters that share one FP32 scale in 8-bit Adam
GB = 10**9
GIB = 2**30


@dataclass(frozen=True, slots=True)
class Recipe:
    """Bytes per parameter of each role in one way of training, and how many of them are FP32 optimizer state."""

    id: str
    weights: Fraction
    gradients: Fraction
    master: Fraction
    moments: Fraction

    @property
    def state(self) -> Fraction:
        """Bytes per parameter that offloading can move: the moments and the master copy."""
        return self.master + self.moments

    @property
    def total(self) -> Fraction:
        """Bytes per parameter of everything but activations."""
        return self.weights + self.gradients + self.state

    def bytes(self, parameters: int) -> int:
        """Bytes of the whole model, rounded up to a whole byte."""
        return -int(-self.total * parameters // 1)


def _recipe(name: str, weights: int, gradients: int, master: int, moments: int | Fraction) -> Recipe:
    return Recipe(name, Fraction(weights), Fraction(gradients), Fraction(master), Fraction(moments))


RECIPES: dict[str, Recipe] = {
    recipe.id: recipe
    for recipe in (
        _recipe("fp32_adam", 4, 4, 0, 8),
        _recipe("autocast_adam", 4, 4, 0, 8),  # autocast changes operations, not what is stored
        _recipe("mixed_adam", 2, 2, 4, 8),
        _recipe("mixed_adam_fp32_gradients", 2, 4, 4, 8),
        _recipe("mixed_adam_both_gradients", 2, 6, 4, 8),
        _recipe("fp32_sgd", 4, 4, 0, 0),
        _recipe("fp32_momentum", 4, 4, 0, 4),
        _recipe("fp32_rmsprop", 4, 4, 0, 4),
        _recipe("fp32_adagrad", 4, 4, 0, 4),
        _recipe("fp32_adam_8bit", 4, 4, 0, 2 + Fraction(8, BLOCK)),
        _recipe("bf16_adam", 2, 2, 0, 4),  # no FP32 anywhere: see `master` for why it does not train
    )
}

Optimizer = Literal["adam", "adamw", "amsgrad", "sgd", "momentum", "rmsprop", "adagrad", "adafactor", "adam_8bit"]
_MOMENTS: dict[str, int] = {
    "adam": 2, "adamw": 2, "amsgrad": 3, "sgd": 0, "momentum": 1, "rmsprop": 1, "adagrad": 1,
}  # fmt: skip
_COUNTS_STEPS = frozenset({"adam", "adamw", "amsgrad", "rmsprop", "adagrad", "adafactor"})


def state_bytes(optimizer: Optimizer, shapes: Iterable[Sequence[int]], *, element_bytes: int = 4) -> int:
    """Bytes that an optimizer allocates for tensors of these shapes, to the byte.

    The moments have the parameters' own type (`element_bytes`: 2 for BF16 parameters). Every optimizer that
    counts steps keeps one FP32 scalar per tensor. Adafactor keeps a row and a column of a matrix's second
    moment, and all of it for a vector. 8-bit Adam keeps tensors under 4096 elements in FP32.
    """
    total = 0
    for shape in shapes:
        size = _product(shape)
        if optimizer == "adafactor":
            total += 4 * (size if len(shape) < 2 else _product(shape[:-1]) + _product((*shape[:-2], shape[-1])))
        elif optimizer == "adam_8bit":
            total += 8 * size if size < 4096 else 2 * (size + 4 * -(-size // BLOCK))
        else:
            total += _MOMENTS[optimizer] * element_bytes * size
        total += 4 * (optimizer in _COUNTS_STEPS)
    return total


def _product(shape: Sequence[int]) -> int:
    size = 1
    for extent in shape:
        size *= extent
    return size


@dataclass(frozen=True, slots=True)
class Placement:
    """Bytes on either side of the link when parts of a recipe are kept by the host."""

    gpu: int
    host: int

    def fits(self, gpu_bytes: float) -> bool:
        """Whether the GPU's share alone is smaller than its memory; activations still have to be added."""
        return self.gpu <= gpu_bytes


def place(recipe: Recipe, parameters: int, *, offload: Iterable[Role] = ()) -> Placement:
    """Where the bytes of a model lie when the roles in `offload` are on the host."""
    moved = frozenset(offload)
    sizes: dict[Role, int] = {role: -int(-getattr(recipe, role) * parameters // 1) for role in ROLES}
    host = sum(size for role, size in sizes.items() if role in moved)
    return Placement(gpu=sum(sizes.values()) - host, host=host)
