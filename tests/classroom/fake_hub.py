"""A Hub that knows a few tokens and logs in whom a test names: what the desk asks of a real one, and no more."""

from __future__ import annotations

import base64
import hashlib
import json
import secrets
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, parse_qsl, urlencode, urlsplit

SERVICE_TOKEN = "5e" * 32
ACCESS = "access:services!service=quiz"


class FakeHub:
    """`authorize` does what the Hub does with a browser that comes to log in; all is over HTTP too."""

    def __init__(self) -> None:
        self.users: dict[str, list[str]] = {}
        self.groups: dict[str, list[str]] = {}
        """By user; of whoever stands not here the Hub tells none."""
        self.tokens: dict[str, dict[str, Any]] = {}
        self.codes: dict[str, dict[str, str]] = {}
        self.at_browsers = ""
        """Who sits at browsers that come to log in: they are sent back at once."""
        hub = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                if urlsplit(self.path).path == "/hub/api/oauth2/authorize":
                    self.send_response(302)
                    self.send_header("Location", hub.authorize(self.path, hub.at_browsers))
                    self.send_header("Content-Length", "0")
                    self.end_headers()
                    return
                token = self.headers.get("Authorization", "").removeprefix("token ")
                hub.reply(self, *((200, hub.owner(token)) if token in hub.tokens else (403, {"message": "no"})))

            def do_POST(self) -> None:
                text = self.rfile.read(int(self.headers["Content-Length"])).decode()
                hub.reply(self, *hub.token_for(dict(parse_qsl(text))))

            def log_message(self, *_: Any) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.api = f"http://127.0.0.1:{self.server.server_address[1]}/hub/api"

    @staticmethod
    def reply(handler: BaseHTTPRequestHandler, status: int, body: Any) -> None:
        data = json.dumps(body).encode()
        handler.send_response(status)
        handler.send_header("Content-Type", "application/json")
        handler.send_header("Content-Length", str(len(data)))
        handler.end_headers()
        handler.wfile.write(data)

    def owner(self, token: str) -> dict[str, Any]:
        name = self.tokens[token]["name"]
        told = {"kind": self.tokens[token]["kind"], "name": name, "scopes": self.users.get(name, [])}
        return told | ({"groups": self.groups[name]} if name in self.groups else {})

    def give(self, name: str, kind: str = "user") -> str:
        token = secrets.token_hex(16)
        self.tokens[token] = {"name": name, "kind": kind}
        return token

    def authorize(self, address: str, name: str) -> str:
        """The path and query to which the Hub sends `name`'s browser back."""
        asked = {key: values[0] for key, values in parse_qs(urlsplit(address).query).items()}
        assert asked["code_challenge_method"] == "S256"
        code = secrets.token_hex(8)
        self.codes[code] = {**asked, "name": name}
        return f"{asked['redirect_uri']}?{urlencode({'code': code, 'state': asked['state']})}"

    def token_for(self, sent: dict[str, str]) -> tuple[int, Any]:
        known = self.codes.pop(sent.get("code", ""), None)  # good once
        digest = hashlib.sha256(sent.get("code_verifier", "").encode()).digest()
        proof = base64.urlsafe_b64encode(digest).rstrip(b"=").decode()
        fits = known and all(known[key] == sent.get(key) for key in ("client_id", "redirect_uri"))
        if not known or not fits or proof != known["code_challenge"] or sent.get("client_secret") != SERVICE_TOKEN:
            return 400, {"error": "invalid_grant"}
        return 200, {"access_token": self.give(known["name"]), "token_type": "Bearer"}


@contextmanager
def running() -> Iterator[FakeHub]:
    """The Hub, answering."""
    hub = FakeHub()
    thread = threading.Thread(target=hub.server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    yield hub
    hub.server.shutdown()
    hub.server.server_close()
    thread.join()
