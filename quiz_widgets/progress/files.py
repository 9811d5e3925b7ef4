"""Attempts as numbered folders of JSON-lines files, safe for many processes and for network homes.

``<home>/<quiz id>/0001/attempt.json`` says which attempt the folder holds. Beside it every kernel appends to a
file of its own, so no two processes ever write to one file and no lock is needed. Readers merge all of them.
"""

from __future__ import annotations

import errno
import json
import os
import secrets
import sys
import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from quiz_widgets.contract import OutcomePayload
from quiz_widgets.problems import Problem
from quiz_widgets.progress import events

HEAD = "attempt.json"
# How long to wait for a folder that another process has just made to get its attempt.json, before it counts as left
# behind by a process that was killed between the two steps.
PATIENCE = 2.0
_PAUSE = 0.01
_LATEST = 2**53  # ms; a start beyond it is no time
# Where JupyterLite shows a browser's kernel the notebooks and files that the browser keeps.
DRIVE = Path("/drive")


@dataclass(frozen=True, slots=True)
class AttemptFolder:
    """One attempt on disk: its number, its id (32 hex digits), its start in ms since 1970 UTC, and its folder."""

    number: int
    id: str
    started: int
    folder: Path


def data_home() -> Path:
    """Where attempts are kept: ``QUIZ_WIDGETS_HOME``, else the platform's folder for a user's data."""
    named = os.environ.get("QUIZ_WIDGETS_HOME")
    if named:
        return Path(os.path.expanduser(named))  # noqa: PTH111 - that of a Path raises for users it does not know
    if sys.platform == "emscripten":
        return DRIVE / ".quiz-widgets"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "quiz-widgets"
    if sys.platform == "win32":
        local = os.environ.get("LOCALAPPDATA")
        return (Path(local) if local else Path.home() / "AppData" / "Local") / "quiz-widgets"
    data = os.environ.get("XDG_DATA_HOME", "")
    # The XDG rules say that a relative path counts as unset.
    base = Path(data) if Path(data).is_absolute() else Path.home() / ".local" / "share"
    return base / "quiz-widgets"


def check_lasting(root: Path) -> None:
    """`OSError` where files end with the kernel: in a browser, everywhere but in JupyterLite's drive.

    A browser that allows no service worker (a private window of Firefox) has no such drive.
    """
    if sys.platform == "emscripten" and not (root.is_relative_to(DRIVE) and DRIVE.is_dir()):
        raise OSError(errno.ENOTSUP, "this browser window gives the kernel no lasting files")


def numbered(root: Path) -> list[tuple[int, Path]]:
    """Every attempt folder of a quiz with its number, oldest first; whether it is complete is not looked at."""
    try:
        names = [entry.name for entry in root.iterdir() if entry.is_dir()]
    except FileNotFoundError:
        return []
    return sorted((int(name), root / name) for name in names if name.isascii() and name.isdigit())


def read_head(number: int, folder: Path) -> AttemptFolder | None:
    """The attempt in a folder, or `None` where no readable attempt.json stands."""
    try:
        head = _parsed((folder / HEAD).read_bytes())
    except FileNotFoundError:
        return None
    attempt_id, started = (head.get(name) if isinstance(head, Mapping) else None for name in ("id", "started"))
    if not events.is_attempt(attempt_id) or not events.is_count(started):
        return None  # nothing could ever be recorded under such an id
    return AttemptFolder(number, attempt_id, started, folder)


def complete(root: Path) -> list[AttemptFolder]:
    """The attempts of a quiz that can be read, oldest first."""
    heads = (read_head(number, folder) for number, folder in numbered(root))
    return [head for head in heads if head is not None]


def newest(root: Path) -> AttemptFolder | None:
    """The attempt with the highest number, or `None`; that is the open one."""
    for number, folder in reversed(numbered(root)):
        found = read_head(number, folder)
        if found is not None:
            return found
    return None


def begin(root: Path, number: int, attempt_id: str, started: int) -> AttemptFolder:
    """Make attempt `number`. Where another process made that folder first, its attempt is returned instead."""
    started = min(started, _LATEST)
    while True:
        root.mkdir(parents=True, exist_ok=True)
        folder = root / f"{number:04d}"
        try:
            folder.mkdir()
        except FileExistsError:
            theirs = _wait_for_head(number, folder)
            if theirs is not None:
                return theirs
            number += 1
            continue
        _write_whole(folder / HEAD, json.dumps({"id": attempt_id, "started": started}) + "\n")
        _sync_folder(root)
        return AttemptFolder(number, attempt_id, started, folder)


