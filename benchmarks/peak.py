"""The most memory that this process has held since its program began."""

from __future__ import annotations

import re
import resource
from pathlib import Path


def peak_mb() -> float:
    """In MB. `ru_maxrss` would count what the process that started this one held: a fork begins with that."""
    try:
        found = re.search(r"^VmHWM:\s+(\d+) kB", Path("/proc/self/status").read_text(encoding="ascii"), re.MULTILINE)
    except OSError:
        found = None
    return int(found[1]) / 1024 if found else resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
