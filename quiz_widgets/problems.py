"""What is wrong with content, and where: one `Problem` per fault, and the error that carries all of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

Severity = Literal["error", "warning", "note"]


@dataclass(frozen=True, slots=True, order=True)
class Problem:
    """One fault in a content file.

    `line` and `column` count from 1 in code points (0: the whole file); `path` is the place in the
    document (``items[2].options[0].text``); `message` says what was found and what is allowed;
    `hint` says what to do. Only errors make a check fail.
    """

    file: str
    line: int = 0
    column: int = 0
    path: str = ""
    message: str = ""
    hint: str = ""
    severity: Severity = "error"
    rule: str = ""

    @property
    def place(self) -> str:
        """Where it is, as editors understand it: ``file:line:column``."""
        return self.file + (f":{self.line}:{self.column}" if self.line else "")

    @property
    def text(self) -> str:
        """What it is and what to do, without the place."""
        where = f"{self.path}: " if self.path else ""
        hint = f" ({self.hint})" if self.hint else ""
        return f"{where}{self.message}{hint}"

    def __str__(self) -> str:
        kind = "" if self.severity == "error" else f"{self.severity}: "
        return f"{self.place}: {kind}{self.text}"


class ContentError(ValueError):
    """Content that cannot be used; `problems` holds every fault found, not only the first."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        self.problems = tuple(sorted(problems))
        super().__init__("\n".join(str(problem) for problem in self.problems))

    def _render_traceback_(self) -> list[str]:
        # IPython asks for this: a notebook shows the problems, not the frames that found them.
        count = len(self.problems)
        return [f"{count} {'problem' if count == 1 else 'problems'} in the quiz:", *(f"  {p}" for p in self.problems)]
