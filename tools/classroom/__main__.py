"""``make classroom``: a JupyterHub, the desk and a published exam on this machine, until Ctrl+C.

As root each learner's server has a uid of its own, as it has to be where quizzes are graded; otherwise all share one.
"""

from __future__ import annotations

import argparse
import shutil
import signal
import sys
import tempfile
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import FrameType

from tools.classroom import environments
from tools.classroom.room import ROOT, Room, RoomError


def main() -> int:
    """Run it; everything that was begun is ended, and its folder is thrown away."""
    parser = argparse.ArgumentParser(prog="make classroom", description=__doc__)
    parser.add_argument("--port", type=int, default=0, help="the Hub's port (default: a free one)")
    parser.add_argument("--hub", choices=environments.HUBS, default=environments.HUBS[-1], help="JupyterHub's release")
    options = parser.parse_args()
    for number in (signal.SIGINT, signal.SIGTERM):  # a shell that begins it with `&` has it ignore the first
        signal.signal(number, _interrupted)
    try:
        environment = environments.made(options.hub)
    except environments.MakingError as error:
        print(error, file=sys.stderr)
        return 1
    folder = Path(tempfile.mkdtemp(prefix="quiz-classroom-"))
    room = Room(folder, environment, port=options.port)
    try:
        room.make()
        room.start_desk()
        room.start_hub()
        now = datetime.now(UTC)
        due = (now + timedelta(hours=8)).isoformat(timespec="minutes")
        room.publish(ROOT / "examples" / "exam", "exam", "--opens", now.isoformat(timespec="minutes"), "--due", due)
        print(_told(room), flush=True)
        while True:
            room.check()
            time.sleep(1)
    except KeyboardInterrupt:
        print("\nending everything that was begun")
    except RoomError as error:
        print(error, file=sys.stderr)
        return 1
    finally:
        room.stop()
        shutil.rmtree(folder, ignore_errors=True)
    return 0


def _told(room: Room) -> str:
    accounts = "\n".join(
        f"  {name:<6} {room.passwords[name]}  {'teaches' if name in room.instructors else 'learns'}"
        for name in (*room.learners, *room.instructors)
    )
    apart = (
        "Each learner's server has a uid of its own."
        if room.apart
        else "trial: all share one account. A learner who looks for the keys finds them; grade nothing here."
    )
    return (
        f"JupyterHub:    {room.url}  (log in there; quiz.ipynb opens demo/exam)\n{accounts}\n"
        f"Instructors:   {room.url}/services/quiz/\n"
        f"Commands:      .venv/bin/quiz-widgets classroom … --env {room.folder / 'desk' / 'desk.env'}\n"
        f"{apart}\n"
        "The exam's source is public, in examples/exam. Ctrl+C ends everything."
    )


def _interrupted(_number: int, _frame: FrameType | None) -> None:
    raise KeyboardInterrupt


if __name__ == "__main__":
    raise SystemExit(main())
