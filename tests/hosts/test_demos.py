"""A demo in a real host: its picture first, one picture that its sliders change, and still there without a kernel."""

import os
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import expect

from quiz_widgets.demos import cells
from tests.hosts.hosting import Host

pytestmark = pytest.mark.slow

# Starting numpy, matplotlib and a picture on a busy machine.
PATIENCE = 60_000


def test_a_slider_moves_the_picture_that_stays_without_a_kernel(host: Host, write: Callable[..., str]) -> None:
    host.open(write(cells.source("number_formats", "en")))
    host.run(0)
    output = host.output(0)
    picture = output.get_by_role("img", name=re.compile("^FP16 turns .* into zero"))
    expect(picture).to_be_visible(timeout=PATIENCE)
    expect(output.get_by_role("img", name=re.compile("FP16"))).to_have_count(1)
    slider = output.get_by_role("slider").first
    for _ in range(5):
        slider.press("ArrowRight")
    moved = output.get_by_role("img", name="Within its range FP16 is finer than bfloat16", exact=False)
    expect(moved).to_be_visible(timeout=PATIENCE)
    expect(output.get_by_role("img", name=re.compile("FP16"))).to_have_count(1)
    if "QUIZ_WIDGETS_PICTURES" in os.environ:
        host.page.screenshot(path=Path(os.environ["QUIZ_WIDGETS_PICTURES"], f"demo-{host.name}.png"))

    host.save()
    host.restart_kernel()
    host.reload()
    expect(host.output(0).get_by_role("img", name=re.compile("^Within its range FP16"))).to_be_visible(timeout=PATIENCE)
