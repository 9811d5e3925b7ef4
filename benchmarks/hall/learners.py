"""What the learners of a hall do: open, answer eight times, and try again under the same id until they are answered."""

from __future__ import annotations

import asyncio
import json
import random
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.hall.exam import PATH, Learner
from benchmarks.hall.http import Failed, Line

ANSWERS = 8
TRIES = 60


@dataclass(slots=True)
class Hall:
    """The learners, their connections, and what they were told. Receipts go to a file the moment they come."""

    learners: list[Learner]
    port: int
    prefix: str
    receipts: Path
    connections: int = 64
    repeat: float = 0.05  # share of answers that are sent a second time, as a double click or a lost reply does
    tries: int = TRIES
    sent: int = 0
    acknowledged: int = 0
    retries: int = 0
    took: list[float] = field(default_factory=list)
    runs: dict[str, dict[str, Any]] = field(default_factory=dict)

    async def open_all(self) -> None:
        """Everybody shows the quiz and opens it: tokens are looked up, tickets given, attempts made."""
        await self._spread(self.learners, self._open)

    async def answer_at_once(self) -> float:
        """Everybody answers as fast as they can; the seconds that it took."""
        jobs = [(learner, number) for number in range(ANSWERS) for learner in self.learners]
        began = time.perf_counter()
        with self.receipts.open("a", encoding="utf-8") as file:
            await self._spread(jobs, lambda line, job: self._answer(line, file, *job))
        return time.perf_counter() - began

    async def answer_in_a_minute(self, starts_s: float, thought_s: float) -> float:
        """Everybody begins within `starts_s` seconds and thinks up to `thought_s` before each answer; the seconds."""
        chance = random.Random(1)
        began = time.perf_counter()
        gate = asyncio.Semaphore(self.connections)
        lines = [Line("127.0.0.1", self.port, self.prefix) for _ in range(self.connections)]
        with self.receipts.open("a", encoding="utf-8") as file:

            async def one(learner: Learner, start: float, thoughts: list[float]) -> None:
                await asyncio.sleep(start)
                for number, thought in enumerate(thoughts):
                    await asyncio.sleep(thought)
                    async with gate:
                        line = lines.pop()
                        try:
                            await self._answer(line, file, learner, number)
                        finally:
                            lines.append(line)

            await asyncio.gather(
                *(
                    one(who, chance.uniform(0, starts_s), [chance.uniform(0, thought_s) for _ in range(ANSWERS)])
                    for who in self.learners
                )
            )
        for line in lines:
            line.close()
        return time.perf_counter() - began

    async def _open(self, line: Line, learner: Learner) -> None:
        state = await self._until_answered(lambda: line.ask("GET", PATH, learner.token))
        reply = await self._until_answered(lambda: line.ask("POST", f"{PATH}/attempts", state["ticket"], {}))
        items = [item for item in reply["quiz"]["items"] if item.get("options")]
        self.runs[learner.name] = {"id": reply["attempt"]["id"], "ticket": reply["state"]["ticket"], "items": items}

    async def _answer(self, line: Line, file: Any, learner: Learner, number: int) -> None:
        run = self.runs[learner.name]
        item = run["items"][number % len(run["items"])]
        name = f"{run['id']}/{item['id']}/{number + 1}"
        sent = {"id": name, "item": item["id"], "response": [item["options"][number % len(item["options"])]["id"]]}
        path = f"{PATH}/attempts/{run['id']}/submissions"
        self.sent += 1
        began = time.perf_counter()
        reply = await self._until_answered(lambda: line.ask("POST", path, run["ticket"], {"submissions": [sent]}))
        self.took.append(time.perf_counter() - began)
        [told] = reply["submissions"]
        if "receipt" in told:
            self.acknowledged += 1
            file.write(json.dumps(told["receipt"]) + "\n")
            file.flush()
        if random.random() < self.repeat:
            await self._until_answered(lambda: line.ask("POST", path, run["ticket"], {"submissions": [sent]}))

    async def _until_answered(self, ask: Callable[[], Awaitable[Any]]) -> Any:
        """Ask again, under the same id, with longer and longer pauses, until there is an answer."""
        pause = 0.05
        for _ in range(self.tries):
            try:
                return await ask()
            except Failed:
                self.retries += 1
                await asyncio.sleep(random.uniform(0, pause))
                pause = min(pause * 2, 2.0)
        raise RuntimeError(f"no answer in {self.tries} tries")

    async def _spread(self, jobs: list[Any], work: Callable[[Line, Any], Awaitable[None]]) -> None:
        """Do all jobs over so many connections, each as soon as the one before it is done."""
        waiting = iter(jobs)

        async def one() -> None:
            line = Line("127.0.0.1", self.port, self.prefix)
            try:
                for job in waiting:
                    await work(line, job)
            finally:
                line.close()

        await asyncio.gather(*(one() for _ in range(min(self.connections, len(jobs)))))
