"""One training step as bars on a time axis, a lane for each resource, with the bottleneck named."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from matplotlib.collections import PolyCollection

from quiz_widgets.demos.offload import RESOURCES, Job, Machine, Resource, Step, simulate
from quiz_widgets.demos.views.panel import (
    BLUE,
    FAINT,
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

_LOOK: dict[Resource, tuple[str, str]] = {
    "gpu": (BLUE, ""),
    "down": (LIGHT_BLUE, "///"),
    "read": ("#b98d4f", "xxx"),
    "adam": (ORANGE, ""),
    "write": ("#b98d4f", "..."),
    "up": (PURPLE, "///"),
}
LANE = 0.62


def panel(words: Words | None = None) -> Panel:
    """The picture with sliders for the host, the link and the batch, and ticks for overlap, delay and NVMe."""
    say = words or words_of("en")
    figure, axes = new_figure(3.6)
    figure.subplots_adjust(left=0.2, right=0.8, top=0.8, bottom=0.15)
    lanes, times = {}, {}
    for place, resource in enumerate(RESOURCES):
        colour, hatch = _LOOK[resource]
        lanes[resource] = axes.add_collection(
            PolyCollection([], facecolor=colour, edgecolor=colour, hatchcolor=PAPER, linewidth=0.8, hatch=hatch)
        )
        times[resource] = axes.text(1.02, place, "", transform=axes.get_yaxis_transform(), va="center", fontsize=9)
    labels = [say[f"offload_timeline.{resource}"] for resource in RESOURCES]
    axes.set_yticks(range(len(RESOURCES)), labels)
    axes.set_ylim(len(RESOURCES) - 0.5, -0.5)
    axes.set_xlabel(say["offload_timeline.axis"])
    axes.grid(axis="x", color=FAINT, linewidth=0.6)
    axes.set_axisbelow(True)

    def draw(values: Mapping[str, Any]) -> Caption:
        step = simulate(
            Job(tokens=values["tokens"], nvme=values["nvme"], overlap=values["overlap"], delayed=values["delayed"]),
            Machine(adam=values["adam"] * 1e9, link=values["link"] * 1e9),
        )
        for place, resource in enumerate(RESOURCES):
            low, high = place - LANE / 2, place + LANE / 2
            lanes[resource].set_verts(
                [[(start, low), (end, low), (end, high), (start, high)] for start, end in _stretches(step, resource)]
            )
            busy = step.busy[resource]
            worst = resource == step.bottleneck
            key = "busy_worst" if worst else "busy" if busy else "unused"
            times[resource].set_text(say.say(f"offload_timeline.{key}", seconds=say.number(busy)))
            times[resource].set_weight("bold" if worst else "normal")
        axes.set_xlim(0, step.seconds)
        numbers: dict[str, str] = {
            "seconds": say.number(step.seconds),
            "idle": say.percent(step.gpu_idle),
            "bottleneck": say[f"offload_timeline.name_{step.bottleneck}"],
            **{resource: say.number(step.busy[resource]) for resource in RESOURCES},
        }
        state = "gpu" if step.bottleneck == "gpu" else "waits"
        return Caption(
            say.say(f"offload_timeline.title_{state}", **numbers), say.say("offload_timeline.summary", **numbers)
        )

    def rates(unit: str, numbers: tuple[float, ...]) -> list[tuple[str, float]]:
        return [(say.say(f"offload_timeline.{unit}", number=say.number(number)), number) for number in numbers]

    controls = (
        Control("adam", say["offload_timeline.slider_adam"], rates("gparam", (0.5, 1.0, 2.0, 4.0, 8.0)), 1.0),
        Control("link", say["offload_timeline.slider_link"], rates("gbps", (3.0, 6.0, 12.0, 25.0, 50.0)), 25.0),
        Control(
            "tokens",
            say["offload_timeline.slider_tokens"],
            [(say.number(2**power, 7), 2**power) for power in range(10, 18)],
            4096,
        ),
        Control("overlap", say["offload_timeline.overlap"], (), False),
        Control("delayed", say["offload_timeline.delayed"], (), False),
        Control("nvme", say["offload_timeline.nvme"], (), False),
    )
    axes.tick_params(axis="y", length=0, color=INK)
    return Panel(figure, draw, controls, say, (axes.xaxis, *lanes.values(), *times.values()))


def _stretches(step: Step, resource: Resource) -> list[tuple[float, float]]:
    """Start and end of each unbroken stretch of work: chunks that follow each other at once are one bar."""
    stretches: list[tuple[float, float]] = []
    for span in step.spans:
        if span.resource != resource:
            continue
        if stretches and span.start - stretches[-1][1] < 1e-9:
            stretches[-1] = (stretches[-1][0], span.end)
        else:
            stretches.append((span.start, span.end))
    return stretches


def offload_timeline(words: Words | None = None) -> None:
    """Show a step's time line with the optimizer on the host, for rates that the reader sets."""
    panel(words).show()
