"""Tokens that the desk itself gives out: for publishing, and for every learner where there is no Hub."""

from __future__ import annotations

import hashlib
import secrets

from sqlalchemy import Connection, insert, select, update

from quiz_widgets.classroom.desk.database.rows import first
from quiz_widgets.classroom.desk.database.tables import token
from quiz_widgets.classroom.desk.identity.who import Scope, Who

PREFIX = "desk-"


def digest(text: str) -> str:
    """What is kept of a token."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def give(
    connection: Connection, name: str, scope: Scope, now: int, *, lifetime: int | None, course: str | None = None
) -> str:
    """A new token for somebody; `lifetime` in ms, `None` for one that is good until it is revoked."""
    made = PREFIX + secrets.token_urlsafe(32)
    connection.execute(
        insert(token).values(
            digest=digest(made),
            name=name,
            scope=scope,
            course=course,
            expires=None if lifetime is None else now + lifetime,
            created=now,
        )
    )
    return made


def revoke(connection: Connection, name: str, now: int, *, course: str | None = None) -> int:
    """End all tokens of somebody, or those for one course; how many there were."""
    chosen = update(token).where(token.c.name == name, token.c.revoked.is_(None))
    if course is not None:
        chosen = chosen.where(token.c.course == course)
    return connection.execute(chosen.values(revoked=now)).rowcount


def who(connection: Connection, text: str, now: int) -> Who | None:
    """Whose token it is; `None` for one that we never gave, that is over, or that was revoked."""
    found = first(connection, select(token).where(token.c.digest == digest(text)))
    if found is None or found["revoked"] is not None or (found["expires"] is not None and now >= found["expires"]):
        return None
    return Who(found["name"], frozenset({found["scope"]}), "token", found["course"])
