"""What somebody in the classroom does: log in at the Hub, open the notebook, answer."""

from __future__ import annotations

import json
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

from playwright.sync_api import BrowserContext, Page, WebSocket

from tests.hosts.hosting import Host, Server
from tools.classroom.room import Room

MARKS = ("key-mark", "rationale-mark", "explanation-mark", "source-mark", "slip-mark", "1026.53", "0.0390625")
"""What of the quiz with marks nobody may see before the keys are shown."""

STEM = "stem-mark"
"""What nobody may see before they have opened it."""

ANSWER = """
import json, time
from quiz_widgets.classroom.client.recorder import DeskRecorder
from quiz_widgets.classroom.names import parse

def until(reached):
    for _ in range(600):
        if reached():
            return True
        time.sleep(0.1)
    return False

def event(kind, run="", item="", response=(), name=None):
    name = name or f"{run}/{item or kind}/1"
    return {"id": name, "attempt": run, "kind": kind, "item": item, "round": 0,
            "response": list(response), "at": int(time.time() * 1000)}

recorder = DeskRecorder(parse("demo/exam"))
recorder.refresh()
recorder.record([event("start", name="start/1")])
until(lambda: recorder.quiz()[0])
run = recorder.attempt()["id"]
item = recorder.quiz()[0].item("first-letter")
recorder.record([event("submit", run, item.id, [item.options[0].id]), event("submit", run, "count", ["12"])])
until(lambda: not recorder.desk()["waiting"])
"""
"""Code for a kernel: opens the exam and answers both questions; `recorder`, `run` and `item` are left."""

STARTED = 120_000  # ms for a server and a kernel to start on a busy machine


def log_in(page: Page, room: Room, name: str) -> None:
    """Fill the Hub's form as a person does."""
    page.get_by_label("Username:").fill(name)
    page.get_by_label("Password:").fill(room.passwords[name])
    page.get_by_role("button", name="Sign in").click()


class Seat(Host):
    """One person's browser, with JupyterLab open at their notebook."""

    def __init__(self, room: Room, who: str, context: BrowserContext) -> None:
        home = room.home(who)
        super().__init__("lab", Server(room.url, home, home, {}), context)
        self.room = room
        self.who = who
        self.frames: list[bytes] = []
        """What the kernel has sent to the page."""
        self.page.on("websocket", self._listen)

    def sit_down(self) -> None:
        """Log in, and wait for the server, the page and the kernel."""
        self.page.set_default_timeout(STARTED)
        self.page.goto(f"{self.room.url}/hub/login")
        log_in(self.page, self.room, self.who)
        self.page.wait_for_url(f"{self.room.url}/user/{self.who}/lab/**", timeout=STARTED)
        self.wait_ready()

    def token(self) -> str:
        """The token in this person's kernels, as everything that they run may read it."""
        environ = Path(f"/proc/{self.room.server_pid(self.who)}/environ").read_bytes().split(b"\0")
        [found] = [line for line in environ if line.startswith(b"JUPYTERHUB_API_TOKEN=")]
        return found.partition(b"=")[2].decode()

    def kernel(self, code: str) -> Any:
        """What code in this person's kernel prints as JSON."""
        printed = self.ask(code)
        try:
            return json.loads(printed)
        except ValueError:
            raise AssertionError(printed) from None

    def _listen(self, socket: WebSocket) -> None:
        socket.on(
            "framereceived", lambda frame: self.frames.append(frame if isinstance(frame, bytes) else frame.encode())
        )


def asked(url: str, token: str, method: str = "GET", sent: Any = None) -> tuple[int, str]:
    """Status and text of a reply to a program with that token."""
    data = None if sent is None else json.dumps(sent).encode()
    headers = {"Authorization": f"token {token}", "Content-Type": "application/json"}
    request = urllib.request.Request(url, data=data, method=method, headers=headers)
    try:
        with urllib.request.urlopen(request, timeout=30) as reply:
            return reply.status, reply.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()
