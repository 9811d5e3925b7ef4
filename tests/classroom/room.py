"""A desk with its class over HTTP in this process: a clock that tests set, and a token for everybody."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import httpx
from sqlalchemy import Engine

from quiz_widgets.classroom.desk.app import make
from quiz_widgets.classroom.desk.database.engine import writing
from quiz_widgets.classroom.desk.desk import Desk, running
from quiz_widgets.classroom.desk.identity import tokens
from quiz_widgets.classroom.desk.settings import Settings
from tests.classroom import loops
from tests.classroom.small_class import START, Class

QUIZ = "/api/v1/courses/cs101/quizzes/week-3"
SETTINGS = Settings(database="", secrets=("ab" * 32,), metrics_token="cd" * 32)
Ask = Callable[..., Awaitable[httpx.Response]]


class Room:
    """One class; `run` opens the desk for the time of some work."""

    def __init__(self, engine: Engine, **times: Any) -> None:
        self.engine = engine
        self.now = START
        self.desk: Desk | None = None
        with writing(engine) as connection:
            Class().make(connection, **times)
            give = {"ada": "submit", "bob": "submit", "prof": "teach", "eve": "submit"}
            self.tokens = {
                name: tokens.give(connection, name, scope, START, lifetime=None)  # type: ignore[arg-type]
                for name, scope in give.items()
            }

    def run(self, work: Callable[[Ask], Awaitable[Any]]) -> Any:
        """Do the work with a function that asks the desk: ``ask(who, method, path, **more)``; its result."""

        async def inside() -> Any:
            app = make(running(SETTINGS, lambda: self.now, self.engine))
            async with (
                app.router.lifespan_context(app),
                httpx.AsyncClient(
                    transport=httpx.ASGITransport(app, raise_app_exceptions=False), base_url="http://desk"
                ) as client,
            ):
                self.desk = app.state.desk

                async def ask(who: str, method: str, path: str, **more: Any) -> httpx.Response:
                    given = {"Authorization": f"token {self.tokens[who]}"} if who else {}
                    headers = {**given, **more.pop("headers", {})}
                    return await client.request(method, path, headers=headers, **more)

                return await work(ask)

        return loops.run(inside())
