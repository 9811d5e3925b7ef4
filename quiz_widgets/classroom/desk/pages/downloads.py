"""Files that a page gives out: written whole before the first byte leaves, so that what arrives is never half of one.

A gradebook is read in one state of the database and goes through a file without a name, since it may be larger than
memory, and the database does not wait for whoever downloads it.
"""

from __future__ import annotations

import asyncio
import logging
import tempfile
from collections.abc import Callable, Iterable, Iterator
from typing import IO, TypeVar

from sqlalchemy import Connection
from sqlalchemy.exc import SQLAlchemyError
from starlette.requests import Request
from starlette.responses import StreamingResponse

from quiz_widgets.classroom.desk.database.engine import one_state
from quiz_widgets.classroom.desk.desk import Desk
from quiz_widgets.classroom.desk.pages import showing
from quiz_widgets.classroom.desk.refusals import Unavailable
from quiz_widgets.classroom.desk.routes.asking import desk_of

_IN_MEMORY = 1024 * 1024  # bytes; what is longer goes to the disk
_PIECE = 64 * 1024
_Found = TypeVar("_Found")
log = logging.getLogger("quiz_widgets.desk")


async def csv(request: Request, name: str, work: Callable[[Connection], Iterable[str]]) -> StreamingResponse:
    """The lines that `work` reads, as a file of that name."""
    return await _file(request, name, "text/csv; charset=utf-8", work)


async def json(request: Request, name: str, work: Callable[[Connection], Iterable[str]]) -> StreamingResponse:
    """The text that `work` reads, as a file of that name."""
    return await _file(request, name, "application/json", work)


async def in_one_state(desk: Desk, work: Callable[[Connection], _Found]) -> _Found:
    """What `work` finds while all its statements see the same state of the database; beside whatever is written."""

    def inside() -> _Found:
        with one_state(desk.engine) as connection:
            return work(connection)

    try:
        return await asyncio.get_running_loop().run_in_executor(desk.readers, inside)
    except SQLAlchemyError:
        raise Unavailable("the database cannot be read at this moment") from None


async def _file(
    request: Request, name: str, kind: str, work: Callable[[Connection], Iterable[str]]
) -> StreamingResponse:
    try:
        found, length = await in_one_state(desk_of(request), lambda connection: _written(work(connection)))
    except OSError as error:
        log.warning("a download could not be written to the folder for temporary files: %s", error.strerror)
        raise Unavailable("the desk has no room for the file at this moment") from None
    headers = {
        **showing.HEADERS,
        "Content-Disposition": f'attachment; filename="{name}"',
        "Content-Length": str(length),
    }
    return StreamingResponse(_pieces(found), media_type=kind, headers=headers)


def _written(lines: Iterable[str]) -> tuple[IO[bytes], int]:
    made = tempfile.SpooledTemporaryFile(_IN_MEMORY)  # noqa: SIM115 - closed when it is sent
    try:
        for line in lines:
            made.write(line.encode("utf-8", "surrogatepass"))
        length = made.tell()
        made.seek(0)
    except BaseException:
        made.close()
        raise
    return made, length


def _pieces(found: IO[bytes]) -> Iterator[bytes]:
    with found:
        while piece := found.read(_PIECE):
            yield piece
