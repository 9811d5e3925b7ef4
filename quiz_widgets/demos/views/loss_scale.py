"""Real gradients as a hill over powers of two; the loss scale pushes the hill out of the format's dead zone."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from matplotlib.patches import Patch

from quiz_widgets.demos.formats import FORMATS, Name, shares
from quiz_widgets.demos.gradients import exponents, train
from quiz_widgets.demos.scaling import largest_scale
from quiz_widgets.demos.views.panel import BLUE, ORANGE, PURPLE, Caption, Control, Panel, new_figure
from quiz_widgets.demos.words import Words, power_of_two
from quiz_widgets.demos.words import words as words_of

POWERS = range(0, 33, 2)
VERMILION = "#c8400a"
_FATES = {"zero": (VERMILION, "xxx"), "subnormal": (ORANGE, "///"), "normal": (BLUE, ""), "infinite": (PURPLE, "...")}
LOW, HIGH = -56, 26


def panel(words: Words | None = None) -> Panel:
    """The picture with a slider for the scale, and a tick box that swaps FP16 for bfloat16."""
    say = words or words_of("en")
    values_of = train().logits
    places, heights = exponents(values_of)
    best = largest_scale(values_of)
    figure, axes = new_figure(3.7)
    figure.subplots_adjust(left=0.09, right=0.975, top=0.69, bottom=0.15)
    bars = axes.bar(places, 100 * heights, width=0.92, align="edge", edgecolor="white", linewidth=0.3)
    axes.set_xlim(LOW, HIGH)
    axes.set_ylim(0, 100 * heights.max() * 1.22)
    ticks = [-56, -48, -40, -32, -24, -14, -6, 0, 8, 16, 24]
    axes.set_xticks(ticks, [f"$2^{{{tick}}}$" if tick else "1" for tick in ticks])
    axes.set_xlabel(say["loss_scale.axis"])
    axes.set_ylabel(say["loss_scale.share"])
    dead = axes.axvspan(LOW, -25, color=VERMILION, alpha=0.10, linewidth=0)
    over = axes.axvspan(16, HIGH, color=PURPLE, alpha=0.10, linewidth=0)
    top = axes.get_ylim()[1] * 0.975
    dead_text = axes.text(LOW + 0.8, top, say["loss_scale.dead"], va="top", fontsize=9.5, color="#9c3207")
    over_text = axes.text(HIGH - 0.5, top, say["loss_scale.over"], va="top", ha="right", fontsize=9.5, color="#5d2b78")
    figure.legend(
        handles=[
            Patch(facecolor=colour, hatch=hatch, edgecolor="white", label=say[f"loss_scale.{name}"])
            for name, (colour, hatch) in _FATES.items()
        ],
        loc="upper left", bbox_to_anchor=(0.005, 0.865), ncols=4, frameon=False, fontsize=9, handlelength=1.4,
        columnspacing=1.2,
    )  # fmt: skip

    def draw(values: Mapping[str, Any]) -> Caption:
        power, name = int(values["power"]), _format(values)
        kept = FORMATS[name]
        for bar, place in zip(bars, places, strict=True):
            moved = int(place) + power
            low, high = 2.0**moved, 2.0 ** (moved + 1)
            fate = (
                "zero" if high <= kept.becomes_zero
                else "infinite" if low > kept.largest
                else "subnormal" if low < kept.smallest_normal
                else "normal"
            )  # fmt: skip
            bar.set_x(moved + 0.04)
            bar.set_facecolor(_FATES[fate][0])
            bar.set_hatch(_FATES[fate][1])
        for artist in (dead, over, dead_text, over_text):
            artist.set_visible(name == "fp16")
        result = shares(values_of, name, 2.0**power)
        numbers = {
            "scale": power_of_two(power) if power else "1",
            "zero": say.percent(result.zero),
            "subnormal": say.percent(result.subnormal),
            "normal": say.percent(result.normal),
            "infinite": say.percent(result.infinite),
            "best": power_of_two(best),
            "format": say[f"number_formats.{name}"],
        }
        state = "bf16" if name == "bf16" else "over" if result.infinite else "zero" if result.zero > 0.05 else "saved"
        return Caption(say.say(f"loss_scale.title_{state}", **numbers), say.say("loss_scale.summary", **numbers))

    controls = (
        Control(
            "power", say["loss_scale.slider"], [(power_of_two(power) if power else "1", power) for power in POWERS], 0
        ),
        Control("bf16", say["loss_scale.bf16"], (), False),
    )
    return Panel(figure, draw, controls, say, (*bars, dead, over, dead_text, over_text))


def _format(values: Mapping[str, Any]) -> Name:
    return "bf16" if values["bf16"] else "fp16"


def loss_scale(words: Words | None = None) -> None:
    """Show how many real gradients a 16-bit format would lose under each loss scale."""
    panel(words).show()
