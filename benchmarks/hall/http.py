"""A small HTTP client on asyncio's streams: many learners in one process, at little cost beside what they ask."""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass
from typing import Any


class Failed(Exception):
    """No answer of the desk's own came: a learner's client would try again."""


@dataclass(slots=True)
class Line:
    """One kept connection to an address; made anew when it was cut."""

    host: str
    port: int
    prefix: str
    reader: asyncio.StreamReader | None = None
    writer: asyncio.StreamWriter | None = None

    async def ask(self, method: str, path: str, token: str, sent: Any = None) -> Any:
        """The desk's JSON answer; `Failed` for anything else. A refusal in JSON is an answer too."""
        data = b"" if sent is None else json.dumps(sent).encode()
        head = (
            f"{method} {self.prefix}{path} HTTP/1.1\r\nHost: {self.host}\r\nAuthorization: token {token}\r\n"
            f"Content-Type: application/json\r\nContent-Length: {len(data)}\r\n\r\n"
        )
        try:
            async with asyncio.timeout(30):
                return await self._exchange(head.encode() + data)
        except (OSError, EOFError, ValueError, TimeoutError, asyncio.IncompleteReadError) as error:
            self.close()
            raise Failed(type(error).__name__) from None

    async def _exchange(self, request: bytes) -> Any:
        if self.writer is None or self.reader is None or self.writer.is_closing():
            self.reader, self.writer = await asyncio.open_connection(self.host, self.port)
        self.writer.write(request)
        await self.writer.drain()
        head = await self.reader.readuntil(b"\r\n\r\n")
        lines = head.decode("latin-1").split("\r\n")
        status = int(lines[0].split(" ")[1])
        headers = {
            name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines[1:] if line)
        }
        if headers.get("transfer-encoding", "").lower() == "chunked":
            body = await self._chunks(self.reader)
        else:
            body = await self.reader.readexactly(int(headers.get("content-length", 0)))
        if headers.get("connection", "").lower() == "close":
            self.close()
        if not headers.get("content-type", "").startswith("application/json"):
            raise ValueError(f"{status} is not the desk's")
        answer = json.loads(body)
        if status >= 500 or status == 429:
            raise ValueError(f"{status}: later")
        return answer

    @staticmethod
    async def _chunks(reader: asyncio.StreamReader) -> bytes:
        body = bytearray()
        while size := int((await reader.readline()).split(b";")[0], 16):
            body += await reader.readexactly(size)
            await reader.readexactly(2)
        await reader.readexactly(2)
        return bytes(body)

    def close(self) -> None:
        """Drop the connection; the next question makes another."""
        if self.writer is not None:
            self.writer.close()
        self.reader = self.writer = None
