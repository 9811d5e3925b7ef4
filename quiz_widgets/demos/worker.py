"""A process that computes evidence: it imports what a set of functions requires once, then forks for each of them.

Started as ``python -m quiz_widgets.demos.worker PACKAGES MODULES`` (comma-separated; ``-`` for none). It reads one
JSON request a line, ``{"name", "parameters", "seconds"}``, and writes one JSON reply a line: ``{"facts",
"summary"}`` or ``{"error"}``. Each function has a process of its own, so that neither a crash nor a limit that is
reached touches the next one. The limit counts CPU time: a busy machine does not reach it sooner.
"""

from __future__ import annotations

import importlib
import json
import os
import select
import signal
import sys
import time
from typing import IO, Any

from quiz_widgets.demos import registry

WALL_FACTOR = 10  # wall time allowed per second of CPU time: only a function that hangs gets there


def main(packages: str, modules: str) -> None:
    """Serve requests until standard input ends."""
    # Whatever a function prints must not end up between the replies.
    replies = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    for package in _names(packages):
        importlib.import_module(package)
    if "torch" in _names(packages):
        importlib.import_module("torch").set_num_threads(1)
    registry.include(_names(modules))
    for line in sys.stdin:
        request = json.loads(line)
        json.dump(_forked(request) if hasattr(os, "fork") else _compute(request), replies)
        replies.write("\n")
        replies.flush()


def _names(text: str) -> list[str]:
    return [] if text == "-" else text.split(",")


def _compute(request: dict[str, Any]) -> dict[str, Any]:
    try:
        found = registry.get(request["name"]).compute(**request["parameters"])
    except Exception as error:  # noqa: BLE001  # whatever went wrong is the reply
        return {"error": f"{type(error).__name__}: {error}"}
    facts = {name: [fact.value, fact.unit] for name, fact in found.facts.items()}
    return {"facts": facts, "summary": found.summary}


def _forked(request: dict[str, Any]) -> dict[str, Any]:
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        _limit(float(request["seconds"]))
        with os.fdopen(writing, "w", encoding="utf-8") as pipe:
            json.dump(_compute(request), pipe)
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading, encoding="utf-8") as pipe:
        text = _read(pipe, time.monotonic() + WALL_FACTOR * float(request["seconds"]), child)
    _, status = os.waitpid(child, 0)
    if text:
        reply: dict[str, Any] = json.loads(text)
        return reply
    if os.WIFSIGNALED(status) and os.WTERMSIG(status) in {signal.SIGXCPU, signal.SIGKILL}:
        return {"error": f"stopped: it took longer than its limit of {request['seconds']:g} s of CPU time"}
    return {"error": f"its process ended without a result (status {status})"}


def _limit(seconds: float) -> None:
    """Let the system end this process once it has used so much CPU time."""
    import resource

    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    resource.setrlimit(resource.RLIMIT_CPU, (max(1, round(seconds)), hard))


def _read(pipe: IO[str], deadline: float, child: int) -> str:
    """All that the child writes; nothing, and no child, once the deadline has passed."""
    ready, _, _ = select.select([pipe], [], [], max(0.0, deadline - time.monotonic()))
    if not ready:
        os.kill(child, signal.SIGKILL)
        return ""
    return pipe.read()


if __name__ == "__main__":
    main(*sys.argv[1:])
