"""What has to be on the GPU, as bars against its memory: activations stick out even when the state has gone."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from matplotlib.patches import Patch

from quiz_widgets.demos import adam
from quiz_widgets.demos.fit import LARGE, SEVEN, THIRTEEN, Fit, Keep, fit
from quiz_widgets.demos.views.panel import (
    BLUE,
    INK,
    LIGHT_BLUE,
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

_STATE: tuple[adam.Role, ...] = ("master", "moments")
ROWS: dict[str, tuple[tuple[adam.Role, ...], Keep]] = {
    "nothing": ((), "everything"),
    "state": (_STATE, "everything"),
    "gradients": (("gradients", *_STATE), "everything"),
    "checkpoint": (("gradients", *_STATE), "checkpoint"),
}
PARTS = ("weights", "gradients", "optimizer", "activations", "logits")
_LOOK = {
    "weights": (BLUE, ""),
    "gradients": (LIGHT_BLUE, "///"),
    "optimizer": (PURPLE, "..."),
    "activations": (ORANGE, ""),
    "logits": ("#b98d4f", "xxx"),
}
MODELS = {1.3: LARGE, 6.7: SEVEN, 12.9: THIRTEEN}
RIGHT = 2.6  # GPU memories at the axis' end: what is longer is cut there, and its number tells


def panel(words: Words | None = None) -> Panel:
    """The picture with sliders for the model, the batch and the GPU."""
    say = words or words_of("en")
    figure, axes = new_figure(3.4)
    figure.subplots_adjust(left=0.27, right=0.79, top=0.72, bottom=0.16)
    bars: dict[tuple[str, str], Any] = {}
    totals = {}
    for place, row in enumerate(ROWS):
        for part in PARTS:
            colour, hatch = _LOOK[part]
            bars[row, part] = axes.barh(
                place, 1, height=0.6, color=colour, hatch=hatch, edgecolor="white", linewidth=0.6
            )[0]
        totals[row] = axes.text(1.02, place, "", transform=axes.get_yaxis_transform(), va="center", fontsize=9.5)
    axes.set_yticks(range(len(ROWS)), [say[f"fit_bars.{row}"] for row in ROWS])
    axes.set_ylim(len(ROWS) - 0.5, -0.6)
    axes.set_xlim(0, RIGHT)
    axes.set_xticks([0, 1, 2], ["0", say.say("fit_bars.memories", number=say.number(1)), say.number(2)])
    axes.set_xlabel(say["fit_bars.axis"])
    limit = axes.axvline(1, color=INK, linestyle="--", linewidth=1.6, zorder=5)
    figure.legend(
        handles=[
            Patch(facecolor=colour, hatch=hatch, edgecolor="white", label=say[f"fit_bars.part_{part}"])
            for part, (colour, hatch) in _LOOK.items()
        ],
        loc="upper left", bbox_to_anchor=(0.005, 0.88), ncols=5, frameon=False, fontsize=9, handlelength=1.4,
        columnspacing=1.2, facecolor=PAPER,
    )  # fmt: skip

    def draw(values: Mapping[str, Any]) -> Caption:
        memory = values["memory"] * adam.GB
        model = MODELS[values["model"]]
        found: dict[str, Fit] = {
            row: fit(model, memory, batch=values["batch"], keep=keep, offload=offload)
            for row, (offload, keep) in ROWS.items()
        }
        for row, result in found.items():
            left = 0.0
            for part in PARTS:
                width = getattr(result, part) / memory
                bars[row, part].set_x(left)
                bars[row, part].set_width(min(width, RIGHT - left) if left < RIGHT else 0)
                left += width
            key = "fits" if result.fits else "too_much"
            totals[row].set_text(say.say(f"fit_bars.{key}", gb=say.number(result.total / adam.GB)))
            totals[row].set_weight("normal" if result.fits else "bold")
        first = next((row for row, result in found.items() if result.fits), "none")
        numbers = {
            "model": say.number(values["model"]),
            "batch": say.number(values["batch"]),
            "memory": say.number(values["memory"]),
            **{row: say.number(result.total / adam.GB) for row, result in found.items()},
            "activations": say.number(found["state"].activations / adam.GB),
        }
        return Caption(say.say(f"fit_bars.title_{first}", **numbers), say.say("fit_bars.summary", **numbers))

    controls = (
        Control("model", say["adam_bytes.parameters"], [_billions(say, size) for size in MODELS], 1.3),
        Control("batch", say["fit_bars.batch"], [(say.number(2**power), 2**power) for power in range(6)], 8),
        Control("memory", say["adam_bytes.memory"], [_gigabytes(say, size) for size in (16, 24, 40, 80, 141)], 24),
    )
    return Panel(figure, draw, controls, say, (*bars.values(), *totals.values(), limit))


def _billions(say: Words, size: float) -> tuple[str, float]:
    return say.say("adam_bytes.billions", number=say.number(size)), size


def _gigabytes(say: Words, size: float) -> tuple[str, float]:
    return say.say("adam_bytes.gb", number=say.number(size)), size


def fit_bars(words: Words | None = None) -> None:
    """Show what a training step needs on the GPU, part by part, beside its memory."""
    panel(words).show()
