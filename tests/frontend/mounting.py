"""Mounts quizzes in Chromium without any server: the browser's requests are answered from here."""

from __future__ import annotations

import base64
from pathlib import Path
from typing import Any, cast

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Route

from quiz_widgets import frontend, page
from quiz_widgets.contract import ViewPayload
from quiz_widgets.model import Quiz

ORIGIN = "http://quiz.test"
AXE = Path(__file__).parents[2] / "node_modules" / "axe-core" / "axe.min.js"

# What is used of an anywidget model, with a record of what the page sent. That of a graded quiz holds little: the rest
# goes in messages.
FAKE_MODEL = """
(state) => {
  const OPEN = ["quiz_id", "graded", "turn", "shell"], copy = (value) => JSON.parse(JSON.stringify(value));
  const heard = {}, model = {
    state, sent: [], greetings: 0, deaf: false,
    get: (name) => !state.graded || OPEN.includes(name) ? state[name] : undefined,
    set: (name, value) => { state[name] = value; },
    save_changes: () => { model.sent.push(copy(state.events)); if (model.auto) model.record(); },
    send: (content) => {
      if (content.kind === "hello") { model.greetings++; model.tell(state, true); }
      else { state.events = copy(content.state.events); model.save_changes(); } },
    tell: (values, whole) => { state.turn = (state.turn ?? 0) + 1;
      const content = copy({kind: "state", turn: state.turn, whole, state: values});
      if (!model.deaf) model.fire("msg:custom", content); },
    fire: (event, content) => { for (const call of heard[event] ?? []) call(content); },
    on: (name, call) => (heard[name] ??= new Set()).add(call),
    off: (name, call) => heard[name]?.delete(call),
    put: (changes) => { Object.assign(state, changes); if (state.graded) return model.tell(changes, false);
      for (const name of Object.keys(changes)) for (const call of heard[`change:${name}`] ?? []) call(); },
    record: () => { const outcomes = {...state.outcomes};
      for (const event of state.events) outcomes[event.id] ??= {event, at: Date.now()};
      const restart = state.events.findLast((event) => event.kind === "restart");
      if (restart) model.put({attempt: {id: restart.response[0], started: Date.now()}});
      model.put({outcomes}); },
  };
  return model;
}
"""


def document(*bodies: str, head: str = "") -> str:
    """A page around outputs, with a heading for feedback to link to."""
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Guide</title>{head}'
        '<meta name="color-scheme" content="light dark"><style>:root{color-scheme:light dark}</style></head>'
        f"<body><main><h1>Guide</h1>{''.join(bodies)}</main></body></html>"
    )


def live(quiz: Quiz, view: dict[str, Any] | None = None, **more: Any) -> str:
    """The live output of a quiz, the whole main set by default."""
    options: dict[str, Any] = {"locale": "en", "attempt": None, "outcomes": {}} | more
    return page.live_html(quiz, view=cast(ViewPayload, view or {}), **options)


class Mounts:
    """Opens pages; every script error on any of them fails the test."""

    def __init__(self, browser: Browser) -> None:
        self.browser = browser
        self.contexts: list[BrowserContext] = []
        self.errors: list[str] = []

    def context(self, **options: Any) -> BrowserContext:
        """A fresh browser profile."""
        self.contexts.append(self.browser.new_context(**options))
        return self.contexts[-1]

    def open(
        self, html: str, *, path: str = "/guide.html", context: BrowserContext | None = None, **options: Any
    ) -> Page:
        """A page of this HTML at an address of its own origin, so that it has storage."""
        where = context or self.context(**options)
        opened = where.new_page()
        opened.on("pageerror", lambda error: self.errors.append(str(error)))

        def answer(route: Route) -> None:
            route.fulfill(body=html, content_type="text/html; charset=utf-8")

        opened.route("**/*", answer)
        opened.goto(ORIGIN + path)
        return opened

    def __call__(self, quiz: Quiz, view: dict[str, Any] | None = None, **options: Any) -> Page:
        """A page with one live output of the quiz."""
        return self.open(document(live(quiz, view)), **options)


def link(
    opened: Page,
    quiz_id: str = "sample",
    *,
    auto: bool = False,
    name: str = "model",
    module: Any = "link",
    **state: Any,
) -> None:
    """Join a fake kernel to a page through the real link module; it is `globalThis[name]` there."""
    text = base64.b64encode(frontend.module(module).encode()).decode()
    state = {"quiz_id": quiz_id, "attempt": {}, "outcomes": {}, "events": [], "graded": "desk" in state} | state
    opened.evaluate(
        f"""async ([state, auto, name, url]) => {{
            const model = globalThis[name] = ({FAKE_MODEL})(state);
            model.auto = auto;
            model.module = (await import(url)).default;
            model.leave = model.module.initialize({{ model }});
        }}""",
        [state, auto, name, f"data:text/javascript;base64,{text}"],
    )


def axe(opened: Page) -> list[str]:
    """What axe-core finds, one line per broken rule."""
    if not AXE.is_file():
        pytest.fail("axe-core is missing: run `npm ci` in the repository (`make setup` does)")
    opened.add_script_tag(path=AXE)
    found: list[str] = opened.evaluate(
        """async () => (await axe.run()).violations.map((rule) =>
            `${rule.id}: ${rule.nodes.map((node) => node.target + " " + node.failureSummary).join(" | ")}`)"""
    )
    return found
