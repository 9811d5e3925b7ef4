"""Evidence in real JupyterLab: the recorded figures, until a demo of the guide has measured them on this machine."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from playwright.sync_api import expect

from quiz_widgets import api
from quiz_widgets.locales import forms
from tests.hosts.hosting import Host, Server

pytestmark = pytest.mark.slow

GUIDE = Path(__file__).parents[2] / "notebooks" / "en" / "optimizer-offload.ipynb"
# Its figures are times, which no two machines share.
ITEM, EVIDENCE = "hiding-latency", "hiding_latency"
PATIENCE = 60_000  # for numpy, matplotlib and a picture on a busy machine
MEASURED = f"""
import json
from quiz_widgets.demos import registry
print(json.dumps({{name: fact.value for name, fact in registry.measured()[{EVIDENCE!r}].facts.items()}}))
"""


@pytest.mark.parametrize("host", ["lab"], indirect=True)
def test_a_demo_of_the_guide_replaces_the_recorded_figures(host: Host, server: Server) -> None:
    shutil.copy(GUIDE, server.root / "measured.ipynb")
    host.open("measured.ipynb")
    sources = host.cells()
    set_up = next(index for index, source in enumerate(sources) if "load_quiz(" in source)
    demo = next(index for index, source in enumerate(sources) if f'measure("{EVIDENCE}")' in source)
    shown = next(index for index, source in enumerate(sources) if source.startswith(f'quiz.show("{ITEM}"'))
    host.run(set_up)
    host.run(shown)

    item = next(item for item in api.load_quiz("optimizer-offload").items if item.id == ITEM)
    right = next(option.text for option in item.options if option.correct)
    part = host.output(shown).locator(".item").filter(has=host.page.get_by_role("radio", name=right))
    part.get_by_role("radio", name=right).click()
    part.get_by_role("button", name="Check").click()
    recorded = part.get_by_text("Measured, ")
    expect(recorded).to_be_visible()
    expect(recorded).to_contain_text("2026, ")
    expect(part.get_by_text("Measured here")).to_have_count(0)

    host.run(demo)
    expect(part.get_by_text("Measured here")).to_be_visible(timeout=PATIENCE)
    expect(recorded).to_have_count(0)
    found = json.loads(host.ask(MEASURED))
    serial, overlapped = (forms.readable(found[f"{name}_seconds"]) for name in ("serial", "overlapped"))
    for seconds in (serial, overlapped):
        expect(part).to_contain_text(f"{seconds} s ")
