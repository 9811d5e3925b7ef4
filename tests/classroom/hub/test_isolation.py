"""Learners with uids of their own (so as root): what a learner's programs can read of the desk, the Hub and each other.

Without root these are not collected, and pytest's header says so.
"""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.classroom.hub.driving import MARKS, STEM, Seat, asked
from tests.hosts.hosting import wait_until
from tools.classroom.room import Room, children

READS = """
import json, sys
found = {}
for path in json.loads(sys.stdin.read()):
    try:
        with open(path, "rb") as file:
            if path.endswith("/mem"):
                file.seek(int(open(path[:-3] + "maps").readline().partition("-")[0], 16))
            found[path] = len(file.read(4096))
    except OSError as error:
        found[path] = type(error).__name__
print(json.dumps(found))
"""

SEARCHES = """
import json, os, sys
roots, marks = json.loads(sys.stdin.read())
read, found = 0, []
for root in roots:
    for folder, _, names in os.walk(root):
        for name in names:
            path = os.path.join(folder, name)
            try:
                with open(path, "rb") as file:
                    text = file.read()
            except OSError:
                continue
            read += 1
            found += [path for mark in marks if mark.encode() in text]
print(json.dumps([read, found]))
"""


def as_account(room: Room, name: str, code: str, given: Any) -> Any:
    """What a program of that account prints."""
    uid = room.uid(name)
    assert uid is not None
    python = str(room.environment / "bin" / "python")
    ran = subprocess.run(
        [python, "-I", "-c", code],
        input=json.dumps(given),
        capture_output=True,
        text=True,
        user=uid,
        group=uid,
        extra_groups=[],
        cwd="/",
        check=True,
    )
    return json.loads(ran.stdout)


def test_a_learner_s_account_reads_nothing_of_the_desk_s_the_hub_s_and_others(
    room: Room, seats: Callable[[str], Seat]
) -> None:
    ada, prof = seats("ada"), seats("prof")
    assert room.desk is not None
    assert room.hub is not None
    processes = [room.desk.pid, room.hub.pid, room.proxy_pid(), room.server_pid("prof"), *children(room.desk.pid)]
    closed = [
        *(f"/proc/{pid}/{name}" for pid in processes for name in ("environ", "mem", "maps")),
        *(str(room.folder / "desk" / name) for name in ("desk.sqlite", "desk.sqlite-wal", "desk.env", "log")),
        *(str(room.folder / "hub" / name) for name in ("jupyterhub.sqlite", "jupyterhub_cookie_secret", "log")),
        *(str(room.folder / "hub" / name) for name in ("jupyterhub_config.py", "jupyterhub-proxy.pid")),
        str(room.home("prof") / "quiz.ipynb"),
        str(room.home("bob") / "quiz.ipynb"),
    ]
    for path in closed:
        assert Path(path).exists(), path
    own = [str(room.home("ada") / "quiz.ipynb"), f"/proc/{room.server_pid('ada')}/environ"]
    found = as_account(room, "ada", READS, [*closed, *own])
    assert {path: found[path] for path in closed} == dict.fromkeys(closed, "PermissionError")
    assert all(isinstance(found[path], int) and found[path] > 0 for path in own)
    assert ada.token() != prof.token()


def test_no_command_line_tells_a_secret(room: Room) -> None:
    assert room.desk is not None
    assert room.hub is not None
    environment = (room.folder / "desk" / "desk.env").read_text()
    own = re.findall(r"^QUIZ_DESK_(?:SECRETS|METRICS_TOKEN)=(\w+)$", environment, re.MULTILINE)
    assert len(own) == 2
    secrets = [room.service_token, *room.passwords.values(), *own]
    for pid in (room.desk.pid, room.hub.pid, room.proxy_pid()):
        line = Path(f"/proc/{pid}/cmdline").read_text()
        assert [secret for secret in secrets if secret in line] == []
    assert [secret for secret in own if secret in room.log("desk") + room.log("hub")] == []
    assert room.service_token not in room.log("desk") + room.log("hub")


def test_no_file_that_a_learner_can_read_holds_a_key_or_an_unopened_question(
    room: Room, seats: Callable[[str], Seat]
) -> None:
    seats("ada")
    marks = [*MARKS[:5], STEM]
    roots = [str(room.folder), str(room.environment)]
    read, found = as_account(room, "ada", SEARCHES, [roots, marks])
    assert read > 1000
    assert found == []


def test_the_token_of_a_stopped_server_is_nobody_s(room: Room, seats: Callable[[str], Seat]) -> None:
    prof = seats("prof")
    token = prof.token()
    page = prof.context.new_page()
    page.goto(f"{room.url}/hub/home")
    stop = page.get_by_role("button", name="Stop My Server").or_(page.get_by_role("link", name="Stop My Server"))

    def taken() -> bool:
        """Whether the page has heard a click: its scripts come after its button, and name the link beside it."""
        stop.click()
        return bool(page.locator("#start").get_attribute("title"))

    wait_until("the Hub's page to hear a click", taken)
    page.get_by_role("button", name="Start My Server").or_(page.get_by_role("link", name="Start My Server")).wait_for()
    page.close()
    assert asked(f"{room.hub_api}/user", token)[0] == 403
    quiz = f"{room.url}/services/quiz/api/v1/courses/demo/quizzes/exam"
    # The desk keeps the Hub's word on a token for a minute.
    wait_until("the token to be refused", lambda: asked(quiz, token)[0] == 401, 120)
