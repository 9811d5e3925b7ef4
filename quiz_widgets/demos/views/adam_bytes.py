"""Bars of model state per recipe against the GPU's memory: mixed precision does not shorten them, offloading does."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from matplotlib.patches import Patch

from quiz_widgets.demos import adam
from quiz_widgets.demos.views.panel import (
    BLUE,
    INK,
    LIGHT_PURPLE,
    ORANGE,
    PAPER,
    PURPLE,
    Caption,
    Control,
    Panel,
    new_figure,
)
from quiz_widgets.demos.words import Words
from quiz_widgets.demos.words import words as words_of

MODELS = (0.125, 0.35, 0.7, 1.3, 2.7, 7, 13, 30, 70)
MEMORIES = (8, 12, 16, 24, 40, 48, 80, 141, 192)
ROWS = ("fp32_adam", "mixed_adam", "fp32_momentum", "fp32_adam_8bit", "offloaded")
RIGHT = 22.5  # bytes per parameter at the axis' end
_LOOK: dict[adam.Role, tuple[str, str]] = {
    "weights": (BLUE, ""),
    "gradients": (ORANGE, "///"),
    "master": (LIGHT_PURPLE, ""),
    "moments": (PURPLE, "..."),
}


def bytes_per_parameter(row: str, role: adam.Role) -> float:
    """Bytes that one row of the picture keeps on the GPU for each parameter in one role."""
    if row == "offloaded":
        return 0.0 if role in ("master", "moments") else float(getattr(adam.RECIPES["mixed_adam"], role))
    return float(getattr(adam.RECIPES[row], role))


def panel(words: Words | None = None) -> Panel:
    """The picture with its two sliders: parameters, and the GPU's memory."""
    say = words or words_of("en")
    figure, axes = new_figure(3.5)
    figure.subplots_adjust(left=0.27, right=0.97, top=0.72, bottom=0.15)
    totals = {}
    per_parameter = {}
    for place, row in enumerate(ROWS):
        left = 0.0
        for role in adam.ROLES:
            colour, hatch = _LOOK[role]
            width = bytes_per_parameter(row, role)
            axes.barh(place, width, left=left, height=0.62, color=colour, hatch=hatch, edgecolor="white", linewidth=0.6)
            left += width
        per_parameter[row] = left
        totals[row] = axes.text(left + 0.3, place, "", va="center", fontsize=9, backgroundcolor=PAPER, zorder=4)
        totals[row].get_bbox_patch().set_boxstyle("square", pad=0.1)
    axes.set_xlim(0, RIGHT)
    axes.set_xticks(range(0, 21, 4))
    axes.set_yticks(range(len(ROWS)), [say[f"adam_bytes.{row}"] for row in ROWS])
    axes.invert_yaxis()
    axes.set_xlabel(say["adam_bytes.axis"])
    limit = axes.axvline(1, color=INK, linestyle="--", linewidth=1.5, zorder=3)
    limit_text = axes.text(1, -0.62, "", ha="center", va="bottom", fontsize=9.5)
    figure.legend(
        handles=[
            Patch(facecolor=_LOOK[role][0], hatch=_LOOK[role][1], edgecolor="white", label=say[f"adam_bytes.{role}"])
            for role in adam.ROLES
        ],
        loc="upper left",
        bbox_to_anchor=(0.005, 0.885),
        ncols=4,
        frameon=False,
        fontsize=9,
        handlelength=1.4,
        columnspacing=1.2,
    )

    def draw(values: Mapping[str, Any]) -> Caption:
        billions, memory = float(values["billions"]), float(values["memory"])
        sums = {row: billions * size for row, size in per_parameter.items()}
        for row, total in sums.items():
            size = say.number(round(per_parameter[row], 2), 4)
            totals[row].set_text(say.say("adam_bytes.total", gb=say.number(total), bytes=size))
        # A GPU with room for more than the axis shows: the line stays at its end.
        place = min(memory / billions, RIGHT)
        limit.set_xdata([place, place])
        limit_text.set_x(min(max(place, 2.2), RIGHT - 2.2))
        limit_text.set_text(say.say("adam_bytes.limit", gb=say.number(memory)))
        fits = {row: total <= memory for row, total in sums.items()}
        key = "all" if fits["mixed_adam"] else "offloaded" if fits["offloaded"] else "none"
        numbers = {
            "model": say.number(billions),
            "mixed": say.number(sums["mixed_adam"]),
            "fp32": say.number(sums["fp32_adam"]),
            "offloaded": say.number(sums["offloaded"]),
            "memory": say.number(memory),
        }
        return Caption(say.say(f"adam_bytes.title_{key}", **numbers), say.say("adam_bytes.summary", **numbers))

    controls = (
        Control(
            "billions",
            say["adam_bytes.parameters"],
            [(say.say("adam_bytes.billions", number=say.number(value)), value) for value in MODELS],
            1.3,
        ),
        Control(
            "memory",
            say["adam_bytes.memory"],
            [(say.say("adam_bytes.gb", number=say.number(value)), value) for value in MEMORIES],
            16,
        ),
    )
    return Panel(figure, draw, controls, say, (limit, limit_text, *totals.values()))


def adam_bytes(words: Words | None = None) -> None:
    """Show how much memory each way of training keeps, beside a GPU's."""
    panel(words).show()
