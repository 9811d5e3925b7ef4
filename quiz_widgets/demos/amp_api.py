"""Which names PyTorch recommends for mixed precision, asked of PyTorch itself: a deprecated one warns when used."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from io import BytesIO
from typing import Any

import torch


@dataclass(frozen=True, slots=True)
class Name:
    """One callable: whether using it raised a deprecation warning, and that warning's text."""

    name: str
    deprecated: bool
    warning: str


_cpu: Any = torch.cpu.amp  # its names carry no types
_CALLS: dict[str, Callable[[], Any]] = {
    "torch.amp.autocast": lambda: torch.amp.autocast("cpu"),
    "torch.amp.GradScaler": lambda: torch.amp.GradScaler("cpu"),
    "torch.cuda.amp.autocast": torch.cuda.amp.autocast,
    "torch.cuda.amp.GradScaler": torch.cuda.amp.GradScaler,
    "torch.cpu.amp.autocast": _cpu.autocast,
    "torch.cpu.amp.GradScaler": _cpu.GradScaler,
}


def ask() -> dict[str, Name]:
    """Make an object of every name and note the deprecation warnings (a CPU is enough)."""
    found = {}
    for name, call in _CALLS.items():
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            call()
        texts = [str(warning.message) for warning in caught if issubclass(warning.category, FutureWarning)]
        found[name] = Name(name, bool(texts), texts[0] if texts else "")
    return found


def changes_dtype(name: str) -> bool:
    """Whether FP32 numbers come out in another dtype after what a name does; `ValueError` for an unknown name."""
    left = torch.ones(2, 2)
    if name == "torch.amp.autocast":
        with torch.amp.autocast("cpu"):
            return (left @ left).dtype != torch.float32
    if name == "torch.save and torch.load":
        stream = BytesIO()
        torch.save(left, stream)
        stream.seek(0)
        return bool(torch.load(stream, weights_only=True).dtype != torch.float32)
    if name == "torch.nn.DataParallel and torch.manual_seed":
        torch.manual_seed(0)
        return bool(torch.nn.DataParallel(torch.nn.Linear(2, 2))(left).dtype != torch.float32)
    raise ValueError(f"{name!r} is none of the names that this demo knows")
