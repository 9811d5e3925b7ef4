"""A picture and its controls: drawn once, then only its artists change, so that a slider follows the hand.

The picture is an ordinary output (HTML with an ``img`` and its alternative text, PNG, plain text), so it stays
where there is no widget front end, and in a saved notebook. Moving a control sends that same output again.
"""

from __future__ import annotations

import base64
import html
import struct
import sys
import textwrap
import zlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import matplotlib as mpl
import numpy as np
import numpy.typing as npt
from matplotlib.artist import Artist
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from quiz_widgets.demos.words import Words

INK, FAINT, PAPER = "#1b1f24", "#d5d9de", "#ffffff"
BLUE, ORANGE, PURPLE, GREY = "#0b61b0", "#e08214", "#7a3b9c", "#8a9099"
LIGHT_BLUE, LIGHT_PURPLE = "#8fc1ea", "#c9a6de"

WIDTH, DPI = 7.6, 120  # inches; a CSS pixel is 1/100 inch here, so 9 points are 12.5 pixels
TITLE_WIDTH = 76  # characters of a title line
STYLE: Any = {
    "font.size": 9.5,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.edgecolor": GREY,
    "axes.labelcolor": INK,
    "text.color": INK,
    "xtick.color": INK,
    "ytick.color": INK,
    "xtick.labelsize": 9,
    "ytick.labelsize": 9,
    "hatch.linewidth": 0.8,
    "hatch.color": PAPER,
}


# Notebook 7 takes plain keys, arrows among them, before a focused slider hears them. It leaves an element alone that
# bears this attribute, so each control gets it for as long as a plain key is handled; Ctrl+S still saves.
KEYS = (
    "<script>(() => {"
    'const once = Symbol.for("quiz_widgets.controls"); if (window[once]) return; window[once] = true;'
    'addEventListener("keydown", (event) => {'
    "const control = event.target; if (event.ctrlKey || event.metaKey || event.altKey) return;"
    'if (!control.matches?.(".noUi-handle, .widget-checkbox input")) return;'
    'control.setAttribute("data-lm-suppress-shortcuts", "true");'
    'setTimeout(() => control.removeAttribute("data-lm-suppress-shortcuts"));'
    "}, true);"
    "})()</script>"
)


@dataclass(frozen=True, slots=True)
class Caption:
    """What the picture says: one sentence of conclusion, and the numbers behind it for those who cannot see it."""

    title: str
    summary: str


@dataclass(frozen=True, slots=True)
class Control:
    """A slider over a few values, each with the text that shows it, or a tick box when there are none."""

    name: str
    label: str
    values: Sequence[tuple[str, Any]]
    start: Any


@dataclass(frozen=True, slots=True)
class Picture:
    """One state of a panel, as it is shown."""

    png: bytes
    caption: Caption


def new_figure(height: float, **subplots: Any) -> tuple[Figure, Any]:
    """A white figure of the common width with room for two title lines, and its axes."""
    with mpl.rc_context(STYLE):
        figure = Figure(figsize=(WIDTH, height), dpi=DPI, facecolor=PAPER)
        axes = figure.subplots(**subplots)
    return figure, axes


