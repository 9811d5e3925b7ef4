"""What a format is, the file that an importer reads, and the list in which it notes what it could not carry."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from decimal import Decimal

from quiz_widgets.authoring.fields import DECIMAL
from quiz_widgets.formats import encodings
from quiz_widgets.formats.draft import DraftQuiz, Exported, Imported, Place
from quiz_widgets.problems import Problem, Severity

MAX_BYTES = 64 << 20
"""The largest file that is read: above it an import would take minutes and gigabytes."""
MAX_ITEMS = 5000
"""The most questions of one file; what follows is reported. No quiz of a course has as many."""


def decimal(text: str) -> Decimal | None:
    """The number that a text is, with a point or a comma; `None` for anything else, or for what nobody would type."""
    word = text.strip().replace("\u2212", "-").replace(",", ".") if text.count(",") <= 1 else ""
    return Decimal(word) if len(word) <= 40 and DECIMAL.fullmatch(word) else None


def silent(_done: int, _total: int) -> None:
    """Hear how much is done, and say nothing."""


@dataclass(frozen=True, slots=True)
class Source:
    """A file to read. `encoding` is what the user says it is; `tell` hears how much is done, for a progress bar."""

    name: str
    data: bytes
    encoding: str | None = None
    tell: Callable[[int, int], None] = silent

    @property
    def suffix(self) -> str:
        """The end of the name with its dot, in small letters."""
        head, dot, end = self.name.lower().rpartition(".")
        return dot + end if head else ""

    def text(self, notices: Notices) -> str:
        """The file as text with line feeds as line ends; what it was taken for is noted. Never raises."""
        decoded = encodings.decode(self.data, self.encoding)
        if decoded.message:
            notices.add(1, "", "encoding", decoded.message, decoded.hint, severity=decoded.severity)
        return decoded.text

    def start(self, size: int = 4096) -> str:
        """The first part of the file as text, to recognise it by."""
        return encodings.decode(self.data[:size], self.encoding).text


@dataclass(slots=True)
class Notices:
    """Collects problems of one file (or member of an archive)."""

    file: str
    problems: list[Problem] = field(default_factory=list)

    def add(
        self, line: int, item: str, rule: str, message: str, hint: str = "", *, severity: Severity = "warning"
    ) -> None:
        """A problem at a line (0: not known) of the item of that name.

        ``error``: it is not in the quiz, or its key is in doubt; ``warning``: it is there, but not as it was or not as
        the source system takes it; ``note``: it makes no difference to who answers.
        """
        self.problems.append(Problem(self.file, line, 0 if not line else 1, item, message, hint, severity, rule))

    def place(self, line: int) -> Place:
        """A place in this file."""
        return Place(self.file, line)

    def done(self) -> tuple[Problem, ...]:
        """All problems, each once, in the order of the file."""
        return tuple(sorted(set(self.problems)))


MOST_VERSIONS = 26
"""Of a printed quiz: they are named by the letters A to Z."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Printing:
    """How a quiz is printed: with its key or not, and in how many versions, each mixed in its own way."""

    key: bool = False
    versions: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Format:
    """One format. `recognise` says how sure it is that a file is of it: 0 (no) … 1 (nothing else looks like this).

    `read` never raises, whatever the bytes are; `write` says in `problems` what it cannot hold. Either may be missing.
    `printed` writes a format for paper in more ways than one; `write` is then its first.
    `suffix` is the end of the name of an exported file.
    """

    id: str
    title: str
    suffix: str
    recognise: Callable[[Source], float]
    read: Callable[[Source], Imported] | None = None
    write: Callable[[DraftQuiz], Exported] | None = None
    printed: Callable[[Printing, DraftQuiz], Exported] | None = None
