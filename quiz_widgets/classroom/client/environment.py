"""Where the desk is and who the learner is: the environment says it, never a notebook."""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

DESK = "QUIZ_WIDGETS_DESK"
TOKEN = "QUIZ_WIDGETS_DESK_TOKEN"  # noqa: S105 - the name of a variable
TOKEN_FILE = "QUIZ_WIDGETS_DESK_TOKEN_FILE"  # noqa: S105 - the name of a variable
HUB_TOKEN = "JUPYTERHUB_API_TOKEN"  # noqa: S105 - the name of a variable


class NoDesk(Exception):
    """This kernel knows no desk, or cannot say who asks; the message says what is missing."""


@dataclass(frozen=True, slots=True)
class Place:
    """The desk's address. `learner` only keeps accounts of one computer apart; the desk asks the Hub who it is."""

    url: str
    learner: str

    @property
    def folder(self) -> str:
        """A name for what is kept on disk of this learner at this desk."""
        return hashlib.sha256(f"{self.url}\0{self.learner}".encode()).hexdigest()[:16]


def place(environment: Mapping[str, str] = os.environ) -> Place:
    """Where the desk is; `NoDesk` where the environment names none, or one that cannot be."""
    url = environment.get(DESK, "").rstrip("/")
    if not url:
        raise NoDesk(f"this kernel knows no desk: {DESK} is not set, as it is on the course's Hub")
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.query or parts.fragment or parts.username:
        raise NoDesk(f"{DESK} is no address of a desk: it must be like https://hub.example.org/services/quiz")
    learner = environment.get("JUPYTERHUB_USER") or hashlib.sha256(token(environment).encode()).hexdigest()
    return Place(url, learner)


def token(environment: Mapping[str, str] = os.environ) -> str:
    """The token to show now; read anew each time, because a server that was started again has another one."""
    if named := environment.get(TOKEN_FILE):
        return _from_file(Path(named))
    found = environment.get(TOKEN) or environment.get(HUB_TOKEN)
    if not found:
        raise NoDesk(f"this kernel has no token for the desk: neither {HUB_TOKEN} nor {TOKEN} nor {TOKEN_FILE} is set")
    return found.strip()


def _from_file(path: Path) -> str:
    try:
        mode = path.stat().st_mode
        text = path.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise NoDesk(f"{TOKEN_FILE}: {path} cannot be read: {getattr(error, 'strerror', None) or error}") from None
    if os.name == "posix" and stat.S_IMODE(mode) & 0o077:
        raise NoDesk(f"{TOKEN_FILE}: others may read {path}; make it yours alone: chmod 600 {path}")
    if not text:
        raise NoDesk(f"{TOKEN_FILE}: {path} is empty")
    return text
