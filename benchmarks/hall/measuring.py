"""One run: a fresh database, a desk, a hall that answers, what may be killed meanwhile, and the audit after it."""

from __future__ import annotations

import asyncio
import statistics
import time
from collections.abc import Callable
from contextlib import AsyncExitStack
from dataclasses import asdict, dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from sqlalchemy import Engine, insert

from benchmarks import audit
from benchmarks.hall import exam, sabotage
from benchmarks.hall.cutting import cutting
from benchmarks.hall.learners import Hall
from benchmarks.hall.stack import PREFIX, Stack, running
from quiz_widgets.classroom.desk.database.engine import connect, writing
from quiz_widgets.classroom.desk.database.migrations import migrate
from quiz_widgets.classroom.desk.database.tables import audit as log
from tests.classroom import loops

BOUND_S = 1.0


@dataclass(frozen=True, slots=True)
class Figures:
    """What one run gave. Times in ms, CPU in ms an answer; `bound`: committed single-row transactions a second."""

    name: str
    learners: int
    sent: int
    acknowledged: int
    stored: int
    lost: int
    doubled: int
    retries: int
    seconds: float
    rate: float
    bound: float
    p50: float
    p99: float
    desk_cpu: float
    proxy_cpu: float

    def as_dict(self) -> dict[str, object]:
        """For JSON."""
        return asdict(self)


def bound(engine: Engine) -> float:
    """Single-row transactions that one thread commits in a second, through the same driver on the same disk."""
    made = 0
    end = time.perf_counter() + BOUND_S
    while time.perf_counter() < end:
        with writing(engine) as connection:
            connection.execute(insert(log).values(at=0, who="bound", what="bound", object="bound"))
        made += 1
    return made / BOUND_S


def measure(
    name: str,
    address: Callable[[Path], str],
    *,
    learners: int,
    workers: int = 1,
    proxied: bool = False,
    minute: bool = False,
    broken: str | None = None,
    meanwhile: Callable[[Stack], None] | None = None,
    connections: int = 64,
    cut: int = 0,
) -> Figures:
    """Run a hall against a fresh desk. `meanwhile` is done in a thread once the answers have begun.

    `cut`: of the replies to answers each so many-th is lost on its way, after the desk has committed.
    """
    with TemporaryDirectory(prefix="quiz-hall-") as made:
        folder = Path(made)
        url = address(folder)
        engine = connect(url)
        migrate(engine)
        if broken == "no-unique":
            sabotage.allow_doubles(engine)
        who = exam.make(engine, learners)
        limit = bound(engine)
        engine.dispose()
        application = "quiz_widgets.classroom.desk.app:application"
        if broken:
            application = f"benchmarks.hall.sabotage:{broken.replace('-', '_')}"
        stack = Stack(url, workers, application, proxied, folder)
        receipts = folder / "receipts.jsonl"
        receipts.touch()
        with running(stack):
            hall = Hall(who, stack.port, PREFIX, receipts, connections)
            if broken == "no-unique":
                hall.repeat = 0.5
            seconds, desk_cpu, proxy_cpu = loops.run(_answers(hall, stack, minute=minute, meanwhile=meanwhile, cut=cut))
        found = audit.audit(url, receipts)
    took = sorted(hall.took) or [0.0]
    return Figures(
        name=name,
        learners=learners,
        sent=hall.sent,
        acknowledged=found["acknowledged"],
        stored=found["stored"],
        lost=found["lost"],
        doubled=found["doubled"],
        retries=hall.retries,
        seconds=round(seconds, 2),
        rate=round(hall.acknowledged / seconds, 1),
        bound=round(limit, 1),
        p50=round(1000 * statistics.median(took), 1),
        p99=round(1000 * took[int(len(took) * 0.99) - 1], 1),
        desk_cpu=round(1000 * desk_cpu / max(hall.acknowledged, 1), 3),
        proxy_cpu=round(1000 * proxy_cpu / max(hall.acknowledged, 1), 3),
    )


async def _answers(
    hall: Hall, stack: Stack, *, minute: bool, meanwhile: Callable[[Stack], None] | None, cut: int
) -> tuple[float, float, float]:
    await hall.open_all()
    desk_before, proxy_before = stack.desk_cpu(), stack.proxy_cpu()
    other = asyncio.create_task(asyncio.to_thread(meanwhile, stack)) if meanwhile else None
    async with AsyncExitStack() as lines:
        if cut:
            hall.port = await lines.enter_async_context(cutting(hall.port, cut))
        seconds = await (hall.answer_in_a_minute(20, 10) if minute else hall.answer_at_once())
    if other is not None:
        await other
    return seconds, stack.desk_cpu() - desk_before, stack.proxy_cpu() - proxy_before
