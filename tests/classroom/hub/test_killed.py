"""Desk, Hub and proxy are killed while a learner's kernel sends answers: each acknowledged one is there once.

The kernel goes on as a learner's does: what has no answer yet waits on disk and is sent again under its id.
"""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Callable
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


@pytest.fixture
def burst(room: Room, seats: Callable[[str], Seat]) -> Seat:
    """Ada's seat, with answers on their way."""
    hour = datetime.now(UTC) + timedelta(hours=1)
    room.publish(room.folder / "desk" / "canary", "burst", "--due", hour.isoformat(), "--runs", "3")
    seat = seats("ada")
    assert seat.kernel(BURST)
    return seat


def outbox(room: Room) -> tuple[set[str], set[str]]:
    """What ada's kernels have put on disk to be sent, and what of it the desk has acknowledged."""
    sent, acknowledged = set(), set()
    for path in room.home("ada").glob(".local/share/quiz-widgets/desk/*/demo/burst/*.jsonl"):
        for line in map(json.loads, path.read_text(encoding="utf-8").split("\n")[:-1]):
            if "event" in line:
                sent.add(line["event"]["id"])
            elif line["verdict"] == "recorded":
                acknowledged.add(line["settled"])
    return sent, acknowledged


def has_more(room: Room, than: set[str], more: int = 8) -> None:
    """Wait until the desk has acknowledged some more."""
    wait_until("answers to be acknowledged", lambda: len(outbox(room)[1]) >= len(than) + more, PATIENCE)


@pytest.mark.parametrize("room", ["6.1.1"], indirect=True)
def test_nothing_acknowledged_is_lost_and_nothing_is_kept_twice(room: Room, burst: Seat) -> None:
    told: list[set[str]] = []

    def remember() -> set[str]:
        told.append(outbox(room)[1])
        return told[-1]

    has_more(room, set())
    room.kill_desk()
    before = remember()
    time.sleep(2)
    room.start_desk()
    has_more(room, before)

    token = burst.token()
    room.kill_hub()
    has_more(room, remember(), 4)  # the Hub cannot be asked: the ticket says who it is
    room.start_hub()
    has_more(room, remember(), 4)
    assert asked(f"{room.hub_api}/user", token)[0] == 200  # the server and its token outlived the Hub

    room.kill_proxy()
    remember()
    wait_until("another proxy", lambda: proxied(room, token), PATIENCE)
    wait_until("everything to be acknowledged", lambda: len(outbox(room)[0]) == len(remember()) == SENT, PATIENCE)

    stored = Counter(id_ for name, _, id_ in room.stored("burst") if name == "ada")
    assert set(stored.values()) == {1}
    assert all(names <= stored.keys() for names in told)
    assert set(stored) == told[-1]


def proxied(room: Room, token: str) -> bool:
    """Whether the desk answers through the proxy."""
    try:
        return asked(f"{room.url}/services/quiz/api/v1/courses/demo/quizzes/burst", token)[0] == 200
    except (OSError, RoomError):
        return False
