"""Charts as inline SVG: bars on a scale, told apart by patterns and by the numbers at their ends, not by colours.

Everything is drawn in the text's colour, so that light, dark and high contrast follow the page. The scale runs in the
direction of the reader's language. `PATTERNS` has to stand once on a page before its charts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from markupsafe import Markup

Fill = Literal["solid", "lines", "dots"]

PATTERNS = Markup(
    '<svg class="patterns" width="0" height="0" aria-hidden="true" focusable="false"><defs>'
    '<pattern id="fill-lines" width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">'
    '<rect width="2" height="5" fill="currentColor"/></pattern>'
    '<pattern id="fill-dots" width="5" height="5" patternUnits="userSpaceOnUse">'
    '<circle cx="2" cy="2" r="1" fill="currentColor"/></pattern>'
    "</defs></svg>"
)
_WIDE, _LABEL, _VALUE = 360, 36, 62  # of the drawing, of what stands before a bar, of the number behind it
_BAR, _GAP, _AXIS = 15, 9, 20


@dataclass(frozen=True, slots=True)
class Bar:
    """One bar from zero to `value`, with the number that stands at its end; `None` where nothing is known."""

    value: float | None
    text: str
    fill: Fill = "solid"
    interval: tuple[float, float] | None = None


@dataclass(frozen=True, slots=True)
class Row:
    """The bars that belong together, and what stands before them."""

    label: str
    bars: tuple[Bar, ...]


@dataclass(frozen=True, slots=True)
class Scale:
    """From where to where the bars can go, and the numbers below: place and text."""

    low: float
    high: float
    ticks: Sequence[tuple[float, str]]


def bars(name: str, rows: Sequence[Row], scale: Scale, direction: str) -> Markup:
    """The chart. `name` says to whoever cannot see it what it shows; its numbers stand in a table beside it."""
    height = sum(len(row.bars) * _BAR + _GAP for row in rows) + _AXIS
    drawing = _Drawing(scale, mirrored=direction == "rtl")
    parts = [*drawing.axis(height), *drawing.rows(rows)]
    return Markup(
        '<svg class="chart" viewBox="0 0 {} {}" direction="ltr" role="img" aria-label="{}" font-size="12">{}</svg>'
    ).format(_WIDE, height, name, Markup("").join(parts))


def swatch(fill: Fill) -> Markup:
    """A bar of that fill for a legend."""
    return Markup('<svg class="swatch" viewBox="0 0 24 12" width="24" height="12" aria-hidden="true">{}</svg>').format(
        _rect(0.5, 0.5, 23, 11, fill)
    )


class _Drawing:
    def __init__(self, scale: Scale, *, mirrored: bool) -> None:
        self._scale = scale
        self._mirrored = mirrored
        self._before, self._behind = ("start", "end") if mirrored else ("end", "start")

    def axis(self, height: int) -> Iterator[Markup]:
        """The lines and numbers of the scale."""
        bottom = height - _AXIS
        for value, told in self._scale.ticks:
            x = self._x(value)
            yield Markup('<path d="M{0} 0V{1}" stroke="currentColor" stroke-opacity="{2}"/>').format(
                _short(x), bottom, "0.8" if value == 0 else "0.25"
            )
            yield self._text(x, height - 5, told, "middle")

    def rows(self, rows: Sequence[Row]) -> Iterator[Markup]:
        """Labels and bars, from the top."""
        y = _GAP / 2
        for row in rows:
            tall = len(row.bars) * _BAR
            yield self._text(self._place(_LABEL - 6), y + tall / 2 + 4, row.label, self._before)
            for bar in row.bars:
                yield from self._bar(bar, y)
                y += _BAR
            y += _GAP

    def _bar(self, bar: Bar, y: float) -> Iterator[Markup]:
        end = max(0.0, self._scale.low, bar.value or 0.0)
        if bar.value is not None:
            one, other = sorted((self._x(min(0.0, bar.value)), self._x(max(0.0, bar.value))))
            yield _rect(one, y + 1.5, max(other - one, 0.5), _BAR - 3, bar.fill)
        if bar.interval is not None:
            low, high = (self._x(value) for value in bar.interval)
            end = max(end, bar.interval[1])
            for colour, width in (("Canvas", 3), ("currentColor", 1)):  # seen on the bar and beside it
                yield Markup('<path d="M{0} {2}H{1}M{0} {3}V{4}M{1} {3}V{4}" stroke="{5}" stroke-width="{6}"/>').format(
                    _short(low), _short(high), y + _BAR / 2, y + 4, y + _BAR - 4, colour, width
                )
        yield self._text(self._x(end) + (-5 if self._mirrored else 5), y + _BAR / 2 + 4, bar.text, self._behind)

    def _x(self, value: float) -> float:
        share = (value - self._scale.low) / (self._scale.high - self._scale.low)
        return self._place(_LABEL + share * (_WIDE - _LABEL - _VALUE))

    def _place(self, x: float) -> float:
        return _WIDE - x if self._mirrored else x

    def _text(self, x: float, y: float, told: str, anchor: str) -> Markup:
        return Markup('<text x="{}" y="{}" text-anchor="{}" fill="currentColor">{}</text>').format(
            _short(x), _short(y), anchor, told
        )


def _rect(x: float, y: float, width: float, height: float, fill: Fill) -> Markup:
    painted = "currentColor" if fill == "solid" else f"url(#fill-{fill})"
    return Markup('<rect x="{}" y="{}" width="{}" height="{}" fill="{}" stroke="currentColor"/>').format(
        _short(x), _short(y), _short(width), _short(height), painted
    )


def _short(number: float) -> str:
    return f"{number:.2f}".rstrip("0").rstrip(".")
