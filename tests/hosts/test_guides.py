"""Guides as notebooks in real JupyterLab and Notebook 7: links in the prose lead to their sections."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.hosts.hosting import Host, Server

pytestmark = pytest.mark.slow

DRAWN = 60_000  # ms until the last cell of a guide is drawn: the hosts do it when they are idle
COURSE = Path(__file__).parents[2] / "notebooks" / "en"


@pytest.mark.parametrize(
    ("guide", "link", "heading"),
    [("mixed-precision", "loss scaling", "Loss scaling"), ("optimizer-offload", "overlap", "Overlap")],
)
def test_a_link_in_the_prose_leads_to_its_section(
    host: Host, server: Server, guide: str, link: str, heading: str
) -> None:
    shutil.copy(COURSE / f"{guide}.ipynb", server.root / f"{guide}-links.ipynb")
    host.open(f"{guide}-links.ipynb")
    prose = host.page.locator(".jp-Notebook .jp-MarkdownOutput")
    target = prose.get_by_role("heading", name=heading).first
    place = prose.get_by_role("link", name=link, exact=True)
    # Both hosts draw cells as they come near, which moves what is below them: first let all of them be drawn.
    host.page.set_viewport_size({"width": 1200, "height": 15_000})
    expect(target).to_be_in_viewport(timeout=DRAWN)
    expect(place).to_be_in_viewport(timeout=DRAWN)
    host.page.set_viewport_size({"width": 1200, "height": 500})
    place.scroll_into_view_if_needed()
    expect(target).not_to_be_in_viewport()
    place.click()
    expect(target).to_be_in_viewport(timeout=DRAWN)
