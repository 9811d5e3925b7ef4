"""What the preview page shows of an author's files at one moment, as JSON: every question, and every problem at it."""

from __future__ import annotations

import bisect
import dataclasses
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from quiz_widgets import frontend, locales, preview
from quiz_widgets.authoring import overlays, quizzes, tree
from quiz_widgets.authoring.overlays import reader as overlay_files
from quiz_widgets.evidence import records
from quiz_widgets.locales.reports import counted, message
from quiz_widgets.model import Quiz
from quiz_widgets.payload import practice_payload, quiz_payload
from quiz_widgets.problems import ContentError, Problem
from quiz_widgets.studio import showing
from quiz_widgets.studio.excerpts import excerpt

_ITEM = re.compile(r"items\.([a-z0-9-]+)")
_WITHIN = re.compile(r"^items(?:\[\d+\]|\.[a-z0-9-]+)\.?")
_PLACE = re.compile(r"items\[(\d+)\]")
_WORDS = (
    *("preview_title", "preview_read", "preview_ended", "preview_unread", "preview_general", "preview_questions"),
    *("preview_question", "preview_whole", "preview_set", "preview_unready", "preview_languages", "preview_appearance"),
    *("preview_light", "preview_dark", "preview_error", "preview_warning", "preview_note", "preview_untitled"),
)


@dataclass(frozen=True, slots=True)
class Seen:
    """The quiz as it was last readable, whether that is now, and problems by index of the item (`None`: the quiz's)."""

    quiz: Quiz | None
    problems: Mapping[int | None, tuple[Problem, ...]]
    readable: bool


def files(path: Path, quiz: Quiz | None) -> list[Path]:
    """What the preview depends on: the quiz, its banks, translations and records, and its guides in every language."""
    folders = [path.parent, *(path.parent.parent / guide.id for guide in (quiz.guides if quiz else ()))]
    found = {path, path.parent / records.FILE}
    for folder in folders:
        found.update(folder.glob("guide.*.md"))
    found.update(overlay_files.beside(path))
    for bank in {pool.bank for pool in quiz.pools if pool.bank} if quiz else ():
        file = path.parent.parent / bank / quizzes.QUIZ_FILE  # where banks stand; others are read with the quiz
        found.update((file, *overlay_files.beside(file)))
    return sorted(found)


def look(path: Path, before: Seen | None) -> Seen:
    """Read everything anew. What cannot be read leaves the questions as they were `before`, and is a problem."""
    try:
        quiz, problems, starts = _read(path)
    except OSError as error:  # a file went while it was read: the next look finds it gone, or back
        reason = (error.strerror or str(error)).lower()
        quiz, starts = None, []
        problems = [Problem(error.filename or str(path), message=f"cannot be read: {reason}", rule="file")]
    by_item: dict[int | None, list[Problem]] = {}
    for problem in problems:
        by_item.setdefault(_item_of(problem, quiz, path, starts), []).append(problem)
    shown = quiz if quiz is not None and quiz.items else before.quiz if before else None
    return Seen(shown, {index: tuple(found) for index, found in by_item.items()}, shown is quiz)


def data(seen: Seen, path: Path, locale: str) -> dict[str, Any]:
    """What the page gets, with interface words in `locale`. Names of files are given from the course's folder on."""
    return _Page(seen, path, locale).data()


def _read(path: Path) -> tuple[Quiz | None, list[Problem], list[int]]:
    reading = quizzes.read(path)
    problems = list(reading.problems)
    quiz = reading.quiz
    if quiz is not None and path.name == quizzes.QUIZ_FILE and reading.translated is None:
        quiz = overlays.add(quiz, path, ()).quiz  # what is wrong with the source is enough to tell
    if quiz is not None:
        try:
            problems += records.problems(quiz, path.parent)
        except ContentError as error:
            problems += error.problems
    root = tree.read(path.read_bytes(), str(path)).root if quiz is not None else None
    items = root.entries.get("items") if isinstance(root, tree.Mapping) else None
    nodes = items.items if isinstance(items, tree.Sequence) else ()
    return quiz, problems, [node.line for node in nodes if isinstance(node, tree.Mapping)]


def _item_of(problem: Problem, quiz: Quiz | None, path: Path, starts: Sequence[int]) -> int | None:
    """The index of the item that a problem is about; `None` for none, or for one that is not there."""
    if quiz is None:
        return None
    named = _ITEM.match(problem.path)
    if named:
        return next((index for index, item in enumerate(quiz.items) if item.id == named[1]), None)
    if problem.file != str(path):
        return next((index for index, item in enumerate(quiz.items) if item.evidence == problem.path), None)
    if not starts or problem.line < starts[0] or (problem.path and not _PLACE.match(problem.path)):
        return None
    return bisect.bisect_right(starts, problem.line) - 1


