"""CPU time of importing a tool: in a fresh process, and on top of what every IPython kernel has loaded already."""

from __future__ import annotations

import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

from benchmarks.compared.tools import Tool

KERNEL = "import ipykernel.kernelapp, ipykernel.ipkernel, ipykernel.zmqshell, IPython.core.interactiveshell"


def import_ms(python: Path, imported: str, loaded: str, variables: Mapping[str, str]) -> float:
    """Milliseconds of CPU for `imported` in a new process that has run `loaded` before."""
    code = (
        f"{loaded}\nimport time\nfrom_ = time.process_time()\n{imported}\nprint((time.process_time() - from_) * 1000)"
    )
    ran = subprocess.run([str(python), "-c", code], env=variables, capture_output=True, text=True, check=True)
    return float(ran.stdout.split()[-1])


def measure(
    python: Path, tools: Sequence[Tool], repeats: int, variables: Mapping[str, str]
) -> dict[str, dict[str, list[float]]]:
    """The samples of each tool, taken in turn so that a busy moment of the machine strikes all alike.

    A first round, which also compiles what was never imported, is thrown away.
    """
    found: dict[str, dict[str, list[float]]] = {}
    for turn in range(repeats + 1):
        for tool in tools:
            if tool.imported is None:
                continue
            samples = found.setdefault(tool.name, {"import_fresh_ms": [], "import_kernel_ms": []})
            fresh = import_ms(python, tool.imported, "pass", variables)
            kernel = import_ms(python, tool.imported, KERNEL, variables)
            if turn:
                samples["import_fresh_ms"].append(fresh)
                samples["import_kernel_ms"].append(kernel)
    return found
