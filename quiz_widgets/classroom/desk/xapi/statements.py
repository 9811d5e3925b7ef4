"""The statements of one attempt: *answered* for each answer that counts, *completed* for the whole.

Their ids follow from what they are about, so that sending one again is no second statement.
"""

from __future__ import annotations

import json
import uuid
from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from sqlalchemy import Connection, select

from quiz_widgets.classroom.desk.database.rows import Row, first, rows
from quiz_widgets.classroom.desk.database.tables import attempt, outcome, person, quiz, submission
from quiz_widgets.classroom.desk.library import Library
from quiz_widgets.classroom.desk.lti.queueing import number, written
from quiz_widgets.classroom.desk.settings import Xapi

_SPACE = uuid.UUID("5f0f4f5a-3c5b-4b0c-9d3f-6f2f1f6f7a10")
_VERBS = "http://adlnet.gov/expapi/verbs/"
_TYPES = "http://adlnet.gov/expapi/activities/"
_INTERACTIONS = {
    "single": "choice",
    "multiple": "choice",
    "number": "numeric",
    "text": "fill-in",
    "order": "sequencing",
    "match": "matching",
}


def of_attempt(connection: Connection, library: Library, store: Xapi, attempt_id: str) -> list[dict[str, Any]]:
    """All statements of a scored attempt; none where it is no longer there, or its learner was erased."""
    run = first(
        connection,
        select(attempt, quiz.c.course, quiz.c.slug, quiz.c.title, person.c.hub_name, person.c.student_number)
        .join(quiz, quiz.c.id == attempt.c.quiz)
        .join(person, person.c.id == attempt.c.person)
        .where(attempt.c.id == attempt_id, attempt.c.scored, person.c.erased.is_(None)),
    )
    if run is None:
        return []
    whole = library.quiz(connection, run["version"])
    asked = (
        select(outcome, submission.c.response, submission.c.received, submission.c.seconds)
        .outerjoin(submission, submission.c.sequence == outcome.c.submission)
        .where(outcome.c.attempt == attempt_id)
        .order_by(submission.c.received, outcome.c.item)
    )
    found = rows(connection, asked)
    made = [_answered(store, run, one, whole.item(one["item"]).kind) for one in found if one["received"] is not None]
    total = sum((Decimal(one["score"]) for one in found), Decimal(0))
    most = sum((Decimal(one["max_score"]) for one in found), Decimal(0))
    return [*made, _completed(store, run, total, most)]


def _answered(store: Xapi, run: Row, one: Row, kind: str) -> dict[str, Any]:
    place = _place(store, run)
    result: dict[str, Any] = {
        "response": "[,]".join(json.loads(one["response"])),
        "success": Decimal(one["score"]) >= Decimal(one["max_score"]),
        **_score(Decimal(one["score"]), Decimal(one["max_score"])),
    }
    if one["seconds"] is not None:
        result["duration"] = f"PT{one['seconds'] / 1000:.2f}S"
    definition = {"type": f"{_TYPES}cmi.interaction", "interactionType": _INTERACTIONS[kind]}
    return {
        **_statement(store, run, "answered", f"{run['id']}/{one['item']}/{one['submission']}", one["received"]),
        "object": {"id": f"{place}/items/{one['item']}", "definition": definition},
        "result": result,
        "context": {**_context(run), "contextActivities": {"parent": [{"id": place}]}},
    }


def _completed(store: Xapi, run: Row, total: Decimal, most: Decimal) -> dict[str, Any]:
    definition = {"type": f"{_TYPES}assessment", "name": {"und": run["title"]}}
    return {
        **_statement(store, run, "completed", run["id"], run["finished"]),
        "object": {"id": _place(store, run), "definition": definition},
        "result": {"completion": True, **_score(total, most)},
        "context": _context(run),
    }


def _statement(store: Xapi, run: Row, verb: str, about: str, at: int) -> dict[str, Any]:
    names = {"id": run["person"], "name": run["hub_name"], "number": run["student_number"] or run["person"]}
    return {
        "id": str(uuid.uuid5(_SPACE, f"{store.home} {about}")),
        "actor": {"objectType": "Agent", "account": {"homePage": store.home, "name": names[store.actor]}},
        "verb": {"id": f"{_VERBS}{verb}", "display": {"en": verb}},
        "timestamp": written(at),
    }


def _context(run: Row) -> Mapping[str, Any]:
    return {"registration": str(uuid.uuid5(_SPACE, run["id"])), "platform": "quiz_widgets"}


def _place(store: Xapi, run: Row) -> str:
    return f"{store.home.rstrip('/')}/courses/{run['course']}/quizzes/{run['slug']}"


def _score(given: Decimal, most: Decimal) -> dict[str, Any]:
    if most <= 0:
        return {}
    scaled = number((max(min(given / most, Decimal(1)), Decimal(-1))).quantize(Decimal("0.0001")))
    return {
        "score": {"raw": number(given), "max": number(most), "min": number(min(given, Decimal(0))), "scaled": scaled}
    }
