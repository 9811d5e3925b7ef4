"""Running a coroutine in a thread of its own: Playwright leaves its loop running in the one that opened a browser."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

_Made = TypeVar("_Made")


def run(work: Coroutine[Any, Any, _Made]) -> _Made:
    """What `asyncio.run` returns, also where another loop is running."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, work).result()
