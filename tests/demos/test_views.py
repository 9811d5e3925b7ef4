"""Views: a picture first, every state of every control drawable, a moved picture equal to a fresh one, and fast."""

import importlib
import inspect
import io
import statistics
import sys
import time
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from matplotlib.text import Text
from PIL import Image

from quiz_widgets.demos import cells, views
from quiz_widgets.demos.views.panel import Panel, Picture
from quiz_widgets.demos.words import Words, power_of_two, words

NAMES = (
    "accumulation",
    "adam_bytes",
    "autocast_table",
    "disk_adam",
    "fit_bars",
    "loss_scale",
    "master_weights",
    "measured_gains",
    "number_formats",
    "offload_timeline",
)


def panel_of(name: str) -> Panel:
    module = importlib.import_module(f"quiz_widgets.demos.views.{name}")
    panel: Panel = module.panel(words("en"))
    return panel


def pixels(picture: Picture) -> npt.NDArray[np.uint8]:
    return np.asarray(Image.open(io.BytesIO(picture.png)))


def test_every_view_has_a_cell_and_every_cell_a_view() -> None:
    assert tuple(sorted(views.__all__)) == NAMES
    assert cells.names() == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_every_setting_draws_with_a_title_that_fits(name: str) -> None:
    panel = panel_of(name)
    for control in panel.controls:
        for value in [value for _, value in control.values] or [False, True]:
            picture = panel.move(**{control.name: value})
            title = panel._title.get_window_extent()
            assert title.x1 < panel.figure.bbox.x1, picture.caption.title
            assert len(picture.caption.title) <= 100
            assert "{" not in picture.caption.title + picture.caption.summary


@pytest.mark.parametrize("locale", ["en", "tr", "ar"])
@pytest.mark.parametrize("name", NAMES)
def test_no_text_is_cut_off(name: str, locale: str) -> None:
    panel: Panel = importlib.import_module(f"quiz_widgets.demos.views.{name}").panel(words(locale))
    panel.move()
    canvas = panel.figure.bbox
    for text in panel.figure.findobj(Text):
        if text.get_visible() and text.get_text().strip():
            place = text.get_window_extent()
            shown = text.get_text()
            assert canvas.x0 <= place.x0, f"{shown!r} is cut off at the left"
            assert place.x1 <= canvas.x1, f"{shown!r} is cut off at the right"


@pytest.mark.parametrize("name", NAMES)
def test_moving_there_and_back_gives_the_same_picture(name: str) -> None:
    """Nothing that moves is left behind in what is drawn once."""
    panel = panel_of(name)
    first = pixels(panel.move())
    control = panel.controls[0]
    panel.move(**{control.name: control.values[-1][1]})
    panel.move(**{control.name: control.values[0][1]})
    assert np.array_equal(first, pixels(panel.move(**{control.name: control.start})))


@pytest.mark.parametrize("name", NAMES)
def test_a_move_costs_less_than_making_the_picture_again(name: str) -> None:
    """A slider has to follow the hand. CPU time, the best of several, so that a busy machine changes nothing."""
    panel = panel_of(name)
    panel.move()
    control = panel.controls[0]

    def cpu(function: Callable[[], object]) -> float:
        start = time.process_time()
        function()
        return time.process_time() - start

    moves = [cpu(partial(panel.move, **{control.name: value})) for _, value in control.values[:5]]
    fresh = [cpu(lambda: panel_of(name).move()) for _ in range(2)]
    assert min(moves) < min(fresh)


@pytest.mark.parametrize("name", NAMES)
def test_a_move_costs_less_than_100_ms(name: str) -> None:
    """CPU time, the median of about ten. A busy machine makes moves slower, so the better of two rounds counts."""
    panel = panel_of(name)
    panel.move()
    moves = [(control.name, value) for control in panel.controls for _, value in control.values or [("", True)]][:10]

    def median() -> float:
        seconds = []
        for control, value in moves:
            start = time.process_time()
            panel.bundle(panel.move(**{control: value}))
            seconds.append(time.process_time() - start)
        return statistics.median(seconds)

    assert min(median() for _ in range(2)) < 0.1


@pytest.mark.parametrize("name", NAMES)
def test_the_picture_comes_first_and_says_what_it_shows(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[tuple[str, Any]] = []

    class Handle:
        def update(self, bundle: Any, **_options: Any) -> None:
            shown.append(("update", bundle))

    def display(thing: Any, **options: Any) -> Handle | None:
        shown.append(("display", thing))
        return Handle() if options.get("display_id") else None

    monkeypatch.setattr("IPython.display.display", display)
    monkeypatch.setattr("IPython.core.getipython.get_ipython", object)
    getattr(views, name)(words("en"))
    (_, bundle), (_, box) = shown
    assert set(bundle) == {"text/html", "image/png", "text/plain"}
    title, summary = bundle["text/plain"].split("\n", 1)
    assert title
    assert summary
    assert 'alt="' in bundle["text/html"]
    assert 'dir="ltr"' in bundle["text/html"]
    slider = box.children[0]
    slider.value = slider.options[0][1] if slider.value != slider.options[0][1] else slider.options[1][1]
    assert shown[-1][0] == "update"
    assert shown[-1][1]["text/plain"] != bundle["text/plain"]


def test_text_is_large_enough() -> None:
    """At 100 CSS pixels an inch, 11 pixels are 7.92 points."""
    for name in NAMES:
        panel = panel_of(name)
        panel.move()
        for text in panel.figure.findobj(Text):
            assert isinstance(text, Text)
            assert not text.get_text() or float(text.get_fontsize()) >= 8, (name, text.get_text())


def test_unknown_control() -> None:
    with pytest.raises(KeyError, match="no control is called colour; there are exponent"):
        panel_of("number_formats").move(colour=1)


@pytest.mark.parametrize("installed", [True, False])
def test_outside_a_notebook_the_words_are_printed(
    installed: bool, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    if not installed:
        monkeypatch.setitem(sys.modules, "IPython.display", None)
    panel_of("number_formats").show()
    assert "FP16 turns" in capsys.readouterr().out


@pytest.mark.parametrize("name", NAMES)
def test_cells_run_and_name_no_locale_of_their_own(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    source = cells.source(name, "tr")
    assert "{locale}" not in source
    assert 'words("tr")' in source
    exec(compile(source, f"{name}.py", "exec"), {})
    assert len(capsys.readouterr().out.splitlines()) >= 2
    assert len(source.splitlines()) <= 24


def test_unknown_cell() -> None:
    with pytest.raises(KeyError):
        cells.source("no_such_demo")


def test_public_views_take_words() -> None:
    for name in NAMES:
        assert list(inspect.signature(getattr(views, name)).parameters) == ["words"]


def test_numbers_as_a_reader_writes_them() -> None:
    say = words("en")
    assert [say.number(value) for value in (0, 1234.5, 0.5, 1e-8, -2.0, 65504)] == [
        "0", "1234", "0.5", "1 × 10⁻⁸", "−2", "65504",
    ]  # fmt: skip
    assert [say.number(float(value)) for value in ("inf", "-inf", "nan")] == ["∞", "−∞", "NaN"]
    assert [say.percent(value) for value in (0, 0.00001, 0.005, 0.5, 0.99999, 1)] == [
        "0%", "<0.1%", "0.5%", "50%", ">99.9%", "100%",
    ]  # fmt: skip
    assert power_of_two(-24) == "2⁻²⁴"


def test_a_locale_without_words_reads_english() -> None:
    assert dict(words("xx")) == dict(words("en"))
    assert Words("ar", {}).direction == "rtl"
    assert len(words("en")) == len(list(words("en")))
