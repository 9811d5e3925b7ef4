"""What the desk is told when it starts: by environment variables, which other accounts cannot read as they can argv."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

ACTORS = ("id", "name", "number")
_SECRET = re.compile(r"[0-9a-f]{64,128}")
_XAPI_URL = re.compile(r"https://[^\s/@#?]+[^\s@#?]*|http://(127\.0\.0\.1|localhost|\[::1\])(:[0-9]+)?(/[^\s@#?]*)?")
_HOME = re.compile(r"https?://[^\s#?]+")
_METRICS = re.compile(r"[0-9A-Za-z_-]{32,256}")


class SettingsError(Exception):
    """A setting is missing or cannot be used; the message says which, and what it may be."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Xapi:
    """A store of learning records: its endpoint and login, and how learners and quizzes are named there.

    `home`: the page that accounts and activities belong to. `actor`: ``id`` (which means nothing elsewhere), ``name``
    (at the Hub) or ``number`` (of the student).
    """

    url: str
    key: str
    secret: str = field(repr=False)
    home: str
    actor: str = "id"


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """`secrets`: hex, the first one seals, older ones are still known. Without `hub_api` the desk stands alone.

    `hub_pages` is the Hub's address for browsers, `callback` the page of the desk's to which it sends them back,
    `lti_keys` the file of the desk's own keys for learning platforms, `xapi` the store of learning records, if any.
    Without `metrics_token` nobody reads the metrics.
    """

    database: str
    secrets: tuple[str, ...]
    prefix: str = "/"
    service: str = "quiz"
    hub_api: str | None = None
    hub_token: str | None = None
    hub_pages: str = "/hub/"
    client_id: str = "service-quiz"
    callback: str = "/oauth_callback"
    lti_keys: Path | None = None
    xapi: Xapi | None = None
    metrics_token: str | None = None

    @property
    def sqlite_file(self) -> Path | None:
        """The database's file, if it is one."""
        name = self.database.partition("sqlite:///")[2]
        return Path(name) if name else None

    @property
    def erased_file(self) -> Path | None:
        """Beside the database's file: who was erased, for backups that are restored later."""
        file = self.sqlite_file
        return None if file is None else file.with_name("erased.jsonl")


def read(environment: Mapping[str, str]) -> Settings:
    """The settings in these variables; `SettingsError` for what is missing."""
    database = environment.get("QUIZ_DESK_DATABASE", "")
    if not database:
        raise SettingsError(
            "QUIZ_DESK_DATABASE is not set: give the database's address, such as "
            "sqlite:////var/lib/quiz/desk.sqlite or postgresql+psycopg://desk@db/desk"
        )
    secrets = tuple(secret for secret in environment.get("QUIZ_DESK_SECRETS", "").split(",") if secret)
    if not secrets or not all(_SECRET.fullmatch(secret) for secret in secrets):
        raise SettingsError(
            "QUIZ_DESK_SECRETS must hold one or more secrets of 64 or more hex digits, newest first, with commas "
            "between them; `python -c 'import secrets; print(secrets.token_hex(32))'` makes one"
        )
    metrics = environment.get("QUIZ_DESK_METRICS_TOKEN") or None
    if metrics is not None and not _METRICS.fullmatch(metrics):
        raise SettingsError(
            "QUIZ_DESK_METRICS_TOKEN must be 32 to 256 letters, digits, `-` or `_`, or be left out: then nobody reads "
            "the metrics; `openssl rand -hex 32` makes one"
        )
    given = environment.get("JUPYTERHUB_SERVICE_PREFIX", environment.get("QUIZ_DESK_PREFIX", "/")).strip("/")
    prefix = f"/{given}/" if given else "/"
    service = environment.get("JUPYTERHUB_SERVICE_NAME", "quiz")
    base = environment.get("JUPYTERHUB_BASE_URL", "/").rstrip("/")
    return Settings(
        database=database,
        secrets=secrets,
        prefix=prefix,
        service=service,
        hub_api=environment.get("JUPYTERHUB_API_URL"),
        hub_token=environment.get("JUPYTERHUB_API_TOKEN"),
        hub_pages=f"{environment.get('JUPYTERHUB_HOST', '')}{base}/hub/",
        client_id=environment.get("JUPYTERHUB_CLIENT_ID") or f"service-{service}",
        callback=environment.get("JUPYTERHUB_OAUTH_CALLBACK_URL") or f"{prefix}oauth_callback",
        lti_keys=Path(keys) if (keys := environment.get("QUIZ_DESK_LTI_KEYS", "")) else None,
        xapi=_xapi(environment),
        metrics_token=metrics,
    )


def _xapi(environment: Mapping[str, str]) -> Xapi | None:
    url, key, secret, home, actor = (
        environment.get(f"QUIZ_DESK_XAPI_{name}", "") for name in ("URL", "KEY", "SECRET", "HOME", "ACTOR")
    )
    if not url:
        return None
    if not _XAPI_URL.fullmatch(url):
        raise SettingsError("QUIZ_DESK_XAPI_URL must be an https address, such as https://lrs.example.org/xapi")
    if not key or not secret or not _HOME.fullmatch(home):
        raise SettingsError(
            "QUIZ_DESK_XAPI_URL needs QUIZ_DESK_XAPI_KEY and QUIZ_DESK_XAPI_SECRET, the login of the store, and "
            "QUIZ_DESK_XAPI_HOME, the address of this Hub, such as https://hub.example.org"
        )
    if actor not in ("", *ACTORS):
        raise SettingsError(f"QUIZ_DESK_XAPI_ACTOR is one of {', '.join(ACTORS)}")
    return Xapi(url=url, key=key, secret=secret, home=home, actor=actor or ACTORS[0])
