"""The wheel holds everything a learner needs: it is built, installed in a clean environment, and used there."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import time
import urllib.request
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from jupyter_client.blocking.client import BlockingKernelClient

ROOT = Path(__file__).resolve().parents[1]
TOKEN = "only-here"
# What authors, CI and demos need, and a learner's page must not wait for.
HEAVY = ["yaml", "markdown_it", "mdit_py_plugins", "nh3", "latex2mathml", "numpy", "matplotlib", "torch"]
SHOW = """
import sys
from IPython.core.interactiveshell import InteractiveShell
shell = InteractiveShell.instance()
import quiz_widgets
from quiz_widgets import load_quiz
load_quiz("mixed-precision").show("loss-scaling")
import quiz_widgets.widget
print([name for name in sys.argv[1:] if name in sys.modules], file=sys.stderr)
"""


def test_showing_a_compiled_quiz_loads_nothing_of_authors_and_demos(tmp_path: Path) -> None:
    environment = {**os.environ, "QUIZ_WIDGETS_HOME": str(tmp_path), "IPYTHONDIR": str(tmp_path)}

    ran = subprocess.run(
        [sys.executable, "-c", SHOW, *HEAVY], env=environment, capture_output=True, text=True, timeout=120, check=True
    )

    assert ran.stderr.strip() == "[]"


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, made from the source distribution: so that one is known to be whole, too."""
    target = tmp_path_factory.mktemp("dist")
    subprocess.run(
        [sys.executable, "-m", "build", "--no-isolation", "--outdir", target, ROOT], check=True, capture_output=True
    )
    return next(target.glob("*.whl"))


@pytest.mark.slow
def test_the_wheel_holds_the_course_and_the_page_and_nothing_else(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        held = set(archive.namelist())

    tracked = subprocess.run(["git", "ls-files", "quiz_widgets"], cwd=ROOT, check=True, capture_output=True, text=True)
    books = {f"quiz_widgets/_{path.relative_to(ROOT).as_posix()}" for path in (ROOT / "notebooks").glob("*/*.ipynb")}
    package = {name for name in held if ".dist-info/" not in name}
    assert len(books) >= 2
    assert package == {*tracked.stdout.split(), *books}


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of commands of a clean environment in which the wheel is installed for use, with `lab`."""
    place = tmp_path_factory.mktemp("clean") / "venv"
    subprocess.run([sys.executable, "-m", "venv", place], check=True)
    commands = place / "bin"
    pip: list[str | Path] = [commands / "python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*pip, "--constraint", ROOT / "constraints.txt", f"{wheel}[lab]"], check=True)
    return commands


@pytest.fixture
def served(installed: Path, tmp_path: Path) -> Iterator[tuple[str, Path]]:
    """The address of the course, served by the wheel's own command without Node on the PATH, and its home."""
    home = tmp_path / "home"
    home.mkdir()
    environment = {"PATH": str(installed), "HOME": str(home), "JUPYTER_RUNTIME_DIR": str(home / "runtime")}
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    log = tmp_path / "log"
    with log.open("w", encoding="utf-8") as output:
        server = subprocess.Popen(
            [installed / "quiz-widgets", "lab", "--no-browser", f"--port={port}", f"--IdentityProvider.token={TOKEN}"],
            env=environment,
            cwd=home,
            stdout=output,
            stderr=subprocess.STDOUT,
        )
        try:
            address = f"http://127.0.0.1:{port}"
            wait_for(address, server, log)
            yield address, home
        finally:
            server.terminate()
            server.wait(30)


def wait_for(address: str, server: subprocess.Popen[bytes], log: Path) -> None:
    until = time.monotonic() + 90
    while time.monotonic() < until:
        assert server.poll() is None, log.read_text(encoding="utf-8")
        try:
            ask(f"{address}/api/status")
        except OSError:
            time.sleep(0.3)
        else:
            return
    pytest.fail(f"no answer in 90 s:\n{log.read_text(encoding='utf-8')}")


def ask(url: str, method: str = "GET", body: object = None) -> Any:
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(url, data, {"Authorization": f"token {TOKEN}"}, method=method)
    with urllib.request.urlopen(request, timeout=30) as reply:
        return json.loads(reply.read() or b"null")


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_the_installed_wheel_serves_the_course_and_a_quiz_runs(served: tuple[str, Path]) -> None:
    address, home = served

    course = ask(f"{address}/api/contents/en?content=1")["content"]
    notebook = ask(f"{address}/api/contents/en/mixed-precision.ipynb")["content"]
    kernel = ask(f"{address}/api/kernels", "POST", {"name": "python3"})["id"]
    client = BlockingKernelClient(connection_file=str(home / "runtime" / f"kernel-{kernel}.json"))
    client.load_connection_file()
    client.start_channels()
    try:
        client.wait_for_ready(timeout=90)
        cells = [cell for cell in notebook["cells"] if cell["id"] in ("set-up", "quiz-loss-scaling")]
        shown = [message for cell in cells for message in run(client, cell["source"])]
    finally:
        client.stop_channels()

    assert {entry["name"] for entry in course} == {path.name for path in (ROOT / "notebooks" / "en").glob("*.ipynb")}
    assert (home / "quiz_widgets_course" / "en" / "mixed-precision.ipynb").is_file()
    pages = [message["content"]["data"]["text/html"] for message in shown if message["msg_type"] == "display_data"]
    links = [message["content"]["target_name"] for message in shown if message["msg_type"] == "comm_open"]
    assert len(pages) == 1
    assert "<script" in pages[0]
    assert "jupyter.widget" in links


def run(client: BlockingKernelClient, source: str) -> list[dict[str, Any]]:
    """Run a cell and return what it published; an error in it fails the test with its traceback."""
    sent = client.execute(source)
    published: list[dict[str, Any]] = []
    while True:
        message = client.get_iopub_msg(timeout=60)
        if message["parent_header"].get("msg_id") != sent:
            continue
        assert message["msg_type"] != "error", "\n".join(message["content"]["traceback"])
        published.append(message)
        if message["msg_type"] == "status" and message["content"]["execution_state"] == "idle":
            return published
