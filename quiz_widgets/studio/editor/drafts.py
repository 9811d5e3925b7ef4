"""A draft: the files as they were opened, and every change since, in one hidden file beside the quiz.

It holds the opened files whole, so that it can be continued whatever has become of them. Its name begins with a dot and
ends in no name of content: neither `check` nor a build reads it.
"""

from __future__ import annotations

import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from quiz_widgets.studio.editor import saving

VERSION = 1


@dataclass(frozen=True, slots=True)
class Step:
    """One change: in that file, the bytes `old` from the offset `at` on gave way to `new`."""

    file: str
    at: int
    old: str
    new: str

    def done(self, data: bytes) -> bytes:
        """The file after the change."""
        return self._exchanged(data, self.old, self.new)

    def undone(self, data: bytes) -> bytes:
        """The file before the change."""
        return self._exchanged(data, self.new, self.old)

    def _exchanged(self, data: bytes, old: str, new: str) -> bytes:
        end = self.at + len(old.encode())
        if data[self.at : end] != old.encode():
            raise ValueError(f"the draft does not fit {self.file}")
        return data[: self.at] + new.encode() + data[end:]


@dataclass(frozen=True, slots=True)
class Draft:
    """What was opened, all steps, and how many of them are done (the rest are undone); `saved` in s since 1970."""

    opened: Mapping[str, bytes | None]
    steps: Sequence[Step]
    done: int
    saved: float

    def files(self) -> dict[str, bytes | None]:
        """The files after the steps that are done; `ValueError` where they do not fit."""
        files = dict(self.opened)
        for step in self.steps[: self.done]:
            files[step.file] = step.done(files.get(step.file) or b"")
        return files


def step(file: str, before: bytes, after: bytes) -> Step:
    """The change from one state of a file to another: the shortest run of whole characters that differs."""
    old, new = before.decode(), after.decode()
    start = 0
    while start < min(len(old), len(new)) and old[start] == new[start]:
        start += 1
    end = 0
    while end < min(len(old), len(new)) - start and old[-1 - end] == new[-1 - end]:
        end += 1
    return Step(file, len(old[:start].encode()), old[start : len(old) - end], new[start : len(new) - end])


def path_of(quiz: Path) -> Path:
    """Where the draft of a quiz stands."""
    return quiz.with_name(f".{quiz.name}.draft")


def write(quiz: Path, draft: Draft) -> None:
    """Keep the draft, in place of an earlier one."""
    opened = {
        name: None if data is None else data.decode("utf-8", "surrogateescape") for name, data in draft.opened.items()
    }
    steps = [asdict(one) for one in draft.steps]
    made = {"version": VERSION, "saved": draft.saved, "done": draft.done, "opened": opened, "steps": steps}
    saving.write(path_of(quiz), json.dumps(made, indent=1).encode())


def read(quiz: Path) -> Draft | None:
    """The draft of a quiz, or `None`; one that cannot be read is set aside under the name ``….unreadable``."""
    path = path_of(quiz)
    data = saving.on_disk(path)
    if data is None:
        return None
    try:
        draft = _parsed(json.loads(data))
        draft.files()
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        path.replace(path.with_name(f"{path.name}.unreadable"))
        return None
    return draft


def remove(quiz: Path) -> None:
    """Drop the draft."""
    path_of(quiz).unlink(missing_ok=True)


def clock(draft: Draft) -> str:
    """When it was saved: the time, with the date if that is another day's."""
    then, now = time.localtime(draft.saved), time.localtime()
    return time.strftime("%H:%M" if then[:3] == now[:3] else "%Y-%m-%d %H:%M", then)


def _parsed(made: Mapping[str, Any]) -> Draft:
    if made["version"] != VERSION:
        raise ValueError("a draft of another version")
    opened = {
        name: None if text is None else text.encode("utf-8", "surrogateescape") for name, text in made["opened"].items()
    }
    steps = [Step(str(one["file"]), int(one["at"]), str(one["old"]), str(one["new"])) for one in made["steps"]]
    if not 0 <= int(made["done"]) <= len(steps) or not {one.file for one in steps} <= set(opened):
        raise ValueError("steps that are not there")
    return Draft(opened, steps, int(made["done"]), float(made["saved"]))
