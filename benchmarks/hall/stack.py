"""The desk in processes of its own, on loopback: on either database, one or two workers, direct or by the proxy."""

from __future__ import annotations

import os
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

import httpx

ROOT = Path(__file__).resolve().parents[2]
PROXY = ROOT / "node_modules" / ".bin" / "configurable-http-proxy"
_TICKS = os.sysconf("SC_CLK_TCK")
PREFIX = "/services/quiz"


def free_port() -> int:
    """A port of this machine that nobody has now."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port: int = found.getsockname()[1]
        return port


def cpu_seconds(pid: int) -> float:
    """CPU that a process and all its children have used, those that ended included; 0 for one that is gone."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
        children = [
            int(child)
            for task in Path(f"/proc/{pid}/task").iterdir()
            for child in (task / "children").read_text(encoding="ascii").split()
        ]
    except OSError:
        return 0.0
    return sum(map(int, fields[11:15])) / _TICKS + sum(cpu_seconds(child) for child in children)


def children(pid: int) -> list[int]:
    """The processes that a process has begun."""
    found = Path(f"/proc/{pid}/task/{pid}/children")
    return [int(child) for child in found.read_text(encoding="ascii").split()] if found.exists() else []


@dataclass(slots=True)
class Stack:
    """A desk that runs; `port` is where learners ask, the proxy's where there is one."""

    database: str
    workers: int = 1
    application: str = "quiz_widgets.classroom.desk.app:application"
    proxied: bool = False
    folder: Path = field(default_factory=Path)
    desk_port: int = field(default_factory=free_port)
    proxy_port: int = 0
    desk: subprocess.Popen[bytes] | None = None
    proxy: subprocess.Popen[bytes] | None = None
    secret: str = field(default_factory=lambda: secrets.token_hex(32))
    used: float = 0.0

    @property
    def port(self) -> int:
        """Where learners ask."""
        return self.proxy_port if self.proxied else self.desk_port

    def start(self) -> None:
        """Begin, and wait until the desk answers."""
        self.start_desk()
        if self.proxied:
            self.start_proxy()

    def start_desk(self) -> None:
        """Begin the desk alone."""
        environment = {
            **os.environ,
            "QUIZ_DESK_DATABASE": self.database,
            "QUIZ_DESK_SECRETS": self.secret,
            "QUIZ_DESK_PREFIX": PREFIX,
            "PYTHONPATH": os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")]),
        }
        command = [sys.executable, "-m", "uvicorn", "--factory", self.application, "--host", "127.0.0.1"]
        command += ["--port", str(self.desk_port), "--no-access-log", "--no-proxy-headers", "--log-level", "warning"]
        command += ["--timeout-keep-alive", "75", *(["--workers", str(self.workers)] if self.workers > 1 else [])]
        with (self.folder / "desk.log").open("ab") as log:
            self.desk = subprocess.Popen(command, env=environment, stdout=log, stderr=log)
        self._wait(f"http://127.0.0.1:{self.desk_port}{PREFIX}/ready")

    def start_proxy(self) -> None:
        """Begin the Hub's proxy, with the route that the Hub would give it."""
        self.proxy_port = self.proxy_port or free_port()
        api, token = free_port(), secrets.token_hex(16)
        command = [str(PROXY), "--ip", "127.0.0.1", "--port", str(self.proxy_port), "--api-port", str(api)]
        command += ["--api-ip", "127.0.0.1", "--log-level", "error"]
        path = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath)])
        environment = {**os.environ, "CONFIGPROXY_AUTH_TOKEN": token, "PATH": path}
        with (self.folder / "proxy.log").open("ab") as log:
            self.proxy = subprocess.Popen(command, env=environment, stdout=log, stderr=log)
        route = {"target": f"http://127.0.0.1:{self.desk_port}"}
        with httpx.Client(headers={"Authorization": f"token {token}"}) as asking:
            for _ in range(200):
                try:
                    if asking.post(f"http://127.0.0.1:{api}/api/routes{PREFIX}", json=route).status_code == 201:
                        break
                except httpx.HTTPError:
                    pass
                time.sleep(0.1)
        self._wait(f"http://127.0.0.1:{self.proxy_port}{PREFIX}/ready")

    def _wait(self, url: str) -> None:
        with httpx.Client(timeout=5) as asking:  # one for all tries: to make one costs 30 ms of CPU
            for _ in range(600):
                if self.desk is not None and self.desk.poll() is not None:
                    raise RuntimeError((self.folder / "desk.log").read_text(encoding="utf-8")[-2000:])
                try:
                    if asking.get(url).status_code == 200:
                        return
                except httpx.HTTPError:
                    pass
                time.sleep(0.1)
        raise RuntimeError(f"{url} does not answer")

    def desk_cpu(self) -> float:
        """CPU that the desk has used since its start, in seconds, with what killed processes had used."""
        return self.used + (cpu_seconds(self.desk.pid) if self.desk else 0.0)

    def proxy_cpu(self) -> float:
        """CPU that the proxy has used."""
        return cpu_seconds(self.proxy.pid) if self.proxy else 0.0

    def kill_desk(self) -> None:
        """End all of the desk's processes at once, as a power cut would, without a last word."""
        assert self.desk is not None
        self.used += cpu_seconds(self.desk.pid)
        for pid in [*children(self.desk.pid), self.desk.pid]:
            kill(pid)
        self.desk.wait()

    def kill_worker(self) -> None:
        """End one worker; its supervisor begins another."""
        assert self.desk is not None
        workers = [pid for pid in children(self.desk.pid) if b"spawn_main" in Path(f"/proc/{pid}/cmdline").read_bytes()]
        kill(workers[0])

    def kill_proxy(self) -> None:
        """End the proxy."""
        assert self.proxy is not None
        kill(self.proxy.pid)
        self.proxy.wait()

    def stop(self) -> None:
        """End everything that was begun."""
        for process in (self.proxy, self.desk):
            if process is not None and process.poll() is None:
                process.terminate()
                try:
                    process.wait(timeout=15)
                except subprocess.TimeoutExpired:
                    process.kill()
                    process.wait()


def kill(pid: int) -> None:
    """Kill -9, by the pid that was begun here."""
    with suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)


@contextmanager
def running(stack: Stack) -> Iterator[Stack]:
    """The stack, started and ended."""
    try:
        stack.start()
        yield stack
    finally:
        stack.stop()


def has_proxy() -> bool:
    """Whether the Hub's proxy and Node are here."""
    return PROXY.exists() and bool(shutil.which("node") or (Path(sys.executable).parent / "node").exists())
