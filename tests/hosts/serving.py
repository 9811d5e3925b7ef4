"""Programs that serve pages: started on the loopback, with nothing of the machine's own settings, and ended again."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import MappingProxyType
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, BrowserContext, Route

from tests.hosts.hosting import TOKEN, Server, wait_until

START_SECONDS = 90
FIRST = START_SECONDS * 1000  # ms until the first quiz is drawn: its kernel starts before


def own_environment(base: Path) -> dict[str, str]:
    """An environment whose settings, data and attempts lie in new folders under `base`."""
    folders = {name: base / name for name in ("home", "config", "data", "runtime", "ipython", "kept")}
    for folder in folders.values():
        folder.mkdir()
    inherited = {name: value for name, value in os.environ.items() if not name.startswith(("JUPYTER", "XDG_"))}
    return inherited | {
        "HOME": str(folders["home"]),
        "JUPYTER_CONFIG_DIR": str(folders["config"]),
        "JUPYTER_DATA_DIR": str(folders["data"]),
        "JUPYTER_RUNTIME_DIR": str(folders["runtime"]),
        "IPYTHONDIR": str(folders["ipython"]),
        "QUIZ_WIDGETS_HOME": str(folders["kept"]),
    }


@contextmanager
def started(
    module: str, *options: str, folder: Path, environment: Mapping[str, str], log: Path
) -> Iterator[subprocess.Popen[bytes]]:
    """A program that is a Python module, run in `folder`, ended afterwards; what it says goes into `log`."""
    with log.open("w") as written:
        process = subprocess.Popen(
            [sys.executable, "-m", module, *options],
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=written,
            stderr=written,
        )
        try:
            yield process
        finally:
            process.send_signal(signal.SIGTERM)
            try:
                process.wait(timeout=20)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


@contextmanager
def served(module: str, *options: str, base: Path) -> Iterator[Server]:
    """A program that takes `--port` and serves what lies in `base / "work"`."""
    port = free_port()
    url = f"http://127.0.0.1:{port}/"
    environment, log = own_environment(base), base / "server.log"
    command = (*options, f"--port={port}")
    with started(module, *command, folder=base / "work", environment=environment, log=log) as process:

        def answers() -> bool:
            if process.poll() is not None:
                pytest.fail(f"the server ended: {log.read_text()[-2000:]}")
            try:
                urllib.request.urlopen(url + "favicon.ico", timeout=5).close()
            except urllib.error.HTTPError:
                return True  # it listens
            except OSError:
                return False
            return True

        wait_until(f"{module} to listen", answers, START_SECONDS)
        yield Server(url, base / "work", base / "kept", environment)


@contextmanager
def jupyter(base: Path, settings: Mapping[str, str] = MappingProxyType({}), /, **variables: str) -> Iterator[Server]:
    """A Jupyter server with a HOME of its own under `base`, which serves JupyterLab and Notebook 7.

    `settings` are files of settings that a user has changed, by the name of the plugin. `variables` stand in the
    server's environment, and so in that of its kernels.
    """
    work, log = base / "work", base / "server.log"
    work.mkdir()
    environment = own_environment(base) | variables
    for plugin, text in settings.items():
        changed = base / "config" / "lab" / "user-settings" / f"{plugin}.jupyterlab-settings"
        changed.parent.mkdir(parents=True)
        changed.write_text(text, encoding="utf-8")
    options = (
        *("--no-browser", "--ip=127.0.0.1", "--port=0", "--allow-root"),
        f"--IdentityProvider.token={TOKEN}",
        f"--ServerApp.root_dir={work}",
        "--LabApp.expose_app_in_browser=True",
        "--JupyterNotebookApp.expose_app_in_browser=True",
        "--LabApp.news_url=None",
        "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate",
    )
    with started("jupyterlab", *options, folder=work, environment=environment, log=log) as process:

        def address() -> str | None:
            if process.poll() is not None:
                pytest.fail(f"the server ended: {log.read_text()[-2000:]}")
            for path in (base / "runtime").glob("jpserver-*.json"):
                text = path.read_text()
                if text:
                    return str(json.loads(text)["url"])
            return None

        url = wait_until("the server to start", address, START_SECONDS)
        found = Server(url, work, base / "kept", environment)
        wait_until("the server to answer", found.answers, START_SECONDS)
        yield found


def free_port() -> int:
    """A port of the loopback on which nothing listens."""
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        port: int = listening.getsockname()[1]
    return port


@contextmanager
def walled(browser: Browser) -> Iterator[tuple[BrowserContext, list[str]]]:
    """A browser profile that reaches the loopback only, and the addresses elsewhere that its pages asked for."""
    outside: list[str] = []

    def judge(route: Route) -> None:
        if urlsplit(route.request.url).hostname == "127.0.0.1":
            route.continue_()
        else:
            outside.append(route.request.url)
            route.abort()

    context = browser.new_context(viewport={"width": 1200, "height": 1400})
    context.set_default_timeout(30_000)
    context.route("**/*", judge)
    yield context, outside
    context.close()
