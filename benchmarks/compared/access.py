"""What a reader with a keyboard, a screen reader or a dark theme gets: axe, names of groups, announcements, keys."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Page

from benchmarks.compared.notebook import Notebook
from benchmarks.compared.place import ROOT, wait_until
from benchmarks.compared.questions import EIGHT, PER_QUESTION
from benchmarks.compared.speed import SHOW

AXE = ROOT / "node_modules" / "axe-core" / "axe.min.js"
THEMES = {"axe_light": "JupyterLab Light", "axe_dark": "JupyterLab Dark"}
ASKED = (1, 2)  # one is answered rightly and one wrongly, so that both colours of feedback are looked at

# JupyterLab's body has no height: without one axe skips contrast and everything else that depends on what is seen.
RUN_AXE = """async (cell) => {
    document.body.style.height = "100vh";
    const found = await axe.run(probe.cellNode(cell), {rules: {region: {enabled: false}}});
    const measured = [...found.passes, ...found.violations].some((rule) => rule.id === "color-contrast");
    return measured && Object.fromEntries(found.violations.map((rule) => [rule.id, rule.nodes.length]));
}"""


def measure(book: Notebook) -> dict[str, Any]:
    """All of it for one tool. It comes last in its notebook: keys change the cells."""
    page = book.page
    page.bring_to_front()
    book.execute(0)
    book.run(SHOW, SHOW, len(EIGHT))
    cell = page.locator(".jp-Notebook .jp-Cell").nth(SHOW)
    found: dict[str, Any] = {"groups": sum(_is_named(cell, one.stem) for one in EIGHT)}
    found["announced"] = book.ask(
        "(how) => probe.announced(how)", book.answers(ASKED[0]) | {"cell": SHOW, "limit": 10_000}
    )
    if not book.tool.whole:
        book.feedback(SHOW, ASKED[1])
    book.settle()
    page.add_script_tag(path=AXE)
    for name, theme in THEMES.items():
        found[name] = _axe(page, theme)
    found["keys"] = _keys(book)
    return found


def _is_named(cell: Any, stem: str) -> bool:
    return any(cell.get_by_role(role, name=stem).count() for role in ("group", "radiogroup"))


def _axe(page: Page, theme: str) -> dict[str, int]:
    """Violations in a theme: rule and number of elements."""
    page.evaluate("async (theme) => { await probe.app().commands.execute('apputils:change-theme', {theme}); }", theme)
    page.wait_for_function("(theme) => document.body.dataset.jpThemeName === theme", arg=theme)
    found: list[dict[str, int]] = []

    def measured() -> bool:
        told = page.evaluate(RUN_AXE, SHOW)
        if told is not False:
            found.append(told)
        return bool(found)

    # While a theme is loaded its page is covered, and nothing can be measured.
    wait_until(f"contrast to be measured in {theme}", measured, 20)
    return found[0]


def _keys(book: Notebook) -> dict[str, Any]:
    """What keys do on a focused option: the change in cells by `b` and by `x`, and what an arrow moves."""
    options = book.tool.options
    last = (len(EIGHT) - 2) * PER_QUESTION  # ipyquizjb disables what was answered wrongly, so not the last question

    def press(key: str) -> tuple[dict[str, Any], dict[str, Any]]:
        before = book.ask("([cell, options]) => probe.state(cell, options)", [SHOW, options])
        book.ask("([cell, options, at]) => probe.focusOn(cell, options, at)", [SHOW, options, last])
        book.page.keyboard.press(key)
        book.ask("() => probe.frame()")
        return before, book.ask("([cell, options]) => probe.state(cell, options)", [SHOW, options])

    book.page.locator(".jp-Notebook .jp-Cell").nth(SHOW).locator(options).nth(last).click(force=True)
    before, after = press("ArrowDown")
    if after["active"] != before["active"]:
        arrow = "the notebook"
    else:
        arrow = "the choice" if after["chosen"] != before["chosen"] else "nothing"
    found: dict[str, Any] = {"arrow": arrow}
    for key in ("b", "x"):
        book.ask("(cell) => {probe.panel().content.activeCellIndex = cell}", SHOW)
        before, after = press(key)
        found[key] = after["cells"] - before["cells"]
    return found
