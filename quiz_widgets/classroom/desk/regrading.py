"""Changing a key after the fact: what is right now, what is accepted too, full marks for all, or the item dropped.

Submissions and versions never change. A change stands beside the version, and every finished attempt at it is scored
again from the same submissions.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, insert, select

from quiz_widgets.classroom.desk import audits, gradebook
from quiz_widgets.classroom.desk.database.rows import Row, first
from quiz_widgets.classroom.desk.database.tables import key_change, version
from quiz_widgets.classroom.desk.library import Library
from quiz_widgets.classroom.desk.refusals import Refused, unknown
from quiz_widgets.model import Item
from quiz_widgets.progress.events import answers

KINDS = ("key", "also", "full", "drop")
_LONGEST_REASON = 2000


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """How an item is graded from now on.

    `kind`: ``key`` (only these responses are right; for choices one response, the new key), ``also`` (these too, with
    full points), ``full`` (full points for everybody), ``drop`` (the item counts for nobody). Responses have the
    author's ids of options, or what is typed. `version`: its number, `None` for the newest one.
    """

    item: str
    kind: str
    responses: Sequence[Sequence[str]] = ()
    reason: str = ""
    version: int | None = None


def change_key(connection: Connection, library: Library, found: Row, change: Change, by: str, now: int) -> int:
    """Write the change; how many attempts are scored again. Later changes stand on earlier ones. `Refused` if unfit."""
    chosen = _version(connection, found, change.version)
    whole = library.quiz(connection, chosen["id"])
    if change.item not in whole.sets:
        known = ", ".join(item.id for item in whole.items)
        raise Refused("unknown", f"version {chosen['number']} has no item `{change.item}`; it has {known}", status=404)
    _fit(whole.item(change.item), change.kind, change.responses)
    if not change.reason.strip() or len(change.reason) > _LONGEST_REASON:
        raise Refused("bad_request", f"say why, in at most {_LONGEST_REASON} characters: learners may ask", status=422)
    connection.execute(
        insert(key_change).values(
            id=secrets.token_hex(16),
            version=chosen["id"],
            item=change.item,
            kind=change.kind,
            body=json.dumps([list(one) for one in change.responses], ensure_ascii=False),
            reason=change.reason,
            made_by=by,
            made=_later(connection, chosen["id"], now),
        )
    )
    # The log says what was done; the key itself stays in the one table that holds keys.
    told = f"{found['slug']} version {chosen['number']} {change.item}"
    audits.note(connection, now, by, found["course"], "key change", told, after=change.kind)
    return gradebook.score_again(connection, found["id"])


def is_typed(connection: Connection, library: Library, found: Row, item_id: str, number: int | None) -> bool:
    """Whether the item's responses are typed; else they are ids of options."""
    whole = library.quiz(connection, _version(connection, found, number)["id"])
    return item_id in whole.sets and whole.item(item_id).kind in ("number", "text")


def _version(connection: Connection, found: Row, number: int | None) -> Row:
    asked = select(version).where(version.c.quiz == found["id"]).order_by(version.c.number.desc())
    chosen = first(connection, asked if number is None else asked.where(version.c.number == number))
    if chosen is None:
        raise unknown("version")
    return chosen


def _fit(item: Item, kind: str, responses: Sequence[Sequence[str]]) -> None:
    if kind not in KINDS:
        raise Refused("bad_request", f"`{kind}` is no change of a key; there are {', '.join(KINDS)}", status=422)
    if kind in ("full", "drop"):
        if responses:
            raise Refused("bad_request", f"`{kind}` takes no response", status=422)
        return
    if not responses or (kind == "key" and item.kind in ("single", "multiple") and len(responses) != 1):
        raise Refused("bad_request", "give the response that is right; a choice has one key", status=422)
    for one in responses:
        if not one or not answers(list(one), item):
            ids = [option.id for option in item.options]
            allowed = f"its options are {', '.join(ids)}" if ids else "a number or the text that is typed"
            raise Refused(
                "bad_request",
                f"`{item.id}` cannot be answered with {', '.join(one) or 'nothing'}; {allowed}",
                status=422,
            )


def _later(connection: Connection, version_id: str, now: int) -> int:
    """After every earlier change, even where the clock went back: the order decides."""
    asked = select(key_change.c.made).where(key_change.c.version == version_id).order_by(key_change.c.made.desc())
    last = connection.execute(asked.limit(1)).scalar()
    return now if last is None else max(now, int(last) + 1)
