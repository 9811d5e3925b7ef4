"""Starts one worker process for each set of required packages, and collects what its functions find."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from quiz_widgets.demos.registry import Evidence, Fact, Facts

LIMIT_FACTOR = 10  # a slow machine may take this many times the CPU time that a function is known to need
LEAST_LIMIT = 30.0


def compute(
    entries: Sequence[Evidence],
    modules: Sequence[str] = (),
    parameters: Mapping[str, Mapping[str, float]] | None = None,
    *,
    paths: Sequence[str] = (),
) -> dict[str, Facts | str]:
    """The facts of each evidence by name, or one line that says why there are none.

    `modules` are imported first; they are also looked for in the folders `paths`.

    Workers run one after the other with one thread each, so that figures do not depend on how many cores there are.
    """
    sets: dict[tuple[str, ...], list[Evidence]] = defaultdict(list)
    for entry in entries:
        sets[entry.requires].append(entry)
    found: dict[str, Facts | str] = {}
    for packages, members in sets.items():
        requests = [
            {
                "name": entry.name,
                "parameters": dict((parameters or {}).get(entry.name, {})),
                "seconds": max(LEAST_LIMIT, LIMIT_FACTOR * entry.seconds),
            }
            for entry in members
        ]
        replies = _ask(packages, modules, requests, paths)
        found.update({entry.name: reply for entry, reply in zip(members, replies, strict=True)})
    return found


def _ask(
    packages: Sequence[str], modules: Sequence[str], requests: Sequence[object], paths: Sequence[str]
) -> list[Facts | str]:
    command = [sys.executable, "-m", "quiz_widgets.demos.worker", ",".join(packages) or "-", ",".join(modules) or "-"]
    python_path = os.pathsep.join(filter(None, [os.environ.get("PYTHONPATH", ""), *paths]))
    threads = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
    done = subprocess.run(
        command,
        input="".join(json.dumps(request) + "\n" for request in requests),
        stdout=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        env={**os.environ, **threads, "PYTHONPATH": python_path},
        check=False,
    )
    lines = done.stdout.splitlines()
    replies = [_facts(json.loads(line)) for line in lines]
    # A worker that died took the rest of its functions with it.
    lost = f"its worker ended with status {done.returncode}"
    return replies + [lost] * (len(requests) - len(replies))


def _facts(reply: dict[str, Any]) -> Facts | str:
    if "error" in reply:
        return str(reply["error"])
    return Facts({name: Fact(value, unit) for name, (value, unit) in reply["facts"].items()}, reply["summary"])
