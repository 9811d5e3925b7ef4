"""Work of the desk that never ends: done again and again, whatever went wrong the last time."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable

from quiz_widgets.classroom.desk.refusals import Unavailable

log = logging.getLogger("quiz_widgets.desk")


async def forever(work: Callable[[], Awaitable[object]], every_s: float, *, away: str, failed: str) -> None:
    """Do it, wait `every_s` seconds, and so on. The log says `away` where no database answers, else `failed`."""
    while True:
        try:
            await work()
        except Unavailable:
            log.warning("%s; the next round tries again", away)
        except Exception:
            log.exception("%s; the next round tries again", failed)
        await asyncio.sleep(every_s)
