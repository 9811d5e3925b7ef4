"""The table of a run: one row a measure, one column a tool; medians, with their ratio to the bare page or to ours."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from benchmarks.compared.aims import verdicts
from benchmarks.compared.figures import Figures, middle
from benchmarks.compared.tools import BARE, OURS

NOTHING = "–"
Values = dict[str, Any]


@dataclass(frozen=True)
class Row:
    """One measure: its words, how it is written, and the tool to which its ratio is given."""

    label: str
    cell: Callable[[Values], str]
    amount: Callable[[Values], float | None] = lambda _values: None
    against: str | None = None
    short: bool = False  # also in the README


def _ms(name: str) -> Callable[[Values], float | None]:
    return lambda values: middle(values.get(name))


def _time(label: str, name: str, *, short: bool = False, against: str | None = BARE) -> Row:
    def cell(values: Values) -> str:
        samples = values.get(name)
        if not samples:
            return NOTHING
        found = middle(samples)
        if found is None:
            return f"> {values.get('limit_ms', 20_000) / 1000:.0f} s"
        return f"{found:.0f} ms" if found >= 10 else f"{found:.1f} ms"

    return Row(label, cell, _ms(name), against, short)


def _size(label: str, amount: Callable[[Values], float | None], *, short: bool = False) -> Row:
    def cell(values: Values) -> str:
        found = amount(values)
        return NOTHING if found is None else size(found)

    return Row(label, cell, amount, OURS, short)


def size(count: float) -> str:
    """Bytes in words, in powers of ten."""
    if count < 1000:
        return f"{count:.0f} B"
    return f"{count / 1000:.1f} kB" if count < 1_000_000 else f"{count / 1_000_000:.1f} MB"


def _total(values: Values) -> float:
    return float(values["output_bytes"] + values["message_bytes"])


def _without_core(values: Values) -> float | None:
    return float(values["output_bytes"] - values["core_bytes"]) if "core_bytes" in values else None


def _further(values: Values) -> float | None:
    """Bytes of each further eight questions, from 200 in one cell."""
    many = values.get("cell_bytes")
    return None if many is None else (many - _total(values)) / (200 - 8) * 8


def _frame(name: str) -> Callable[[Values], str]:
    return lambda values: "same frame" if values[name] else "later"


def _axe(name: str) -> Callable[[Values], str]:
    return lambda values: "; ".join(f"{rule} ×{count}" for rule, count in sorted(values[name].items())) or "0"


def _seen(name: str) -> Callable[[Values], str]:
    return lambda values: f"{values[name]} of 200"


def _keys(values: Values) -> str:
    keys = values["keys"]
    return f"b {keys['b']:+d}, x {keys['x']:+d} cells" if keys["b"] or keys["x"] else "no cell changed"


ROWS = (
    _time("import, CPU, in a running kernel", "import_kernel_ms", short=True, against=OURS),
    _time("import, CPU, fresh process", "import_fresh_ms", against=OURS),
    _size("output and messages of eight questions", _total, short=True),
    _size("of it the output", lambda values: float(values["output_bytes"])),
    _size("the output less the page's core", _without_core),
    _size("each further eight questions", _further),
    Row("widget models", lambda values: str(values["models"])),
    _time("run to first option", "first_ms", short=True),
    _time("the same in a fresh kernel, import and load included", "first_cold_ms", short=True),
    _time("click to feedback", "feedback_ms", short=True, against=None),
    Row("in the frame of the click", _frame("feedback_frame")),
    _time("the same while the kernel is busy for 2 s", "busy_ms", short=True, against=None),
    Row("in the frame of the click, kernel busy", _frame("busy_frame"), short=True),
    Row("clicks for it", lambda values: str(values["clicks"])),
    _time("200 questions in one cell", "cell_ms", short=True),
    Row("of them shown", _seen("cell_seen")),
    _time("200 questions in 25 cells", "cells_ms", short=True),
    Row("of them shown, in 25 cells", _seen("cells_seen")),
    _size("the saved notebook with these 25 cells", lambda values: values.get("cells_file_bytes")),
    Row("DOM nodes of eight questions", lambda values: str(values["nodes"])),
    Row("axe violations, light", _axe("axe_light"), short=True),
    Row("axe violations, dark", _axe("axe_dark"), short=True),
    Row("groups named by their question", lambda values: f"{values['groups']} of 8", short=True),
    Row("feedback announced", lambda values: "yes" if values["announced"] else "no", short=True),
    Row("keys b and x on an option", _keys, short=True),
    Row("arrow keys move", lambda values: str(values["keys"]["arrow"])),
    Row("after restart and reload, no rerun", lambda values: str(values["restarted"]), short=True),
    Row("exported with nbconvert, offline", lambda values: str(values["exported"]), short=True),
    Row("key in the saved output, practice", lambda values: "yes" if values["key_in_output"] else "no", short=True),
    Row("key in the saved notebook, graded", lambda values: str(values.get("graded", NOTHING)), short=True),
    Row("script in a question's text", lambda values: str(values["probe"]), short=True),
)


def markdown(figures: Figures, *, short: bool = False) -> str:
    """The table in Markdown, with when and where it was measured above it; `short` for the README."""
    tools = figures["tools"]
    names = list(tools)
    lines = [f"| | {' | '.join(names)} |", f"|---|{'---|' * len(names)}"]
    for row in ROWS:
        if short and not row.short:
            continue
        cells = [_cell(row, tools, name) for name in names]
        lines.append(f"| {row.label} | {' | '.join(cells)} |")
    effort = "few repeats" if figures["quick"] else "many repeats"
    versions = ", ".join(f"{name} {version}" for name, version in figures["versions"].items())
    where = f"{figures['machine']}, load average {figures['load']:.1f} when it began"
    said = f"Measured {figures['date']}, {where}, {effort}: {versions}."
    left_out = [f"Not measured: {name} ({why})." for name, why in figures["missing"].items()]
    return "\n".join([" ".join([said, *left_out]), "", *lines])


def _cell(row: Row, tools: dict[str, Values], name: str) -> str:
    written, amount = row.cell(tools[name]), row.amount(tools[name])
    base = row.amount(tools[row.against]) if row.against in tools and row.against is not None else None
    if amount is None or not base or name == row.against:
        return written
    return f"{written} (×{amount / base:.1f})" if amount / base < 9.95 else f"{written} (×{amount / base:.0f})"


def aims(figures: Figures) -> str:
    """The aims and what became of them, as a list in Markdown."""
    lines = []
    for verdict in verdicts(figures):
        cost = f": {verdict.cost}" if verdict.cost and not verdict.met else ""
        lines.append(f"- {'met' if verdict.met else '**missed**'}: {verdict.aim} ({verdict.found}){cost}")
    return "\n".join(lines)
