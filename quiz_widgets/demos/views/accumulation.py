"""Error of a long sum in each accumulator: two lines rise, the one that accumulates in FP32 stays flat."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from quiz_widgets.demos.accumulation import LENGTHS, Accumulator, measure
from quiz_widgets.demos.views.panel import BLUE, FAINT, GREY, INK, ORANGE, PURPLE, Caption, Control, Panel, new_figure
from quiz_widgets.demos.words import Words
from quiz_widgets.demos.words import words as words_of

_LOOK: dict[Accumulator, tuple[str, str]] = {
    "bf16": (BLUE, "s"),
    "fp16": (ORANGE, "o"),
    "fp32_fp16_out": (PURPLE, "^"),
}


def panel(words: Words | None = None) -> Panel:
    """The picture with one slider: how many products are added."""
    say = words or words_of("en")
    sums = measure()
    figure, axes = new_figure(3.6)
    figure.subplots_adjust(left=0.105, right=0.66, top=0.76, bottom=0.155)
    dots, texts = {}, {}
    for name, (colour, marker) in _LOOK.items():
        axes.plot(sums.lengths, sums.errors[name], color=colour, linewidth=2, marker=marker, markersize=4)
        (dots[name],) = axes.plot([1], [1], marker=marker, markersize=11, color=colour, markeredgecolor=INK)
        texts[name] = axes.text(
            1.03, sums.errors[name][-1], "", transform=axes.get_yaxis_transform(), va="center", fontsize=9.5, color=INK
        )
    texts["bf16"].set_y(1.6)
    texts["fp16"].set_y(0.28)
    axes.set_xscale("log", base=2)
    axes.set_yscale("log")
    axes.set_ylim(5e-5, 3)
    axes.set_xlim(2**3.6, 2**14.4)
    ticks = (1e-4, 1e-3, 1e-2, 1e-1, 1)
    axes.set_yticks(ticks, [say.percent(value) if value > 1e-3 else say["accumulation.tick_small"].format(
        number=say.number(100 * value, 2)) for value in ticks])  # fmt: skip
    axes.set_xlabel(say["accumulation.axis"])
    axes.set_ylabel(say["accumulation.error"])
    axes.grid(axis="y", color=FAINT, linewidth=0.6)
    line = axes.axvline(1, color=GREY, linewidth=1, zorder=1)

    def draw(values: Mapping[str, Any]) -> Caption:
        length = int(values["length"])
        place = sums.lengths.index(length)
        line.set_xdata([length, length])
        numbers = {"length": say.number(length, 6)}
        for name in _LOOK:
            error = sums.errors[name][place]
            dots[name].set_data([length], [error])
            numbers[name] = _percent(say, error)
            texts[name].set_text(say.say(f"accumulation.{name}", error=numbers[name]))
        state = "stuck" if sums.errors["fp16"][place] > 0.02 else "small"
        return Caption(say.say(f"accumulation.title_{state}", **numbers), say.say("accumulation.summary", **numbers))

    control = Control(
        "length", say["accumulation.slider"], [(say.number(length, 6), length) for length in LENGTHS], LENGTHS[-1]
    )
    return Panel(figure, draw, (control,), say, (line, *dots.values(), *texts.values()))


def _percent(say: Words, error: float) -> str:
    return say["percent"].format(number=say.number(100 * error, 2))


def accumulation(words: Words | None = None) -> None:
    """Show the error of long sums kept in 16 bits and in FP32."""
    panel(words).show()
