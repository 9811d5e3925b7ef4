"""Firefox for tests: pages served on the loopback, and tabs driven by role, name and keyboard.

Playwright drives a Firefox of its own making and not the one that readers have; puppeteer-core drives that by
WebDriver BiDi. `driver.mjs` holds it; here is what tests call.
"""

from __future__ import annotations

import itertools
import json
import os
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from tests.frontend.mounting import AXE

DRIVER = Path(__file__).with_name("driver.mjs")
PATIENCE = 20.0  # seconds
# The focused element, through shadow roots.
FOCUSED = "let at = document.activeElement; while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;"


def firefox_path() -> str:
    """The Firefox to drive: the one that QUIZ_WIDGETS_FIREFOX names, else the system's."""
    for name in (os.environ.get("QUIZ_WIDGETS_FIREFOX", ""), "firefox-esr", "firefox"):
        found = shutil.which(name) if name else None
        if found:
            return found
    pytest.fail(
        "no Firefox found: install your system's package (Debian: apt-get install firefox-esr), "
        "or name one: QUIZ_WIDGETS_FIREFOX=/path/to/firefox"
    )


class Pages:
    """A server on the loopback that hands out pages by path, all of one origin."""

    def __init__(self) -> None:
        pages = self.pages = dict[str, str]()

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                body = pages.get(self.path, "").encode()
                self.send_response(200 if body else 204)
                self.send_header("Content-Type", "text/html; charset=utf-8")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_: Any) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    @property
    def origin(self) -> str:
        """The address before the path."""
        return f"http://127.0.0.1:{self._server.server_port}"

    def close(self) -> None:
        """Stop serving."""
        self._server.shutdown()
        self._server.server_close()


class Firefox:
    """One running Firefox; `open` gives tabs."""

    def __init__(self, pages: Pages) -> None:
        node = shutil.which("node", path=f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}")
        if node is None or not (AXE.parents[1] / "puppeteer-core").is_dir():
            pytest.fail("puppeteer-core or Node is missing: run `npm ci` in the repository (`make setup` does)")
        self._pages = pages
        self._numbers = itertools.count(1)
        self._tabs: list[Tab] = []
        self._process = subprocess.Popen(
            [node, DRIVER, firefox_path()], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8"
        )
        self.version = self.call("version")

    def call(self, do: str, **command: Any) -> Any:
        """Have the driver do one thing; what it answers."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps({"do": do, **command}) + "\n")
        self._process.stdin.flush()
        answer = json.loads(self._process.stdout.readline() or '{"error": "the driver has ended"}')
        if "error" in answer:
            raise AssertionError(f"{do} {command}: {answer['error']}")
        return answer["value"]

    def open(self, html: str, *, path: str = "/guide.html", profile: str = "one") -> Tab:
        """A tab on a page of this HTML; tabs of one profile share their storage."""
        self._pages.pages[path] = html
        return self.visit(self._pages.origin + path, profile=profile)

    def visit(self, url: str, *, profile: str = "one") -> Tab:
        """A tab on what somebody else serves."""
        tab = Tab(self, next(self._numbers))
        self._tabs.append(tab)
        self.call("open", tab=tab.number, profile=profile, url=url)
        return tab

    def close_tabs(self) -> list[str]:
        """Close every tab and forget its storage; the errors of all their scripts."""
        errors = [error for tab in self._tabs for error in self.call("errors", tab=tab.number)]
        self._tabs.clear()
        self.call("close")
        return errors

    def quit(self) -> None:
        """Close Firefox."""
        self._process.communicate(timeout=60)


class Tab:
    """One page as a reader sees and works it."""

    def __init__(self, firefox: Firefox, number: int) -> None:
        self._firefox = firefox
        self.number = number

    def _call(self, do: str, **command: Any) -> Any:
        return self._firefox.call(do, tab=self.number, **command)

    def click(self, role: str, name: str, index: int = 0) -> None:
        """Click what has this role and exactly this name, once it is there."""
        self._call("click", role=role, name=name, index=index)

    def focus(self, role: str, name: str) -> None:
        """Put focus on a control."""
        self._call("focus", role=role, name=name)

    def press(self, *keys: str) -> None:
        """Press keys one after another, such as ``Shift+Tab``."""
        for key in keys:
            self._call("press", key=key)

    def type(self, text: str) -> None:
        """Type into what has focus."""
        self._call("type", text=text)

    def drag(self, *points: Sequence[float]) -> None:
        """Press the mouse at the first point, move it over the others and let go."""
        self._call("drag", points=points)

    def count(self, role: str, name: str | None = None) -> int:
        """How many visible elements have this role and name."""
        found: int = self._call("count", role=role, **({} if name is None else {"name": name}))
        return found

    def text(self, role: str, name: str | None = None, index: int = 0) -> str:
        """The visible text of an element."""
        found: str = self._call("text", role=role, index=index, **({} if name is None else {"name": name}))
        return found

    def evaluate(self, code: str, value: Any = None) -> Any:
        """What a function of the page returns for a value."""
        return self._call("evaluate", code=code, value=value)

    def reload(self) -> None:
        """Load the page anew."""
        self._call("reload")

    def width(self, pixels: int) -> None:
        """Make the window so wide."""
        self._call("width", width=pixels)

    def focused(self) -> str:
        """The name of what has focus: its label's text, or its own."""
        found: str = self.evaluate(
            f"() => {{ {FOCUSED} return (at.labels?.[0] ?? at).innerText.trim().replace(/\\s+/g, ' '); }}"
        )
        return found

    def tab_to(self, name: str) -> None:
        """Go on by Tab to the control whose name begins so."""
        for _ in range(40):
            self.press("Tab")
            if self.focused().startswith(name):
                return
        raise AssertionError(f"no way to {name!r} by Tab")

    def says(self, text: str) -> None:
        """Wait until a live region says this."""
        self._until(lambda: self.evaluate(SAID), text)

    def wait(self, code: str, wanted: str, seconds: float = PATIENCE) -> None:
        """Wait until what a function of the page returns holds this text."""
        self._until(lambda: str(self.evaluate(code)), wanted, seconds)

    def _until(self, read: Callable[[], str], wanted: str, seconds: float = PATIENCE) -> None:
        end = time.monotonic() + seconds
        while wanted not in (found := read()):
            assert time.monotonic() < end, f"{wanted!r} is not in {found!r}"
            time.sleep(0.1)

    def axe(self) -> list[str]:
        """What axe-core finds, one line per broken rule."""
        self.evaluate(f"() => {{ if (!globalThis.axe) {{ {AXE.read_text(encoding='utf-8')} }} }}")
        found: list[str] = self.evaluate(
            """async () => (await axe.run()).violations.map((rule) =>
                `${rule.id}: ${rule.nodes.map((node) => node.target + " " + node.failureSummary).join(" | ")}`)"""
        )
        return found


SAID = """() => {
  const hosts = [...document.querySelectorAll("*")].filter((node) => node.shadowRoot);
  const roots = [document, ...hosts.map((node) => node.shadowRoot)];
  return roots.flatMap((root) => [...root.querySelectorAll("[role=status]")]).map((node) => node.innerText).join("\\n");
}"""
