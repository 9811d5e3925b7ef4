"""Calling a platform with care: no redirects, no cookies, so many bytes and so much time, and no traceback."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

import httpx

LARGEST = 1024 * 1024  # bytes of a reply
TIMEOUT_S = 15.0


class Unreachable(Exception):
    """No whole reply came; `word` says why. What was sent may have arrived all the same."""

    def __init__(self, word: str) -> None:
        super().__init__(word)
        self.word = word


@dataclass(frozen=True, slots=True)
class Reply:
    """What came back, and from where."""

    url: str
    status: int
    headers: httpx.Headers
    body: bytes

    @property
    def fine(self) -> bool:
        """Whether it is a success; a redirect is none, for it is not followed."""
        return HTTPStatus.OK <= self.status < HTTPStatus.MULTIPLE_CHOICES

    def json(self) -> Any:
        """The body as JSON; `Unreachable` when it is none."""
        try:
            return json.loads(self.body)
        except (ValueError, RecursionError):
            raise Unreachable(f"{self.status}, but no JSON") from None


def client() -> httpx.AsyncClient:
    """What the worker calls platforms with."""
    return httpx.AsyncClient(timeout=TIMEOUT_S)


async def ask(
    client: httpx.AsyncClient,
    method: str,
    url: str,
    *,
    headers: Mapping[str, str],
    content: str | None = None,
    form: Mapping[str, str] | None = None,
) -> Reply:
    """One request. `Unreachable` when there is no whole reply within `TIMEOUT_S` and `LARGEST` bytes."""
    body = bytearray()
    client.cookies.clear()
    sent = {**headers, "Accept-Encoding": "identity"}
    try:
        async with (
            asyncio.timeout(TIMEOUT_S),
            client.stream(method, url, headers=sent, content=content, data=form, follow_redirects=False) as reply,
        ):
            if reply.headers.get("content-encoding", "identity") != "identity":
                raise Unreachable("the reply is compressed, though nobody asked for it")
            async for part in reply.aiter_raw():
                body += part
                if len(body) > LARGEST:
                    raise Unreachable(f"the reply has more than {LARGEST} bytes")
    except (TimeoutError, httpx.TimeoutException):
        raise Unreachable(f"no answer within {TIMEOUT_S:g} s") from None
    except (httpx.HTTPError, httpx.InvalidURL, OSError) as error:  # their texts may name addresses, never headers
        raise Unreachable(f"no connection: {type(error).__name__}") from None
    return Reply(str(reply.url), reply.status_code, reply.headers, bytes(body))
