"""Keeping submissions: a whole batch in three statements, each kept exactly once, however often it is sent."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from sqlalchemy import Connection, bindparam, select, tuple_, update
from sqlalchemy.dialects import postgresql, sqlite

from quiz_widgets.classroom.desk import windows
from quiz_widgets.classroom.desk.database.engine import is_sqlite
from quiz_widgets.classroom.desk.database.rows import Row
from quiz_widgets.classroom.desk.database.tables import attempt, quiz, submission
from quiz_widgets.classroom.desk.polls import rounds
from quiz_widgets.classroom.wire import Receipt

Verdict = Literal["recorded", "late", "finished", "unknown", "reused", "unfit"]
# One encoder for all: `json.dumps` with options makes a new one each time.
_ascii = json.JSONEncoder(ensure_ascii=True, separators=(",", ":")).encode
_text = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
_KEPT = (submission.c.person, submission.c.id)
# Statements are made once, and rows and ids are their parameters: one that is made for each batch, with the rows in it,
# costs more to compile than to carry out.
_RUNS = (
    select(
        attempt.c.id,
        attempt.c.person,
        attempt.c.finished_by,
        attempt.c.closes,
        attempt.c.scored,
        attempt.c.quiz,
        quiz.c.kind,
        quiz.c.grace,
        quiz.c.revealed,
    )
    .join(quiz, quiz.c.id == attempt.c.quiz)
    .where(attempt.c.id.in_(bindparam("ids", expanding=True)))
    .order_by(attempt.c.id)
)
_HELD = _RUNS.with_for_update(read=True, of=attempt)
_KNOWN = select(submission).where(tuple_(*_KEPT).in_(bindparam("places", expanding=True)))
_INSERTS = {
    name: insert(submission).on_conflict_do_nothing(index_elements=["person", "id"]).returning(*_KEPT)
    for name, insert in (("sqlite", sqlite.insert), ("postgresql", postgresql.insert))
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Sent:
    """One response as it came in, checked against its item, with the author's option ids.

    `arrived` is the desk's clock before anything queued. `digest` is over what was sent: the same id with another
    digest is another answer under a used id.
    """

    person: str
    attempt: str
    id: str
    item: str
    response: tuple[str, ...]
    digest: str
    arrived: int
    sent: int | None = None
    seconds: int | None = None
    confidence: int | None = None
    round: int = 0


@dataclass(frozen=True, slots=True)
class Kept:
    """What became of one: `recorded` and `late` are in the database, and only they have a receipt.

    `finished`: the learner had finished the attempt. `unknown`: no such attempt, or somebody else's. `reused`: the id
    stands for another response. `unfit`: a vote on an item of a poll that was never opened.
    """

    verdict: Verdict
    receipt: Receipt | None = None


def digest(item: str, response: Sequence[str], confidence: int | None, round_: int = 0) -> str:
    """SHA-256 over what decides whether two submissions say the same; of a vote its round is a part."""
    text = _ascii([item, list(response), confidence, *([round_] if round_ else [])])
    return hashlib.sha256(text.encode("ascii")).hexdigest()


def keep(connection: Connection, batch: Sequence[Sent]) -> list[Kept]:
    """Keep a batch within the caller's transaction; one result for each, in order. Nothing is kept until it commits."""
    runs = _attempts(connection, {sent.attempt for sent in batch})
    known = _known(connection, batch)
    closings = _closings(connection, batch, runs)
    fresh: dict[tuple[str, str], Row] = {}
    for sent in batch:
        place = (sent.person, sent.id)
        run = runs.get(sent.attempt)
        if place in known or place in fresh or run is None or run["person"] != sent.person:
            continue
        if run["finished_by"] != "learner" and (status := _status(sent, run, closings)) is not None:
            fresh[place] = _row(sent, status, run)
    if fresh:
        made = _insert(connection, list(fresh.values()))
        known |= {place: row for place, row in fresh.items() if place in made}
        lost = [sent for sent in batch if (sent.person, sent.id) in fresh.keys() - made]
        if lost:  # another worker was first with the same id: its row counts
            known |= _known(connection, lost)
        _score_again(
            connection, {row["attempt"] for row in fresh.values()} & {i for i, r in runs.items() if r["scored"]}
        )
    return [_result(sent, known.get((sent.person, sent.id)), runs.get(sent.attempt)) for sent in batch]


def _attempts(connection: Connection, ids: set[str]) -> dict[str, Row]:
    """The attempts, held so that none is finished by another worker before this batch is in the database."""
    asked = _RUNS if is_sqlite(connection) else _HELD  # on SQLite the transaction already holds the one lock
    return {row.id: row._asdict() for row in connection.execute(asked, {"ids": sorted(ids)})}


def _closings(connection: Connection, batch: Sequence[Sent], runs: Mapping[str, Row]) -> rounds.Closings:
    """The rounds of the polls in the batch; a batch without a vote asks nothing."""
    polls = {run["quiz"] for run in runs.values() if run["kind"] == "poll"}
    return rounds.held(connection, polls, {sent.item for sent in batch}) if polls else {}


def _status(sent: Sent, run: Row, closings: rounds.Closings) -> windows.Status | None:
    """Late after the end, and after an instructor showed the keys: who knows the answer does not answer any more.

    A vote is late once its round is closed; `None` for one on an item that was never opened.
    """
    if run["kind"] == "poll":
        return rounds.status(closings.get((run["quiz"], sent.item), {}), sent.round, sent.arrived)
    if run["revealed"] is not None and sent.arrived >= run["revealed"]:
        return "late"
    return windows.status(sent.arrived, run["closes"], run["grace"])


def _known(connection: Connection, batch: Sequence[Sent]) -> dict[tuple[str, str], Row]:
    places = sorted({(sent.person, sent.id) for sent in batch})
    found = connection.execute(_KNOWN, {"places": places})
    return {(row.person, row.id): row._asdict() for row in found}


def _row(sent: Sent, status: str, run: Row) -> Row:
    return {
        "person": sent.person,
        "id": sent.id,
        "attempt": sent.attempt,
        "item": sent.item,
        "response": _text(sent.response),
        "digest": sent.digest,
        "received": sent.arrived,
        "sent": sent.sent,
        "seconds": sent.seconds,
        "confidence": sent.confidence,
        "round": sent.round if run["kind"] == "poll" else 0,
        "status": status,
    }


def _insert(connection: Connection, fresh: list[Row]) -> set[tuple[str, str]]:
    """Insert the rows whose ids nobody has used; the places of those that went in."""
    return {(who, name) for who, name in connection.execute(_INSERTS[connection.dialect.name], fresh)}


def _score_again(connection: Connection, attempts: set[str]) -> None:
    """Answers that waited in the queue past the end: the attempt was finished and scored without them."""
    if attempts:
        connection.execute(update(attempt).where(attempt.c.id.in_(sorted(attempts))).values(scored=False))


def _result(sent: Sent, row: Row | None, run: Row | None) -> Kept:
    if run is None or run["person"] != sent.person:
        return Kept("unknown")
    if row is None:
        return Kept("finished" if run["finished_by"] == "learner" else "unfit")
    if row["digest"] != sent.digest or row["attempt"] != sent.attempt:
        return Kept("reused")
    told = Receipt(
        submission=row["id"], attempt=row["attempt"], item=row["item"], received=row["received"], status=row["status"]
    )
    return Kept(row["status"], told)
