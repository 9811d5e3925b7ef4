"""Events as a page of the small quiz *sums* sends them."""

from __future__ import annotations

from typing import Any


def submit(attempt: str, response: str = "four", tries: int = 1) -> dict[str, Any]:
    """An answer to its first question."""
    return {
        "id": f"{attempt}/two-and-two/{tries}",
        "attempt": attempt,
        "kind": "submit",
        "item": "two-and-two",
        "round": 0,
        "response": [response],
        "at": 1000 + tries,
    }
