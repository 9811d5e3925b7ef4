"""Desk, Hub and proxy are killed while a learner's kernel sends answers: each acknowledged one is there once.

The kernel goes on as a learner's does: what has no answer yet waits on disk and is sent again under its id.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta

import pytest

from tests.classroom.hub.driving import ANSWER, Seat, asked
from tests.hosts.hosting import wait_until
from tools.classroom.room import Room, RoomError

SENT = 120
PATIENCE = 240  # s: pauses between tries double, and machines are busy

BURST = (
    ANSWER.partition("item =")[0].replace("demo/exam", "demo/burst")
    + f"""
import threading
item = recorder.quiz()[0].item("first-letter")
given = [option.id for option in item.options]

def go_on():
    for number in range(1, {SENT + 1}):
        recorder.record([event("submit", run, item.id, [given[number % 3]], f"{{run}}/{{item.id}}/{{number}}")])
        time.sleep(0.4)

sending = threading.Thread(target=go_on, daemon=True)
sending.start()
print(json.dumps(run))
"""
)

STANDING = """
print(json.dumps([sending.is_alive(), recorder.desk()["waiting"],
    sorted(name for name, one in recorder.outcomes().items() if "verdict" not in one)]))
"""


@pytest.fixture
def burst(room: Room, seats: Callable[[str], Seat]) -> Iterator[Seat]:
    """Ada's seat, with answers on their way."""
    hour = datetime.now(UTC) + timedelta(hours=1)
    room.publish(room.folder / "desk" / "canary", "burst", "--due", hour.isoformat(), "--runs", "3")
    seat = seats("ada")
    assert seat.kernel(BURST)
    return seat


def acknowledged(seat: Seat) -> set[str]:
    return set(seat.kernel(STANDING)[2])


def has_more(seat: Seat, than: set[str], more: int = 8) -> None:
    """Wait until the desk has acknowledged some more."""
    wait_until("answers to be acknowledged", lambda: len(acknowledged(seat)) >= len(than) + more, PATIENCE)


@pytest.mark.parametrize("room", ["6.1.1"], indirect=True)
def test_nothing_acknowledged_is_lost_and_nothing_is_kept_twice(room: Room, burst: Seat) -> None:
    told: list[set[str]] = []

    def remember() -> set[str]:
        told.append(acknowledged(burst))
        return told[-1]

    has_more(burst, set())
    room.kill_desk()
    before = remember()
    time.sleep(2)
    room.start_desk()
    has_more(burst, before)

    token = burst.token()
    room.kill_hub()
    has_more(burst, remember(), 4)  # the Hub cannot be asked: the ticket says who it is
    room.start_hub()
    has_more(burst, remember(), 4)
    assert asked(f"{room.hub_api}/user", token)[0] == 200  # the server and its token outlived the Hub

    room.kill_proxy()
    remember()
    wait_until("another proxy", lambda: proxied(room, token), PATIENCE)
    wait_until("everything to be sent", lambda: burst.kernel(STANDING)[:2] == [False, 0], PATIENCE)
    remember()

    stored = Counter(id_ for name, _, id_ in room.stored("burst") if name == "ada")
    assert len(told[-1]) == SENT
    assert set(stored.values()) == {1}
    assert all(names <= stored.keys() for names in told)
    assert set(stored) == told[-1]


def proxied(room: Room, token: str) -> bool:
    """Whether the desk answers through the proxy."""
    try:
        return asked(f"{room.url}/services/quiz/api/v1/courses/demo/quizzes/burst", token)[0] == 200
    except (OSError, RoomError):
        return False
