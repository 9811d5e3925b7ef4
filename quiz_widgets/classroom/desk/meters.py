"""Counting what is asked of a process and how long it takes, for Prometheus: by route, never by who asked."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable
from time import perf_counter
from typing import Any

from starlette.types import ASGIApp, Message, Receive, Scope, Send

BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)  # seconds, Prometheus' usual ones
ELSEWHERE = "other"  # a made-up path must not make a series of its own


class Meters:
    """Counters of one process."""

    def __init__(self) -> None:
        self.requests: Counter[tuple[str, int]] = Counter()
        self.refusals: Counter[str] = Counter()
        self.verdicts: Counter[str] = Counter()
        self._seconds: dict[str, list[int]] = {}
        self._sums: dict[str, float] = {}

    def seen(self, route: str, status: int, seconds: float) -> None:
        """Count one request."""
        self.requests[route, status] += 1
        counts = self._seconds.setdefault(route, [0] * (len(BUCKETS) + 1))
        counts[bisect_left(BUCKETS, seconds)] += 1
        self._sums[route] = self._sums.get(route, 0.0) + seconds

    def lines(self) -> Iterable[str]:
        """In Prometheus' text format."""
        yield from _counter(
            "quiz_desk_requests_total",
            "Requests, by route and status",
            ((f'route="{route}",status="{status}"', count) for (route, status), count in self.requests.items()),
        )
        yield from _counter(
            "quiz_desk_refusals_total",
            "Requests that were refused, by reason",
            ((f'reason="{reason}"', count) for reason, count in self.refusals.items()),
        )
        yield from _counter(
            "quiz_desk_verdicts_total",
            "What became of single answers",
            ((f'verdict="{verdict}"', count) for verdict, count in self.verdicts.items()),
        )
        name = "quiz_desk_request_seconds"
        yield f"# HELP {name} Time from a request's first byte to its reply's last\n# TYPE {name} histogram\n"
        for route, counts in sorted(self._seconds.items()):
            total = 0
            for least, count in zip((*BUCKETS, "+Inf"), counts, strict=True):
                total += count
                yield f'{name}_bucket{{route="{route}",le="{least}"}} {total}\n'
            yield f'{name}_sum{{route="{route}"}} {self._sums[route]:.6f}\n'
            yield f'{name}_count{{route="{route}"}} {total}\n'


def _counter(name: str, about: str, values: Iterable[tuple[str, int]]) -> Iterable[str]:
    yield f"# HELP {name} {about}\n# TYPE {name} counter\n"
    for labels, value in sorted(values):
        yield f"{name}{{{labels}}} {value}\n"


class Metered:
    """The application, with every request counted in the desk's meters."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve, and count."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        began, status = perf_counter(), 500

        async def sending(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await self._app(scope, receive, sending)
        finally:
            endpoint: Any = scope.get("endpoint")
            meters: Meters = scope["app"].state.desk.meters
            meters.seen(getattr(endpoint, "__name__", ELSEWHERE), status, perf_counter() - began)
