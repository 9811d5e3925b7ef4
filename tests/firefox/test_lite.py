"""In Firefox: the course as a JupyterLite site, with Python in the page and the record in the browser's files."""

from __future__ import annotations

import pytest

from tests.firefox.driving import Firefox
from tests.hosts.test_lite import NAME, item_of, site

__all__ = ["site"]  # the fixture that builds and serves it

pytestmark = [pytest.mark.slow, pytest.mark.timeout(1200)]

STATUS = """() => {
  const panel = window.jupyterapp?.shell?.currentWidget;
  return panel?.context?.isReady && panel.content.widgets.length > 1 && panel.sessionContext.session?.kernel?.status;
}"""
RUN = """async () => {
  const { shell, commands } = window.jupyterapp;
  const { content } = shell.currentWidget;
  const sources = content.widgets.map((cell) => cell.model.sharedModel.source);
  const quiz = sources.findIndex((source) => source.startsWith("quiz.show("));
  for (const index of [sources.findIndex((source) => source.includes("load_quiz(")), quiz]) {
    content.activeCellIndex = index;
    content.deselectAll();
    await commands.execute("notebook:run-cell");
  }
  return sources[quiz];
}"""
TEXT = "() => document.querySelector('.quiz-widgets-live').shadowRoot.textContent"


def test_a_quiz_runs_and_is_recorded_without_a_server(firefox: Firefox, site: str) -> None:
    tab = firefox.visit(f"{site}lab/index.html?path=en/{NAME}.ipynb")
    tab.wait(STATUS, "idle", 240)
    item = item_of(tab.evaluate(RUN))
    right = next(option for option in item.options if option.correct)

    tab.click("radio", right.text.rendered("en").plain)
    tab.click("button", "Check")

    tab.wait(TEXT, "✓ Right.")
    tab.wait(TEXT, "Recorded at", 60)