class Log:
    """The file to which one process appends in one attempt folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._path: Path | None = None
        self._process = os.getpid()

    def append(self, records: Iterable[Mapping[str, object]]) -> None:
        """Write the records and return once they are on disk; `OSError` when they are not."""
        data = "".join(json.dumps(record, separators=(",", ":")) + "\n" for record in records).encode()
        made = self._path is None or self._process != os.getpid()  # a forked kernel must not share its parent's file
        if made:
            self._path = self._folder / f"{secrets.token_hex(8)}.jsonl"
            self._process = os.getpid()
        flags = os.O_WRONLY | os.O_APPEND | (os.O_CREAT | os.O_EXCL if made else 0) | getattr(os, "O_BINARY", 0)
        path = cast(Path, self._path)
        try:
            handle = os.open(path, flags, 0o600)
            try:
                while data:
                    data = data[os.write(handle, data) :]
                os.fsync(handle)
            finally:
                os.close(handle)
            if made:
                _sync_folder(self._folder)
        except OSError:
            # The last line may be cut: nothing must ever be joined to it.
            self._path = None
            raise


def read(folder: Path) -> tuple[list[OutcomePayload], list[Problem]]:
    """Every record in an attempt folder in a fixed order, first one of each event id only, and what could not be read.

    A last line without its end is one whose writer was killed: it was never acknowledged, and is skipped.
    """
    found: list[tuple[tuple[int, str, int], OutcomePayload]] = []
    problems: list[Problem] = []
    for path in sorted(folder.glob("*.jsonl")):
        for line, record in _lines(path, problems):
            found.append(((record["at"], path.name, line), record))
    found.sort(key=lambda entry: entry[0])
    return list(merge(record for _, record in found).values()), problems


def merge(records: Iterable[OutcomePayload]) -> dict[str, OutcomePayload]:
    """Records by event id; of several with one id the first counts."""
    merged: dict[str, OutcomePayload] = {}
    for record in records:
        merged.setdefault(record["event"]["id"], record)
    return merged


def _lines(path: Path, problems: list[Problem]) -> Iterator[tuple[int, OutcomePayload]]:
    *whole, rest = path.read_bytes().split(b"\n")
    for number, line in enumerate(whole, start=1):
        record = _parsed(line)
        if _is_record(record):
            yield number, cast(OutcomePayload, record)
        else:
            problems.append(_unreadable(path, number, "this line is no record and is skipped"))
    if rest:
        problems.append(_unreadable(path, len(whole) + 1, "the last line is cut and is skipped"))


def _parsed(data: bytes) -> Any:
    """What the JSON says; `None` where it is none, or nested too deeply to be a file of ours."""
    try:
        return json.loads(data)
    except (ValueError, RecursionError):
        return None


def _is_record(record: Any) -> bool:
    """Whether a line has the shape of what is written here, so that whoever reads records may rely on it."""
    event = record.get("event") if isinstance(record, Mapping) else None
    if not isinstance(event, Mapping) or not events.is_count(record.get("at")):
        return False
    kind, attempt, item, response = (event.get(name) for name in ("kind", "attempt", "item", "response"))
    return (
        kind in events.KINDS
        and events.is_attempt(attempt)
        and isinstance(item, str)
        and events.id_fits(event.get("id"), kind, attempt, item)
        and events.is_count(event.get("at"))
        and events.is_count(event.get("round"))
        and isinstance(response, list)
        and all(isinstance(part, str) for part in response)
        and (kind != "restart" or (len(response) == 1 and events.is_attempt(response[0])))
        and (kind != "submit" or all(_is_score(record.get(name)) for name in ("score", "max_score")))
    )


def _is_score(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value < 2**53


def _unreadable(path: Path, line: int, message: str) -> Problem:
    hint = "the response in it was never shown as recorded; give it again"
    return Problem(str(path), line, 1, "", message, hint, "warning", "record")


def _wait_for_head(number: int, folder: Path) -> AttemptFolder | None:
    end = time.monotonic() + PATIENCE
    while True:
        head = read_head(number, folder)
        if head is not None or time.monotonic() > end:
            return head
        time.sleep(_PAUSE)


def _write_whole(path: Path, text: str) -> None:
    """Write a file that readers see whole or not at all."""
    draft = path.with_name(f"{path.name}.{secrets.token_hex(4)}")
    with draft.open("w", encoding="utf-8", newline="\n") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    draft.replace(path)
    _sync_folder(path.parent)


def _sync_folder(folder: Path) -> None:
    """Make a new name in a folder outlive a power cut, where the platform can."""
    if os.name != "posix":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    except OSError:
        pass  # some network file systems refuse this; the file itself is on disk
    finally:
        os.close(handle)
