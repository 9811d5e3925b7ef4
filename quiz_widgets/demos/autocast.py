"""What autocast does to each operation, per device: the CPU's rules by running them, CUDA's through fake tensors.

Fake tensors carry a device and a dtype but no data, so CUDA's dispatch, and with it its autocast rules, runs on a
machine without a GPU. The two devices differ: CUDA sends `softmax`, `layer_norm` or `exp` to FP32, the CPU does not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Literal

import torch
from torch._subclasses.fake_tensor import FakeTensorMode
from torch.nn import functional as F  # noqa: N812  # its usual name

Device = Literal["cpu", "cuda"]
Input = Literal["fp32", "low", "both"]

_Operation = Callable[[torch.Tensor, torch.Tensor], torch.Tensor]


def _first(call: Callable[..., torch.Tensor], *arguments: Any, **options: Any) -> _Operation:
    """An operation on the first of the two inputs."""
    return lambda left, _right: call(left, *arguments, **options)


def _bmm(left: torch.Tensor, right: torch.Tensor) -> torch.Tensor:
    return torch.bmm(left.reshape(1, 8, 8), right.reshape(1, 8, 8))


def _conv1d(left: torch.Tensor, right: torch.Tensor) -> torch.Tensor:
    return F.conv1d(left.reshape(1, 8, 8), right.reshape(8, 8, 1))


def _attention(left: torch.Tensor, right: torch.Tensor) -> torch.Tensor:
    query, key = left.reshape(1, 1, 8, 8), right.reshape(1, 1, 8, 8)
    return F.scaled_dot_product_attention(query, key, key)


def _cat(left: torch.Tensor, right: torch.Tensor) -> torch.Tensor:
    return torch.cat([left, right])


# Inputs and call by name: two square matrices, both FP32, both 16-bit, or FP32 and 16-bit.
OPERATIONS: dict[str, tuple[Input, _Operation]] = {
    "linear": ("fp32", F.linear),
    "matmul": ("fp32", torch.matmul),
    "bmm": ("fp32", _bmm),
    "conv1d": ("fp32", _conv1d),
    "attention": ("fp32", _attention),
    "relu": ("low", _first(F.relu)),
    "gelu": ("low", _first(F.gelu)),
    "add": ("low", torch.add),
    "mean": ("low", _first(torch.mean)),
    "add fp32": ("both", torch.add),
    "mul fp32": ("both", torch.mul),
    "cat fp32": ("both", _cat),
    "softmax": ("low", _first(F.softmax, dim=-1)),
    "log_softmax": ("low", _first(F.log_softmax, dim=-1)),
    "layer_norm": ("low", _first(F.layer_norm, (8,))),
    "exp": ("low", _first(torch.exp)),
    "log": ("low", _first(torch.log)),
    "pow": ("low", _first(torch.pow, 2)),
    "sum": ("low", _first(torch.sum)),
    "cumsum": ("low", _first(torch.cumsum, 0)),
    "norm": ("low", _first(torch.norm)),
    "cross_entropy": ("low", F.cross_entropy),
    "mse_loss": ("low", F.mse_loss),
    "l1_loss": ("low", F.l1_loss),
    "bce_with_logits": ("low", F.binary_cross_entropy_with_logits),
    "bce": ("low", F.binary_cross_entropy),
}
_NAMES = {torch.float32: "fp32", torch.float16: "fp16", torch.bfloat16: "bf16"}


def op_table(device: Device = "cpu", *, fake: bool | None = None) -> dict[str, str]:
    """The dtype of each operation's result under autocast: ``fp32``, ``bf16``, ``fp16``, or ``refused``.

    The CPU computes in bfloat16, CUDA in FP16: their defaults. `fake` runs CUDA's rules without a GPU; by default
    it is used where there is none.
    """
    low = torch.bfloat16 if device == "cpu" else torch.float16
    if fake is None:
        fake = device == "cuda" and not torch.cuda.is_available()
    with FakeTensorMode() if fake else torch.no_grad(), _autocast(device, low):
        return {name: _result(*operation, device, low) for name, operation in OPERATIONS.items()}


def _result(inputs: Input, call: _Operation, device: Device, low: torch.dtype) -> str:
    kinds = {"fp32": (torch.float32, torch.float32), "low": (low, low), "both": (torch.float32, low)}[inputs]
    left, right = (torch.full((8, 8), 0.5, dtype=kind, device=device) for kind in kinds)
    try:
        return _NAMES[call(left, right).dtype]
    except RuntimeError as error:
        if "unsafe to autocast" in str(error):
            return "refused"
        raise


@contextmanager
def _autocast(device: Device, low: torch.dtype) -> Iterator[None]:
    """Autocast switched on by hand: `torch.amp.autocast("cuda")` switches itself off where there is no GPU."""
    handles: Any = torch
    enabled, kind = handles.is_autocast_enabled(device), handles.get_autocast_dtype(device)
    handles.set_autocast_enabled(device, True)
    handles.set_autocast_dtype(device, low)
    handles.autocast_increment_nesting()
    try:
        yield
    finally:
        if handles.autocast_decrement_nesting() == 0:
            handles.clear_autocast_cache()
        handles.set_autocast_enabled(device, enabled)
        handles.set_autocast_dtype(device, kind)


@dataclass(frozen=True, slots=True)
class Step:
    """One training step under autocast on the CPU, beside the same step in FP32."""

    parameter_dtype: str
    gradient_dtype: str
    output_dtype: str
    loss: float
    loss_fp32: float
    bitwise_equal: bool
    largest_relative_difference: float
    parameter_bytes: float
    optimizer: str
    gradient_bytes: float
    state_bytes: float


def step() -> Step:
    """Run forward, backward and an Adam step of a small network with and without autocast (about 0.1 s)."""
    torch.manual_seed(0)
    model = torch.nn.Sequential(torch.nn.Linear(64, 256), torch.nn.GELU(), torch.nn.Linear(256, 64))
    inputs, targets = torch.randn(128, 64), torch.randint(0, 64, (128,))
    with torch.no_grad():
        exact = model(inputs)
        loss_fp32 = float(F.cross_entropy(exact, targets))
    optimizer = torch.optim.Adam(model.parameters())
    with torch.amp.autocast("cpu"):
        outputs = model(inputs)
        loss = F.cross_entropy(outputs, targets)
    loss.backward()  # type: ignore[no-untyped-call]
    optimizer.step()
    parameters = list(model.parameters())
    count = sum(parameter.numel() for parameter in parameters)
    gradients = [parameter.grad for parameter in parameters if parameter.grad is not None]
    moments = [state[name] for state in optimizer.state.values() for name in ("exp_avg", "exp_avg_sq")]
    difference = (outputs.detach().float() - exact).abs().max() / exact.abs().max()
    return Step(
        _NAMES[parameters[0].dtype],
        _NAMES[gradients[0].dtype],
        _NAMES[outputs.dtype],
        float(loss.detach()),
        loss_fp32,
        torch.equal(outputs.detach().float(), exact),
        float(difference),
        _bytes(parameters) / count,
        type(optimizer).__name__,
        _bytes(gradients) / count,
        _bytes(moments) / count,
    )


def _bytes(tensors: list[Any]) -> int:
    return sum(tensor.numel() * tensor.element_size() for tensor in tensors)
