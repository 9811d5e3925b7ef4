"""Following a poll: one request at a time, patience with a desk that is away, and an end when nothing is left."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, cast

import pytest

from quiz_widgets.classroom.client import follower
from quiz_widgets.classroom.client.environment import NoDesk
from quiz_widgets.classroom.client.follower import Follower
from quiz_widgets.classroom.client.transport import Refusal, Transport, Undelivered
from quiz_widgets.classroom.names import Name
from tests.classroom.serving import until

NAME = Name("cs101", "week-3")


class Poll:
    """A desk that tells sequences from a list; an error in it is raised, and after the last one nothing is left."""

    def __init__(self, *told: Any, reads: bool = True) -> None:
        self.told = list(told)
        self.reads = reads
        self.known: int | None = 0
        self.asked: list[str] = []
        self.read_at: list[int] = []
        self.lost: list[str] = []
        self.at_once = self.most_at_once = 0
        self.times: list[float] = []
        self.follower = Follower(cast(Transport, self), NAME, lambda: self.known, self.read, self.lost.append)

    def ask(self, method: str, path: str, *, wait: float) -> Any:
        self.at_once += 1
        self.most_at_once = max(self.most_at_once, self.at_once)
        try:
            assert (method, wait) == ("GET", follower.WAIT_S)
            self.asked.append(path)
            self.times.append(time.monotonic())
            time.sleep(0.001)
            found = self.told.pop(0) if self.told else None
            if found is None:
                self.known = None
                return {"poll": {}}
            if isinstance(found, Exception):
                raise found
            return found if isinstance(found, dict) else {"poll": {"sequence": found}}
        finally:
            self.at_once -= 1

    def read(self) -> bool:
        if self.reads:
            self.known = int(self.asked[-1].rpartition("=")[2]) + 1
            self.read_at.append(self.known)
        return self.reads

    def played(self) -> None:
        """Follow to the end."""
        self.follower.wake()
        until("nothing is left to follow", lambda: not alive(self.follower))


def alive(made: Follower) -> bool:
    return made._thread is not None


@pytest.fixture(autouse=True)
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pauses a hundred times shorter."""
    for name in ("FIRST_S", "LAST_S", "SPREAD_S"):
        monkeypatch.setattr(follower, name, getattr(follower, name) / 100)


def test_each_change_is_read_once_and_the_next_one_awaited() -> None:
    poll = Poll(1, 2, 3)
    poll.played()

    assert poll.read_at == [1, 2, 3]
    assert poll.asked == [f"/courses/cs101/quizzes/week-3/poll?after={known}" for known in range(4)]
    assert poll.lost == []


def test_a_change_that_cannot_be_read_is_asked_for_again() -> None:
    poll = Poll(1, 1, 1, reads=False)
    poll.played()

    assert [path.rpartition("=")[2] for path in poll.asked] == ["0"] * 4
    assert poll.lost == ["the attempt could not be read", ""]


AWAY: dict[str, Callable[[], Exception]] = {
    "no answer": lambda: Undelivered("the desk cannot be reached: TimeoutError"),
    "its no": lambda: Refusal("unknown", "there is no such poll", 404),
    "no token": lambda: NoDesk("this kernel has no token"),
}


@pytest.mark.parametrize("case", AWAY)
def test_a_desk_that_is_away_is_asked_again_and_the_page_told_only_if_it_stays_so(case: str) -> None:
    error = AWAY[case]()
    short, long = Poll(error, 1), Poll(error, error, error, 1)
    short.played()
    long.played()

    assert (short.read_at, short.lost) == ([1], [])
    assert (long.read_at, long.lost) == ([1], [str(error), ""])


SPREADS: dict[str, tuple[dict[str, Any], float]] = {
    "the desk's word": ({"spread": 900}, 0.9),
    "at once": ({"spread": 0}, 0),
    "no word": ({}, 0.005),
    "more than a page may lag": ({"spread": 10**400}, 2),
    "less than none": ({"spread": -5}, 0),
    "a text": ({"spread": "900"}, 0.005),
    "a truth": ({"spread": True}, 0.005),
}


@pytest.mark.parametrize("case", SPREADS)
def test_what_is_new_is_read_within_the_time_that_the_desk_says(case: str, monkeypatch: pytest.MonkeyPatch) -> None:
    said, longest = SPREADS[case]
    poll = Poll({"poll": {"sequence": 1}, **said})
    pauses: list[float] = []

    class Noted:
        def uniform(self, low: float, high: float) -> float:
            pauses.append(high)
            return low

    monkeypatch.setattr(poll.follower, "_jitter", Noted())
    poll.played()

    assert poll.read_at == [1]
    assert pauses[0] == longest


def test_the_pauses_grow_to_a_limit_and_are_never_all_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    poll = Poll(*[Undelivered("away") for _ in range(9)])
    pauses: list[float] = []

    class Noted:
        def uniform(self, low: float, high: float) -> float:
            pauses.append(high)
            return low

    monkeypatch.setattr(poll.follower, "_jitter", Noted())
    poll.played()

    away = pauses[: len(poll.asked) - 1]
    assert [round(high * 100, 6) for high in away] == [0.5, 1, 2, 4, 8, 16, 30, 30, 30]


ODD = {
    "no sequence": {"poll": {}},
    "no poll": {},
    "a poll that is none": {"poll": 7},
    "a text": {"poll": {"sequence": "x"}},
}


@pytest.mark.parametrize("case", ODD)
def test_an_answer_at_once_without_news_makes_no_stream_of_requests(case: str) -> None:
    poll = Poll(*[ODD[case]] * 5)
    poll.played()

    assert poll.read_at == []
    apart = [later - earlier for earlier, later in zip(poll.times, poll.times[1:], strict=False)]
    assert min(apart) >= 0.005


def test_a_second_wake_starts_no_second_thread_and_one_after_the_end_goes_on() -> None:
    poll = Poll(1, 2)
    for _ in range(5):
        poll.follower.wake()
    until("nothing is left to follow", lambda: not alive(poll.follower))
    assert poll.most_at_once == 1
    poll.follower.wake()
    assert len(poll.asked) == 3

    poll.known, poll.told = 2, [3]
    poll.follower.wake()
    until("it went on", lambda: poll.read_at == [1, 2, 3])
    until("nothing is left to follow", lambda: not alive(poll.follower))


def test_the_thread_ends_with_the_kernel_and_when_it_is_stopped() -> None:
    poll = Poll(*[Undelivered("away") for _ in range(1000)])
    poll.follower.wake()
    until("it asks", lambda: poll.asked)
    thread = poll.follower._thread  # threads of earlier tests may still be about to end
    assert thread is not None
    assert (thread.name, thread.daemon) == ("quiz-desk-poll", True)
    poll.follower.stop()
    until("it has ended", lambda: not alive(poll.follower))
