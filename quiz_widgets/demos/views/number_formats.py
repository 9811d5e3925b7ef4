"""The reach of each format on one axis of powers of two, and what becomes of a number that is moved along it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from quiz_widgets.demos.formats import FORMATS, Name, fate, stored
from quiz_widgets.demos.views.panel import BLUE, FAINT, GREY, INK, ORANGE, PURPLE, Caption, Control, Panel, new_figure
from quiz_widgets.demos.words import Words
from quiz_widgets.demos.words import words as words_of

ROWS: tuple[Name, ...] = ("fp32", "bf16", "fp16")
_COLOURS: dict[Name, str] = {"fp32": PURPLE, "bf16": BLUE, "fp16": ORANGE}
EXPONENTS = range(-42, 39, 2)
MANTISSA = 1.2  # the number that moves is 1.2 × 10^k, so that rounding shows


def panel(words: Words | None = None) -> Panel:
    """The picture with one slider: the number's power of ten."""
    say = words or words_of("en")
    figure, axes = new_figure(3.3)
    figure.subplots_adjust(left=0.155, right=0.75, top=0.74, bottom=0.17)
    results = {}
    for place, name in enumerate(ROWS):
        kept = FORMATS[name]
        low, normal, high = (math.log10(value) for value in (kept.smallest, kept.smallest_normal, kept.largest))
        colour = _COLOURS[name]
        axes.barh(place, high - normal, left=normal, height=0.52, color=colour, edgecolor=colour)
        axes.barh(
            place, normal - low, left=low, height=0.52, facecolor="white", edgecolor=colour, hatch="////", linewidth=1
        ).patches[0].set_hatchcolor(colour)
        results[name] = axes.text(1.02, place, "", transform=axes.get_yaxis_transform(), va="center", fontsize=9.5)
    axes.text(
        1.02, -0.66, say["number_formats.stored"], transform=axes.get_yaxis_transform(), va="center", fontsize=9,
        color="#5a626b",
    )  # fmt: skip
    labels = [
        say.say("number_formats.label", name=say[f"number_formats.{name}"], bits=FORMATS[name].mantissa_bits)
        for name in ROWS
    ]
    axes.set_yticks(range(len(ROWS)), labels)
    axes.set_ylim(len(ROWS) - 0.5, -0.5)
    axes.set_xlim(-47, 41)
    ticks = range(-40, 41, 10)
    axes.set_xticks(list(ticks), [f"$10^{{{tick}}}$" if tick else "1" for tick in ticks])
    axes.set_xlabel(say["number_formats.axis"])
    axes.grid(axis="x", color=FAINT, linewidth=0.6)
    axes.set_axisbelow(True)
    marker = axes.axvline(0, color=INK, linewidth=1.6)
    marker_text = axes.text(0, -0.56, "", ha="center", va="bottom", fontsize=9.5, weight="bold")

    def draw(values: Mapping[str, Any]) -> Caption:
        exponent = int(values["exponent"])
        number = MANTISSA * 10.0**exponent
        place = math.log10(number)
        marker.set_xdata([place, place])
        marker_text.set_x(min(max(place, -38), 34))
        marker_text.set_text(say.number(number, 2))
        texts: dict[str, str] = {}
        for name in ROWS:
            outcome = fate(number, name)
            kept = say.number(float(stored(min(number, 3.4e38), name)), 4)
            texts[name] = say.say(f"number_formats.fate_{outcome}", number=kept)
            results[name].set_text(texts[name])
            results[name].set_color(GREY if outcome in ("zero", "infinite") else INK)
            results[name].set_weight("bold" if outcome in ("zero", "infinite") else "normal")
        fp16 = fate(number, "fp16")
        numbers = {"number": say.number(number, 2), **texts}
        return Caption(say.say(f"number_formats.title_{fp16}", **numbers), say.say("number_formats.summary", **numbers))

    control = Control(
        "exponent",
        say["number_formats.number"],
        [(say.number(MANTISSA * 10.0**exponent, 2), exponent) for exponent in EXPONENTS],
        -10,
    )
    return Panel(figure, draw, (control,), say, (marker, marker_text, *results.values()))


def number_formats(words: Words | None = None) -> None:
    """Show the range of FP32, bfloat16 and FP16, and one number stored in each."""
    panel(words).show()
