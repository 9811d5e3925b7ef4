"""Whether a receipt is the desk's word to the learner who shows it, and whether the desk still has what it tells of."""

from __future__ import annotations

import re
from typing import Literal

from sqlalchemy import Connection, select

from quiz_widgets.classroom.desk import strict
from quiz_widgets.classroom.desk.database.rows import first
from quiz_widgets.classroom.desk.database.tables import submission
from quiz_widgets.classroom.desk.receipts import Seals
from quiz_widgets.classroom.wire import Receipt

Verdict = Literal["kept", "gone", "not_ours"]
_SEAL = re.compile("[0-9a-f]{64}")


def receipt(text: str) -> Receipt:
    """The receipt in this JSON: one alone, or within what a notebook keeps. `Refused` for what holds none."""
    found = strict.loads(text.encode("utf-8", "surrogatepass"))
    if isinstance(found, dict) and isinstance(found.get("receipt"), dict):
        found = found["receipt"]
    sent = strict.fields(found, submission=str, attempt=str, item=str, received=int, status=str, seal=str)
    return Receipt(
        submission=sent["submission"],
        attempt=sent["attempt"],
        item=sent["item"],
        received=sent["received"],
        status=sent["status"],
        seal=sent["seal"],
    )


def verify(connection: Connection, seals: Seals, person_id: str, shown: Receipt) -> Verdict:
    """`not_ours`: the desk gave this person no such receipt. `gone`: it did, and the submission is not in the database.

    The second is what a database looks like that was restored from an older copy.
    """
    if not _SEAL.fullmatch(shown["seal"]) or not seals.holds(shown, person_id):
        return "not_ours"
    kept = first(
        connection,
        select(submission).where(submission.c.person == person_id, submission.c.id == shown["submission"]),
    )
    same = kept is not None and all(kept[name] == shown[name] for name in ("attempt", "item", "received", "status"))
    return "kept" if same else "gone"
