"""Learners' routes: the state of a quiz, opening it, answering, finishing, and what was right once that is shown."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from sqlalchemy import Connection, select
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from quiz_widgets import compiled
from quiz_widgets.classroom import wire
from quiz_widgets.classroom.desk import attempts, responses, revealing, rosters, states, strict
from quiz_widgets.classroom.desk.database.rows import Row, rows
from quiz_widgets.classroom.desk.database.tables import outcome
from quiz_widgets.classroom.desk.desk import Desk
from quiz_widgets.classroom.desk.identity.who import Who
from quiz_widgets.classroom.desk.polls import kinds, steps
from quiz_widgets.classroom.desk.polls import shown as polled
from quiz_widgets.classroom.desk.refusals import Refused, Unavailable, unknown
from quiz_widgets.classroom.desk.routes.asking import body, desk_of, json_reply, who, written_reply
from quiz_widgets.classroom.desk.routes.joining import join
from quiz_widgets.classroom.desk.runs import Run
from quiz_widgets.classroom.desk.submissions import Kept, Sent, digest
from quiz_widgets.classroom.desk.written import written
from quiz_widgets.classroom.names import Name, parse
from quiz_widgets.progress.events import is_attempt

_LONGEST_ID = 255
_LONGEST_RESPONSE = 200  # entries


async def state(request: Request) -> JSONResponse:
    """GET courses/{course}/quizzes/{quiz}: what may be known now. Showing a quiz asks this, and so warms its token."""
    desk, asker, name = desk_of(request), await who(request, "submit"), _name(request)
    await join(desk, asker, name.course)
    now = desk.clock()

    def work(connection: Connection) -> wire.QuizState:
        member = rosters.member(connection, name.course, asker.name)
        return _state(connection, desk, rosters.quiz_of(connection, name.course, name.quiz), member, now)

    found = await desk.read(work)
    _hear(request, name, asker)
    return json_reply(found)


async def poll(request: Request) -> JSONResponse:
    """GET …/poll?after=SEQUENCE: where a poll stands, as soon as that is another than the sequence says."""
    desk, asker, name = desk_of(request), await who(request, "submit"), _name(request)
    after = request.query_params.get("after", "")
    if after and not (after.isascii() and after.isdigit() and len(after) < 10):
        raise Refused("bad_request", "`after` is the sequence that is known: a number from 0", status=422)

    def work(connection: Connection) -> tuple[str, wire.PollState]:
        rosters.member(connection, name.course, asker.name)
        found = rosters.quiz_of(connection, name.course, name.quiz)
        kinds.require_poll(found)
        return str(found["id"]), steps.state(connection, found["id"])

    quiz_id, known = await desk.read(work)
    _hear(request, name, asker)
    reply: wire.PollReply = {"poll": known, "now": 0}
    if after and int(after) == known["sequence"]:
        with desk.polls.place(asker.name):
            reply["poll"], reply["spread"] = await desk.polls.wait(quiz_id, known)
    reply["now"] = desk.clock()
    return json_reply(reply)


async def opening(request: Request) -> Response:
    """POST …/attempts: open an attempt, or go on with the open one. The only thing that lets questions out."""
    desk, asker, name = desk_of(request), await who(request, "submit"), _name(request)
    now = desk.clock()

    def work(connection: Connection) -> str:
        member = rosters.member(connection, name.course, asker.name)
        found = rosters.quiz_of(connection, name.course, name.quiz)
        return str(attempts.open_one(connection, found, member, now)["id"])

    opened = await desk.writer.run(work)
    found = await desk.read(lambda connection: _attempt(connection, desk, name, opened, asker.name))
    _hear(request, name, asker)
    return written_reply(found)


async def attempt(request: Request) -> Response:
    """GET …/attempts/{attempt}: the learner's own attempt again, with all that the desk has of it."""
    desk, asker, name = desk_of(request), await who(request, "submit"), _name(request)
    run = _attempt_id(request)
    found = await desk.read(lambda connection: _attempt(connection, desk, name, run, asker.name))
    _hear(request, name, asker)
    return written_reply(found)


