"""The table of a kept run in docs/benchmarks.md, written from benchmarks/results/classroom.json."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
RESULTS = ROOT / "benchmarks" / "results" / "classroom.json"
PAGE = ROOT / "docs" / "benchmarks.md"
BEGIN, END = "<!-- hall: written by benchmarks/classroom.py -->", "<!-- end of hall -->"


def markdown(run: dict[str, Any]) -> str:
    """The table of a run."""
    about = (
        f"Measured {run['date']}, {run['cores']} cores, load average {run['load']} when it began: others used the "
        f"machine, so compare within a column, and CPU rather than time. {run['learners']} learners, 8 answers each."
    )
    lines = [
        about,
        "",
        "| | answers/s | of the bound | p50 | p99 | desk's CPU an answer | stored of sent | lost, doubled |",
        "|---|---|---|---|---|---|---|---|",
        *map(_row, run["runs"]),
    ]
    return "\n".join(lines)


def _row(one: dict[str, Any]) -> str:
    cells = (
        one["name"], f"{one['rate']:.0f}", f"{one['rate'] / one['bound']:.1f}", f"{one['p50']:.0f} ms",
        f"{one['p99']:.0f} ms", f"{one['desk_cpu']:.2f} ms", f"{one['stored']} of {one['sent']}",
        f"{one['lost']}, {one['doubled']}",
    )  # fmt: skip
    return f"| {' | '.join(cells)} |"


def filled(text: str, run: dict[str, Any]) -> str:
    """The page with the table of this run."""
    before, begin, rest = text.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise ValueError(f"{PAGE.name} has no place for the table: {BEGIN} … {END}")
    return f"{before}{BEGIN}\n\n{markdown(run)}\n\n{END}{after}"


def is_stale() -> bool:
    """Whether the page shows another run than the kept one."""
    text = PAGE.read_text(encoding="utf-8")
    return filled(text, json.loads(RESULTS.read_text(encoding="utf-8"))) != text


def write(run: dict[str, Any]) -> None:
    """Keep the run, and write its table."""
    RESULTS.write_text(json.dumps(run, indent=1) + "\n", encoding="utf-8")
    PAGE.write_text(filled(PAGE.read_text(encoding="utf-8"), run), encoding="utf-8")
