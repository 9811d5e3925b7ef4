"""The page of a course's audit log: who changed what, what it was before and after; and the whole log as a file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import Any
from urllib.parse import urlencode

from sqlalchemy import Connection
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from quiz_widgets.classroom.desk import auditing, courses
from quiz_widgets.classroom.desk.auditing import Told, Wanted
from quiz_widgets.classroom.desk.database.rows import Row
from quiz_widgets.classroom.desk.exports.cells import plain
from quiz_widgets.classroom.desk.pages import downloads, saying, showing, visits
from quiz_widgets.classroom.desk.pages.saying import Say
from quiz_widgets.classroom.desk.pages.visits import visit
from quiz_widgets.classroom.desk.routes.asking import desk_of
from quiz_widgets.classroom.desk.routes.teaching import teacher

AT_ONCE = 50
_LARGEST = 2**62
_TIMES = frozenset({"opens", "due", "closes", "revealed", "retained_until"})
_DURATIONS = frozenset({"grace", "time_limit", "late_join"})
_UNITS = (("days", 86_400_000), ("hours", 3_600_000), ("minutes", 60_000), ("seconds", 1000))


async def show(request: Request) -> Response:
    """GET courses/{course}/audit?who=&what=&before=: so many lines, newest first."""
    seen = await visit(request)
    desk, name, asked = desk_of(request), request.path_params["course"], request.query_params
    before = int(given) if (given := asked.get("before", "")).isdecimal() and len(given) < 19 else _LARGEST
    say = saying.in_language(showing.language(request))

    def work(connection: Connection) -> dict[str, Any]:
        teacher(connection, name, seen.who)
        about = courses.one(connection, name)
        whos, whats = auditing.filters(connection, name)
        wanted = _wanted(asked)
        found = auditing.newest(connection, name, wanted, before=before, most=AT_ONCE + 1)
        known = auditing.names(connection, name)
        return {
            "course": about,
            "whos": whos,
            "whats": {one: _what(say, one) for one in whats},
            "wanted": wanted,
            "lines": [_line(one, about["zone"], known, say) for one in found[:AT_ONCE]],
            "older": _query(wanted, found[AT_ONCE - 1]["sequence"]) if len(found) > AT_ONCE else None,
        }

    shown = await desk.read(work)
    wanted = shown["wanted"]
    queries = {"newest": _query(wanted) if before != _LARGEST else None, "all": _query(wanted)}
    return showing.page(request, "audit.html", visit=seen, here="audit", queries=queries, **shown)


async def download(request: Request) -> Response:
    """GET courses/{course}/audit.csv?who=&what=: the log as a file."""
    seen, name = await visit(request), request.path_params["course"]

    def work(connection: Connection) -> Iterator[str]:
        teacher(connection, name, seen.who)
        zone = courses.one(connection, name)["zone"]
        return auditing.table(connection, name, zone, _wanted(request.query_params))

    return await downloads.csv(request, f"{name}-audit.csv", work)


def _wanted(asked: Mapping[str, str]) -> Wanted:
    who, what = (asked.get(name) or None for name in ("who", "what"))
    return Wanted(who, what)


def _query(wanted: Wanted, before: int | None = None) -> str:
    given = {"who": wanted.who, "what": wanted.what, "before": before}
    return urlencode({name: value for name, value in given.items() if value is not None})


def _line(one: Row, zone: str, names: Mapping[str, str], say: Say) -> dict[str, Any]:
    states = [None if one[name] is None else auditing.told(one[name]) for name in ("before", "after")]
    before, after = states
    return {
        **one,
        "at": showing.moment(one["at"], zone),
        "what": _what(say, one["what"]),
        "person": names.get(one["object"]),
        "before": _shown(before, after, zone, names, say),
        "after": _shown(after, before, zone, names, say),
    }


def _shown(
    state: Told | None, other: Told | None, zone: str, names: Mapping[str, str], say: Say
) -> list[tuple[str | None, str]]:
    """One state: names of fields (or none) with readable values. What is the same in the other one is left out."""
    if state is None:
        return []
    if isinstance(state, str):
        return [(None, state)]
    if isinstance(state, list):
        return [(None, _field(say, str(name))) for name in state]
    others = other if isinstance(other, dict) else {}
    return [
        (_field(say, name), _value(name, value, zone, names, say))
        for name, value in state.items()
        if value != others.get(name)
    ]


def _value(name: str, value: Any, zone: str, names: Mapping[str, str], say: Say) -> str:
    whole = isinstance(value, int) and not isinstance(value, bool) and abs(value) < 2**53
    if value is None:
        return say("audit.none")
    if name in _TIMES and whole:
        return str((showing.moment(value, zone) or {})["read"])
    if name in _DURATIONS and whole:
        unit, size = next((one for one in _UNITS if value % one[1] == 0), _UNITS[-1])
        return say("audit.in_" + unit, number=plain(Decimal(value) / size))
    if isinstance(value, bool) or name == "active":
        return say("audit.yes" if value else "audit.no")
    if name == "person":
        return names.get(str(value), str(value))
    word = f"{name}_{value}"
    return say("audit.value_" + word) if f"value_{word}" in saying.words("audit") else str(value)


def _field(say: Say, name: str) -> str:
    return say("audit.field_" + name) if f"field_{name}" in saying.words("audit") else name


def _what(say: Say, what: str) -> str:
    word = what.replace(" ", "_")
    return say("audit.what_" + word) if f"what_{word}" in saying.words("audit") else what


_COURSE = "/courses/{course}"
ROUTES = (
    Route(f"{_COURSE}/audit", visits.shown(show), methods=["GET"]),
    Route(f"{_COURSE}/audit.csv", visits.shown(download), methods=["GET"]),
)
