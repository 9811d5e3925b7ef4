"""What quiz_widgets wants to reach next to its peers, as comparisons within one run, and whether it does."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from benchmarks.compared.figures import Figures, middle
from benchmarks.compared.tools import BARE, OURS

JUPYTERQUIZ = "jupyterquiz"
QUIZ_TOOLS = (JUPYTERQUIZ, "ipyquizjb", "labquiz", "nbquiz")  # not what was written by hand to find floors
IMPORT_SLACK = 10.0  # ms of CPU more than jupyterquiz
FIRST_RATIO = 1.3  # of the bare page
MANY_RATIO = 1.5  # of the bare page
# Found by profiling the page and the kernel.
FIRST_COST = (
    "each output brings script, styles and a preview that needs no script, which the browser reads before it mounts"
)
MANY_COST = "a question has nearly twice the elements of a bare one, and a static preview that is read before it"
CELLS_COST = "each of the 25 outputs brings script, styles and a preview of its own, all of which the browser reads"

Tools = dict[str, dict[str, Any]]


@dataclass(frozen=True)
class Verdict:
    """One aim: in words, whether it is met, what was found, and what costs the time where it is missed."""

    aim: str
    met: bool
    found: str
    cost: str = ""


def verdicts(figures: Figures) -> list[Verdict]:
    """The verdict on every aim for which this run has all figures."""
    tools = figures["tools"]
    if OURS not in tools:
        return []
    return [verdict for check in CHECKS for verdict in check(tools)]


def _import(tools: Tools) -> Iterator[Verdict]:
    if JUPYTERQUIZ in tools:
        ours, theirs = (_middle(tools, name, "import_kernel_ms") for name in (OURS, JUPYTERQUIZ))
        aim = f"import costs at most {IMPORT_SLACK:.0f} ms of CPU more than jupyterquiz's in a running kernel"
        yield Verdict(aim, ours <= theirs + IMPORT_SLACK, f"{ours:.1f} ms, jupyterquiz {theirs:.1f} ms")


def _first(tools: Tools) -> Iterator[Verdict]:
    ours = _middle(tools, OURS, "first_ms")
    if JUPYTERQUIZ in tools:
        theirs = _middle(tools, JUPYTERQUIZ, "first_ms")
        yield Verdict(
            "the first option is there no later than jupyterquiz's",
            ours <= theirs,
            f"{ours:.0f} ms, jupyterquiz {theirs:.0f} ms",
            FIRST_COST,
        )
    if BARE in tools:
        bare = _middle(tools, BARE, "first_ms")
        aim = f"the first option is there within {FIRST_RATIO} times the bare page's time"
        yield Verdict(aim, ours <= FIRST_RATIO * bare, f"{ours / bare:.2f} times", FIRST_COST)


def _feedback(tools: Tools) -> Iterator[Verdict]:
    for name, kernel in (("feedback_frame", "idle"), ("busy_frame", "busy")):
        met = tools[OURS][name]
        found = "in the same frame" if met else "in a later frame"
        yield Verdict(f"feedback comes in the frame of the click while the kernel is {kernel}", met, found)


def _many(tools: Tools) -> Iterator[Verdict]:
    for name, where, cost in (("cell_ms", "one cell", MANY_COST), ("cells_ms", "25 cells", CELLS_COST)):
        ours = _middle(tools, OURS, name)
        others = {tool: _middle(tools, tool, name) for tool in QUIZ_TOOLS if tool in tools}
        if others:
            fastest = min(others, key=lambda tool: others[tool])
            found = f"{ours:.0f} ms, fastest of them {fastest} {others[fastest]:.0f} ms"
            aim = f"200 questions in {where} appear sooner than with every other quiz tool"
            yield Verdict(aim, ours < others[fastest], found, cost)
        if BARE in tools:
            bare = _middle(tools, BARE, name)
            aim = f"200 questions in {where} appear within {MANY_RATIO} times the bare page's time"
            yield Verdict(aim, ours <= MANY_RATIO * bare, f"{ours / bare:.2f} times", cost)


def _bytes(tools: Tools) -> Iterator[Verdict]:
    if JUPYTERQUIZ in tools:
        ours, theirs = tools[OURS], tools[JUPYTERQUIZ]
        own, other = ours["output_bytes"] - ours["core_bytes"], theirs["output_bytes"]
        aim = "the output is smaller than jupyterquiz's once the page's core is counted once"
        yield Verdict(aim, own < other, f"{own / 1000:.1f} kB without core, jupyterquiz {other / 1000:.1f} kB")


def _access(tools: Tools) -> Iterator[Verdict]:
    ours = tools[OURS]
    for name, theme in (("axe_light", "light"), ("axe_dark", "dark")):
        count = sum(ours[name].values())
        yield Verdict(f"axe finds no violation in {theme} colours", not count, f"{count} elements")
    yield Verdict("8 of 8 groups have their question for a name", ours["groups"] == 8, f"{ours['groups']} of 8")
    yield Verdict("feedback is announced", ours["announced"], "announced" if ours["announced"] else "not announced")
    keys = ours["keys"]
    safe = not keys["b"] and not keys["x"] and keys["arrow"] == "the choice"
    found = f"b {keys['b']:+d}, x {keys['x']:+d} cells, arrows move {keys['arrow']}"
    yield Verdict("b, x and arrows change no cell", safe, found)


CHECKS: tuple[Callable[[Tools], Iterator[Verdict]], ...] = (_import, _first, _feedback, _many, _bytes, _access)


def _middle(tools: Tools, name: str, figure: str) -> float:
    """The median; infinite where it was not reached."""
    found = middle(tools[name].get(figure))
    return float("inf") if found is None else found
