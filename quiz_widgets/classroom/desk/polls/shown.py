"""What a learner sees of a poll: the items opened so far, and of those that are revealed everything, votes included."""

from __future__ import annotations

from sqlalchemy import Connection

from quiz_widgets.classroom import wire
from quiz_widgets.classroom.desk.database.rows import Row
from quiz_widgets.classroom.desk.drawing import Drawing
from quiz_widgets.classroom.desk.polls import rounds, steps, votes
from quiz_widgets.classroom.desk.runs import Run
from quiz_widgets.classroom.desk.written import Written
from quiz_widgets.model import Item


def to_learner(
    connection: Connection, found: Row, run: Run, kept: votes.Kept, texts: Written
) -> tuple[list[bytes], dict[str, list[wire.PollRound]]]:
    """The quiz of one attempt at a poll as it stands, written, and the votes on each revealed item."""
    opened, seen = rounds.opened(connection, found["id"]), steps.revealed(connection, found["id"])
    items = [item for name in opened if (item := run.item(name)) is not None]
    histograms = kept.counted(connection, found, seen)
    told = {
        item.id: [
            _round(item, run.drawing, number, histograms.get((item.id, number), votes.NONE))
            for number, _ in opened[item.id]
        ]
        for item in items
        if item.id in seen
    }
    return texts.quiz(run, items, seen), told


def _round(item: Item, drawing: Drawing, number: int, histogram: votes.Histogram) -> wire.PollRound:
    shown = drawing.options(item)
    # By the drawn ids: the author's order may be the key.
    counts = sorted((shown[name], count) for name, count in histogram.of_options(item).items())
    return {"number": number, "voters": histogram.voters, "counts": dict(counts)}
