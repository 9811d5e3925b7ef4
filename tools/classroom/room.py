"""A classroom that runs: the desk beside a JupyterHub with its proxy, on loopback, each ended by the pid it began with.

The Hub's configuration is what `quiz-widgets classroom hub-config` prints, and what is of a trial alone behind it. The
desk is a process of its own: one that the Hub began would end with it.
"""

from __future__ import annotations

import json
import os
import secrets
import signal
import socket
import sqlite3
import subprocess
import time
import urllib.request
from collections.abc import Iterator
from contextlib import closing, suppress
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PROXY = ROOT / "node_modules" / ".bin" / "configurable-http-proxy"
FIRST_UID = 20_000  # no account of a usual machine
PREFIX = "/services/quiz"
NOTEBOOK = 'from quiz_widgets import load_quiz\n\nload_quiz("demo/exam")'

_STORED = """select person.hub_name, submission.item, submission.id from submission
join person on person.id = submission.person join attempt on attempt.id = submission.attempt
join quiz on quiz.id = attempt.quiz where quiz.slug = ? order by submission.sequence"""


class RoomError(Exception):
    """Something of the classroom does not start; the message ends with what it said."""


@dataclass(slots=True)
class Room:
    """`folder` holds everything, `environment` is the folder of the programs; everybody named has an account."""

    folder: Path
    environment: Path
    learners: tuple[str, ...] = ("ada", "bob")
    instructors: tuple[str, ...] = ("prof",)
    port: int = 0
    server_options: tuple[str, ...] = ()
    passwords: dict[str, str] = field(default_factory=dict)
    desk: subprocess.Popen[bytes] | None = None
    hub: subprocess.Popen[bytes] | None = None
    service_token: str = field(default_factory=lambda: secrets.token_hex(32), repr=False)
    registrar: str = field(default="", repr=False)
    """A token that may make tokens of learners whose servers are not started; empty: there is none."""
    _left: list[int] = field(default_factory=list)
    _ports: dict[str, int] = field(default_factory=dict)

    @property
    def url(self) -> str:
        """Where browsers and kernels find the Hub's proxy."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def desk_url(self) -> str:
        """Where the desk itself listens."""
        return f"http://127.0.0.1:{self._ports['desk']}{PREFIX}"

    @property
    def hub_api(self) -> str:
        """Where the Hub itself answers."""
        return f"http://127.0.0.1:{self._ports['hub']}/hub/api"

    @property
    def apart(self) -> bool:
        """Whether each learner has a uid of its own."""
        return os.getuid() == 0

    def home(self, name: str) -> Path:
        """Where an account's notebooks lie."""
        return self.folder / "homes" / name

    def uid(self, name: str) -> int | None:
        """The uid of an account's server; `None` where all share one."""
        return FIRST_UID + [*self.instructors, *self.learners].index(name) + 1 if self.apart else None

    def make(self) -> None:
        """Make the folders, the desk's settings and the course ``demo``, and give everybody a notebook."""
        self.folder.chmod(0o711)
        for name in ("hub", "desk", "homes"):
            (self.folder / name).mkdir(mode=0o711 if name == "homes" else 0o700)
        for name in (*self.instructors, *self.learners):
            self.passwords[name] = secrets.token_urlsafe(9)
            self._home(name)
        self.port = self.port or free_port()
        self._ports = {name: free_port() for name in ("desk", "hub", "proxy")}
        self.command("init", str(self.folder / "desk"))
        self.manage("course", "create", "demo", "--tz", "UTC", "--instructor", self.instructors[0])
        roster = self.folder / "desk" / "roster.csv"
        roster.write_text("name\n" + "".join(f"{name}\n" for name in self.learners), encoding="utf-8")
        self.manage("roster", "demo", str(roster))
        snippet = self.command("hub-config", "--hub-url", self.url, "--desk-url", self.desk_url.removesuffix(PREFIX))
        trial = (Path(__file__).parent / "jupyterhub_trial.py").read_text(encoding="utf-8")
        future = "from __future__ import annotations\n"
        (self.folder / "hub" / "jupyterhub_config.py").write_text(
            future + snippet + "\n" + trial.replace(future, ""), encoding="utf-8"
        )

    def publish(self, quiz: Path, slug: str, *schedule: str) -> None:
        """Publish a quiz to ``demo`` as its instructor does, with a token for that; then say when it is open."""
        token = self.folder / "desk" / f"token-{secrets.token_hex(4)}"
        self.manage("token", "demo", self.instructors[0], "--hours", "1", "--to", str(token))
        self.command(
            "publish", str(quiz), "--course", "demo", "--as", slug, "--desk", self.desk_url, "--token-file", str(token)
        )
        token.unlink()
        if schedule:
            self.manage("schedule", f"demo/{slug}", *schedule)

    def command(self, *words: str) -> str:
        """What ``quiz-widgets classroom …`` prints; `RoomError` when it fails."""
        program = self.environment / "bin" / "quiz-widgets"
        ran = subprocess.run(
            [str(program), "classroom", *words], capture_output=True, text=True, check=False, cwd=self.folder / "desk"
        )
        if ran.returncode:
            raise RoomError(f"classroom {words[0]}: {ran.stdout}{ran.stderr}")
        return ran.stdout

    def manage(self, *words: str) -> str:
        """The same, with this desk's settings."""
        return self.command(*words, "--env", str(self.folder / "desk" / "desk.env"))

    def start_desk(self) -> None:
        """Begin the desk, and wait until it answers."""
        given = {
            "JUPYTERHUB_API_URL": self.hub_api,
            "JUPYTERHUB_API_TOKEN": self.service_token,
            "JUPYTERHUB_SERVICE_PREFIX": f"{PREFIX}/",
            "JUPYTERHUB_SERVICE_NAME": "quiz",
        }
        command = [str(self.environment / "bin" / "quiz-widgets"), "classroom", "serve"]
        command += ["--env", str(self.folder / "desk" / "desk.env"), "--port", str(self._ports["desk"])]
        self.desk = self._begin("desk", command, given)
        self._wait(self.desk, f"{self.desk_url}/ready", "desk")

    def start_hub(self) -> None:
        """Begin the Hub, which begins its proxy, and wait until both answer."""
        given = {
            "QUIZ_SERVICE_TOKEN": self.service_token,
            "QUIZ_TRIAL": json.dumps(
                {
                    "passwords": self.passwords,
                    "uids": {name: self.uid(name) for name in self.passwords},
                    "instructors": self.instructors,
                    "homes": str(self.folder / "homes"),
                    "singleuser": str(self.environment / "bin" / "jupyterhub-singleuser"),
                    "url": self.url,
                    "hub_url": self.hub_api.removesuffix("/hub/api"),
                    "proxy_api": f"http://127.0.0.1:{self._ports['proxy']}",
                    "proxy": str(PROXY),
                    "options": self.server_options,
                    "registrar": self.registrar,
                }
            ),
        }
        command = [str(self.environment / "bin" / "jupyterhub"), "--config", "jupyterhub_config.py"]
        self.hub = self._begin("hub", command, given)
        self._wait(self.hub, f"{self.url}/hub/health", "hub")

    def kill_desk(self) -> None:
        """End the desk at once, without a last word."""
        assert self.desk is not None
        _kill(self.desk)

    def kill_hub(self) -> None:
        """End the Hub at once; its proxy and learners' servers stay, for the next Hub to take over."""
        assert self.hub is not None
        self._left += children(self.hub.pid)
        _kill(self.hub)

    def kill_proxy(self) -> None:
        """End the proxy at once; the Hub begins another."""
        os.kill(self.proxy_pid(), signal.SIGKILL)

    def proxy_pid(self) -> int:
        """The proxy's process, as the Hub has written it down."""
        return int((self.folder / "hub" / "jupyterhub-proxy.pid").read_text().split()[0])

    def server_pid(self, name: str) -> int:
        """The process of an account's server: the one with that home."""
        assert self.hub is not None
        for pid in [*children(self.hub.pid), *self._left]:
            with suppress(OSError):
                if f"\0HOME={self.home(name)}\0".encode() in Path(f"/proc/{pid}/environ").read_bytes():
                    return pid
        raise RoomError(f"{name} has no server")

    def stored(self, slug: str) -> list[tuple[str, str, str]]:
        """The database's own word on a quiz: name, item and id of each submission, in the order of arrival."""
        address = f"file:{self.folder / 'desk' / 'desk.sqlite'}?mode=ro"
        with closing(sqlite3.connect(address, uri=True)) as connection:
            return connection.execute(_STORED, (slug,)).fetchall()

    def log(self, name: str) -> str:
        """What the desk or the Hub has said."""
        return (self.folder / name / "log").read_text(encoding="utf-8", errors="replace")

    def check(self) -> None:
        """`RoomError` when the desk or the Hub has ended by itself."""
        for name, process in (("desk", self.desk), ("hub", self.hub)):
            if process is not None and process.poll() is not None:
                raise RoomError(f"the {name} has ended:\n{self.log(name)[-3000:]}")

    def stop(self) -> None:
        """End everything that was begun here."""
        for process in (self.hub, self.desk):  # the Hub ends learners' servers and its proxy
            if process is not None and process.poll() is None:
                process.terminate()
                try:
                    process.wait(timeout=40)
                except subprocess.TimeoutExpired:
                    _kill(process)
        for pid in self._remaining():  # a Hub that ends may have begun another proxy meanwhile
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)

    def _remaining(self) -> Iterator[int]:
        """Processes that were begun from here and still run: their home is in this room's folder."""
        mark = f"HOME={self.folder}/".encode()
        for path in Path("/proc").glob("[0-9]*/environ"):
            with suppress(OSError):
                if any(line.startswith(mark) for line in path.read_bytes().split(b"\0")):
                    yield int(path.parts[2])

    def _home(self, name: str) -> None:
        home = self.home(name)
        home.mkdir(mode=0o700)
        cell = {"cell_type": "code", "id": "exam", "metadata": {}, "source": NOTEBOOK, "outputs": []}
        kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
        made = {
            "nbformat": 4,
            "nbformat_minor": 5,
            "metadata": {"kernelspec": kernel},
            "cells": [{**cell, "execution_count": None}],
        }
        file = home / "quiz.ipynb"
        file.write_text(json.dumps(made, indent=1), encoding="utf-8")
        if (uid := self.uid(name)) is not None:
            for path in (home, file):
                os.chown(path, uid, uid)

    def _begin(self, name: str, command: list[str], given: dict[str, str]) -> subprocess.Popen[bytes]:
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("JUPYTER", "QUIZ_", "XDG_"))}
        path = os.pathsep.join(
            [str(self.environment / "bin"), str(ROOT / ".venv" / "bin"), kept.get("PATH", os.defpath)]
        )
        folder = self.folder / name
        handle = os.open(folder / "log", os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        try:
            return subprocess.Popen(
                command,
                env={**kept, **given, "PATH": path, "HOME": str(folder)},
                cwd=folder,
                stdin=subprocess.DEVNULL,
                stdout=handle,
                stderr=handle,
                umask=0o077,
                start_new_session=True,  # Ctrl+C at this program is not theirs: it ends them in order
            )
        finally:
            os.close(handle)

    def _wait(self, process: subprocess.Popen[bytes], url: str, name: str) -> None:
        end = time.monotonic() + 120
        while time.monotonic() < end:
            if process.poll() is not None:
                break
            with suppress(OSError), urllib.request.urlopen(url, timeout=5) as reply:
                if reply.status == 200:
                    return
            time.sleep(0.2)
        raise RoomError(f"the {name} does not answer:\n{self.log(name)[-3000:]}")


def children(pid: int) -> list[int]:
    """The processes that a process has begun, whichever of its threads did."""
    return [child for task in _tasks(pid) for child in task]


def _tasks(pid: int) -> Iterator[list[int]]:
    with suppress(OSError):
        for task in Path(f"/proc/{pid}/task").iterdir():
            yield [int(child) for child in (task / "children").read_text(encoding="ascii").split()]


def free_port() -> int:
    """A port of the loopback on which nothing listens now."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port: int = found.getsockname()[1]
        return port


def _kill(process: subprocess.Popen[bytes]) -> None:
    process.kill()
    process.wait()
