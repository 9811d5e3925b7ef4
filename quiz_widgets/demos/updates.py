"""One Adam step over flat arrays, in place: with numpy, and with the functions that `torch.optim.Adam` itself uses."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float32]
Update = Callable[[Array, Array, Array, Array, float, int], None]

BETA1, BETA2, EPS = 0.9, 0.999, 1e-8


def numpy_update(weights: Array, first: Array, second: Array, gradients: Array, lr: float, step: int) -> None:
    """Adam in numpy, in the order of operations of torch's loop; results differ from it in the last bit at most."""
    first += np.float32(1 - BETA1) * (gradients - first)
    second *= np.float32(BETA2)
    second += np.float32(1 - BETA2) * gradients * gradients
    spread = np.sqrt(second) / np.float32(np.sqrt(1 - BETA2**step)) + np.float32(EPS)
    weights -= np.float32(lr / (1 - BETA1**step)) * (first / spread)


def torch_update(weights: Array, first: Array, second: Array, gradients: Array, lr: float, step: int) -> None:
    """The update of `torch.optim.Adam(foreach=False)`, bit for bit."""
    _torch(weights, first, second, gradients, lr, step, fused=False)


def torch_fused_update(weights: Array, first: Array, second: Array, gradients: Array, lr: float, step: int) -> None:
    """The update of `torch.optim.Adam(fused=True)`, bit for bit."""
    _torch(weights, first, second, gradients, lr, step, fused=True)


def _torch(weights: Array, first: Array, second: Array, gradients: Array, lr: float, step: int, *, fused: bool) -> None:
    import torch
    from torch.optim.adam import adam

    arrays: list[Any] = [torch.from_numpy(array) for array in (weights, gradients, first, second)]
    adam(
        [arrays[0]], [arrays[1]], [arrays[2]], [arrays[3]], [],
        [torch.tensor(float(step - 1))],  # counts itself up before it is used
        foreach=False, fused=fused, grad_scale=None, found_inf=None,
        amsgrad=False, beta1=BETA1, beta2=BETA2, lr=lr, weight_decay=0.0, eps=EPS, maximize=False,
    )  # fmt: skip


def numpy_store(weights: Array, out: npt.NDArray[np.floating]) -> None:
    """Write FP32 weights to an array of the model's own type."""
    out[:] = weights


def torch_store(weights: Array, out: npt.NDArray[np.floating]) -> None:
    """The same through torch, whose conversion to FP16 is several times as fast as numpy's."""
    import torch

    torch.from_numpy(out).copy_(torch.from_numpy(weights))


Store = Callable[[Array, npt.NDArray[np.floating]], None]
STORES: dict[str, Store] = {"numpy": numpy_store, "torch": torch_store, "torch_fused": torch_store}
UPDATES: dict[str, Update] = {"numpy": numpy_update, "torch": torch_update, "torch_fused": torch_fused_update}
