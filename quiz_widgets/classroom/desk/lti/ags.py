"""Assignment and Grade Services: finding or making a quiz's line item, and sending a score to it."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Mapping
from decimal import Decimal
from http import HTTPStatus
from typing import Any
from urllib.parse import urljoin

import httpx

from quiz_widgets.classroom.desk.clock import Clock
from quiz_widgets.classroom.desk.database.rows import Row
from quiz_widgets.classroom.desk.lti import addresses, failures, queueing, web
from quiz_widgets.classroom.desk.lti.failures import Later, Never
from quiz_widgets.classroom.desk.lti.tokens import Tokens

TAG = "quiz-desk"
MOST_PAGES = 50
_LINE = "application/vnd.ims.lis.v2.lineitem+json"
_LINES = "application/vnd.ims.lis.v2.lineitemcontainer+json"
_SCORE = "application/vnd.ims.lis.v1.score+json"


class Gone(Exception):
    """The line item is no longer there."""


class Ags:
    """What the desk asks platforms for. Everything raises `Later` or `Never`."""

    def __init__(self, client: httpx.AsyncClient, tokens: Tokens, clock: Clock) -> None:
        self._client = client
        self._tokens = tokens
        self._clock = clock

    async def line(self, platform: Row, quiz: str, wanted: Row) -> str:
        """The address of the quiz's line item, found by resource and tag, brought to its label and most, or made."""
        try:
            return await self._line(platform, quiz, wanted)
        except Never as never:  # nobody's score is at fault
            raise Later(f"line items: {never.word}", whole=True) from None
        except Later as later:
            if later.whole:
                raise
            raise Later(f"line items: {later.word}", after=later.after, whole=True) from None

    async def _line(self, platform: Row, quiz: str, wanted: Row) -> str:
        body = {
            "label": wanted["label"],
            "scoreMaximum": queueing.number(Decimal(wanted["max_score"])),
            "resourceId": quiz,
            "tag": TAG,
        }
        async for one in self._lines(platform, quiz):
            if one.get("resourceId") == quiz and one.get("tag") == TAG:
                url = _same_place(platform, one.get("id"))
                if any(one.get(name) != body[name] for name in ("label", "scoreMaximum")):
                    changed = await self._call(platform, "PUT", url, _LINE, {**one, **body})
                    if not changed.fine:
                        raise failures.of_reply(changed, self._clock())
                return url
        made = await self._call(platform, "POST", platform["line_items_url"], _LINE, body)
        if not made.fine:
            raise failures.of_reply(made, self._clock())
        return _same_place(platform, _object(made).get("id"))

    async def _lines(self, platform: Row, quiz: str) -> AsyncIterator[Mapping[str, Any]]:
        """The line items of this quiz, page by page; a platform that knows no filter tells all it has."""
        url = addresses.with_query(platform["line_items_url"], resource_id=quiz, tag=TAG, limit="100")
        for _ in range(MOST_PAGES):
            reply = await self._call(platform, "GET", url, _LINES)
            if not reply.fine:
                raise failures.of_reply(reply, self._clock())
            found = _json(reply)
            if not isinstance(found, list):
                raise Never("no list of line items")
            for one in found:
                if isinstance(one, dict):
                    yield one
            following = reply_links(reply).get("next")
            if following is None:
                return
            url = _same_place(platform, urljoin(reply.url, following))
        raise Never(f"more than {MOST_PAGES} pages of line items")

    async def score(self, platform: Row, line: str, body: Mapping[str, Any], *, unsure: bool) -> None:
        """Send one score. `unsure`: it was sent before and may have arrived. `Gone` when there is no such line item."""
        reply = await self._call(platform, "POST", addresses.scores_of(line), _SCORE, body)
        if reply.fine or (reply.status == HTTPStatus.CONFLICT and unsure):
            return
        if reply.status in (HTTPStatus.NOT_FOUND, HTTPStatus.GONE):
            there = await self._call(platform, "GET", line, _LINE)
            if there.status in (HTTPStatus.NOT_FOUND, HTTPStatus.GONE):
                raise Gone
        raise failures.of_reply(reply, self._clock())

    async def _call(
        self, platform: Row, method: str, url: str, kind: str, body: Mapping[str, Any] | None = None
    ) -> web.Reply:
        """One request with a token; with a new one, once, where the platform no longer takes the old one."""
        for fresh in (False, True):
            token = await self._tokens.get(platform)
            headers = {"Authorization": f"Bearer {token}", "Accept": _LINE if method == "PUT" else kind}
            if body is not None:
                headers["Content-Type"] = kind
            content = None if body is None else json.dumps(body, ensure_ascii=False)
            try:
                reply = await web.ask(self._client, method, url, headers=headers, content=content)
            except web.Unreachable as error:
                raise Later(error.word, unsure=True) from None
            if token.encode() in reply.body:  # its words are shown; the token is not
                reply = web.Reply(reply.url, reply.status, reply.headers, reply.body.replace(token.encode(), b"..."))
            if reply.status != HTTPStatus.UNAUTHORIZED:
                return reply
            self._tokens.forget(platform)
            if fresh:
                raise Later(f"it does not take its own token: {failures.word(reply)}", whole=True)
        raise AssertionError  # pragma: no cover


def reply_links(reply: web.Reply) -> dict[str, str]:
    """The addresses of a ``Link`` header by their relation, with their capitals as they are."""
    found = httpx.Response(200, headers={"Link": reply.headers.get("link", "")}).links
    return {name.lower(): one["url"] for name, one in found.items() if name is not None and "url" in one}


def _same_place(platform: Row, url: object) -> str:
    if not isinstance(url, str) or len(url) > addresses.LONGEST:
        raise Never("a line item without an address")
    if not addresses.same_origin(url, platform["line_items_url"]):
        raise Never("a line item at another host, where the desk sends no token")
    return url


def _json(reply: web.Reply) -> Any:
    try:
        return reply.json()
    except web.Unreachable as error:
        raise Never(error.word) from None


def _object(reply: web.Reply) -> Mapping[str, Any]:
    found = _json(reply)
    if not isinstance(found, dict):
        raise Never("no line item in the reply")
    return found
