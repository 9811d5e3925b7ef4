"""Running what needs a loop in a thread of its own: Playwright leaves one running where a browser was opened."""

from __future__ import annotations

import asyncio
import time
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


async def until(what: str, reached: Callable[[], object], seconds: float = 30) -> None:
    """Let the loop go on until something is so; an error that names it after `seconds`."""
    end = time.monotonic() + seconds
    while not reached():
        if time.monotonic() > end:
            raise AssertionError(f"waited {seconds} s: {what}")
        await asyncio.sleep(0.01)
