"""Environments that learners' accounts can read: this checkout's wheel, JupyterLab and one release of JupyterHub.

An account of its own cannot use what lies in another's home, nor see the checkout; and a class runs the wheel anyway.
Making one takes a minute or two, so it stays in the temporary folder for the next run; the wheel is always that of this
checkout. Two runs may want the same one at the same time: one makes it, the other waits and finds it made.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import os
import shutil
import stat
import subprocess
import sys
import tempfile
import time
import tomllib
import zipfile
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
HUBS = ("5.5.1", "6.1.1")
"""The releases of JupyterHub that are tested: the oldest one allowed, and the newest one known."""

_READY = ".ready"  # holds a hash of the wheel that is installed
_FIND = "import sys; print(sys.version_info >= (3, 11), sys.base_prefix)"


class MakingError(Exception):
    """An environment cannot be made; the message says what to do, or what the command that failed has said."""


def made(hub: str) -> Path:
    """The environment's folder, made if it is missing; with the package as it is in this checkout now."""
    # At most what the checkout's own environment has: the system's Python may be too old for some of these.
    pins = [line.replace("==", "<=") for line in (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()]
    pins = [*(pin for pin in pins if not pin.startswith("jupyterhub<")), f"jupyterhub=={hub}"]
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    needed = [*project["dependencies"], *project["optional-dependencies"]["classroom"]]
    wanted = "\n".join([*pins, *needed, _python()])
    name = f"quiz-widgets-{os.getuid()}-hub-{hub}-{hashlib.sha256(wanted.encode()).hexdigest()[:12]}"
    folder = Path(tempfile.gettempdir()) / name
    with tempfile.TemporaryDirectory() as work:
        wheel = _wheel(Path(work))
        holds = _hash(wheel)
        with _alone(folder):
            if not (folder / _READY).exists() or folder.stat().st_uid != os.getuid():
                print(f"making an environment with JupyterHub {hub} in {folder}", file=sys.stderr)
                _make(folder, Path(work), wheel, pins)
            elif (folder / _READY).read_text(encoding="utf-8") != holds:
                _pip(folder, "install", "--force-reinstall", "--no-deps", str(wheel))
            (folder / _READY).write_text(holds, encoding="utf-8")
    _throw_away_old()
    return folder


@contextlib.contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Only one process at a time makes or changes that environment; the lock ends with the process that holds it."""
    file = os.open(f"{folder}.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    try:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
    finally:
        os.close(file)


def _hash(wheel: Path) -> str:
    """A hash of what is in the wheel: building the same sources again changes only the times in it."""
    with zipfile.ZipFile(wheel) as opened:
        held = sorted((entry.filename, entry.CRC, entry.file_size) for entry in opened.infolist())
    return hashlib.sha256(repr(held).encode()).hexdigest()


def _make(folder: Path, work: Path, wheel: Path, pins: list[str]) -> None:
    if folder.exists():
        shutil.rmtree(folder)
    _run(_python(), "-m", "venv", "--without-pip", str(folder))
    constraints = work / "constraints.txt"
    constraints.write_text("\n".join(pins) + "\n", encoding="utf-8")
    _pip(folder, "install", "--constraint", str(constraints), f"{wheel}[classroom]", "jupyterlab", "jupyterhub")


def _throw_away_old() -> None:
    """Remove environments of this account that were not used for a week."""
    for mark in Path(tempfile.gettempdir()).glob(f"quiz-widgets-{os.getuid()}-hub-*/{_READY}"):
        if mark.stat().st_mtime < time.time() - 7 * 86_400 and mark.stat().st_uid == os.getuid():
            shutil.rmtree(mark.parent)
            Path(f"{mark.parent}.lock").unlink(missing_ok=True)


def _wheel(folder: Path) -> Path:
    _run(sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder), str(ROOT))
    [wheel] = folder.glob("*.whl")
    return wheel


def _pip(folder: Path, *options: str) -> None:
    python = str(folder / "bin" / "python")
    _run(sys.executable, "-m", "pip", "--python", python, "--quiet", "--disable-pip-version-check", *options)


def _run(*command: str) -> None:
    ran = subprocess.run(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False, umask=0o022
    )  # whatever this account's mask is, the others can read it
    if ran.returncode:
        raise MakingError(f"{' '.join(command[:4])} …:\n{ran.stdout[-3000:]}")


def _python() -> str:
    """A Python 3.11 or newer that every account may run: this one's own, or the system's."""
    for name in (f"{sys.base_prefix}/bin/python3", "/usr/local/bin/python3", "/usr/bin/python3"):
        if not Path(name).exists():
            continue
        told = subprocess.run([name, "-c", _FIND], capture_output=True, text=True, check=False).stdout.split()
        if told[:1] == ["True"] and _open_to_all(Path(told[1])) and _open_to_all(Path(name).resolve().parent):
            return name
    raise MakingError("no Python 3.11 or newer that other accounts may run; install your system's python3 and venv")


def _open_to_all(folder: Path) -> bool:
    if os.getuid() != 0:
        return True  # then every process has this account
    return all(path.stat().st_mode & stat.S_IXOTH for path in (folder, *folder.parents))
