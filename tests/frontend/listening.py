"""What a screen reader would hear from first focus to the summary: names, roles, states and live messages.

The whole quiz is taken by keyboard alone, and everything is read from the browser's accessibility tree. Run
``python -m tests.frontend.listening`` to print the transcripts, and with ``--write`` to store them; look at the
difference before committing it.
"""

from __future__ import annotations

import itertools
import sys
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright

from quiz_widgets import locales
from tests.conftest import CHROMIUM_ARGUMENTS, chromium_path
from tests.frontend import desk_link
from tests.frontend import kinds_quiz as kinds
from tests.frontend import languages_quiz as sample
from tests.frontend.mounting import Mounts, document, live

FOLDER = Path(__file__).parent / "transcripts"
LOCALES = ("en", "tr", "ar")
FOCUSED = """(() => { let at = document.activeElement;
  while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement; return at; })()"""
GROUPS = {"group", "navigation"}
READ_THROUGH = {"generic", "none", "group", "listitem"}
STATES = {"checked", "disabled", "invalid", "expanded", "readonly"}


class Reader:
    """Hears one page: each stop of the keyboard, groups as they are entered, and live messages as they change."""

    def __init__(self, page: Page, locale: str) -> None:
        self.page = page
        self.words = locales.words(locale)
        self.locale = locale
        self.heard: list[str] = []
        self.said = ""
        self.groups: list[str] = []
        self._tools = page.context.new_cdp_session(page)
        self._tools.send("Accessibility.enable")

    def press(self, key: str) -> None:
        """Press a key and hear where focus is then, and what is said."""
        self.page.keyboard.press(key)
        self.heard.append(f"[{key}]")
        self._listen()

    def tab_to(self, name: str) -> None:
        """Go on by Tab to the control of that name; each stop on the way is heard."""
        for _ in range(25):
            self.press("Tab")
            if self._node()["name"] == name:
                return
        raise AssertionError(f"no way to {name!r}: {self.heard[-25:]}")

    def word(self, key: str, **values: object) -> str:
        """An interface message in the reader's language."""
        return str(self.words[key]).format(**values)

    def _listen(self) -> None:
        node = self._node()
        self._groups()
        states = "".join(f", {state}" for state in node["states"])
        about = f" ({node['description']})" if node["description"] else ""
        value = f" = {node['value']}" if node["value"] else ""
        tongue = f" <{node['lang']}>" if node["lang"] != self.locale else ""
        self.heard.append(f'{node["role"]} "{node["name"]}"{value}{states}{about}{tongue}')
        status = self.page.get_by_role("status").all()
        said = " / ".join(filter(None, (" ".join(region.inner_text().split()) for region in status)))
        if said != self.said and said:
            self.heard.append(f"says: {said}")
        self.said = said

    def _groups(self) -> None:
        chain = self._tools.send("Accessibility.getAXNodeAndAncestors", {"objectId": self._object()})["nodes"][1:]
        named = [node for node in reversed(chain) if field(node, "role") in GROUPS and field(node, "name")]
        groups = [" — ".join(filter(None, (field(node, "name"), field(node, "description")))) for node in named]
        self.heard += [f"enters: {name}" for name in groups if name not in self.groups]
        self.groups = groups

    def _object(self) -> str:
        found: str = self._tools.send("Runtime.evaluate", {"expression": FOCUSED})["result"]["objectId"]
        return found

    def _node(self) -> dict[str, Any]:
        tree = self._tools.send("Accessibility.getPartialAXTree", {"objectId": self._object(), "fetchRelatives": False})
        node = tree["nodes"][0]
        role, name = field(node, "role"), field(node, "name")
        if role in READ_THROUGH:  # a place to read on from: all of its text
            name = self.page.evaluate(f"{FOCUSED}.innerText.trim().replace(/\\s+/g, ' ')")
        states = {entry["name"]: entry["value"].get("value") for entry in node.get("properties", [])}
        return {
            "role": role,
            "name": name,
            "value": field(node, "value"),
            "description": field(node, "description"),
            "states": [
                state if states[state] in (True, "true") else f"not {state}"
                for state in sorted(STATES & states.keys())
                if states[state] in (True, "true") or state == "checked"
            ],
            "lang": self.page.evaluate(f"{FOCUSED}.closest('[lang]').lang"),
        }


def field(node: dict[str, Any], name: str) -> str:
    """A field of a node of the accessibility tree as text; empty where it has none."""
    return str(node.get(name, {}).get("value", ""))


def transcript(mounts: Mounts, locale: str) -> str:
    """Take the quiz in a locale by keyboard, with a wrong answer, a hint and a revealed key; what was heard."""
    html = document(live(sample.quiz(), locale=locale, attempt={"id": "3" * 32, "started": 1}))
    page = mounts.open(html, timezone_id="UTC")
    page.add_style_tag(content="h1 { display: none }")
    reader = Reader(page, locale)
    wrong = sample.BYTES.options[1].text.rendered(locale).plain
    reader.press("Tab")
    while reader._node()["role"] != "radio":
        reader.press("Tab")
    while reader._node()["name"] != wrong:
        reader.press("ArrowDown")
    reader.press("Space")
    reader.tab_to(reader.word("check"))
    reader.press("Enter")
    reader.tab_to(reader.word("hint"))
    reader.press("Enter")
    reader.tab_to(reader.word("show_answer"))
    reader.press("Enter")
    reader.tab_to(reader.word("next"))
    reader.press("Enter")
    for option in sample.OPERATIONS.options[:2]:
        reader.tab_to(option.text.rendered(locale).plain)
        reader.press("Space")
        reader.press("Shift+Tab")
        reader.press("Shift+Tab")
        reader.press("Shift+Tab")
    reader.tab_to(reader.word("check"))
    reader.press("Enter")
    reader.press("Enter")
    reader.tab_to(reader.word("typed_label"))
    page.keyboard.type("1,608" if locale == "ar" else "1.608")
    reader.press("Enter")
    if locale != "en":
        page.keyboard.press("Control+a")
        page.keyboard.type("1,608" if locale == "tr" else "1.608")
        reader.press("Enter")
    reader.tab_to(reader.word("to_summary"))
    reader.press("Enter")
    reader.tab_to(reader.word("restart"))
    return "\n".join(reader.heard) + "\n"


