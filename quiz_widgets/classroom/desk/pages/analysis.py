"""The page of a quiz's item analysis: one group of attempts at a time, charts and the tables they are drawn from."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from sqlalchemy import Connection, select
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from quiz_widgets import locales
from quiz_widgets.classroom.desk import rosters
from quiz_widgets.classroom.desk.analysis import reading, table
from quiz_widgets.classroom.desk.analysis.items import FEWEST, FEWEST_FOR_THIRDS
from quiz_widgets.classroom.desk.analysis.reading import Group
from quiz_widgets.classroom.desk.database.rows import Row
from quiz_widgets.classroom.desk.database.tables import version
from quiz_widgets.classroom.desk.exports import cells
from quiz_widgets.classroom.desk.library import Library
from quiz_widgets.classroom.desk.pages import analysis_figures, charts, downloads, saying, showing, visits
from quiz_widgets.classroom.desk.pages.visits import visit
from quiz_widgets.classroom.desk.refusals import Refused
from quiz_widgets.classroom.desk.routes.asking import desk_of
from quiz_widgets.classroom.desk.routes.teaching import teacher

_ATTEMPTS = {"first": True, "later": False}


async def analysis(request: Request) -> Response:
    """GET courses/{course}/quizzes/{quiz}/analysis: `version` and `attempts` choose the group, else the newest."""
    seen = await visit(request)
    desk, params, locale = desk_of(request), request.path_params, showing.language(request)
    asked = _asked(request)

    def work(connection: Connection) -> dict[str, Any]:
        teacher(connection, params["course"], seen.who)
        found = rosters.quiz_of(connection, params["course"], params["quiz"])
        groups = reading.taken(connection, found)
        chosen = [one for one in groups if _fits(one, asked)][:1]
        return {
            "course": {"id": found["course"], "title": found["course_title"], "zone": found["zone"]},
            "quiz": found,
            "groups": [{"version": one[0], "attempts": _name(one[1]), "chosen": [one] == chosen} for one in groups],
            **(_shown(connection, desk.library, found, chosen[0], locale) if chosen else {"shown": None}),
        }

    told = await downloads.in_one_state(desk, work)
    return showing.page(
        request,
        "analysis.html",
        visit=seen,
        here="analysis",
        fewest=FEWEST,
        fewest_for_thirds=FEWEST_FOR_THIRDS,
        patterns=charts.PATTERNS,
        swatches={fill: charts.swatch(fill) for fill in analysis_figures.THIRDS},
        **told,
    )


async def download(request: Request) -> Response:
    """GET …/analysis.csv: the same figures as a table; all of them, or those of a version, of attempts, of an item."""
    seen = await visit(request)
    desk, params, item = desk_of(request), request.path_params, request.query_params.get("item")
    asked = _asked(request)

    def work(connection: Connection) -> Iterator[str]:
        teacher(connection, params["course"], seen.who)
        found = rosters.quiz_of(connection, params["course"], params["quiz"])
        groups = [one for one in reading.taken(connection, found) if _fits(one, asked)]
        read = (reading.report(connection, desk.library, found, number, first=first) for number, first in groups)
        return cells.lines(table.table(found["slug"], _only(read, item)))

    return await downloads.csv(request, f"{params['course']}-{params['quiz']}-analysis.csv", work)


def _asked(request: Request) -> tuple[int | None, bool | None]:
    number, attempts = request.query_params.get("version", ""), request.query_params.get("attempts", "")
    if not (number == "" or (number.isascii() and number.isdigit() and len(number) < 10)):
        raise Refused("bad_request", "`version` is the number of a version", status=422)
    if attempts not in ("", *_ATTEMPTS):
        raise Refused("bad_request", "`attempts` is first or later", status=422)
    return (int(number) if number else None), _ATTEMPTS.get(attempts)


def _fits(group: tuple[int, bool], asked: tuple[int | None, bool | None]) -> bool:
    return all(wanted is None or wanted == is_so for wanted, is_so in zip(asked, group, strict=True))


def _only(groups: Iterable[Group], item: str | None) -> Iterator[Group]:
    for group in groups:
        if item is None:
            yield group
        else:
            kept = tuple(one for one in group.report.items if one.item == item)
            yield replace(group, report=replace(group.report, items=kept))


def _name(first: bool) -> str:  # noqa: FBT001 - as it stands in a group
    return "first" if first else "later"


def _shown(
    connection: Connection, library: Library, found: Row, chosen: tuple[int, bool], locale: str
) -> dict[str, Any]:
    number, first = chosen
    group = reading.report(connection, library, found, number, first=first)
    here = (version.c.quiz == found["id"]) & (version.c.number == number)
    whole = library.quiz(connection, connection.execute(select(version.c.id).where(here)).scalar_one())
    say = saying.in_language(locale)
    items = [
        analysis_figures.item(place, one, whole.item(one.item), say, locale)
        for place, one in enumerate(group.report.items, 1)
        if one.n
    ]
    return {
        "shown": {
            "version": number,
            "attempts": _name(first),
            "n": group.report.n,
            "reliability": analysis_figures.decimals(group.report.reliability, locale),
            "coefficient": group.report.coefficient,
            "suspects": [one for one in items if "suspect key" in one["codes"]],
        },
        "items": items,
        "unseen": len(group.report.items) - len(items),
        **_charts(items, say, locale),
    }


def _charts(items: Sequence[dict[str, Any]], say: saying.Say, locale: str) -> dict[str, Any]:
    told = [one for one in items if one["facility_bar"] is not None]
    if not told:
        return {"facilities": "", "correlations": ""}
    direction = locales.direction(locale)
    return {
        "facilities": charts.bars(
            say("analysis.facility"),
            [charts.Row(str(one["place"]), (one["facility_bar"],)) for one in told],
            analysis_figures.percents(locale),
            direction,
        ),
        "correlations": charts.bars(
            say("analysis.correlation"),
            [charts.Row(str(one["place"]), (one["correlation_bar"],)) for one in told],
            analysis_figures.from_minus_one(locale),
            direction,
        ),
    }


_ANALYSIS = "/courses/{course}/quizzes/{quiz}/analysis"
ROUTES = (
    Route(_ANALYSIS, visits.shown(analysis), methods=["GET"]),
    Route(f"{_ANALYSIS}.csv", visits.shown(download), methods=["GET"]),
)
