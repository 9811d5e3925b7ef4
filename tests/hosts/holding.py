"""A cell that runs until the test lets it end, in any place of it, however slow the machine is meanwhile."""

from __future__ import annotations

import shlex
from pathlib import Path

from tests.hosts.hosting import Host, wait_until


class Held:
    """What such a cell runs; it and the test tell each other by files in `folder`, where both may write."""

    def __init__(self, folder: Path) -> None:
        self._begun, self._let_go = folder / "begun", folder / "let-go"
        begun, let_go = (shlex.quote(str(path)) for path in (self._begun, self._let_go))
        command = f"touch {begun}; until [ -e {let_go} ]; do sleep 0.1; done"
        self.source = f"import ctypes\nctypes.PyDLL(None).system({command.encode()!r})"
        """The cell. As a C library may, it lets no other thread of the kernel run: not even one that hears the page."""

    def run(self, host: Host, cell: int) -> None:
        """Run the cell, and wait until its kernel does nothing else."""
        host.run(cell, wait=False)
        wait_until("the cell to run", lambda: self._begun.exists() and host.running(cell), 60)

    def end(self) -> None:
        """Let the cell end."""
        self._let_go.touch()
