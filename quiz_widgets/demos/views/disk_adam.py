"""A real disk-offloaded Adam at work: when it read, updated and wrote each chunk, one after another or overlapped.

Each setting runs the update on this machine, throttled to the rates that the sliders say; most of that time is spent
asleep. A setting that is chosen again shows the same run.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, partial
from typing import Any

import numpy as np
from matplotlib.patches import PathPatch
from matplotlib.path import Path

from quiz_widgets.demos.overlap import run_once
from quiz_widgets.demos.views.panel import BLUE, FAINT, INK, ORANGE, PAPER, PURPLE, Caption, Control, Panel, new_figure
from quiz_widgets.demos.words import Words
from quiz_widgets.demos.words import words as words_of

STAGES = ("read", "compute", "write")
_LOOK = {"read": (BLUE, "///"), "compute": (ORANGE, ""), "write": (PURPLE, "...")}
LANE = 0.62
CHUNKS = 8


def panel(words: Words | None = None) -> Panel:
    """The picture with sliders for the drive's rate and the host's, and a tick box for overlap."""
    say = words or words_of("en")
    figure, axes = new_figure(2.9)
    figure.subplots_adjust(left=0.14, right=0.78, top=0.78, bottom=0.19)
    lanes, times = {}, {}
    for place, stage in enumerate(STAGES):
        colour, hatch = _LOOK[stage]
        # One path for all chunks: a hatch costs more than anything else here, and is then made once.
        lanes[stage] = axes.add_patch(
            PathPatch(
                Path(np.zeros((0, 2))), facecolor=colour, edgecolor=PAPER, hatchcolor=PAPER, linewidth=1.2, hatch=hatch
            )
        )
        times[stage] = axes.text(1.02, place, "", transform=axes.get_yaxis_transform(), va="center", fontsize=9.5)
    axes.set_yticks(range(len(STAGES)), [say[f"disk_adam.{stage}"] for stage in STAGES])
    axes.set_ylim(len(STAGES) - 0.5, -0.5)
    axes.set_xlabel(say["disk_adam.axis"])
    axes.xaxis.get_major_locator().set_params(nbins=4)  # it moves with the step, and each label costs time
    axes.grid(axis="x", color=FAINT, linewidth=0.6)
    axes.set_axisbelow(True)
    axes.tick_params(axis="y", length=0, color=INK)

    run = cache(partial(run_once, chunks=CHUNKS))

    def draw(values: Mapping[str, Any]) -> Caption:
        found = run(values["rate"] * 1e6, values["host"] * 1e6, overlap=values["overlap"])
        for place, stage in enumerate(STAGES):
            low, high = place - LANE / 2, place + LANE / 2
            boxes = [
                [(start, low), (end, low), (end, high), (start, high)]
                for name, start, end in found.spans
                if name == stage
            ]
            lanes[stage].set_path(Path.make_compound_path_from_polys(np.array(boxes)))
            seconds, worst = getattr(found, stage), found.bottleneck == stage
            key = "disk_adam.busy_worst" if worst else "disk_adam.busy"
            times[stage].set_text(say.say(key, seconds=say.number(seconds, 2)))
            times[stage].set_weight("bold" if worst else "normal")
        axes.set_xlim(0, found.wall)
        numbers = {
            "wall": say.number(found.wall, 2),
            "sum": say.number(found.read + found.compute + found.write, 2),
            **{stage: say.number(getattr(found, stage), 2) for stage in STAGES},
            "bottleneck": say[f"disk_adam.name_{found.bottleneck}"],
            "chunks": say.number(CHUNKS),
        }
        state = "overlapped" if values["overlap"] else "serial"
        return Caption(say.say(f"disk_adam.title_{state}", **numbers), say.say("disk_adam.summary", **numbers))

    controls = (
        Control("rate", say["disk_adam.slider_rate"], _rates(say, "disk_adam.mbps", (4.0, 8.0, 16.0, 32.0)), 8.0),
        Control("host", say["disk_adam.slider_host"], _rates(say, "disk_adam.mparam", (0.3, 0.6, 1.2, 2.4)), 0.6),
        Control("overlap", say["disk_adam.overlap"], (), False),
    )
    return Panel(figure, draw, controls, say, (axes.xaxis, *lanes.values(), *times.values()))


def _rates(say: Words, key: str, numbers: tuple[float, ...]) -> list[tuple[str, float]]:
    return [(say.say(key, number=say.number(number)), number) for number in numbers]


def disk_adam(words: Words | None = None) -> None:
    """Run the disk-offloaded Adam and show when each of its stages worked."""
    panel(words).show()
