"""Changing a key after the fact: what is right now, what is accepted too, full marks for all, or the item dropped.

Submissions and versions never change. A change stands beside the version, and every finished attempt at it is scored
again from the same submissions.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, delete, func, insert, select

from quiz_widgets.classroom.desk import audits, gradebook, scoring
from quiz_widgets.classroom.desk.database.rows import Row, first, rows
from quiz_widgets.classroom.desk.database.tables import attempt, key_change, submission, version
from quiz_widgets.classroom.desk.drawing import Drawing
from quiz_widgets.classroom.desk.library import Library
from quiz_widgets.classroom.desk.polls import rounds
from quiz_widgets.classroom.desk.refusals import Refused, unknown
from quiz_widgets.model import Item, Response
from quiz_widgets.progress.events import fits

KINDS = ("key", "also", "full", "drop")
LONGEST_REASON = 2000


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


@dataclass(frozen=True, slots=True)
class Effect:
    """How many attempts would have more points at the item, fewer, or as many as before."""

    more: int
    fewer: int
    same: int


def change_key(connection: Connection, library: Library, found: Row, change: Change, by: str, now: int) -> int:
    """Write the change; how many attempts are scored again. Later changes stand on earlier ones. `Refused` if unfit."""
    chosen, _ = checked(connection, library, found, change)
    if not change.reason.strip() or len(change.reason) > LONGEST_REASON:
        raise Refused("bad_request", f"say why, in at most {LONGEST_REASON} characters: learners may ask", status=422)
    connection.execute(
        insert(key_change).values(
            id=secrets.token_hex(16),
            version=chosen["id"],
            item=change.item,
            kind=change.kind,
            body=_body(change),
            reason=change.reason,
            made_by=by,
            made=_later(connection, chosen["id"], now),
        )
    )
    # The log says what was done; the key itself stays in the one table that holds keys.
    told = f"{found['slug']} version {chosen['number']} {change.item}"
    audits.note(connection, now, by, found["course"], "key change", told, after=change.kind)
    return gradebook.score_again(connection, found["id"])


def take_back(connection: Connection, found: Row, change_id: str, by: str, now: int) -> int:
    """Take the last change of an item back; how many attempts are scored again. `Refused` for an earlier one."""
    asked = select(key_change).join(version, version.c.id == key_change.c.version)
    one = first(connection, asked.where(key_change.c.id == change_id, version.c.quiz == found["id"]))
    if one is None:
        raise unknown("correction")
    later = select(key_change.c.id).where(
        key_change.c.version == one["version"], key_change.c.item == one["item"], key_change.c.made > one["made"]
    )
    if first(connection, later) is not None:
        raise Refused(
            "not_last", "a later correction of this question stands on that one; take the later one back first"
        )
    connection.execute(delete(key_change).where(key_change.c.id == change_id))
    number = connection.execute(select(version.c.number).where(version.c.id == one["version"])).scalar_one()
    told = f"{found['slug']} version {number} {one['item']}"
    audits.note(connection, now, by, found["course"], "key change taken back", told, before=one["kind"])
    return gradebook.score_again(connection, found["id"])


def checked(connection: Connection, library: Library, found: Row, change: Change) -> tuple[Row, Item]:
    """The version and the item that a change is for; `Refused` if it does not fit them."""
    chosen = version_of(connection, found, change.version)
    whole = library.quiz(connection, chosen["id"])
    if change.item not in whole.sets:
        known = ", ".join(item.id for item in whole.items)
        raise Refused("unknown", f"version {chosen['number']} has no item `{change.item}`; it has {known}", status=404)
    item = whole.item(change.item)
    _fit(item, change.kind, change.responses)
    return chosen, item


def effect(connection: Connection, library: Library, found: Row, change: Change) -> Effect:
    """What a change would do to the finished attempts at its version, as the keys stand now; writes nothing."""
    chosen, item = checked(connection, library, found, change)
    changes = rows(connection, select(key_change).where(key_change.c.version == chosen["id"]))
    new = {"item": item.id, "kind": change.kind, "body": _body(change), "made": 2**63, "id": ""}
    before, after = scoring.rule(item.id, changes), scoring.rule(item.id, [*changes, new])
    whole = library.quiz(connection, chosen["id"])
    counted = {"more": 0, "fewer": 0, "same": 0}
    asked = rounds.opened(connection, found["id"]) if found["kind"] == "poll" else None
    for run_id, response in _responses(connection, found, chosen["id"], item):
        drawing = Drawing(found["secret"], run_id)
        if whole.pools and item not in drawing.items(whole):
            continue
        if asked is not None and item.id not in asked:  # of a poll's question that was not opened nobody has points
            counted["same"] += 1
            continue
        given = None if response is None else Response(response, drawing.variant(item))
        was, will = before(item, given).score, after(item, given).score
        counted["more" if will > was else "fewer" if will < was else "same"] += 1
    return Effect(**counted)


def changes_of(connection: Connection, found: Row) -> list[Row]:
    """All changes made at a quiz, the newest first, with the ``number`` of the version."""
    asked = (
        select(key_change, version.c.number)
        .join(version, version.c.id == key_change.c.version)
        .where(version.c.quiz == found["id"])
        .order_by(key_change.c.made.desc(), key_change.c.id)
    )
    return rows(connection, asked)


def scored(connection: Connection, found: Row) -> tuple[int, int]:
    """How many attempts at a quiz are finished, and how many of them wait to be scored."""
    here = (attempt.c.quiz == found["id"], attempt.c.finished.is_not(None))
    counts = select(func.count()).select_from(attempt)
    waiting = counts.where(*here, attempt.c.scored.is_(False))
    return connection.execute(counts.where(*here)).scalar_one(), connection.execute(waiting).scalar_one()


def is_typed(connection: Connection, library: Library, found: Row, item_id: str, number: int | None) -> bool:
    """Whether the item's responses are typed; else they are ids of options."""
    whole = library.quiz(connection, version_of(connection, found, number)["id"])
    return item_id in whole.sets and whole.item(item_id).kind in ("number", "text")


