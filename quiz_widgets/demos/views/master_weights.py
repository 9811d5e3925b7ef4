"""Loss curves of the same training with weights kept in different formats: the frozen ones stay flat."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from quiz_widgets.demos.master import RATES, STORAGES, Storage, train
from quiz_widgets.demos.views.panel import BLUE, FAINT, INK, ORANGE, Caption, Control, Panel, new_figure
from quiz_widgets.demos.words import Words
from quiz_widgets.demos.words import words as words_of

_LOOK: dict[Storage, tuple[str, str, float]] = {
    "fp32": (INK, "-", 1.4),
    "fp16": (ORANGE, "-", 2.4),
    "bf16": (BLUE, "-", 2.4),
    "fp16_master": (ORANGE, "--", 2.0),
    "bf16_master": (BLUE, (0, (1, 1.3)), 2.4),  # type: ignore[dict-item]  # a dash pattern
}


def panel(words: Words | None = None) -> Panel:
    """The picture with one slider: the learning rate."""
    say = words or words_of("en")
    runs = train()
    steps = len(runs["fp32", RATES[0]].losses)
    shown = np.unique(np.linspace(0, steps - 1, 120).astype(int))
    figure, (axes, side) = new_figure(3.7, ncols=2, width_ratios=(3, 1.3))
    figure.subplots_adjust(left=0.085, right=0.925, top=0.76, bottom=0.15, wspace=0.6)
    lines = {}
    for storage in STORAGES:
        colour, style, width = _LOOK[storage]
        (lines[storage],) = axes.plot(
            shown, np.ones(len(shown)), color=colour, linestyle=style, linewidth=width,
            label=say[f"master_weights.{storage}"],
        )  # fmt: skip
    axes.set_yscale("log")
    axes.set_ylim(1e-4, 6)
    axes.set_xlim(0, steps - 1)
    axes.set_xlabel(say["master_weights.steps"])
    axes.set_ylabel(say["master_weights.loss"])
    figure.legend(
        handles=list(lines.values()), loc="upper left", bbox_to_anchor=(0.005, 0.885), ncols=5, frameon=False,
        fontsize=9, handlelength=2.2, columnspacing=1.2,
    )  # fmt: skip
    axes.grid(axis="y", color=FAINT, linewidth=0.6)
    bars = side.barh(
        range(len(STORAGES)), [1.0] * len(STORAGES), height=0.6,
        color=[_LOOK[storage][0] for storage in STORAGES], edgecolor="white",
    )  # fmt: skip
    texts = [side.text(0, place, "", va="center", fontsize=9) for place in range(len(STORAGES))]
    side.set_yticks(range(len(STORAGES)), [say[f"master_weights.{storage}"] for storage in STORAGES])
    side.invert_yaxis()
    side.set_xlim(0, 1)
    side.set_xticks([0, 1], [say.percent(0), say.percent(1)])
    side.set_xlabel(say["master_weights.lost"])

    def draw(values: Mapping[str, Any]) -> Caption:
        rate = float(values["rate"])
        for place, storage in enumerate(STORAGES):
            run = runs[storage, rate]
            lines[storage].set_ydata(np.maximum(np.asarray(run.losses)[shown], 1e-12))
            bars[place].set_width(run.lost)
            texts[place].set_text(say.percent(run.lost))
            texts[place].set_x(run.lost + 0.04)
        frozen = [storage for storage in ("bf16", "fp16") if runs[storage, rate].lost > 0.995]
        state = "both" if len(frozen) == 2 else frozen[0] if frozen else "moving"
        numbers = {
            "rate": say.number(rate),
            **{f"loss_{storage}": say.number(runs[storage, rate].loss, 2) for storage in STORAGES},
            **{f"lost_{storage}": say.percent(runs[storage, rate].lost) for storage in STORAGES},
        }
        return Caption(
            say.say(f"master_weights.title_{state}", **numbers), say.say("master_weights.summary", **numbers)
        )

    control = Control("rate", say["master_weights.slider"], [(say.number(rate), rate) for rate in RATES], 3e-4)
    return Panel(figure, draw, (control,), say, (*lines.values(), *bars, *texts))


def master_weights(words: Words | None = None) -> None:
    """Show training with and without an FP32 master copy of 16-bit weights."""
    panel(words).show()
