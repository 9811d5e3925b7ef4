"""The desk's words in the shapes that kernel and page share. No score is among them before the desk gave one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from quiz_widgets.classroom import wire
from quiz_widgets.classroom.client.outbox import Settled
from quiz_widgets.contract import DeskPayload, EventPayload, OutcomePayload, PollPayload, VotesPayload

COUNTS = ("recorded",)  # verdicts on what was sent and counts; everything else a page says in words
WAITING = "waiting"  # our own word for what is on disk and not answered


def outcome_of_saved(saved: wire.Saved) -> OutcomePayload:
    """A submission that the desk listed."""
    receipt = saved["receipt"]
    event = EventPayload(
        id=receipt["submission"],
        attempt=receipt["attempt"],
        kind="submit",
        item=receipt["item"],
        round=saved.get("round", 0),
        response=list(saved["response"]),
        at=receipt["received"],
    )
    outcome = OutcomePayload(event=event, at=receipt["received"])
    if receipt["status"] not in COUNTS:
        outcome["verdict"] = receipt["status"]
    return outcome


def outcome_of(event: EventPayload, told: Settled | None) -> OutcomePayload:
    """Something that was sent from here, with the desk's answer if there is one. Only a receipt makes it recorded."""
    if told is None:
        return OutcomePayload(event=event, at=event["at"], verdict=WAITING)
    outcome = OutcomePayload(event=event, at=event["at"])
    if told.receipt is not None and isinstance(told.receipt.get("received"), int):
        outcome["at"] = told.receipt["received"]
    good = (
        told.verdict == "finished"
        if event["kind"] == "finish"
        else told.verdict in COUNTS and "received" in (told.receipt or {})
    )
    if not good:
        outcome["verdict"] = told.verdict if told.verdict not in COUNTS else WAITING
    return outcome


def desk(state: wire.QuizState, mine: wire.AttemptState | None, now: int, trouble: str, waiting: int) -> DeskPayload:
    """What is known of a desk that has answered, at `now` of its clock; nothing of what it has revealed."""
    made = DeskPayload(
        phase=state["phase"],
        trouble=trouble,
        who=state["who"],
        course=state["course_title"],
        zone=state["zone"],
        now=now,
        opens=state["opens"],
        due=mine["due"] if mine else state["due"],
        closes=mine["closes"] if mine else state["closes"],
        time_limit=state["time_limit"],
        left=max(0, state["runs"] - state["used"]),
        number=mine["number"] if mine else 0,
        finished=mine["finished"] if mine else None,
        excused=state["excused"],
        revealed=False,
        scores={},
        waiting=waiting,
    )
    if "poll" in state:
        poll = state["poll"]
        made["poll"] = PollPayload(
            sequence=poll["sequence"], phase=poll["phase"], item=poll["item"], round=poll["round"], rounds={}
        )
    return made


def votes(rounds: Mapping[str, Sequence[wire.PollRound]]) -> dict[str, list[VotesPayload]]:
    """The votes on what a poll has revealed, by item."""
    return {
        item: [VotesPayload(number=one["number"], voters=one["voters"], counts=dict(one["counts"])) for one in told]
        for item, told in rounds.items()
    }


def away(trouble: str, waiting: int) -> DeskPayload:
    """What is known of a desk that did not answer yet."""
    return {
        "phase": "away",
        "trouble": trouble,
        "who": "",
        "course": "",
        "zone": "UTC",
        "now": 0,
        "opens": None,
        "due": None,
        "closes": None,
        "time_limit": None,
        "left": 0,
        "number": 0,
        "finished": None,
        "excused": False,
        "revealed": False,
        "scores": {},
        "waiting": waiting,
    }