def version_of(connection: Connection, found: Row, number: int | None) -> Row:
    """The version of that number, `None` for the newest; ``unknown`` when there is none."""
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
        if not one or not fits(list(one), item):
            ids = [option.id for option in item.options]
            allowed = f"its options are {', '.join(ids)}" if ids else "a number or the text that is typed"
            raise Refused(
                "bad_request",
                f"`{item.id}` cannot be answered with {', '.join(one) or 'nothing'}; {allowed}",
                status=422,
            )


def _responses(
    connection: Connection, found: Row, version_id: str, item: Item
) -> Iterator[tuple[str, tuple[str, ...] | None]]:
    """Each finished attempt at a version with the response to the item that counts; `None` for no response."""
    runs = select(attempt.c.id).where(attempt.c.quiz == found["id"], attempt.c.version == version_id)
    runs = runs.where(attempt.c.finished.is_not(None))
    sent: dict[str, list[Row]] = {}
    asked = select(submission).where(submission.c.item == item.id, submission.c.attempt.in_(runs))
    for one in rows(connection, asked):
        sent.setdefault(one["attempt"], []).append(one)
    for run_id in connection.execute(runs).scalars():
        row = scoring.counting(sent.get(run_id, ())).get(item.id)
        yield run_id, None if row is None else tuple(json.loads(row["response"]))


def _body(change: Change) -> str:
    return json.dumps([list(one) for one in change.responses], ensure_ascii=False)


def _later(connection: Connection, version_id: str, now: int) -> int:
    """After every earlier change, even where the clock went back: the order decides."""
    asked = select(key_change.c.made).where(key_change.c.version == version_id).order_by(key_change.c.made.desc())
    last = connection.execute(asked.limit(1)).scalar()
    return now if last is None else max(now, int(last) + 1)