async def submit(request: Request) -> JSONResponse:
    """POST …/attempts/{attempt}/submissions: keep answers. One that does not fit sinks none of the others."""
    arrived = desk_of(request).clock()
    desk, asker, name = desk_of(request), await who(request, "submit"), _name(request)
    sent = strict.fields(await body(request, wire.LARGEST_BODY), submissions=list)["submissions"]
    if not 0 < len(sent) <= wire.AT_ONCE:
        raise Refused("bad_request", f"1 to {wire.AT_ONCE} submissions at once", status=422)
    if not desk.submits.take(asker.name, len(sent)):
        raise Unavailable("that is faster than answers are taken from one learner", 5)
    run = await _run(desk, name, _attempt_id(request), asker.name)
    read = [_submission(run, one, arrived) for one in sent]
    kept = iter(await desk.writer.keep([one for one in read if isinstance(one, Sent)]) if any(read) else [])
    replies = [
        _reply(desk, run, one.id, next(kept)) if isinstance(one, Sent) else _unfit(given)
        for one, given in zip(read, sent, strict=True)
    ]
    desk.meters.verdicts.update(reply["verdict"] for reply in replies)
    _hear(request, name, asker, settled=len(replies))
    return json_reply({"submissions": replies, "now": arrived})


async def finish(request: Request) -> Response:
    """POST …/attempts/{attempt}/finish: the learner is done. A second time changes nothing."""
    desk, asker, name = desk_of(request), await who(request, "submit"), _name(request)
    run = await _run(desk, name, _attempt_id(request), asker.name)
    if run.kind == "poll":
        raise Refused("poll", "a poll is over for all when its instructor ends it")
    now = desk.clock()
    await desk.writer.run(lambda connection: attempts.finish(connection, run.id, run.person, now))
    found = await desk.read(lambda connection: _attempt(connection, desk, name, run.id, asker.name))
    _hear(request, name, asker)
    return written_reply(found)


async def reveal(request: Request) -> JSONResponse:
    """GET …/attempts/{attempt}/reveal: keys and outcomes once everybody's time is over; ``not_revealed`` before."""
    desk, asker, name = desk_of(request), await who(request, "submit"), _name(request)
    run = await _run(desk, name, _attempt_id(request), asker.name)

    def work(connection: Connection) -> dict[str, Any]:
        found = rosters.quiz_of(connection, name.course, name.quiz)
        if not revealing.is_revealed(connection, found, run.version, desk.clock()):
            raise Refused("not_revealed", "what was right is not shown yet")
        won = rows(
            connection, select(outcome.c.item, outcome.c.score, outcome.c.max_score).where(outcome.c.attempt == run.id)
        )
        shown = revealing.quiz(run.whole, run.drawing, str(name))
        return {
            "quiz": json.loads(compiled.dump(shown)),
            "outcomes": {row["item"]: [float(row["score"]), float(row["max_score"])] for row in won},
        }

    found = await desk.read(work)
    _hear(request, name, asker)
    return json_reply(found)


def _hear(request: Request, name: Name, asker: Who, settled: int = 0) -> None:
    """Remember what the kernel of somebody who belongs to the course says of its outbox."""
    desk = desk_of(request)
    desk.contacts.hear(name, asker.name, request.headers.get(wire.WAITING), desk.clock(), settled)


def _name(request: Request) -> Name:
    name = parse(f"{request.path_params['course']}/{request.path_params['quiz']}")
    if name is None:
        raise unknown("quiz")
    return name


def _attempt_id(request: Request) -> str:
    found: str = request.path_params["attempt"]
    if not is_attempt(found):
        raise unknown("attempt")
    return found


def _state(connection: Connection, desk: Desk, found: Row, member: Row, now: int) -> wire.QuizState:
    return states.quiz_state(connection, found, member, now, desk.tickets.ticket(member["hub_name"], now))