def kinds_transcript(mounts: Mounts, locale: str) -> str:
    """Type, put in order and match in a locale by keyboard, each wrongly at first; what was heard."""
    html = document(live(kinds.quiz(), locale=locale, attempt={"id": "4" * 32, "started": 1}))
    page = mounts.open(html, timezone_id="UTC")
    page.add_style_tag(content="h1 { display: none }")
    reader = Reader(page, locale)
    reader.press("Tab")
    reader.tab_to(reader.word("typed_label"))
    reader.press("Enter")
    page.keyboard.type("disk")
    reader.press("Enter")
    page.keyboard.press("Control+a")
    page.keyboard.type("memory")
    reader.press("Enter")
    reader.tab_to(reader.word("next"))
    reader.press("Enter")
    down = reader.word("move_down", text="").strip()
    while not reader._node()["name"].startswith(down):
        reader.press("Tab")
    reader.press("Enter")
    reader.press("Enter")
    reader.press("Shift+Tab")
    reader.press("Space")
    reader.tab_to(reader.word("check"))
    reader.press("Enter")
    reader.tab_to(reader.word("show_answer"))
    reader.press("Enter")
    reader.tab_to(reader.word("next"))
    reader.press("Enter")
    reader.tab_to(reader.word("check"))
    reader.press("Enter")
    for steps in (1, 2, 2):
        for _ in range(steps):
            reader.press("ArrowDown")
        reader.press("Tab")
    reader.tab_to(reader.word("check"))
    reader.press("Enter")
    reader.tab_to(reader.word("show_answer"))
    reader.press("Enter")
    reader.tab_to(reader.word("to_summary"))
    reader.press("Enter")
    return "\n".join(reader.heard) + "\n"


def graded_transcript(mounts: Mounts, locale: str) -> str:
    """Open a graded quiz in a locale by keyboard, save an answer, hand in; what was heard."""
    at = 1_800_000_000_000
    state = {"now": at, "opens": at - desk_link.HOUR, "due": None, "closes": None, "time_limit": 45 * desk_link.MINUTE}
    page = desk_link.show(mounts, locale, desk=state)
    page.add_style_tag(content="h1 { display: none }")
    reader = Reader(page, locale)

    def tell(**changes: Any) -> None:
        desk_link.put(page, **changes)
        reader.heard.append("[the kernel tells]")
        reader._listen()

    reader.press("Tab")
    reader.press("Enter")
    reader.press("Enter")
    tell(**desk_link.opened(locale), desk=desk_link.desk(**state | {"left": 1}))
    while reader._node()["role"] != "radio":
        reader.press("Tab")
    reader.press("Space")
    reader.tab_to(reader.word("graded_submit"))
    reader.press("Enter")
    response = desk_link.sent(page)[0]["response"]
    tell(
        outcomes=desk_link.recorded("bytes", *response, at=at, verdict="waiting"),
        desk=desk_link.desk(**state | {"left": 1, "waiting": 1}),
    )
    tell(outcomes=desk_link.recorded("bytes", *response, at=at), desk=desk_link.desk(**state | {"left": 1}))
    for _ in range(3):
        reader.tab_to(reader.word("graded_skip"))
        reader.press("Enter")
    reader.tab_to(reader.word("graded_to_summary"))
    reader.press("Enter")
    reader.tab_to(reader.word("graded_finish"))
    reader.press("Enter")
    tell(desk=desk_link.desk(**state | {"left": 1, "finished": at}))
    return "\n".join(reader.heard) + "\n"


# What is stored under which name, by locale.
TRANSCRIPTS = {"{locale}": transcript, "kinds-{locale}": kinds_transcript, "graded-{locale}": graded_transcript}


def heard_in(browser: Browser, name: str, locale: str) -> str:
    """A transcript of one locale in a browser of its own context."""
    mounts = Mounts(browser)
    try:
        return TRANSCRIPTS[name](mounts, locale)
    finally:
        for context in mounts.contexts:
            context.close()


def main(arguments: list[str]) -> int:
    """Print, or with ``--write`` store, the transcripts of all locales."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium_path(), args=CHROMIUM_ARGUMENTS)
        for name, locale in itertools.product(TRANSCRIPTS, LOCALES):
            heard = heard_in(browser, name, locale)
            if "--write" in arguments:
                FOLDER.mkdir(exist_ok=True)
                (FOLDER / f"{name.format(locale=locale)}.txt").write_text(heard, encoding="utf-8")
            else:
                sys.stdout.write(f"{locale}\n{heard}\n")
        browser.close()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
