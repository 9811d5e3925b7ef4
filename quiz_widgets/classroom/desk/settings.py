"""What the desk is told when it starts: by environment variables, which other accounts cannot read as they can argv."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

_SECRET = re.compile(r"[0-9a-f]{64,128}")


class SettingsError(Exception):
    """A setting is missing or cannot be used; the message says which, and what it may be."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """`secrets`: hex, the first one seals, older ones are still known. Without `hub_api` the desk stands alone.

    `hub_pages` is the Hub's address for browsers, `callback` the page of the desk's to which it sends them back,
    `lti_keys` the file of the desk's own keys for learning platforms.
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
    )
