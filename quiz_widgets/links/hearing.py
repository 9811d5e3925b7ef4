"""In which thread of the kernel a link hears its page: in the one that the page names, and else in the main one.

JupyterLab has the messages of widgets handled in threads of their own (subshells), which come and go with pages.
ipykernel 7.4 sends what a page says on to the thread that last spoke to it, whoever that was: a thread of the desk's
news has its name from a page that may be gone. To a thread that is gone nothing is delivered, and nobody is told.
"""

from __future__ import annotations

from typing import Any

_ROUTE = "_reply_subshell_for"  # of a kernel's own comms, from ipykernel 7.4 on


def hear_in_a_thread_that_is_there(comm: Any) -> None:
    """Let what comes on this comm be handled where its page says; in the main thread where that names one no more."""
    if not hasattr(comm, _ROUTE):
        return

    def route(_data: Any, named: str | None) -> str | None:
        threads = getattr(getattr(comm.kernel, "shell_channel_thread", None), "manager", None)
        return named if threads is not None and named in threads.list_subshell() else None

    setattr(comm, _ROUTE, route)
