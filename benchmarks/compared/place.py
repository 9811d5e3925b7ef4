"""The place where tools are measured: an environment with the peers, and a JupyterLab that runs in it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.compared.tools import Tool

ROOT = Path(__file__).resolve().parents[2]
ENVIRONMENT = ROOT / "build" / "peers-venv"
REQUIREMENTS = ROOT / "benchmarks" / "peers-requirements.txt"
PYTHON = ENVIRONMENT / "bin" / "python"
TOKEN = "a-token-for-benchmarks-only"
START_SECONDS = 90
UNSET = ("JUPYTER", "XDG_", "QUIZ_WIDGETS_", "PYTHONPATH", "LANGUAGE", "LC_")


def set_up() -> dict[str, str]:
    """Make the environment anew; the peers that could not be installed, by name, with pip's last words on it.

    A peer that fails must not keep the others out, so each line of the requirements is installed by itself.
    """
    if ENVIRONMENT.exists():
        shutil.rmtree(ENVIRONMENT)
    subprocess.run([sys.executable, "-m", "venv", str(ENVIRONMENT)], check=True)
    pip = [str(PYTHON), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*pip, f"{ROOT}[lab]"], check=True)
    missing = {}
    for line in REQUIREMENTS.read_text(encoding="utf-8").splitlines():
        requirement = line.partition("#")[0].strip()
        if not requirement:
            continue
        tried = subprocess.run([*pip, requirement], capture_output=True, text=True, check=False)
        if tried.returncode:
            errors = [told for told in tried.stderr.splitlines() if told.startswith("ERROR")]
            missing[requirement] = errors[-1] if errors else "pip failed"
    (ENVIRONMENT / "missing.json").write_text(json.dumps(missing), encoding="utf-8")
    return missing


def install_ours() -> None:
    """Put the package as it is in this checkout into the environment, as a wheel: what a user gets.

    The wheel is made by this environment's tools and without its dependencies, which the set-up installed.
    """
    with tempfile.TemporaryDirectory() as folder:
        make = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation"]
        subprocess.run([*make, "--wheel-dir", folder, str(ROOT)], check=True)
        install = [str(PYTHON), "-m", "pip", "install", "--quiet", "--no-deps", "--force-reinstall"]
        subprocess.run([*install, *map(str, Path(folder).glob("*.whl"))], check=True)


def core_bytes(python: Path) -> int:
    """Bytes of the script and the styles that every output of quiz_widgets carries, as they are installed."""
    code = "from quiz_widgets import frontend\nprint(len((frontend.script() + frontend.css()).encode()))"
    ran = subprocess.run([str(python), "-c", code], capture_output=True, text=True, check=True)
    return int(ran.stdout)


def missing() -> dict[str, str]:
    """Which peers the set-up could not install, and why."""
    noted = ENVIRONMENT / "missing.json"
    found: dict[str, str] = json.loads(noted.read_text(encoding="utf-8")) if noted.is_file() else {}
    return found


def versions(python: Path, tools: Sequence[Tool]) -> dict[str, str]:
    """The installed version of each tool's package, by the tool's name; one that is not there is left out."""
    wanted = {tool.name: tool.package for tool in tools if tool.package} | {"jupyterlab": "jupyterlab"}
    code = (
        "import json, sys\nfrom importlib import metadata\nfound = {}\n"
        "for name, package in json.loads(sys.argv[1]).items():\n"
        "    try:\n        found[name] = metadata.version(package)\n"
        "    except metadata.PackageNotFoundError:\n        pass\n"
        "print(json.dumps(found))"
    )
    ran = subprocess.run([str(python), "-c", code, json.dumps(wanted)], capture_output=True, text=True, check=True)
    told: dict[str, str] = json.loads(ran.stdout)
    return told


def environment(base: Path) -> dict[str, str]:
    """The variables of a server or a process in which nothing of the machine's own settings is used."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(UNSET)}
    folders = {
        "HOME": "home",
        "JUPYTER_CONFIG_DIR": "config",
        "JUPYTER_DATA_DIR": "data",
        "JUPYTER_RUNTIME_DIR": "runtime",
        "IPYTHONDIR": "ipython",
        "QUIZ_WIDGETS_HOME": "kept",
    }
    for folder in folders.values():
        (base / folder).mkdir(parents=True, exist_ok=True)
    return kept | {name: str(base / folder) for name, folder in folders.items()} | {"LANG": "C.UTF-8"}


def wait_until(what: str, reached: Callable[[], Any], seconds: float) -> Any:
    """What `reached` returns once that is true; `TimeoutError` that names `what` after `seconds`."""
    end = time.monotonic() + seconds
    while True:
        found = reached()
        if found:
            return found
        if time.monotonic() > end:
            raise TimeoutError(f"waited {seconds} s: {what}")
        time.sleep(0.05)


@dataclass(frozen=True)
class Server:
    """A running JupyterLab, the Python it runs in, and the folder it serves."""

    python: Path
    url: str
    root: Path
    variables: Mapping[str, str]

    def api(self, method: str, path: str) -> Any:
        """What the server's REST interface answers."""
        headers = {"Authorization": f"token {TOKEN}"}
        request = urllib.request.Request(f"{self.url}api/{path}", method=method, headers=headers)
        with urllib.request.urlopen(request, timeout=30) as answer:
            body = answer.read()
        return json.loads(body) if body else None

    def end_kernels(self) -> None:
        """Shut down every kernel."""
        for session in self.api("GET", "sessions"):
            self.api("DELETE", f"sessions/{session['id']}")


@contextmanager
def serving(python: Path, base: Path, **more: str) -> Iterator[Server]:
    """A JupyterLab on the loopback for the time of the block; its kernels have `more` in their environment."""
    work = base / "work"
    work.mkdir()
    variables = environment(base) | more
    command = [
        *(str(python), "-m", "jupyterlab", "--no-browser", "--ip=127.0.0.1", "--port=0", "--allow-root"),
        f"--IdentityProvider.token={TOKEN}",
        f"--ServerApp.root_dir={work}",
        "--ServerApp.iopub_data_rate_limit=1e12",  # labquiz sends 20 MB for 200 questions
        "--ServerApp.iopub_msg_rate_limit=1e9",
        "--LabApp.expose_app_in_browser=True",
        "--LabApp.news_url=None",
        "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate",
    ]
    with (base / "server.log").open("w") as log:
        process = subprocess.Popen(command, env=variables, stdin=subprocess.DEVNULL, stdout=log, stderr=log)

        def address() -> str | None:
            if process.poll() is not None:
                raise RuntimeError(f"the server ended: {(base / 'server.log').read_text()[-2000:]}")
            texts = [path.read_text() for path in (base / "runtime").glob("jpserver-*.json")]
            return next((str(json.loads(text)["url"]) for text in texts if text), None)

        try:
            server = Server(python, wait_until("the server to start", address, START_SECONDS), work, variables)
            wait_until("the server to answer", lambda: _answers(server), START_SECONDS)
            yield server
        finally:
            process.terminate()
            try:
                process.wait(timeout=20)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def _answers(server: Server) -> bool:
    try:
        return bool(server.api("GET", "status"))
    except OSError:
        return False