class Panel:
    """A figure, the function that moves its artists, and the controls that call it."""

    def __init__(
        self,
        figure: Figure,
        draw: Callable[[Mapping[str, Any]], Caption],
        controls: Sequence[Control],
        words: Words,
        moving: Iterable[Artist],
    ) -> None:
        """`moving` are the artists that `draw` changes; the rest is drawn once, and again when an axis' limits change.

        An axis among them is drawn at every move, and then its limits may change freely.
        """
        self.figure = figure
        self._canvas: Any = FigureCanvasAgg(figure)
        self._still: tuple[Any, Any] = (None, None)  # limits of all axes, and the picture of what does not move
        self.controls = tuple(controls)
        self.values: dict[str, Any] = {control.name: control.start for control in controls}
        self._draw = draw
        self._words = words
        rtl = words.direction == "rtl"
        self._title = figure.text(
            0.985 if rtl else 0.015, 0.975, "", ha="right" if rtl else "left", va="top", fontsize=11.5, weight="bold"
        )
        self._moving = sorted((*moving, self._title), key=lambda artist: artist.get_zorder())
        for artist in self._moving:
            artist.set_animated(True)

    def move(self, **values: Any) -> Picture:
        """Set controls by name and draw: the picture for these values."""
        unknown = sorted(set(values) - set(self.values))
        if unknown:
            raise KeyError(f"no control is called {', '.join(unknown)}; there are {', '.join(self.values)}")
        self.values.update(values)
        with mpl.rc_context(STYLE):
            caption = self._draw(self.values)
            self._title.set_text("\n".join(textwrap.wrap(caption.title, TITLE_WIDTH)))
            limits = [axes.axis() for axes in self.figure.axes if axes.xaxis not in self._moving]
            if self._still[0] == limits:
                self._canvas.restore_region(self._still[1])
            else:
                self._canvas.draw()
                self._still = (limits, self._canvas.copy_from_bbox(self.figure.bbox))
            for artist in self._moving:
                self.figure.draw_artist(artist)
        return Picture(_png(np.asarray(self._canvas.buffer_rgba())), caption)

    def bundle(self, picture: Picture) -> dict[str, str]:
        """The picture by MIME type: HTML that carries the alternative text, PNG, and plain text."""
        encoded = base64.b64encode(picture.png).decode()
        width, height = (round(100 * inches) for inches in self.figure.get_size_inches())
        title, summary = html.escape(picture.caption.title), html.escape(picture.caption.summary)
        markup = (
            f'<figure lang="{self._words.locale}" dir="{self._words.direction}" style="margin:0;max-width:{width}px">'
            f'<img alt="{title}" width="{width}" height="{height}" src="data:image/png;base64,{encoded}" '
            f'style="display:block;max-width:100%;height:auto;background:{PAPER};border-radius:6px">'
            f'<figcaption style="margin:0.5em 0">{summary}</figcaption></figure>{KEYS}'
        )
        text = f"{picture.caption.title}\n{picture.caption.summary}"
        return {"text/html": markup, "image/png": encoded, "text/plain": text}

    def show(self) -> None:
        """Show the picture, then the controls; without IPython, print what it says."""
        picture = self.move()
        display = _display()
        if display is None:
            sys.stdout.write(f"{picture.caption.title}\n{picture.caption.summary}\n")
            return
        handle = display(self.bundle(picture), raw=True, display_id=True)

        def changed(name: str, value: Any) -> None:
            handle.update(self.bundle(self.move(**{name: value})), raw=True)

        display(self.widget(changed))

    def widget(self, changed: Callable[[str, Any], None]) -> Any:
        """The controls as one widget; `changed` hears the name and the new value of each that moves."""
        import ipywidgets

        boxes = []
        for control in self.controls:
            if control.values:
                box = ipywidgets.SelectionSlider(
                    options=list(control.values),
                    value=control.start,
                    description=control.label,
                    style={"description_width": "15em"},
                    layout={"width": "36em", "max_width": "100%"},
                )
            else:
                box = ipywidgets.Checkbox(
                    value=control.start, description=control.label, indent=False, layout={"width": "auto"}
                )
            box.observe(lambda change, name=control.name: changed(name, change["new"]), names="value")
            boxes.append(box)
        return ipywidgets.VBox(boxes)


def _png(pixels: npt.NDArray[np.uint8]) -> bytes:
    """Pixels (rows, columns, at least RGB) as PNG, fast: a slider is waiting, and a larger picture costs less."""
    height, width = pixels.shape[:2]
    rows = np.zeros((height, 1 + 3 * width), np.uint8)  # each row starts with 0: no filter
    rows[:, 1:] = pixels[:, :, :3].reshape(height, -1)
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)  # 8 bits of red, green and blue each
    parts = ((b"IHDR", header), (b"IDAT", zlib.compress(rows.tobytes(), 1)), (b"IEND", b""))
    chunks = (
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data)) for kind, data in parts
    )
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunks)


def _display() -> Any:
    """IPython's `display`; `None` where there is no IPython to show anything."""
    try:
        from IPython.core.getipython import get_ipython
        from IPython.display import display
    except ImportError:
        return None
    shell: Any = get_ipython  # publishes no types
    return display if shell() is not None else None
