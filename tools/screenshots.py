"""Make the pictures in docs/images: the quiz in light and dark, its summary, one item in JupyterLab, and per language
light, dark, 320 pixels wide, in forced colours, and printed; and the pages for instructors.

Run it with ``make screenshots``: it starts the course on the loopback, answers as a learner would, and stops.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal

from playwright.sync_api import Browser, Locator, Page, expect, sync_playwright

from quiz_widgets import compiled, load_quiz, locales
from quiz_widgets.model import Item, Quiz
from tests.conftest import CHROMIUM_ARGUMENTS, chromium_path
from tests.hosts.hosting import TOKEN, Host, Server, wait_until
from tools.classroom import pictures

ROOT = Path(__file__).resolve().parents[1]
IMAGES = ROOT / "docs" / "images"
NAME = "mixed-precision"
INLINE = "loss-scaling"
SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
MISSED = "tensor-core-accumulation"  # so that the summary has something to say


def choose(place: Page | Locator, item: Item, *, right: bool = True) -> None:
    """Choose the key, or the first distractor, and check it."""
    option = next(option for option in item.options if option.correct == right)
    place.get_by_role("radio", name=option.text.rendered("en").plain).first.click()
    place.get_by_role("button", name="Check", exact=True).first.click()


def shoot(place: Locator, name: str) -> None:
    """Write one picture, small enough for a README."""
    place.page.mouse.move(0, 0)  # nothing is pointed at
    place.screenshot(path=IMAGES / f"{name}.png", animations="disabled")
    print(f"docs/images/{name}.png")


def standalone(browser: Browser, quiz: Quiz, page_file: Path, scheme: Literal["light", "dark"]) -> None:
    """The first question with its feedback, in one colour scheme; in light also the summary."""
    context = browser.new_context(viewport={"width": 760, "height": 1200}, color_scheme=scheme, device_scale_factor=1.5)
    page = context.new_page()
    page.goto(page_file.as_uri())
    player = page.locator(".quiz-widgets-live").first
    items = quiz.in_set(None)
    choose(player, items[0])
    shoot(player, scheme)
    if scheme == "light":
        for item in items[1:]:
            player.get_by_role("button", name="Next", exact=True).first.click()
            choose(player, item, right=item.id != MISSED)
            if item.id == MISSED:
                player.get_by_role("button", name="Show the answer").first.click()
        player.get_by_role("button", name="See the summary").first.click()
        expect(player.get_by_text("7 of 8", exact=True)).to_be_visible()
        shoot(player, "summary")
    context.close()


LOOKS: dict[str, dict[str, Any]] = {
    "light": {},
    "dark": {"color_scheme": "dark"},
    "narrow": {"viewport": {"width": 320, "height": 900}, "device_scale_factor": 1.5},
    "forced": {"forced_colors": "active", "color_scheme": "dark"},
    "print": {},
}


def in_language(browser: Browser, quiz: Quiz, locale: str, page_file: Path) -> None:
    """The first question in one language and every look: answered right, or in a narrow page wrong."""
    words = locales.words(locale)
    item = quiz.in_set(None)[1]
    for look, options in LOOKS.items():
        if locale == "en" and look in SCHEMES:
            continue  # made by `standalone`
        context = browser.new_context(**{"viewport": {"width": 760, "height": 1200}} | options)
        page = context.new_page()
        page.goto(page_file.as_uri())
        player = page.locator(".quiz-widgets-live").first
        player.get_by_role("button", name=words["step_open"].format(number=2), exact=True).click()
        option = next(option for option in item.options if option.correct == (look != "narrow"))
        player.get_by_role("radio", name=option.text.rendered(locale).plain).first.check()
        player.get_by_role("button", name=words["check"], exact=True).click()
        if look == "print":
            page.emulate_media(media="print")
        shoot(player, f"{locale}-{look}")
        context.close()


@contextmanager
def serving(base: Path) -> Iterator[Server]:
    """The course served from a copy, with a HOME of its own."""
    names = ("home", "work", "kept", "runtime")
    folders = {name: base / name for name in names}
    for folder in folders.values():
        folder.mkdir()
    environment = {
        **os.environ,
        "HOME": str(folders["home"]),
        "JUPYTER_RUNTIME_DIR": str(folders["runtime"]),
        "QUIZ_WIDGETS_HOME": str(folders["kept"]),
    }
    command = [
        sys.executable,
        "-m",
        "quiz_widgets.cli",
        "lab",
        "--to",
        str(folders["work"]),
        "--no-browser",
        "--port=0",
    ]
    process = subprocess.Popen(
        [*command, f"--IdentityProvider.token={TOKEN}", "--LabApp.expose_app_in_browser=True"],
        env=environment,
        stdin=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )

    def started() -> str | None:
        assert process.poll() is None, "the server ended"
        for path in folders["runtime"].glob("jpserver-*.json"):
            if text := path.read_text(encoding="utf-8"):
                return str(json.loads(text)["url"])
        return None

    try:
        server = Server(wait_until("the server to start", started, 60), folders["work"], folders["kept"], environment)
        wait_until("the server to answer", server.answers, 60)
        yield server
    finally:
        process.terminate()
        process.wait(30)


def in_jupyterlab(browser: Browser, quiz: Quiz, server: Server) -> None:
    """The item in its section, answered, between the prose before and after it."""
    notebook = json.loads((server.root / "en" / f"{NAME}.ipynb").read_text(encoding="utf-8"))
    ids = [cell["id"] for cell in notebook["cells"]]
    place = ids.index(f"quiz-{INLINE}")
    context = browser.new_context(viewport={"width": 1100, "height": 900}, device_scale_factor=1.5)
    host = Host("lab", server, context)
    host.open(f"en/{NAME}.ipynb")
    host.page.evaluate("() => window.jupyterapp.shell.collapseLeft()")
    for index in (ids.index("set-up"), place):
        host.run(index)
    cell = host.page.locator(".jp-Notebook-cell").nth(place)
    choose(cell, quiz.item(INLINE))
    expect(cell.get_by_text("Recorded at")).to_be_visible()
    cell.evaluate("(cell) => cell.scrollIntoView({ block: 'center' })")
    shoot(host.page.locator(".jp-NotebookPanel-notebook").first, "inline")
    context.close()


def main() -> int:
    """Make every picture."""
    IMAGES.mkdir(parents=True, exist_ok=True)
    quiz = compiled.read(NAME)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        base = Path(folder)
        browser = playwright.chromium.launch(executable_path=chromium_path(), args=CHROMIUM_ARGUMENTS)
        page_file = load_quiz(NAME, "en").to_html(base / "quiz.html")
        for scheme in SCHEMES:
            standalone(browser, quiz, page_file, scheme)
        for locale in quiz.locales:
            in_language(browser, quiz, locale, load_quiz(NAME, locale).to_html(base / f"quiz.{locale}.html"))
        pictures.make(browser, IMAGES)
        with serving(base) as server:
            in_jupyterlab(browser, quiz, server)
        browser.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
