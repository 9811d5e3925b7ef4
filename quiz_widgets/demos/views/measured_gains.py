"""What 16 bits gain, measured: bytes kept for backward by batch size, and speed by instruction set."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from quiz_widgets.demos.recorded import BATCHES, result
from quiz_widgets.demos.views.panel import BLUE, INK, ORANGE, PURPLE, Caption, Control, Panel, new_figure
from quiz_widgets.demos.words import Words
from quiz_widgets.demos.words import words as words_of

# Activations of one sample in FP32 are what FP32 keeps per sample; what autocast keeps at batch 0 are the copies.
COPIES = 2 * (1024 * 1024 + 1024 * 64)


def panel(words: Words | None = None) -> Panel:
    """The picture with one slider: the batch size."""
    say = words or words_of("en")
    saved, speeds = result("activations", say), result("speeds", say)
    figure, (axes, side) = new_figure(3.1, ncols=2, width_ratios=(1.5, 1))
    figure.subplots_adjust(left=0.11, right=0.95, top=0.68, bottom=0.2, wspace=0.75)
    bars = {
        "fp32": axes.barh(0, 1, height=0.6, color=ORANGE)[0],
        "copies": axes.barh(1, 1, height=0.6, color=PURPLE, hatch="///", edgecolor="white")[0],
        "autocast": axes.barh(1, 1, height=0.6, color=BLUE)[0],
    }
    axes.set_yticks([0, 1], [say["measured_gains.fp32"], say["measured_gains.autocast"]])
    axes.set_ylim(1.6, -0.6)
    axes.set_xlabel(say["measured_gains.bytes"])
    figure.legend(
        handles=[bars["fp32"], bars["autocast"], bars["copies"]],
        labels=[
            f"{say['measured_gains.activations']}, {say['measured_gains.fp32']}",
            f"{say['measured_gains.activations']}, {say['measured_gains.autocast']}",
            say["measured_gains.copies"],
        ],
        loc="upper left", bbox_to_anchor=(0.005, 0.87), ncols=3, frameon=False, fontsize=9, handlelength=1.4,
    )  # fmt: skip
    ratios = {setting: speed["bf16"] for setting, speed in speeds.data.items()}
    side.barh(range(len(ratios)), list(ratios.values()), height=0.5, color=BLUE)
    side.axvline(1, color=INK, linestyle="--", linewidth=1.4)
    for place, ratio in enumerate(ratios.values()):
        side.text(max(ratio, 1) + 0.08, place, say.number(ratio, 2), va="center", fontsize=9.5)
    side.set_yticks(range(len(ratios)), [setting.replace(" with ", "\n") for setting in ratios])
    side.set_ylim(len(ratios) - 0.3, -0.7)
    side.set_xlim(0, max(1.6, 1.35 * max(ratios.values())))
    side.set_xticks(range(int(side.get_xlim()[1]) + 1))
    side.set_xlabel(say["measured_gains.speed"])

    def draw(values: Mapping[str, Any]) -> Caption:
        batch = int(values["batch"])
        entry = saved.data[str(batch)]
        bars["fp32"].set_width(entry["fp32"] / 1e6)
        bars["copies"].set_width(COPIES / 1e6)
        bars["autocast"].set_x(COPIES / 1e6)
        bars["autocast"].set_width((entry["autocast"] - COPIES) / 1e6)
        axes.set_xlim(0, 1.1 * max(entry.values()) / 1e6)
        ratio = entry["autocast"] / entry["fp32"]
        numbers = {
            "batch": say.number(batch, 4),
            "ratio": say.number(ratio, 2),
            "fp32": say.number(entry["fp32"] / 1e6),
            "autocast": say.number(entry["autocast"] / 1e6),
            "copies": say.number(COPIES / 1e6),
            "speeds": ", ".join(f"{setting} {say.number(value, 2)}" for setting, value in ratios.items()),
        }
        state = "same" if entry["autocast"] == entry["fp32"] else "more" if ratio > 1 else "less"
        summary = f"{say.say('measured_gains.summary', **numbers)} {speeds.note(say)}"
        return Caption(say.say(f"measured_gains.title_{state}", **numbers), summary)

    control = Control("batch", say["measured_gains.slider"], [(say.number(batch, 4), batch) for batch in BATCHES], 4096)
    return Panel(figure, draw, (control,), say, (axes.xaxis, *bars.values()))


def measured_gains(words: Words | None = None) -> None:
    """Show what autocast saves at each batch size, and how fast 16 bits are on this CPU."""
    panel(words).show()
