"""The figures of one run, as they are kept in results/peers.json: samples, not yet summed up."""

from __future__ import annotations

import json
from pathlib import Path
from statistics import median
from typing import Any, TypedDict

FILE = Path(__file__).resolve().parents[1] / "results" / "peers.json"


class Figures(TypedDict):
    """A run. `tools` maps a tool to its figures: lists of samples (ms; `None` for what was not reached), or values.

    `missing` says why a tool was not measured; `load` is the machine's load average when the run began.
    """

    date: str
    machine: str
    load: float
    quick: bool
    versions: dict[str, str]
    missing: dict[str, str]
    tools: dict[str, dict[str, Any]]


def read(path: Path = FILE) -> Figures:
    """The figures in a file."""
    found: Figures = json.loads(path.read_text(encoding="utf-8"))
    return found


def write(figures: Figures, path: Path = FILE) -> None:
    """Keep the figures."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(figures, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def rounded(figures: Figures) -> Figures:
    """The same with times in hundredths of a ms, which is more than they are good for."""
    found: Figures = _rounded(figures)
    return found


def _rounded(value: Any) -> Any:
    if isinstance(value, float):
        return round(value, 2)
    if isinstance(value, list):
        return [_rounded(part) for part in value]
    if isinstance(value, dict):
        return {name: _rounded(part) for name, part in value.items()}
    return value


def middle(samples: list[float | None] | None) -> float | None:
    """The median of samples; `None` when there are none or one of them was not reached."""
    if not samples:
        return None
    reached = [sample for sample in samples if sample is not None]
    return median(reached) if len(reached) == len(samples) else None
