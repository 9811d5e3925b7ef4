"""Publishing: a compiled quiz becomes a version of a course's quiz. Versions never change."""

from __future__ import annotations

import hashlib
import json
import re
import secrets

from sqlalchemy import Connection, func, insert, select

from quiz_widgets import compiled
from quiz_widgets.classroom.desk import audits, strict
from quiz_widgets.classroom.desk.database.rows import Row, first
from quiz_widgets.classroom.desk.database.tables import quiz, version, version_key
from quiz_widgets.classroom.desk.polls import kinds
from quiz_widgets.classroom.desk.refusals import Refused
from quiz_widgets.classroom.names import ALLOWED, SLUG
from quiz_widgets.problems import ContentError

LARGEST = 8 * 1024 * 1024  # bytes of a compiled quiz; 10,000 items take about 20 MB, an exam of 200 about 400 kB
_ESCAPED = re.compile(r"\\u(0000|d[89a-f])", re.IGNORECASE)


def publish(
    connection: Connection, course_id: str, slug: str, text: str, by: str, now: int, *, poll: bool = False
) -> Row:
    """The version with this compiled text: the one there is, or a new one. `Refused` for what is no compiled quiz.

    `poll`: the quiz is a poll from now on, if nobody has opened it yet; else it stays what it is.
    """
    if not SLUG.fullmatch(slug):
        raise Refused("bad_name", f"`{slug}` is no name of a quiz; allowed are {ALLOWED}", status=422)
    if len(text.encode("utf-8", "surrogatepass")) > LARGEST:
        raise Refused("too_large", f"a compiled quiz may have {LARGEST} bytes", status=413)
    if not _is_fit(text):
        raise Refused("bad_bundle", "the quiz has a character that cannot be kept: NUL, or half of one", status=422)
    try:
        whole = compiled.loads(text, "the bundle")
    except ContentError as error:
        raise Refused("bad_bundle", str(error), status=422) from None
    if not whole.items:
        raise Refused("bad_bundle", "the quiz has no item", status=422)
    known = whole.sets
    if any(not pool.items or not known.keys() >= set(pool.items) for pool in whole.pools):
        raise Refused("bad_bundle", "a pool names an item that is not there, or none", status=422)
    title = whole.title.rendered("en").plain
    found = first(connection, select(quiz).where(quiz.c.course == course_id, quiz.c.slug == slug))
    if found is None:
        found = {"id": secrets.token_hex(16), "course": course_id, "slug": slug, "title": title, "created": now}
        connection.execute(insert(quiz).values(found))
        found["kind"] = "exam"
    if poll or found["kind"] == "poll":
        kinds.require_fit(whole)
        kinds.change(connection, found, "poll", by, now)
    return _version(connection, found, text, by, now)


def _is_fit(text: str) -> bool:
    if not _ESCAPED.search(text):  # JSON has such characters in no other way, and few quizzes have escapes
        return True
    try:
        return strict.are_fit(json.loads(text))
    except ValueError:  # no JSON: what is wrong is said where it is read
        return True
    except RecursionError:
        return False


def _version(connection: Connection, found: Row, text: str, by: str, now: int) -> Row:
    digest = hashlib.sha256(text.encode("utf-8")).hexdigest()
    known = first(connection, select(version).where(version.c.quiz == found["id"], version.c.hash == digest))
    if known is not None:
        return known
    number = connection.execute(select(func.max(version.c.number)).where(version.c.quiz == found["id"])).scalar() or 0
    made = {
        "id": secrets.token_hex(16),
        "quiz": found["id"],
        "number": number + 1,
        "hash": digest,
        "published": now,
        "publisher": by,
    }
    connection.execute(insert(version).values(made))
    connection.execute(insert(version_key).values(version=made["id"], compiled=text))
    audits.note(connection, now, by, found["course"], "publish", f"{found['slug']} version {number + 1}", after=digest)
    return made
