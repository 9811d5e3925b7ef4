"""Desks that are broken on purpose: an audit that finds nothing wrong with them proves nothing of the real one."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, Engine, insert
from starlette.applications import Starlette

from quiz_widgets.classroom.desk import submissions, windows, writer
from quiz_widgets.classroom.desk.app import application
from quiz_widgets.classroom.desk.database.engine import writing
from quiz_widgets.classroom.desk.database.tables import submission
from quiz_widgets.classroom.desk.submissions import Kept, Sent
from quiz_widgets.classroom.wire import Receipt

KINDS = ("ack-early", "no-unique")


def ack_early() -> Starlette:
    """A desk that answers before it commits: whatever is killed then takes answers along that were acknowledged."""
    honest = writer.Writer.keep
    running: set[asyncio.Task[Any]] = set()

    async def keep(self: writer.Writer, sent: Sequence[Sent]) -> list[Kept]:
        async def later() -> None:
            await asyncio.sleep(0.5)
            await honest(self, sent)

        task = asyncio.create_task(later())
        running.add(task)
        task.add_done_callback(running.discard)
        return [Kept("recorded", _receipt(one)) for one in sent]

    writer.Writer.keep = keep  # type: ignore[method-assign]
    return application()


def no_unique() -> Starlette:
    """A desk that does not look whether it has an answer already: whatever is sent twice is kept twice."""

    def keep(connection: Connection, batch: Sequence[Sent]) -> list[Kept]:
        run = {"kind": "exam"}
        connection.execute(
            insert(submission), [submissions._row(one, windows.status(one.arrived, None, 0), run) for one in batch]
        )
        return [Kept("recorded", _receipt(one)) for one in batch]

    writer.keep = keep  # type: ignore[attr-defined]
    return application()


def allow_doubles(engine: Engine) -> None:
    """Take from the table what would stop doubled rows."""
    with writing(engine) as connection:
        columns = ", ".join(f"{column.name} {column.type.compile(engine.dialect)}" for column in submission.columns)
        connection.exec_driver_sql("drop table outcome")
        connection.exec_driver_sql("drop table submission")
        columns = columns.replace("sequence INTEGER", "sequence INTEGER PRIMARY KEY AUTOINCREMENT", 1)
        columns = columns.replace("sequence BIGINT", "sequence BIGSERIAL PRIMARY KEY", 1)
        connection.exec_driver_sql(f"create table submission ({columns})")
        connection.exec_driver_sql(
            "create table outcome"
            " (attempt text, item text, submission bigint, score text, max_score text, computed bigint)"
        )


def _receipt(sent: Sent) -> Receipt:
    return Receipt(submission=sent.id, attempt=sent.attempt, item=sent.item, received=sent.arrived, status="recorded")
