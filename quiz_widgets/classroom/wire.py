"""What the desk and its client say to each other: JSON of these shapes over ``{prefix}api/v1``.

Times are milliseconds since 1970 UTC. A quiz travels as a compiled quiz (`quiz_widgets.compiled`) without keys.
"""

from __future__ import annotations

from typing import Literal, NotRequired, TypedDict

Phase = Literal["before", "open", "closed"]
PollPhase = Literal["waiting", "open", "closed", "revealed"]
Verdict = Literal["recorded", "late", "finished", "unknown", "reused", "unfit"]

API = "api/v1"
LARGEST_BODY = 256 * 1024  # bytes that a learner may send at once: 50 submissions of typed text are 60 kB
AT_ONCE = 50  # submissions in one request
WAITING = "X-Quiz-Waiting"  # header: how many answers the client holds that the desk has not acknowledged


class Receipt(TypedDict):
    """The desk's word that a submission is kept: which one, whose, when it arrived, and a seal over all of it."""

    submission: str
    attempt: str
    item: str
    received: int
    status: str
    seal: NotRequired[str]


class AttemptState(TypedDict):
    """One run of a learner; `due` and `closes` hold for this run, the time limit and exceptions included."""

    id: str
    number: int
    opened: int
    due: int | None
    closes: int | None
    finished: int | None


class Saved(TypedDict):
    """A submission that the desk has, as it tells the learner: with the ids that the attempt shows.

    `round` is that of a vote.
    """

    receipt: Receipt
    response: list[str]
    round: NotRequired[int]


class PollState(TypedDict):
    """Where a poll stands. `sequence` grows with each change; `item` is the one at hand, `round` its vote (1, 2, …)."""

    sequence: int
    phase: PollPhase
    item: str | None
    round: int


class PollRound(TypedDict):
    """One vote on an item, after the reveal: who voted, and how many for each option, by the ids the attempt shows."""

    number: int
    voters: int
    counts: dict[str, int]


class PollReply(TypedDict):
    """The answer to waiting for a change: the state, as soon as it is another than the one the client knows.

    `spread` is within how many ms those who heard of it at the same instant should read their attempts.
    """

    poll: PollState
    now: int
    spread: NotRequired[int]


class QuizState(TypedDict):
    """What a learner may know of a quiz at any time; no question of it. `poll` is there for polls alone."""

    course: str
    quiz: str
    title: str
    course_title: str
    zone: str
    who: str
    now: int
    phase: Phase
    opens: int | None
    due: int | None
    closes: int | None
    time_limit: int | None
    runs: int
    used: int
    excused: bool
    revealed: bool
    attempts: list[AttemptState]
    ticket: str
    poll: NotRequired[PollState]


class AttemptReply(TypedDict):
    """An attempt with its questions and everything that the learner has sent for it.

    Of a poll, `quiz` holds the items that were opened so far, those that are revealed with their keys; `rounds` has the
    votes on each revealed item.
    """

    state: QuizState
    attempt: AttemptState
    quiz: dict[str, object]
    saved: list[Saved]
    rounds: NotRequired[dict[str, list[PollRound]]]


class SentSubmission(TypedDict):
    """One submission on its way: `id` is ``attempt/item/number``, so that a repeat is known as one."""

    id: str
    item: str
    response: list[str]
    at: NotRequired[int]
    seconds: NotRequired[float]
    confidence: NotRequired[int]
    round: NotRequired[int]


class SubmissionReply(TypedDict):
    """What became of one submission; only `recorded` and `late` ones are kept, and have a receipt."""

    id: str
    verdict: Verdict
    receipt: NotRequired[Receipt]


class ErrorReply(TypedDict):
    """Any refusal. `retry`: the same request may do later; nothing of it was kept."""

    error: str
    message: str
    retry: bool
