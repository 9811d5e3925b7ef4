"""A real out-of-memory error: a training step in a child process whose memory is capped, as a GPU's is.

Linux can cap the private memory of a process. The cap stands for the GPU, a file for the host: with its Adam state in
a file the same model fits, with a larger batch it runs out all the same, and with checkpointing it fits again.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

LAYERS, WIDTH = 16, 896  # 12.9 million parameters, 51 MB in FP32
CAP = 150_000_000  # bytes beyond what Python and torch need
TIMEOUT = 300


@dataclass(frozen=True, slots=True)
class Case:
    """One training step: its batch, where Adam's state is, and whether layers are recomputed."""

    name: str
    batch: int = 64
    width: int = WIDTH
    offload: bool = False
    checkpoint: bool = False


CASES = {
    case.name: case
    for case in (
        Case("everything"),
        Case("offloaded", offload=True),
        Case("large_batch", batch=1024, offload=True),
        Case("checkpointed", batch=1024, offload=True, checkpoint=True),
        Case("wide", width=2048, offload=True),
    )
}


def available() -> bool:
    """Whether this platform can cap a process's memory."""
    return sys.platform == "linux"


def run(*names: str) -> dict[str, str]:
    """Where each case ran out of memory: ``weights``, ``forward``, ``backward`` or ``optimizer``; ``""`` if it fitted.

    Takes about 4 s of CPU time to start torch, and up to 3 s for each case.
    """
    # Freed blocks have to go back to the system at once, or the cap counts memory that is no longer used.
    allocator = {"MALLOC_MMAP_THRESHOLD_": "65536", "MALLOC_ARENA_MAX": "1", "OMP_NUM_THREADS": "1"}
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(
            [sys.executable, "-m", "quiz_widgets.demos.oom", folder, *names],
            env={**os.environ, **allocator},
            capture_output=True,
            text=True,
            timeout=TIMEOUT,
            check=True,
        )
    return dict(zip(names, (line.strip() for line in done.stdout.splitlines()), strict=True))


def _serve(folder: Path, names: list[str]) -> None:
    """Load everything once, then fork for each case, cap the child, and print how it ended."""
    import torch

    torch.set_num_threads(1)
    # Whatever is loaded at first use is loaded before the cap.
    for checkpointed in (False, True):
        _step(Case("first", batch=2, width=64, offload=True, checkpoint=checkpointed), folder, [])
    torch.optim.Adam([torch.nn.Parameter(torch.ones(1))])
    for name in names:
        child = os.fork()
        if child == 0:
            sys.stdout.write(_capped(CASES[name], folder) + "\n")
            sys.stdout.flush()
            os._exit(0)
        if os.waitpid(child, 0)[1] != 0:
            sys.exit(f"the process of the case {name} ended without a result")


def _capped(case: Case, folder: Path) -> str:
    """Train one step under the cap; the stage that ran out of memory, or nothing."""
    import resource

    status = Path("/proc/self/status").read_text(encoding="utf-8")
    used = 1024 * int(next(line.split()[1] for line in status.splitlines() if line.startswith("VmData")))
    resource.setrlimit(resource.RLIMIT_DATA, (used + CAP, used + CAP))
    stages = ["weights"]
    try:
        _step(case, folder, stages)
    except (RuntimeError, MemoryError) as error:
        if isinstance(error, RuntimeError) and "allocate" not in str(error):
            raise
        return stages[-1]
    return ""


def _step(case: Case, folder: Path, stages: list[str]) -> None:
    """One step; the stage it is in is appended to `stages` as it begins."""
    import torch
    from torch.utils.checkpoint import checkpoint

    from quiz_widgets.demos.disk_adam import DiskAdam

    torch.manual_seed(0)
    layers: list[Any] = [torch.nn.Linear(case.width, case.width, bias=False) for _ in range(LAYERS)]
    weights = [layer.weight for layer in layers]
    stages.append("forward")
    hidden = torch.ones(case.batch, case.width, requires_grad=True)
    for layer in layers:
        block = torch.nn.Sequential(layer, torch.nn.GELU())
        hidden = checkpoint(block, hidden, use_reentrant=False) if case.checkpoint else block(hidden)
    loss = hidden.square().mean()
    del hidden
    stages.append("backward")
    loss.backward()  # type: ignore[no-untyped-call]
    stages.append("optimizer")
    if not case.offload:
        torch.optim.Adam(weights, foreach=False).step()
        return
    for index, weight in enumerate(weights):
        own = weight.detach().numpy().reshape(-1)
        with DiskAdam(folder / f"state-{index}", own, chunk=16384, out=own, direct=False) as optimizer:
            optimizer.step(weight.grad.numpy().reshape(-1), overlap=False)


if __name__ == "__main__":
    _serve(Path(sys.argv[1]), sys.argv[2:])
