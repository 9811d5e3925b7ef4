"""The preview's server: on this machine's loopback only, behind a token, for the page that it serves and nobody else.

A web page of another site can make a browser send requests here, even under a name of its own that leads to
127.0.0.1. So every request must bear the token in its path, name this address as its host, and come from no other
origin; what is served is five answers, none of which is a file that a request names.
"""

from __future__ import annotations

import base64
import hashlib
import html
import json
import re
import secrets
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib import resources
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

from quiz_widgets import frontend, locales
from quiz_widgets.studio.watch import Watcher

HOST = "127.0.0.1"
PATIENCE = 20.0  # s that a request for news is kept waiting: shorter than any time limit on its way


class Preview(ThreadingHTTPServer):
    """Serves one quiz; `serve` returns after `stop`."""

    daemon_threads = True
    request_queue_size = 32

    def __init__(self, path: Path, locale: str, port: int = 0) -> None:
        super().__init__((HOST, port), _Handler)
        self.token = secrets.token_urlsafe(16)
        self.watcher = Watcher(path, locale)
        self.origins = {f"http://{name}:{self.server_port}" for name in (HOST, "localhost")}
        self._stopping = threading.Event()

    @property
    def url(self) -> str:
        """The address of the page, with the token."""
        return f"http://{HOST}:{self.server_port}/{self.token}/"

    def serve(self) -> None:
        """Read the quiz, then answer until `stop`, or until Ctrl+C."""
        self.watcher.read()
        follower = threading.Thread(target=self.watcher.follow, args=(self._stopping.wait,), daemon=True)
        follower.start()
        try:
            self.serve_forever(poll_interval=0.1)
        finally:
            self.watcher.end()
            self._stopping.set()
            follower.join()
            self.server_close()

    def stop(self) -> None:
        """End `serve`, from another thread."""
        self.watcher.end()
        self.shutdown()

    def handle_error(self, request: object, client_address: object) -> None:
        """A browser that goes away in the middle of an answer is no fault."""


class _Handler(BaseHTTPRequestHandler):
    server: Preview
    timeout = 30  # s for a request to arrive
    server_version = "quiz-widgets"
    sys_version = ""

    def do_GET(self) -> None:
        host = self.headers.get_all("Host") or []
        origin = self.headers.get("Origin")
        asked = urlsplit(self.path)
        _, token, *rest = [*asked.path.split("/", 2), ""]
        allowed = (
            len(host) == 1
            and f"http://{host[0]}" in self.server.origins
            and (origin is None or origin in self.server.origins)
            and self._asked_here()
            and secrets.compare_digest(token.encode(), self.server.token.encode())
        )
        if not allowed:
            self._send(403, "text/plain", b"This is not the address of the preview. Open the one that it printed.\n")
        elif rest[0] == "":
            self._send(200, "text/html", _page(self.server.watcher.locale))
        elif rest[0] == "state":
            self._state(parse_qs(asked.query).get("after", [""])[0])
        elif rest[0] == "player.js":
            self._send(200, "text/javascript", f"globalThis.quizWidgetsStart = {frontend.script()};\n".encode())
        elif rest[0] in ("preview.js", "preview.css"):
            kind = "text/javascript" if rest[0].endswith(".js") else "text/css"
            self._send(200, kind, resources.files(__package__).joinpath(rest[0]).read_bytes())
        else:
            self._send(404, "text/plain", b"There is nothing here.\n")

    def _asked_here(self) -> bool:
        """Whether this page asks, or somebody who opens the address: from a link on any page, but not inside one."""
        site, mode, dest = (self.headers.get(f"Sec-Fetch-{name}", "") for name in ("Site", "Mode", "Dest"))
        return site in ("", "none", "same-origin") or (mode == "navigate" and dest == "document")

    def _state(self, after: str) -> None:
        """What is to be seen, once it is another version than the page has; 204 when nothing happens for a while."""
        found = self.server.watcher.wait(int(after) if re.fullmatch(r"[0-9]{1,15}", after) else 0, PATIENCE)
        if found is None:
            self._send(410 if self.server.watcher.ended else 204, "text/plain", b"")
            return
        version, body = found
        self._send(200, "application/json", b'{"version":' + json.dumps(version).encode() + b"," + body[1:])

    def _send(self, status: int, kind: str, body: bytes) -> None:
        self.send_response(status)
        for name, value in _headers().items():
            self.send_header(name, value)
        self.send_header("Content-Type", f"{kind}; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Nothing: the token would stand in every line."""


def _headers() -> dict[str, str]:
    style = base64.b64encode(hashlib.sha256(frontend.css().encode()).digest()).decode()
    policy = (
        f"default-src 'none'; script-src 'self'; style-src 'self' 'sha256-{style}'; connect-src 'self'; "
        "img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )
    return {
        "Content-Security-Policy": policy,
        "Cache-Control": "no-store",
        "Cross-Origin-Opener-Policy": "same-origin",
        "Cross-Origin-Resource-Policy": "same-origin",
        "Referrer-Policy": "no-referrer",
        "X-Content-Type-Options": "nosniff",
    }


def _page(locale: str) -> bytes:
    note = html.escape(str(locales.words(locale)["static_no_script"]))
    return f"""<!doctype html>
<html lang="{locale}" dir="{locales.direction(locale)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>quiz-widgets preview</title>
<link rel="stylesheet" href="preview.css">
<link rel="icon" href="data:,">
<script src="player.js" defer></script>
<script src="preview.js" type="module"></script>
</head>
<body><noscript>{note}</noscript></body>
</html>
""".encode()
