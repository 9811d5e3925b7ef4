"""When keys may be seen: after the last learner's closing time on that version, or when an instructor says so.

One learner with more time keeps the keys shut for all: what one knows, all know.
"""

from __future__ import annotations

from dataclasses import replace

from sqlalchemy import Connection, select, update

from quiz_widgets.classroom.desk import audits, rosters
from quiz_widgets.classroom.desk.database.rows import Row, rows
from quiz_widgets.classroom.desk.database.tables import attempt, version
from quiz_widgets.classroom.desk.database.tables import quiz as quizzes
from quiz_widgets.classroom.desk.drawing import Drawing
from quiz_widgets.classroom.desk.polls import kinds
from quiz_widgets.classroom.desk.refusals import Refused
from quiz_widgets.model import Accept, Item, Option, Quiz, Target


def is_revealed(connection: Connection, found: Row, version: str, now: int) -> bool:
    """Whether keys of this version of the quiz may be shown to its learners."""
    if found["revealed"] is not None:
        return True
    if found["reveal"] != "closed":
        return False
    closing = _closing(found)
    if closing is None or now <= closing:  # the class has time: that of others does not matter
        return False
    last = last_closing(connection, found, version)
    return last is not None and now > last


def last_closing(connection: Connection, found: Row, version: str) -> int | None:
    """The latest time at which anybody's answer on this version still counts; `None` when there is no such end."""
    ends: list[int | None] = [
        None if window.last is None else window.last + window.grace
        for window in rosters.windows_of(connection, found).values()
        if not window.excused and window.version in (None, version)
    ]
    running = rows(
        connection,
        select(attempt.c.closes).where(
            attempt.c.quiz == found["id"], attempt.c.version == version, attempt.c.finished.is_(None)
        ),
    )
    ends += [None if one["closes"] is None else one["closes"] + found["grace"] for one in running]
    ends.append(_closing(found))
    known = [end for end in ends if end is not None]
    return max(known) if len(known) == len(ends) else None


def _closing(found: Row) -> int | None:
    """The latest time at which an answer counts of those for whom no exception was made."""
    closing = found["due"] if found["closes"] is None else found["closes"]
    return None if closing is None else int(closing + found["grace"])


def still_open(connection: Connection, found: Row, now: int) -> bool:
    """Whether anybody's answer on any version of the quiz may still count."""
    versions = connection.execute(select(version.c.id).where(version.c.quiz == found["id"])).scalars()
    ends = [last_closing(connection, found, one) for one in versions]
    return any(end is None or now <= end for end in ends)


def reveal(connection: Connection, found: Row, by: str, now: int) -> None:
    """Show the keys of the quiz from now on, at an instructor's word. A second time changes nothing."""
    if found["kind"] == "poll" and not kinds.ended(found):
        raise Refused("poll", "a poll shows the key of each question when you reveal it; end the poll to show all")
    if found["revealed"] is None:
        connection.execute(update(quizzes).where(quizzes.c.id == found["id"]).values(revealed=now))
        audits.note(connection, now, by, found["course"], "reveal", found["slug"])


def quiz(whole: Quiz, drawing: Drawing, name: str) -> Quiz:
    """The whole quiz under the ids that one attempt shows, with keys, rationales and all; after the reveal only."""
    return replace(whole, id=name, items=tuple(item(one, drawing) for one in drawing.items(whole)), pools=())


def item(item: Item, drawing: Drawing) -> Item:
    """The whole item under the ids that one attempt shows; after its reveal only."""
    options, targets = drawing.options(item), drawing.targets(item)
    index = drawing.variant(item)
    return replace(
        item,
        options=tuple(_option(option, options, targets) for option in item.options),
        targets=tuple(Target(targets[target.id], target.text) for target in item.targets),
        variants=item.variants if index is None else (item.variants[index],),
        accept=tuple(Accept(one.id, one.text, one.credit, one.rationale) for one in item.accept),
    )


def _option(option: Option, options: dict[str, str], targets: dict[str, str]) -> Option:
    match = None if option.match is None else targets[option.match]
    return replace(option, id=options[option.id], match=match)
