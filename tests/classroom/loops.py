"""Running what needs a loop in a thread of its own: Playwright leaves one running where a browser was opened."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

_Made = TypeVar("_Made")


def apart(work: Callable[[], _Made]) -> _Made:
    """What `work` returns or raises, in a thread in which no loop runs."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(work).result()


def run(work: Coroutine[Any, Any, _Made]) -> _Made:
    """What `asyncio.run` returns, also where another loop is running."""
    return apart(lambda: asyncio.run(work))
