"""Bringing memberships in line with groups of the Hub, for whoever asks with the Hub's fresh word on them."""

from __future__ import annotations

from quiz_widgets.classroom.desk import groups
from quiz_widgets.classroom.desk.desk import Desk
from quiz_widgets.classroom.desk.identity.who import Who


async def join(desk: Desk, asker: Who, course: str | None = None) -> None:
    """Let somebody into a course, or out of it, as their groups say; `None`: all courses.

    A ticket says nothing of groups: submissions pass by here without a question to the database.
    """
    if asker.groups is None or not await desk.read(lambda connection: groups.moves(connection, asker, course)):
        return
    now = desk.clock()
    await desk.writer.run(lambda connection: groups.follow(connection, asker, now, course))
