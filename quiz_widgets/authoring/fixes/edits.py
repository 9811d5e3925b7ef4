"""Edits of one line each, and how they are put into a file without touching anything else."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

_END = re.compile("(\r\n|\r|\n)")
_MARK = "\ufeff"


@dataclass(frozen=True, slots=True, order=True)
class Edit:
    """Puts `new` in place of the signs from `start` up to `end` of a line; all count from 1."""

    line: int
    start: int
    end: int
    new: str


def splice(data: bytes, edits: Iterable[Edit]) -> bytes:
    """The UTF-8 file with the edits in it. Line feeds in them become the line ends of the file."""
    parts = _END.split(data.decode("utf-8"))
    ends = parts[1::2] or ["\n"]
    for edit in sorted(set(edits), reverse=True):
        at = 2 * (edit.line - 1)
        mark = len(_MARK) if edit.line == 1 and parts[0].startswith(_MARK) else 0
        line = parts[at]
        new = edit.new.replace("\n", ends[min(edit.line - 1, len(ends) - 1)])
        parts[at] = line[: edit.start - 1 + mark] + new + line[edit.end - 1 + mark :]
    return "".join(parts).encode("utf-8")