def _attempt(connection: Connection, desk: Desk, name: Name, attempt_id: str, asker: str) -> bytes:
    """A `wire.AttemptReply`, written: a whole class asks for one after each step of a poll."""
    run = desk.runs.known(attempt_id, asker) or desk.runs.read(connection, desk.library, attempt_id, asker)
    run = replace(_fitting(run, name), drawing=run.drawing.remembering())
    member = rosters.member(connection, name.course, asker)
    found = rosters.quiz_of(connection, name.course, name.quiz)
    state = _state(connection, desk, found, member, desk.clock())  # first: of a poll, what it says is in the quiz then
    mine = next((one for one in state["attempts"] if one["id"] == run.id), None)
    if mine is None:
        raise unknown("attempt")
    if run.kind == "poll":
        shown, votes = polled.to_learner(connection, found, run, desk.votes, desk.texts)
    else:
        shown, votes = desk.texts.quiz(run, run.drawing.items(run.whole)), None
    saved = written(states.saved(connection, run, desk.seals))
    made = [b'{"state":', written(state), b',"attempt":', written(mine), b',"quiz":', *shown, b',"saved":', saved]
    if votes is not None:
        made += [b',"rounds":', written(votes)]
    return b"".join([*made, b"}"])


async def _run(desk: Desk, name: Name, attempt_id: str, asker: str) -> Run:
    known = desk.runs.known(attempt_id, asker)
    if known is None:
        known = await desk.read(lambda connection: desk.runs.read(connection, desk.library, attempt_id, asker))
    return _fitting(known, name)


def _fitting(run: Run, name: Name) -> Run:
    if (run.course, run.slug) != name:
        raise unknown("attempt")
    return run


def _submission(run: Run, given: Any, arrived: int) -> Sent | None:
    """What was sent, if the attempt's item can have it; `None` otherwise, which a later try does not change."""
    sent = strict.fields(
        given, id=str, item=str, response=list, at_=int, seconds_=(int, float), confidence_=int, round_=int
    )
    item, response = run.item(sent["item"]), sent["response"]
    if item is None or len(response) > _LONGEST_RESPONSE or not _own_id(sent["id"], run.id, item.id):
        return None
    if not all(isinstance(part, str) for part in response):
        return None
    understood = responses.understood(item, run.drawing, response)
    confidence, turn = sent.get("confidence"), sent.get("round", 0)
    if understood is None or confidence not in (None, 1, 2, 3) or not 0 <= turn < 100:
        return None
    seconds = sent.get("seconds")
    return Sent(
        person=run.person,
        attempt=run.id,
        id=sent["id"],
        item=item.id,
        response=understood,
        digest=digest(item.id, understood, confidence, turn),
        arrived=arrived,
        sent=sent.get("at"),
        seconds=None if seconds is None else int(min(max(seconds, 0), 86_400) * 1000),
        confidence=confidence,
        round=turn,
    )


def _own_id(sent: str, attempt_id: str, item: str) -> bool:
    start = f"{attempt_id}/{item}/"
    number = sent[len(start) :]
    return sent.startswith(start) and number.isascii() and number.isdigit() and len(sent) <= _LONGEST_ID


def _reply(desk: Desk, run: Run, name: str, kept: Kept) -> wire.SubmissionReply:
    if kept.receipt is None:
        return {"id": name, "verdict": kept.verdict}
    return {"id": name, "verdict": kept.verdict, "receipt": desk.seals.sealed(kept.receipt, run.person)}


def _unfit(given: Any) -> wire.SubmissionReply:
    return {"id": str(given["id"]), "verdict": "unfit"}


_QUIZ = "/courses/{course}/quizzes/{quiz}"
_ATTEMPT = f"{_QUIZ}/attempts/{{attempt}}"
ROUTES: Sequence[Route] = (
    Route(_QUIZ, state, methods=["GET"]),
    Route(f"{_QUIZ}/poll", poll, methods=["GET"]),
    Route(f"{_QUIZ}/attempts", opening, methods=["POST"]),
    Route(_ATTEMPT, attempt, methods=["GET"]),
    Route(f"{_ATTEMPT}/submissions", submit, methods=["POST"]),
    Route(f"{_ATTEMPT}/finish", finish, methods=["POST"]),
    Route(f"{_ATTEMPT}/reveal", reveal, methods=["GET"]),
)