class _Page:
    """Makes the JSON of one state."""

    def __init__(self, seen: Seen, path: Path, locale: str) -> None:
        self.seen = seen
        self.path = path
        self.locale = locale
        self.root = path.parent.parent
        self.lines: dict[str, list[str]] = {}

    def data(self) -> dict[str, Any]:
        quiz = self.seen.quiz
        words = locales.words(self.locale)
        everything = [problem for found in self.seen.problems.values() for problem in found]
        errors = sum(problem.severity == "error" for problem in everything)
        shown = [] if quiz is None else [name for name in quiz.locales if name in locales.available()]
        return {
            "locale": self.locale,
            "dir": locales.direction(self.locale),
            "words": {name.removeprefix("preview_"): words[f"cli_{name}"] for name in _WORDS},
            "title": None if quiz is None else quiz.title.rendered(self.locale).plain,
            "count": counted("problems", errors).text(self.locale),
            "readable": self.seen.readable,
            "problems": [self.problem(problem) for problem in self.seen.problems.get(None, ())],
            "css": frontend.css(),
            "locales": {name: self.language(name) for name in shown},
            "sections": [] if quiz is None else [*self.items(quiz, shown), *self.wholes(quiz, shown)],
        }

    def language(self, name: str) -> dict[str, Any]:
        named = locales.words(self.locale).get(f"static_language_{name}", name)
        words = quiz_payload(dataclasses.replace(self.quiz, items=()), name)["words"]
        return {"name": named, "dir": locales.direction(name), "words": words}

    @property
    def quiz(self) -> Quiz:
        if self.seen.quiz is None:
            raise LookupError("no quiz has been readable yet")
        return self.seen.quiz

    def items(self, quiz: Quiz, shown: Sequence[str]) -> Iterator[dict[str, Any]]:
        """One section for each question."""
        drafted = showing.draft(quiz, quiz.id)
        for index, item in enumerate(quiz.items):
            problems = self.seen.problems.get(index, ())
            alone = dataclasses.replace(drafted, items=(item,))
            if item.id and self.ready(index):
                mounts = {name: self.live(drafted, name, {"items": [item.id]}) for name in shown}
            else:
                mounts = {name: {"html": self.still(alone, name)} for name in shown}
            yield {
                "key": f"{index} {item.id}",
                "number": index + 1,
                "id": item.id,
                "found": self.found(problems),
                "problems": [self.problem(problem, within=True) for problem in problems],
                "mounts": mounts,
            }

    def wholes(self, quiz: Quiz, shown: Sequence[str]) -> Iterator[dict[str, Any]]:
        """The quiz and its sets as learners go through them, once every question can be answered."""
        if not all(self.ready(index) for index in range(len(quiz.items))):
            return
        drafted = showing.draft(quiz, quiz.id)
        for name in dict.fromkeys(item.set for item in quiz.items):
            view: dict[str, Any] = {} if name is None else {"set": name}
            yield {
                "key": f"set {name or ''}",
                "set": name,
                "found": "",
                "problems": [],
                "mounts": {one: self.live(drafted, one, view) for one in shown},
            }

    def ready(self, index: int) -> bool:
        """Whether the source's own problems leave a question answerable."""
        found = self.seen.problems.get(index, ())
        return showing.answerable(problem for problem in found if problem.file == str(self.path))

    def live(self, quiz: Quiz, locale: str, view: Any) -> dict[str, Any]:
        shown: dict[str, Any] = dict(quiz_payload(quiz, locale, view))
        del shown["words"]  # every question's are the same: the page puts them back
        return {"quiz": shown, "practice": practice_payload(quiz, locale, view), "view": view}

    def still(self, quiz: Quiz, locale: str) -> str:
        note = message("preview_unready").text(locale)
        return preview.preview_html(quiz, locale, {"items": [quiz.items[0].id]}, note=note)

    def problem(self, problem: Problem, *, within: bool = False) -> dict[str, Any]:
        shown = excerpt(self.read(problem.file), problem)
        place = self.named(problem.file) + (f":{problem.line}:{problem.column}" if problem.line else "")
        return {
            "severity": problem.severity,
            "place": place,
            "path": _WITHIN.sub("", problem.path) if within else problem.path,
            "message": self.without_folder(problem.message),
            "hint": self.without_folder(problem.hint),
            "line": None if shown is None else [shown.before, shown.marked, shown.after],
        }

    def found(self, problems: Sequence[Problem]) -> str:
        """How many there are of the worst sort that there is; empty for none, and for notes."""
        for severity, name in (("error", "problems"), ("warning", "warnings")):
            count = sum(problem.severity == severity for problem in problems)
            if count:
                return counted(name, count).text(self.locale)
        return ""

    def read(self, file: str) -> list[str]:
        if file not in self.lines:
            try:
                text = Path(file).read_text(encoding="utf-8", errors="replace")
            except OSError:
                text = ""
            self.lines[file] = text.lstrip("\ufeff").splitlines()
        return self.lines[file]

    def named(self, file: str) -> str:
        path = Path(file)
        for folder in (self.path.parent, self.root):
            if path.is_relative_to(folder):
                return path.relative_to(folder).as_posix()
        return path.name

    def without_folder(self, text: str) -> str:
        return text.replace(f"{self.root}{os.sep}", "")
