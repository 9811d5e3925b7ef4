"""Results of the demos that need torch: measured now where torch is, else those recorded with the course.

Run ``python -m quiz_widgets.demos.recorded`` to record them again. A record says when it was made and on what kind
of machine; a reader without torch sees that, and the line that installs it.
"""

from __future__ import annotations

import importlib
import json
import platform
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from quiz_widgets.demos.missing import COURSE, in_browser
from quiz_widgets.demos.progress import progress
from quiz_widgets.demos.words import Words
from quiz_widgets.demos.words import words as words_of

INSTALL = "pip install torch"
BATCHES = (16, 64, 256, 1024, 4096)
_FILE = Path(__file__).with_name("recorded.json")


@dataclass(frozen=True, slots=True)
class Result:
    """What one demo found, when, and on what kind of machine; `live` when it was measured by this process."""

    data: Any
    date: str
    machine: str
    live: bool

    def note(self, say: Words) -> str:
        """Where the numbers come from, for a reader."""
        if self.live:
            return say.say("recorded.live", machine=self.machine)
        if in_browser():
            return say.say("recorded.browser", date=self.date, machine=self.machine, command=COURSE)
        return say.say("recorded.kept", date=self.date, machine=self.machine, command=INSTALL)


def _autocast(_label: str) -> Any:
    from quiz_widgets.demos.autocast import op_table

    return {"cuda": op_table("cuda"), "cpu": op_table("cpu")}


def _activations(label: str) -> Any:
    from quiz_widgets.demos.activations import by_batch

    found = {}
    with progress(label, len(BATCHES)) as advance:
        for batch in BATCHES:
            (entry,) = by_batch((batch,))
            found[str(batch)] = {"fp32": entry.fp32, "autocast": entry.autocast}
            advance()
    return found


def _speeds(label: str) -> Any:
    from quiz_widgets.demos import isa

    found = {}
    with progress(label, len(isa.settings())) as advance:
        for setting in isa.settings():
            speed = isa.measure(setting)
            found[setting] = {"bf16": speed.bf16 / speed.fp32, "fp16": speed.fp16 / speed.fp32}
            advance()
    return {**found, **_on_cuda()}


def _on_cuda() -> dict[str, Any]:
    """The same ratios on a CUDA device, where there is one."""
    from quiz_widgets.demos import cuda

    if not cuda.available():
        return {}
    speed = cuda.matmul_speed()
    return {cuda.device_name(): {"bf16": speed.bf16 / speed.fp32, "fp16": speed.fp16 / speed.fp32}}


_DEMOS: dict[str, Callable[[str], Any]] = {"activations": _activations, "autocast": _autocast, "speeds": _speeds}
_live: dict[str, Result] = {}
NAMES = tuple(_DEMOS)


def machine() -> str:
    """What kind of machine this is: architecture and widest vector instructions."""
    from quiz_widgets.demos.isa import settings

    return f"{platform.machine()} CPU ({settings()[-1]})"


def available() -> bool:
    """Whether the demos can be run here: a torch that cannot be imported is none."""
    try:
        importlib.import_module("torch")
    except ImportError:
        return False
    return True


def result(name: str, say: Words | None = None) -> Result:
    """The result of a demo: measured once per process where torch is, else the recorded one.

    What takes longer than a moment shows a progress bar, labelled with the words given.
    """
    if not available():
        return recorded(name)
    if name not in _live:
        import torch

        torch.set_num_threads(1)
        data = _DEMOS[name]((say or words_of("en"))["recorded.measuring"])
        _live[name] = Result(data, _today(), machine(), live=True)
    return _live[name]


def recorded(name: str) -> Result:
    """The recorded result, whether or not torch is here: for what only other machines can show."""
    kept = json.loads(_FILE.read_text(encoding="utf-8"))[name]
    return Result(kept["data"], kept["date"], kept["machine"], live=False)


def _today() -> str:
    return datetime.now(UTC).date().isoformat()


def record() -> None:
    """Measure everything and write the file."""
    found = {name: {"data": _DEMOS[name](""), "date": _today(), "machine": machine()} for name in NAMES}
    _FILE.write_text(json.dumps(found, indent=1, sort_keys=True) + "\n", encoding="utf-8", newline="\n")


if __name__ == "__main__":
    record()
