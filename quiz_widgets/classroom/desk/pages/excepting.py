"""An exception in the fields of a form: for whom it is, and what it changes; and as a line of the list of them."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from sqlalchemy import Connection, select

from quiz_widgets.classroom.desk import rosters
from quiz_widgets.classroom.desk.database.rows import Row, first
from quiz_widgets.classroom.desk.database.tables import version
from quiz_widgets.classroom.desk.exports.cells import plain
from quiz_widgets.classroom.desk.pages import fields, schedule_fields, showing
from quiz_widgets.classroom.desk.pages.fields import Entered
from quiz_widgets.classroom.desk.refusals import Refused

_FIELDS = ("whom", *schedule_fields.TIMES, "which", "time_factor", "extra_runs", "version", "excused", "reason")
EMPTY: Entered = dict.fromkeys(_FIELDS, "") | {"time_factor": "1", "extra_runs": "0"}


def read(connection: Connection, found: Row, sent: Entered) -> tuple[dict[str, object], dict[str, object]]:
    """For whom an exception is, and what it changes. `NoTime` for a time that is none, `Refused` for the rest."""
    given: dict[str, object] = {
        name: schedule_fields.time(sent.get(name, ""), found["zone"], sent) for name in schedule_fields.TIMES
    }
    given |= {
        "time_factor": plain(fields.number(sent.get("time_factor") or "1", "the time factor")),
        "extra_runs": fields.whole(sent.get("extra_runs") or "0", "the number of extra attempts"),
        "excused": sent.get("excused") == "yes",
        "reason": sent.get("reason", ""),
        "version": _version(connection, found, sent.get("version", "")),
    }
    return _whom(connection, found, sent.get("whom", "")), given


def told(one: Row, zone: str, names: Mapping[str, str]) -> dict[str, Any]:
    """An exception as the list shows it; one for a learner who was dropped has no name any more."""
    factor = Decimal(one["time_factor"])
    return {
        **one,
        **{name: showing.moment(one[name], zone) for name in (*schedule_fields.TIMES, "made")},
        "name": names.get(one["person"] or "", ""),
        "time_factor": None if factor == 1 else plain(factor),
    }


def _whom(connection: Connection, found: Row, text: str) -> dict[str, object]:
    kind, _, name = text.partition(":")
    learners = rosters.learners_of(connection, found["course"])
    if kind == "person" and name in {one["person"] for one in learners}:
        return {"person": name}
    if kind == "section" and name and name in {one["section"] for one in learners}:
        return {"section": name}
    raise Refused("bad_request", "choose a learner or a section of this course", status=422)


def _version(connection: Connection, found: Row, text: str) -> str | None:
    if not text:
        return None
    number = fields.whole(text, "the version")
    asked = select(version.c.id).where(version.c.quiz == found["id"], version.c.number == number)
    chosen = first(connection, asked)
    if chosen is None:
        raise Refused("bad_request", f"there is no version {number} of this quiz", status=422)
    return str(chosen["id"])
