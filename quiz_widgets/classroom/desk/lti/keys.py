"""The desk's own keys for platforms: in a file that nobody else reads, never in the database.

The file is a JSON Web Key Set with private parts. Its first key signs; all of them are published, so that a platform
knows the next one before it signs and the last one until nobody shows what it signed.
"""

from __future__ import annotations

import json
import os
import secrets
import stat
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from quiz_widgets.classroom.desk.settings import SettingsError

BITS = 2048
GOOD_S = 300  # how long an assertion is good
VARIABLE = "QUIZ_DESK_LTI_KEYS"
_PUBLIC = ("kty", "n", "e", "kid", "alg", "use")
Key = Mapping[str, Any]


def read(file: Path | None) -> list[Key]:
    """The keys in the file, the one that signs first. `SettingsError` when there is none, or others may read it."""
    if file is None:
        raise SettingsError(
            f"{VARIABLE} is not set: name the file for the desk's keys, and make it with `lti keys --new`"
        )
    try:
        mode = stat.S_IMODE(file.stat().st_mode)
        found = json.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise SettingsError(f"{file} cannot be read: {error.strerror}; `lti keys --new` makes it") from None
    except ValueError:
        raise SettingsError(f"{file} is no file of keys; move it away and make one with `lti keys --new`") from None
    if os.name == "posix" and mode & 0o077:
        raise SettingsError(f"{file} holds private keys, and others may read it: chmod 600 {file}")
    keys = found.get("keys") if isinstance(found, dict) else None
    if not isinstance(keys, list) or not keys or not all(_is_key(one) for one in keys):
        raise SettingsError(f"{file} is no file of keys; move it away and make one with `lti keys --new`")
    return keys


def public(keys: Sequence[Key]) -> dict[str, list[dict[str, Any]]]:
    """The set that platforms fetch: public parts alone."""
    return {"keys": [{name: one[name] for name in _PUBLIC} for one in keys]}


def make(file: Path) -> str:
    """A new key, the last in the file, which is made where it is missing; its id. The first key of a file signs."""
    from cryptography.hazmat.primitives.asymmetric import rsa
    from jwt.algorithms import RSAAlgorithm

    former = read(file) if file.exists() else []
    private = rsa.generate_private_key(public_exponent=65537, key_size=BITS)
    made = {
        **RSAAlgorithm.to_jwk(private, as_dict=True),
        "kid": secrets.token_hex(8),
        "alg": "RS256",
        "use": "sig",
    }
    made.pop("key_ops", None)
    _write(file, [*former, made])
    return str(made["kid"])


def sign_with(file: Path, kid: str) -> None:
    """Let that key sign from now on."""
    keys = read(file)
    _known(keys, kid)
    _write(file, sorted(keys, key=lambda one: one["kid"] != kid))


def drop(file: Path, kid: str) -> None:
    """Forget a key. `SettingsError` for the one that signs."""
    keys = read(file)
    _known(keys, kid)
    if keys[0]["kid"] == kid:
        raise SettingsError(f"{kid} signs; let another key sign first")
    _write(file, [one for one in keys if one["kid"] != kid])


def assertion(keys: Sequence[Key], client: str, audience: str, now: int) -> str:
    """What the desk shows a platform to get a token: who it is, signed. `now` in ms."""
    import jwt

    claims = {
        "iss": client,
        "sub": client,
        "aud": audience,
        "iat": now // 1000,
        "exp": now // 1000 + GOOD_S,
        "jti": secrets.token_hex(16),
    }
    return jwt.encode(claims, jwt.PyJWK(dict(keys[0])).key, algorithm="RS256", headers={"kid": keys[0]["kid"]})


def _is_key(one: object) -> bool:
    return isinstance(one, dict) and all(isinstance(one.get(name), str) for name in (*_PUBLIC, "d"))


def _known(keys: Sequence[Key], kid: str) -> None:
    if kid not in (known := [str(one["kid"]) for one in keys]):
        raise SettingsError(f"there is no key {kid}; there are {', '.join(known)}")


def _write(file: Path, keys: Sequence[Key]) -> None:
    """Whole or not at all: a desk may read it meanwhile."""
    beside = file.with_name(f".{file.name}.{secrets.token_hex(4)}")
    handle = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as opened:
        json.dump({"keys": list(keys)}, opened, indent=1)
        opened.flush()
        os.fsync(opened.fileno())
    beside.replace(file)
