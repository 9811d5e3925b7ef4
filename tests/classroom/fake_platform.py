"""A learning platform: tokens for signed assertions, line items page by page, scores whose times must rise.

It is as strict as Moodle, gives addresses with capitals and queries, and does on demand what platforms do to tools.
"""

from __future__ import annotations

import secrets
from collections import Counter
from collections.abc import Callable
from datetime import datetime
from typing import Any

import httpx
import jwt
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route

HOST = "https://lms.example.org"
ISSUER = HOST
CLIENT = "10000000000042"
PAGE = 2  # line items on a page
GOOD_S = 3600


class FakePlatform:
    """`faults` holds what the next requests of a kind (token, lines, line, scores) meet instead of, or after, its work.

    A fault is a status, a `Response`, what makes one of the request, ``"dropped"`` (done, but no reply comes) or
    ``"expired"`` (all tokens are).
    """

    def __init__(self, keys: Callable[[], dict[str, Any]], clock: Callable[[], int], host: str = HOST) -> None:
        self.keys, self.clock, self.host = keys, clock, host
        self.users: set[str] = set()
        self.items: list[dict[str, Any]] = []
        self.scores: dict[tuple[str, str], list[dict[str, Any]]] = {}
        self.tokens: dict[str, int] = {}
        self.faults: dict[str, list[Any]] = {}
        self.calls: Counter[str] = Counter()
        self.refused: list[str] = []
        self.hosts: set[str] = set()
        self.shown: set[str] = set()
        self.good_s: Any = GOOD_S
        self.app = Starlette(
            routes=[
                Route("/Token", self._met("token", self.token), methods=["POST"]),
                Route("/Courses/7/LineItems", self._met("lines", self.lines), methods=["GET", "POST"]),
                Route("/Courses/7/{item}/LineItem", self._met("line", self.line), methods=["GET", "PUT"]),
                Route("/Courses/7/{item}/LineItem/scores", self._met("scores", self.score), methods=["POST"]),
            ]
        )

    @property
    def settings(self) -> dict[str, str]:
        """What is entered at the desk."""
        lines = f"{self.host}/Courses/7/LineItems?type_id=3"
        return {"issuer": ISSUER, "client": CLIENT, "token_url": f"{self.host}/Token", "line_items_url": lines}

    def client(self) -> httpx.AsyncClient:
        """What calls this platform, whatever the host is; `hosts` are those that were meant."""
        return httpx.AsyncClient(
            follow_redirects=True, transport=httpx.ASGITransport(self.app), event_hooks={"request": [self._sees]}
        )

    async def _sees(self, request: httpx.Request) -> None:
        self.hosts.add(request.url.host)

    def given(self, user: str) -> list[float | None]:
        """The points that this user was given, one after the other, on whatever line."""
        return [one.get("scoreGiven") for (_, who), kept in self.scores.items() if who == user for one in kept]

    def _met(self, kind: str, work: Callable[[Request], Any]) -> Callable[[Request], Any]:
        async def answered(request: Request) -> Response:
            self.calls[kind] += 1
            faults = self.faults.get(kind, [])
            fault = faults.pop(0) if faults else None
            if isinstance(fault, Response):
                return fault
            if isinstance(fault, int):
                return JSONResponse({"errors": [{"message": f"fault {fault}"}]}, fault)
            if callable(fault):
                made: Response = await fault(request)
                return made
            if fault == "expired":
                self.tokens.clear()
            if kind != "token" and not self._is_known(request):
                return JSONResponse({"error": "invalid_token"}, 401)
            reply: Response = await work(request)
            if fault == "dropped":
                raise httpx.ReadError("dropped")
            return reply

        return answered

    def _is_known(self, request: Request) -> bool:
        text = request.headers.get("authorization", "").removeprefix("Bearer ")
        return self.clock() < self.tokens.get(text, 0)

    async def token(self, request: Request) -> Response:
        form = await request.form()
        shown = str(form["client_assertion"])
        kid = jwt.get_unverified_header(shown)["kid"]
        [key] = [one for one in self.keys()["keys"] if one["kid"] == kid]
        options: Any = {"verify_exp": False, "verify_iat": False, "require": ["iss", "sub", "aud", "exp", "iat", "jti"]}
        claims = jwt.decode(shown, jwt.PyJWK(key), ["RS256"], audience=f"{self.host}/Token", options=options)
        now = self.clock() / 1000
        assert claims["iss"] == claims["sub"] == CLIENT
        assert now - 60 <= claims["iat"] <= now < claims["exp"] <= now + 3600
        assert claims["jti"] not in self.shown
        assert form["grant_type"] == "client_credentials"
        assert form["client_assertion_type"] == "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"
        self.shown.add(claims["jti"])
        made = secrets.token_urlsafe(32)
        self.tokens[made] = self.clock() + GOOD_S * 1000
        return JSONResponse(
            {"access_token": made, "token_type": "Bearer", "expires_in": self.good_s, "scope": form["scope"]}
        )

    async def lines(self, request: Request) -> Response:
        assert request.query_params["type_id"] == "3"
        if request.method == "POST":
            assert request.headers["content-type"] == "application/vnd.ims.lis.v2.lineitem+json"
            return JSONResponse(self.make(await request.json()), 201)
        page = int(request.query_params.get("From", 0))
        headers = {}
        if page + PAGE < len(self.items):
            query = f"type_id=3&From={page + PAGE}"
            headers["Link"] = (
                f'<{self.host}/Courses/7/LineItems?{query}>; rel="next", <{self.host}/Courses/7/LineItems>; rel="first"'
            )
        return JSONResponse(self.items[page : page + PAGE], headers=headers)

    def make(self, wanted: dict[str, Any]) -> dict[str, Any]:
        made = {**wanted, "id": f"{self.host}/Courses/7/Item{len(self.items)}/LineItem?type_id=3"}
        self.items.append(made)
        return made

    def _item(self, request: Request) -> dict[str, Any] | None:
        assert request.query_params["type_id"] == "3"
        name = f"/{request.path_params['item']}/"
        return next((one for one in self.items if name in one["id"]), None)

    async def line(self, request: Request) -> Response:
        item = self._item(request)
        if item is not None and request.method == "PUT":
            item |= await request.json()
        return PlainTextResponse("gone", 404) if item is None else JSONResponse(item)

    async def score(self, request: Request) -> Response:
        assert request.headers["content-type"] == "application/vnd.ims.lis.v1.score+json"
        item, body = self._item(request), await request.json()
        if item is None:
            return PlainTextResponse("no such line item", 404)
        if body["userId"] not in self.users:
            return self._refuse(400, f"Incorrect score received {body['userId']}")
        assert ("scoreGiven" in body) == ("scoreMaximum" in body)
        kept = self.scores.setdefault((item["id"], body["userId"]), [])
        at = datetime.fromisoformat(body["timestamp"])
        if kept and int(datetime.fromisoformat(kept[-1]["timestamp"]).timestamp()) >= int(at.timestamp()):
            return self._refuse(409, "Refusing score with an earlier timestamp")
        kept.append(body)
        return JSONResponse({"resultUrl": f"{item['id']}/results/1"})

    def _refuse(self, status: int, text: str) -> Response:
        self.refused.append(text)
        return JSONResponse({"status": status, "reason": text}, status)


def elsewhere(url: str) -> Response:
    """A redirect."""
    return RedirectResponse(url, 307)
