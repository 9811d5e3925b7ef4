"""Files written as a whole or not at all, and only over what was read: nobody's change is lost without a word."""

from __future__ import annotations

import contextlib
import difflib
import os
import stat
import tempfile
from collections.abc import Mapping
from pathlib import Path


class ChangedMeanwhile(Exception):
    """Files on disk are others than those that were opened; `files` are their names, nothing has been written."""

    def __init__(self, files: Mapping[str, bytes | None]) -> None:
        super().__init__(", ".join(files))
        self.files = dict(files)


def on_disk(path: Path) -> bytes | None:
    """What a file holds; `None` where there is none."""
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return None


def save(folder: Path, opened: Mapping[str, bytes | None], wanted: Mapping[str, bytes | None]) -> None:
    """Write the files of `wanted` that differ from `opened`; `ChangedMeanwhile` if one of these is not as it was.

    Everything is on disk under other names before the first file is replaced, so a full disk changes none.
    """
    changed = {name: data for name, data in wanted.items() if data is not None and data != opened.get(name)}
    others = {name: found for name in changed if (found := on_disk(folder / name)) != opened.get(name)}
    if others:
        raise ChangedMeanwhile(others)
    prepared: dict[str, Path] = {}
    try:
        for name, data in changed.items():
            prepared[name] = _prepared(folder / name, data)
        for name in list(prepared):
            prepared.pop(name).replace(folder / name)
    finally:
        for left in prepared.values():
            left.unlink(missing_ok=True)
    if changed:
        _flush(folder)


def write(path: Path, data: bytes) -> None:
    """Put `data` in place of a file."""
    made = _prepared(path, data)
    try:
        made.replace(path)
    finally:
        made.unlink(missing_ok=True)
    _flush(path.parent)


def diff(name: str, theirs: bytes | None, ours: bytes) -> str:
    """How a file of ours differs from what is on disk, as a unified diff."""
    old, new = (data.decode("utf-8", errors="replace").splitlines() for data in (theirs or b"", ours))
    return "\n".join(difflib.unified_diff(old, new, name, name, lineterm="", n=1))


def _prepared(path: Path, data: bytes) -> Path:
    """A file beside `path` with that content, flushed, with the rights of the one that it is to replace."""
    handle, name = tempfile.mkstemp(prefix=f".{path.name}.", suffix=".saving", dir=path.parent)
    made = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        made.chmod(_mode(path))
    except BaseException:
        made.unlink(missing_ok=True)
        raise
    return made


def _mode(path: Path) -> int:
    try:
        return stat.S_IMODE(path.stat().st_mode)
    except FileNotFoundError:
        mask = os.umask(0)  # there is no way to ask for it without setting it
        os.umask(mask)
        return 0o666 & ~mask


def _flush(folder: Path) -> None:
    """Make the new names last; some systems cannot open a folder, and need no such thing."""
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
