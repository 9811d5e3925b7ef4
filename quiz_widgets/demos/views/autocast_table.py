"""Which operations autocast runs in 16 bits and which in FP32, with a switch for the device."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from quiz_widgets.demos.recorded import result
from quiz_widgets.demos.views.panel import BLUE, INK, ORANGE, PURPLE, Caption, Control, Panel, new_figure
from quiz_widgets.demos.words import Words
from quiz_widgets.demos.words import words as words_of

ROWS = ("matmul", "relu", "softmax", "layer_norm", "exp", "sum", "cross_entropy")


def panel(words: Words | None = None) -> Panel:
    """The picture with one control: the device."""
    say = words or words_of("en")
    found = result("autocast", say)
    figure, axes = new_figure(3.3)
    figure.subplots_adjust(left=0.28, right=0.97, top=0.8, bottom=0.06)
    bars, texts = {}, {}
    for place, row in enumerate((*ROWS, "parameters")):
        bars[row] = axes.barh(place, 1, left=0, height=0.72, edgecolor="white")[0]
        texts[row] = axes.text(0.5, place, "", ha="center", va="center", color="white", fontsize=9.5, weight="bold")
    axes.set_yticks(range(len(ROWS) + 1), [say[f"autocast_table.{row}"] for row in (*ROWS, "parameters")])
    axes.set_ylim(len(ROWS) + 0.6, -0.6)
    axes.set_xlim(0, 2)
    axes.set_xticks([])
    axes.spines[["left", "bottom"]].set_visible(False)
    axes.tick_params(axis="y", length=0)

    def draw(values: Mapping[str, Any]) -> Caption:
        table = found.data[values["device"]]
        low: list[str] = []
        single: list[str] = []
        for row in (*ROWS, "parameters"):
            kind = "fp32" if row == "parameters" else table[row]
            wide = kind == "fp32"
            # FP32 is a bar twice as long: the width is the bytes.
            bars[row].set_width(2 if wide else 1)
            bars[row].set_facecolor(PURPLE if row == "parameters" else ORANGE if wide else BLUE)
            texts[row].set_color(INK if wide and row != "parameters" else "white")  # on orange, dark letters
            texts[row].set_text(say["autocast_table.fp32"] if wide else say[f"number_formats.{kind}"])
            texts[row].set_x(1 if wide else 0.5)
            if row != "parameters":
                (single if wide else low).append(say[f"autocast_table.{row}"])
        numbers = {
            "device": say[f"autocast_table.name_{values['device']}"],
            "low": "; ".join(low),
            "fp32": "; ".join(single),
        }
        summary = f"{say.say('autocast_table.summary', **numbers)} {found.note(say)}"
        return Caption(say[f"autocast_table.title_{values['device']}"], summary)

    devices = [(say[f"autocast_table.name_{device}"], device) for device in ("cuda", "cpu")]
    control = Control("device", say["autocast_table.device"], devices, "cuda")
    return Panel(figure, draw, (control,), say, (*bars.values(), *texts.values()))


def autocast_table(words: Words | None = None) -> None:
    """Show what autocast does to each kind of operation, on CUDA and on the CPU."""
    panel(words).show()
