"""Receipts: what the desk says is recorded can be shown to it later, and it knows its own word again."""

from __future__ import annotations

import hmac
import json
from collections.abc import Iterable

from quiz_widgets.classroom.wire import Receipt

# One encoder for all: `json.dumps` with options makes a new one each time.
_written = json.JSONEncoder(sort_keys=True, ensure_ascii=True, separators=(",", ":")).encode


class Seals:
    """Makes and checks seals with the first secret; older ones are still recognised."""

    def __init__(self, secrets: Iterable[str]) -> None:
        self._keys = [bytes.fromhex(secret) for secret in secrets]

    def sealed(self, receipt: Receipt, person: str) -> Receipt:
        """The receipt with its seal. `person` is part of what is sealed, not of what is told."""
        return {**receipt, "seal": self._seal(self._keys[0], receipt, person)}

    def holds(self, receipt: Receipt, person: str) -> bool:
        """Whether the desk gave this receipt to that person."""
        seal = receipt.get("seal", "")
        return any(hmac.compare_digest(seal, self._seal(key, receipt, person)) for key in self._keys)

    @staticmethod
    def _seal(key: bytes, receipt: Receipt, person: str) -> str:
        told = {name: value for name, value in receipt.items() if name != "seal"}
        return hmac.digest(key, _written([person, told]).encode("ascii"), "sha256").hex()
