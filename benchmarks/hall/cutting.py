"""A line between learners and the desk that cuts replies: the desk has kept the answer, and nobody is told."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress


@asynccontextmanager
async def cutting(port: int, every: int) -> AsyncIterator[int]:
    """A port of its own that leads to the desk's; of its replies, each `every`-th is cut after its first bytes."""
    replies = 0

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal replies
        desk_reader, desk_writer = await asyncio.open_connection("127.0.0.1", port)
        forward = asyncio.create_task(_pass(reader, desk_writer))
        try:
            with suppress(OSError, asyncio.CancelledError):  # the hall is over: a line that ends has nothing to add
                while data := await desk_reader.read(65536):
                    replies += 1
                    if replies % every == 0:
                        writer.write(data[:40])  # the head begins, and the line is gone
                        break
                    writer.write(data)
                    await writer.drain()
        finally:
            forward.cancel()
            for end in (writer, desk_writer):
                end.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    async with server:
        yield int(server.sockets[0].getsockname()[1])


async def _pass(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Hand on what a learner sends; when they are gone, the desk hears of it."""
    with suppress(OSError):
        while data := await reader.read(65536):
            writer.write(data)
            await writer.drain()
    writer.close()
