"""The page of corrections: the questions of a version with their keys, changing how one is graded, what was changed."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from sqlalchemy import Connection
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from quiz_widgets.classroom.desk import regrading, rosters, standing
from quiz_widgets.classroom.desk.database.rows import Row
from quiz_widgets.classroom.desk.exports.cells import plain
from quiz_widgets.classroom.desk.library import Library
from quiz_widgets.classroom.desk.pages import fields, showing, visits, wording
from quiz_widgets.classroom.desk.pages.fields import Entered
from quiz_widgets.classroom.desk.pages.visits import Visit, visit
from quiz_widgets.classroom.desk.refusals import Refused, unknown
from quiz_widgets.classroom.desk.regrading import Change, Effect
from quiz_widgets.classroom.desk.routes.asking import desk_of
from quiz_widgets.classroom.desk.routes.teaching import instructor, teacher
from quiz_widgets.locales import forms, numbers
from quiz_widgets.model import Item, Quiz

_DONE = ("keys.corrected", "keys.taken_back")
_TYPED = ("number", "text")


@dataclass(frozen=True, slots=True)
class Tried:
    """What somebody entered into the form, what is wrong with it, and what it would do."""

    sent: Entered = field(default_factory=dict)
    chosen: tuple[str, ...] = ()
    refused: Refused | None = None
    effect: Effect | None = None


async def keys(request: Request) -> Response:
    """GET courses/{course}/quizzes/{quiz}/keys: the questions of a version, and the form for the one that is chosen."""
    chosen = {name: request.query_params.get(name, "") for name in ("version", "item")}
    return await _page(request, await visit(request), Tried(chosen))


async def correct(request: Request) -> Response:
    """POST …/keys: look what a correction would do, or make it; every finished attempt is scored again."""
    seen, sent = await visit(request), await fields.entered(request)
    chosen = await fields.several(request, "response")
    desk, now, locale = desk_of(request), desk_of(request).clock(), showing.language(request)
    makes = sent.get("act") == "make"

    def work(connection: Connection) -> Effect | None:
        instructor(connection, request.path_params["course"], seen.who)
        found = rosters.quiz_of(connection, request.path_params["course"], request.path_params["quiz"])
        change = _change(connection, desk.library, found, sent, chosen, locale)
        if not makes:
            return regrading.effect(connection, desk.library, found, change)
        regrading.change_key(connection, desk.library, found, change, seen.who.name, now)
        return None

    tried = Tried(sent, chosen)
    try:
        effect = await (desk.writer.run(work) if makes else desk.read(work))
    except Refused as refused:
        if refused.status not in fields.ENTERED_WRONG:
            raise
        return await _page(request, seen, replace(tried, refused=refused), refused.status)
    if makes:
        return visits.back(request, _path(request), "keys.corrected")
    return await _page(request, seen, replace(tried, effect=effect))


async def take_back(request: Request) -> Response:
    """POST …/keys/taken-back: the last correction of a question holds no longer."""
    seen, sent = await visit(request), await fields.entered(request)
    desk, now = desk_of(request), desk_of(request).clock()

    def work(connection: Connection) -> None:
        instructor(connection, request.path_params["course"], seen.who)
        found = rosters.quiz_of(connection, request.path_params["course"], request.path_params["quiz"])
        regrading.take_back(connection, found, sent.get("correction", ""), seen.who.name, now)

    try:
        await desk.writer.run(work)
    except Refused as refused:
        if refused.status not in fields.ENTERED_WRONG:
            raise
        return await _page(request, seen, Tried(refused=refused), refused.status)
    return visits.back(request, _path(request), "keys.taken_back")


async def _page(request: Request, seen: Visit, tried: Tried, status: int = 200) -> Response:
    desk, now, locale = desk_of(request), desk_of(request).clock(), showing.language(request)

    def work(connection: Connection) -> dict[str, Any]:
        name = request.path_params["course"]
        teacher(connection, name, seen.who)
        found = rosters.quiz_of(connection, name, request.path_params["quiz"])
        role = rosters.member(connection, name, seen.who.name)["role"]
        return {
            "course": {"id": found["course"], "title": found["course_title"], "zone": found["zone"]},
            "quiz": found,
            "may_change": role == "instructor",
            **_read(connection, desk.library, found, tried, now, locale),
        }

    shown = await desk.read(work)
    entered = {"kind": "", "reason": "", "typed": "", **tried.sent}
    return showing.page(
        request,
        "keys.html",
        status,
        visit=seen,
        here="keys",
        tried=tried,
        entered=entered,
        done=visits.done(request, _DONE),
        **shown,
    )


def _read(connection: Connection, library: Library, found: Row, tried: Tried, now: int, locale: str) -> dict[str, Any]:
    versions = [one["number"] for one in standing.versions(connection, found, now)]
    chosen = regrading.version_of(connection, found, _number(tried.sent.get("version", "")))
    wholes = {number: _whole(connection, library, found, number) for number in versions}
    whole, item_id = wholes[chosen["number"]], tried.sent.get("item", "")
    if item_id and item_id not in whole.sets:
        raise unknown("question")
    changes = regrading.changes_of(connection, found)
    made: dict[str, list[str]] = {}
    for one in reversed(changes):
        if one["number"] == chosen["number"]:
            made.setdefault(one["item"], []).append(one["kind"])
    finished, waiting = regrading.scored(connection, found)
    return {
        "versions": versions,
        "number": chosen["number"],
        "finished": finished,
        "waiting": waiting,
        "items": [_line(item, made.get(item.id, []), locale) for item in whole.items],
        "item": _shown(whole.item(item_id), locale) if item_id else None,
        "others": [number for number in versions if number != chosen["number"] and item_id in wholes[number].sets],
        "changes": [_told(one, wholes[one["number"]], found["zone"], locale) for one in changes],
        "last": _last(changes),
    }


def _last(changes: list[Row]) -> set[str]:
    """The ids of those changes on which none stands: the newest of each question in each version."""
    newest = {(one["number"], one["item"]): one["id"] for one in reversed(changes)}
    return set(newest.values())


def _stem(item: Item, locale: str) -> wording.Words:
    """The question; of one that is drawn a sample."""
    return wording.stem(item, locale, 0 if item.variants else None)


def _line(item: Item, made: list[str], locale: str) -> dict[str, Any]:
    points = forms.local_number(plain(item.points), locale)
    return {"id": item.id, "stem": _stem(item, locale), "points": points, "changes": made}


def _shown(item: Item, locale: str) -> dict[str, Any]:
    """One question with all that a form for its key takes."""
    return {
        "id": item.id,
        "kind": item.kind,
        "typed": item.kind in _TYPED,
        "drawn": bool(item.variants),
        "stem": _stem(item, locale),
        "key": wording.key(item, locale),
        "options": [(one.id, wording.words(one.text, locale), one.id in item.key) for one in item.options],
        "targets": [(one.id, wording.words(one.text, locale)) for one in item.targets],
    }


def _told(one: Row, whole: Quiz, zone: str, locale: str) -> dict[str, Any]:
    item = whole.item(one["item"])
    responses = [wording.response(item, chosen, locale) for chosen in json.loads(one["body"])]
    stem = _stem(item, locale)
    return {**one, "made": showing.moment(one["made"], zone), "stem": stem, "responses": responses}


def _change(
    connection: Connection, library: Library, found: Row, sent: Entered, chosen: tuple[str, ...], locale: str
) -> Change:
    number, item, kind = _number(sent.get("version", "")), sent.get("item", ""), sent.get("kind", "")
    responses: list[list[str]] = []
    if kind in ("key", "also"):
        if regrading.is_typed(connection, library, found, item, number):
            whole = library.quiz(connection, regrading.version_of(connection, found, number)["id"])
            typed = [line.strip() for line in sent.get("typed", "").splitlines() if line.strip()]
            responses = [[_typed(whole.item(item), line, locale)] for line in typed]
        else:
            responses = [[one for one in chosen if one]]
    return Change(item=item, kind=kind, responses=responses, reason=sent.get("reason", ""), version=number)


def _typed(item: Item, text: str, locale: str) -> str:
    """What a learner who types this sends: a number in its one form."""
    return text if item.kind == "text" else numbers.canonical_number(text, locale) or text


def _whole(connection: Connection, library: Library, found: Row, number: int) -> Quiz:
    return library.quiz(connection, regrading.version_of(connection, found, number)["id"])


def _number(text: str) -> int | None:
    if text and not (text.isascii() and text.isdigit() and len(text) < 7):
        raise unknown("version")
    return int(text) if text else None


def _path(request: Request) -> str:
    params: Mapping[str, str] = request.path_params
    return f"courses/{params['course']}/quizzes/{params['quiz']}/keys"


_KEYS = "/courses/{course}/quizzes/{quiz}/keys"
ROUTES = (
    Route(_KEYS, visits.shown(keys), methods=["GET"]),
    Route(_KEYS, visits.shown(correct), methods=["POST"]),
    Route(f"{_KEYS}/taken-back", visits.shown(take_back), methods=["POST"]),
)
