"""Loading one quiz, and checking many files at once."""

from __future__ import annotations

import gc
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from quiz_widgets.authoring import quizzes
from quiz_widgets.authoring.overlays import Coverage, total
from quiz_widgets.authoring.rules import duplicates
from quiz_widgets.authoring.severities import Accepted
from quiz_widgets.model import Quiz
from quiz_widgets.problems import ContentError, Problem

_OVERLAY = re.compile(r"quiz\.[A-Za-z-]+\.ya?ml")  # translations: text by id, read together with their quiz


@dataclass(frozen=True, slots=True)
class Report:
    """How many quizzes and items were read, and every problem found, by file and line.

    Only problems of severity ``error`` make a check fail.
    """

    quizzes: int
    items: int
    problems: tuple[Problem, ...]
    found: tuple[tuple[Path, Quiz], ...] = ()
    """Each quiz that could be read, after its file."""
    coverage: Mapping[str, Coverage] = field(default_factory=dict)
    """How much of all of it is translated, by locale."""
    accepted: tuple[Accepted, ...] = ()
    """The problems that authors accept under `exceptions:`, which are not among `problems`."""

    @property
    def errors(self) -> tuple[Problem, ...]:
        """The problems that make the check fail."""
        return tuple(problem for problem in self.problems if problem.severity == "error")


def load(path: str | Path) -> Quiz:
    """The quiz in a quiz.yaml, or in a folder that holds one; `ContentError` with every problem otherwise."""
    found = Path(path)
    reading = quizzes.read(found / quizzes.QUIZ_FILE if found.is_dir() else found)
    errors = [problem for problem in reading.problems if problem.severity == "error"]
    if errors or reading.quiz is None:
        raise ContentError(errors)
    return reading.quiz


def coverage(paths: Iterable[str | Path]) -> Mapping[str, Coverage]:
    """How much of these quizzes and their guides is translated, by locale."""
    return check(paths).coverage


@contextmanager
def _no_collector() -> Iterator[None]:
    """Let the collector of cycles rest: a quiz being read has none, and is walked through again and again for them.

    With 10,000 items that took a fifth of the time.
    """
    running = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if running:
            gc.enable()


@_no_collector()
def check(paths: Iterable[str | Path]) -> Report:
    """Check quiz files, and every quiz in the folders given."""
    readings: list[quizzes.Reading] = []
    problems: list[Problem] = []
    seen: set[Path] = set()
    for given in paths:
        files = list(quiz_files(Path(given)))
        if not files:
            hint = "give a quiz.yaml or a folder that holds one"
            problems.append(Problem(str(given), message="there is no quiz", hint=hint, rule="file"))
        for file in files:
            if file.resolve() not in seen:
                seen.add(file.resolve())
                readings.append(quizzes.read(file))
    problems += [problem for reading in readings for problem in reading.problems]
    problems += _same_ids(readings)
    problems += _near_duplicates(readings)
    read = tuple((Path(reading.file), reading.quiz) for reading in readings if reading.quiz is not None)
    # Two quizzes may name the same guide: its problems count once.
    covered = total(reading.translated for reading in readings if reading.translated is not None)
    items = sum(len(quiz.own) for _, quiz in read)
    accepted = tuple(one for reading in readings for one in reading.weighing.accepted)
    return Report(len(read), items, tuple(sorted(set(problems))), read, covered, accepted)


def quiz_files(path: Path) -> Iterator[Path]:
    """The quizzes that a path means: a file itself, or all below a folder."""
    if not path.is_dir():
        yield path
        return
    for file in sorted(path.rglob("*")):
        hidden = any(part.startswith(".") for part in file.relative_to(path).parts)
        if file.suffix in {".yaml", ".yml"} and file.is_file() and not hidden and not _OVERLAY.fullmatch(file.name):
            yield file


def _same_ids(readings: list[quizzes.Reading]) -> Iterator[Problem]:
    """A quiz id belongs to one file of all those checked together."""
    first: dict[str, str] = {}
    for reading in readings:
        if reading.quiz is None or not reading.quiz.id:
            continue
        if reading.quiz.id in first:
            message = f"the quiz id `{reading.quiz.id}` is taken by {first[reading.quiz.id]}"
            line, column = reading.id_place
            yield Problem(reading.file, line, column, "id", message, "rename one", rule="quiz-twice")
        first.setdefault(reading.quiz.id, reading.file)


def _near_duplicates(readings: list[quizzes.Reading]) -> Iterator[Problem]:
    """Items of all these quizzes that are nearly the same, at the later one, as severe as its quiz has it."""
    entries = [(reading, entry) for reading in readings for entry in reading.entries]
    for later, earlier, share in duplicates.pairs([entry.item for _, entry in entries]):
        (reading, entry), (other, first) = entries[later], entries[earlier]
        place = entry.fields.place("stem")
        at = first.fields.place("stem")
        message = f"{int(100 * share)}% the same as `{first.item.id}` ({other.file}:{at.line})"
        rule = duplicates.NEAR
        hint = "keep one, or ask for something else"
        where = (reading.file, place.line, place.column, entry.fields.at("stem"))
        yield from reading.weighing.weigh([Problem(*where, message, hint, rule.severity, rule.id)])
