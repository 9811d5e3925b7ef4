"""axe-core finds nothing in the quiz in real JupyterLab and Notebook 7, in each of their themes."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.frontend.mounting import AXE
from tests.hosts.hosting import SHOW, Host, quiz_in, wait_until

pytestmark = pytest.mark.slow

THEMES = ("JupyterLab Light", "JupyterLab Dark", "JupyterLab Dark High Contrast")

# JupyterLab's body has no height: without one axe skips contrast and all that depends on what can be seen.
RUN = """async () => {
    document.body.style.height = "100vh";
    const found = await axe.run({include: [".quiz-widgets-live"]}, {rules: {region: {enabled: false}}});
    const measured = found.passes.some((rule) => rule.id === "color-contrast");
    return [measured, found.violations.map((rule) => `${rule.id}: ${rule.nodes.map((node) => node.failureSummary)}`)];
}"""


def test_axe_finds_nothing_in_the_themes_of_the_host(host: Host, write: Callable[..., str]) -> None:
    host.open(write(SHOW + "quiz"))
    host.run_all()
    quiz = quiz_in(host.page)
    quiz.get_by_role("radio", name="Three").click()
    quiz.get_by_role("button", name="Check").click()
    quiz.get_by_role("button", name="Show the answer").click()
    quiz.get_by_text("Preview all").click()
    expect(quiz.get_by_role("radio", name="The answer")).to_be_visible()
    host.page.add_script_tag(path=AXE)

    for theme in THEMES:
        host.page.evaluate("(theme) => jupyterapp.commands.execute('apputils:change-theme', {theme})", theme)
        host.page.wait_for_function("(theme) => document.body.dataset.jpThemeName === theme", arg=theme)
        # While a theme is loaded its page is covered, and nothing can be measured.
        broken = wait_until(f"contrast to be measured in {theme}", lambda: measure(host))
        assert (theme, broken) == (theme, ["contrast measured"])


def measure(host: Host) -> list[str]:
    """What axe finds, after a line that says that contrast was among it; nothing when it was not."""
    measured, broken = host.page.evaluate(RUN)
    return ["contrast measured", *broken] if measured else []
