"""JupyterLab on a course: one's own in place, the package's from a checkout in place or from a wheel in a copy."""

from __future__ import annotations

import hashlib
import json
import os
import sqlite3
import sys
from collections.abc import Sequence
from importlib import resources, util
from pathlib import Path

from quiz_widgets.locales.reports import say

HOME_FOLDER = "quiz_widgets_course"
_MANIFEST = ".quiz_widgets.json"  # the hash of each notebook as it was copied: another one is the learner's work

# Nothing leaves the machine: JupyterLab would ask for news and for newer versions, and list extensions to install.
_QUIET = (
    "--LabApp.news_url=None",
    "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate",
    "--LabApp.extension_manager=readonly",
)


class LabError(Exception):
    """The course cannot be served; the message says why and what to do."""


def checkout() -> Path | None:
    """The root of the checkout that this package runs from, or `None` when it was installed from a wheel."""
    root = Path(__file__).resolve().parents[1]
    return root if (root / "pyproject.toml").is_file() and (root / "content").is_dir() else None


def own_course() -> Path | None:
    """The root of the course of one's own in which the user stands; `None` outside of one."""
    from quiz_widgets.authoring import registered
    from quiz_widgets.problems import ContentError

    try:
        root = registered.course_root(Path.cwd())
    except ContentError as error:
        raise LabError(str(error)) from None
    if root is not None and not (root / "notebooks").is_dir():
        raise LabError(say("course_unbuilt", path=root))
    return root


def course_folder(to: Path | None = None) -> Path:
    """The folder to serve: the checkout's notebooks, or a copy in `to` (default: a folder in the user's home).

    A copy never overwrites a notebook that was changed since it was copied.
    """
    root = checkout()
    if root is not None and to is None:
        return root / "notebooks"
    source = root / "notebooks" if root is not None else Path(str(resources.files("quiz_widgets"))) / "_notebooks"
    if not source.is_dir():
        raise LabError(say("course_missing", path=source))
    target = to if to is not None else Path.home() / HOME_FOLDER
    try:
        for path in copy(source, target):
            print(say("yours", path=path))
    except OSError as error:
        reason = error.strerror or str(error)
        raise LabError(say("course_unwritable", path=target, reason=reason)) from error
    return target


def copy(source: Path, target: Path) -> list[Path]:
    """Copy the notebooks of `source` that `target` has not, or has unchanged; the paths that were left alone."""
    target.mkdir(parents=True, exist_ok=True)
    manifest = target / _MANIFEST
    copied = _read_manifest(manifest)
    kept: list[Path] = []
    for path in sorted(source.glob("[!.]*/*.ipynb")):
        name = path.relative_to(source).as_posix()
        theirs, fresh = target / name, path.read_bytes()
        if theirs.exists() and _digest(theirs.read_bytes()) not in (copied.get(name), _digest(fresh)):
            kept.append(theirs)
            continue
        theirs.parent.mkdir(parents=True, exist_ok=True)
        theirs.write_bytes(fresh)
        copied[name] = _digest(fresh)
    manifest.write_text(json.dumps(copied, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    return kept


def sign(folder: Path) -> None:
    """Mark the notebooks as trusted, so that a quiz stays live when the notebook is saved and opened again.

    JupyterLab keeps a notebook trusted only while every cell with output is; previews of cells that were not
    run yet would break that. What cannot be signed is served all the same.
    """
    import nbformat
    from nbformat.sign import NotebookNotary

    notary = NotebookNotary()
    for path in sorted(folder.glob("[!.]*/*.ipynb")):
        try:
            notary.sign(nbformat.read(path, as_version=4))
        except (OSError, ValueError, sqlite3.Error) as error:
            print(say("unsigned", path=path, reason=error), file=sys.stderr)


def first_notebook(folder: Path, locale: str) -> str | None:
    """The path, below `folder`, of the notebook that opens: the first of that locale, else of English.

    In a course of one's own they stand in its ``notebooks``.
    """
    for wanted in (locale, f"notebooks/{locale}", "en", "notebooks/en"):
        found = sorted((folder / wanted).glob("*.ipynb"))
        if found:
            return found[0].relative_to(folder).as_posix()
    return None


def arguments(folder: Path, locale: str, extra: Sequence[str]) -> list[str]:
    """JupyterLab's arguments; those of the user come last and win."""
    opened = first_notebook(folder, locale)
    found = [f"--ServerApp.root_dir={folder.resolve()}", *_QUIET]
    if opened is not None:
        found.append(f"--LabApp.default_url=/lab/tree/{opened}")
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        found.append("--allow-root")  # containers; the server listens on this machine only and asks for a token
    return [*found, *extra]


def serve(extra: Sequence[str], *, to: Path | None = None, locale: str = "en") -> None:
    """Serve the course until the user stops JupyterLab."""
    if util.find_spec("jupyterlab") is None:
        raise LabError(say("no_jupyterlab"))
    own = own_course() if to is None else None
    folder = own or course_folder(to)
    sign(folder / "notebooks" if own else folder)
    _configure()
    print(say("course_at", path=folder), flush=True)
    from jupyterlab.labapp import LabApp

    LabApp.launch_instance(arguments(folder, locale, extra))


def _configure() -> None:
    """Let JupyterLab find the package's own settings, which switch its question about news off, after the user's."""
    ours = str(Path(__file__).parent / "jupyter_config")
    theirs = os.environ.get("JUPYTER_CONFIG_PATH", "")
    os.environ["JUPYTER_CONFIG_PATH"] = os.pathsep.join(filter(None, [theirs, ours]))


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _read_manifest(path: Path) -> dict[str, str]:
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}
