"""For whoever runs the desk: is it alive, can it work, and what does it do."""

from __future__ import annotations

from hmac import compare_digest

from sqlalchemy import Connection, text
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse
from starlette.routing import Route

from quiz_widgets.classroom.desk.refusals import Refused, Unavailable
from quiz_widgets.classroom.desk.routes.asking import desk_of, json_reply

STUCK_S = 30.0  # a transaction is over in milliseconds; SQLite waits at most 30 s for a backup or another writer


async def health(_request: Request) -> JSONResponse:
    """GET health: this process answers."""
    return json_reply({"alive": True})


async def ready(request: Request) -> JSONResponse:
    """GET ready: this process reaches its database, and its writer gets on; 503 otherwise."""
    desk = desk_of(request)
    if desk.writer.busy_s > STUCK_S:
        raise Unavailable("a transaction takes very long", 10)
    await desk.read(_ask)
    return json_reply({"ready": True})


def _ask(connection: Connection) -> None:
    connection.execute(text("select 1"))


async def metrics(request: Request) -> PlainTextResponse:
    """GET metrics: counters and gauges in Prometheus' text format, of this process; for its own token alone.

    Learners reach every path of the desk's through the Hub's proxy, and how a class answers is none of their business.
    """
    desk = desk_of(request)
    kind, _, token = request.headers.get("authorization", "").partition(" ")
    wanted = desk.settings.metrics_token
    if wanted is None or kind.lower() != "bearer" or not compare_digest(token.strip().encode(), wanted.encode()):
        raise Refused("who", "metrics are for the token that the desk's settings name", status=401)
    now = desk.clock()
    told = [
        ("quiz_desk_submissions_total", "counter", "Submissions committed, repeats included", desk.writer.kept),
        ("quiz_desk_batches_total", "counter", "Transactions that the writer committed", desk.writer.batches),
        ("quiz_desk_failed_batches_total", "counter", "Transactions that failed and were undone", desk.writer.failed),
        ("quiz_desk_queue", "gauge", "Jobs that wait for the writer", desk.writer.waiting),
        (
            "quiz_desk_writer_busy_seconds",
            "gauge",
            "How long the transaction at hand takes",
            f"{desk.writer.busy_s:.3f}",
        ),
        ("quiz_desk_time_seconds", "gauge", "The desk's clock, which decides what is late", f"{now / 1000:.3f}"),
        (
            "quiz_desk_hub_questions_total",
            "counter",
            "Tokens asked about at the Hub",
            desk.hub.requests if desk.hub else 0,
        ),
        ("quiz_desk_aside", "gauge", "Finished attempts that could not be scored, tried again later", len(desk.aside)),
    ]
    lines = [f"# HELP {name} {about}\n# TYPE {name} {kind}\n{name} {value}\n" for name, kind, about, value in told]
    lines += desk.meters.lines()
    return PlainTextResponse("".join(lines), headers={"Cache-Control": "no-store"})


ROUTES = (
    Route("/health", health, methods=["GET"]),
    Route("/ready", ready, methods=["GET"]),
    Route("/metrics", metrics, methods=["GET"]),
)
