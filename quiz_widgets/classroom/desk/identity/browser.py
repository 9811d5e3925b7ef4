"""Who looks at a page: the Hub's login, kept in sealed cookies, so that any worker can go on with what another began.

A login's state and its secret verifier stand in a cookie of their own, until the Hub sends the browser back. The
session that follows holds the token that the Hub gave for this browser alone; with each page the Hub is asked again
(kept for seconds) whether its owner still teaches. Kernels never have such a token.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import secrets
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any
from urllib.parse import urlencode

import httpx

from quiz_widgets.classroom.desk.refusals import Refused, Unavailable
from quiz_widgets.classroom.desk.settings import Settings

SESSION = "quiz-desk"
LOGIN = "quiz-desk-login-"  # and the start of the state: several tabs may log in at once
SESSION_MS = 8 * 3_600_000
LOGIN_MS = 10 * 60_000
_LONGEST = 4096


@dataclass(frozen=True, slots=True)
class Login:
    """A login that has begun: what the Hub must send back, what proves that it was begun here, where to go then."""

    state: str
    verifier: str
    after: str
    until: int


@dataclass(frozen=True, slots=True)
class Session:
    """Somebody who has logged in. `id` binds forms to this session; `token` is the Hub's."""

    id: str
    name: str
    token: str
    until: int


class Cookies:
    """Seals what cookies hold with the first secret, and knows what was sealed with any."""

    def __init__(self, known: Iterable[str]) -> None:
        self._keys = [bytes.fromhex(secret) for secret in known]

    def sealed(self, value: Login | Session) -> str:
        """The cookie's text."""
        body = json.dumps(asdict(value), separators=(",", ":")).encode("ascii")
        return f"{_text(body)}.{_text(self._seal(self._keys[0], type(value).__name__, body))}"

    def login(self, text: str | None, now: int) -> Login | None:
        """The login in a cookie; `None` for what we did not seal, and for what is over."""
        found = self._read(text, "Login", now)
        return None if found is None else Login(**found)

    def session(self, text: str | None, now: int) -> Session | None:
        """The session in a cookie; `None` likewise."""
        found = self._read(text, "Session", now)
        return None if found is None else Session(**found)

    def form_word(self, session: Session) -> str:
        """What a form of this session carries, and no other site or script can know."""
        return _text(self._seal(self._keys[0], "form", session.id.encode("ascii")))

    def is_form_word(self, session: Session, given: str) -> bool:
        """Whether that is this session's word."""
        word = given.encode("utf-8", "surrogatepass")
        mine = (_text(self._seal(key, "form", session.id.encode("ascii"))) for key in self._keys)
        return any(hmac.compare_digest(word, one.encode("ascii")) for one in mine)

    def _read(self, text: str | None, kind: str, now: int) -> Any | None:
        if text is None or len(text) > _LONGEST or not text.isascii():
            return None
        written, _, seal = text.partition(".")
        try:
            body, given = _bytes(written), _bytes(seal)
        except ValueError:
            return None
        if not any(hmac.compare_digest(given, self._seal(key, kind, body)) for key in self._keys):
            return None
        found = json.loads(body)
        return found if now < found["until"] else None

    @staticmethod
    def _seal(key: bytes, kind: str, body: bytes) -> bytes:
        return hmac.new(key, b"browser\0" + kind.encode("ascii") + b"\0" + body, hashlib.sha256).digest()


def begin(settings: Settings, after: str, now: int) -> tuple[Login, str]:
    """A new login, and the Hub's address to which it sends the browser."""
    login = Login(secrets.token_urlsafe(24), secrets.token_urlsafe(48), after, now + LOGIN_MS)
    asked = {
        "client_id": settings.client_id,
        "redirect_uri": settings.callback,
        "response_type": "code",
        "state": login.state,
        "code_challenge": _text(hashlib.sha256(login.verifier.encode("ascii")).digest()),
        "code_challenge_method": "S256",
    }
    return login, f"{settings.hub_pages}api/oauth2/authorize?{urlencode(asked)}"


async def finish(client: httpx.AsyncClient, settings: Settings, login: Login, code: str, now: int) -> Session:
    """The session of whoever the Hub sent back with that code. `Refused` when the code is not the Hub's for us."""
    sent = {
        "client_id": settings.client_id,
        "client_secret": settings.hub_token or "",
        "grant_type": "authorization_code",
        "code": code,
        "redirect_uri": settings.callback,
        "code_verifier": login.verifier,
    }
    api = (settings.hub_api or "").rstrip("/")
    try:
        told = await client.post(f"{api}/oauth2/token", data=sent)
        token = str(told.json()["access_token"]) if told.status_code == 200 else ""
        owner = await client.get(f"{api}/user", headers={"Authorization": f"token {token}"}) if token else None
    except (httpx.HTTPError, ValueError, KeyError):
        raise Unavailable("the Hub does not answer") from None
    if told.status_code >= 500:
        raise Unavailable("the Hub does not answer")
    if owner is None or owner.status_code != 200 or owner.json().get("kind") != "user":
        raise Refused("login", "the Hub did not confirm this login", status=403)
    return Session(secrets.token_urlsafe(24), str(owner.json()["name"]), token, now + SESSION_MS)


def own_path(text: str, prefix: str) -> str:
    """That path when it is one of the desk's pages, else the first page: nobody is sent elsewhere after a login."""
    plain = (
        text.startswith(prefix) and "\\" not in text and "//" not in text and text.isprintable() and ".." not in text
    )
    return text if plain and len(text) < 512 else prefix


def _text(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode("ascii")


def _bytes(text: str) -> bytes:
    return base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
