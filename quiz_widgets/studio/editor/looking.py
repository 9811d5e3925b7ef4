"""What the editor shows of the files as they are now: texts by place, problems by place, and the question as it is."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from quiz_widgets import page, preview
from quiz_widgets.authoring import overlays, quizzes, splices
from quiz_widgets.authoring.overlays.coverage import Translation
from quiz_widgets.authoring.overlays.texts import sources
from quiz_widgets.authoring.splices import SpliceError
from quiz_widgets.locales.reports import message
from quiz_widgets.model import Quiz
from quiz_widgets.problems import Problem
from quiz_widgets.studio import showing
from quiz_widgets.studio.editor.changes import value_at
from quiz_widgets.studio.editor.session import Session

ENTRIES = {"options": ("text", "rationale"), "targets": ("text",), "accept": ("text", "rationale")}
_INDEX = re.compile(r"\[(\d+)\]")


@dataclass(frozen=True, slots=True)
class Place:
    """One text of an item: its path in the quiz, and in a translation (empty for what is not translated)."""

    path: splices.Path
    at: str = ""

    @property
    def shown(self) -> str:
        """The path as problems name it."""
        return "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in self.path).lstrip(".")


@dataclass(frozen=True, slots=True)
class Look:
    """The quiz as texts (`None`: cannot be edited), the quiz as far as it could be read, and everything wrong."""

    value: Any
    quiz: Quiz | None
    problems: tuple[Problem, ...]
    translations: Mapping[str, Translation]
    sources: Mapping[str, str]
    overlays: Mapping[str, Any]
    """Each translation by locale as texts; `None` for one that cannot be edited, and nothing for one not there."""
    version: str
    file: str

    @property
    def items(self) -> list[Any]:
        """The items as texts."""
        found = value_at(self.value, ("items",))
        return found if isinstance(found, list) else []

    def at(self, place: Place) -> list[Problem]:
        """What is wrong at one text, in the quiz and in its translations."""
        beside = place.at and {place.at, re.sub(r"\.hints\.(\d+)$", r".hints[\1]", place.at)}
        return [
            one
            for one in self.problems
            if (one.path == place.shown if one.file == self.file else bool(beside) and one.path in beside)
        ]

    def of_item(self, index: int) -> list[Problem]:
        """What is wrong with an item in the quiz's file."""
        inside = re.compile(rf"items\[{index}\](?:\.|\[|$)")
        return [one for one in self.problems if one.file == self.file and inside.match(one.path)]

    def stale(self, place: Place, locale: str) -> bool:
        """Whether a translated text waits for a look at its changed source."""
        return locale in self.translations and place.at in self.translations[locale].outdated

    def translated(self, place: Place, locale: str) -> str:
        """The text in that language; empty where there is none."""
        path = tuple(int(step) if step.isdigit() and ".hints." in place.at else step for step in place.at.split("."))
        found = value_at(self.overlays.get(locale), path) if place.at else None
        return found if isinstance(found, str) else ""

    def live(self, index: int, locale: str) -> dict[str, str]:
        """An item as one output by MIME type: live once it can be answered, else a still picture of it."""
        if self.quiz is None or index >= len(self.quiz.items):
            return {"text/plain": "", "text/html": ""}
        item = self.quiz.items[index]
        if item.id and showing.answerable(self.of_item(index)):
            # Under a name of its content: answers to the question before a change are not those to the one after it.
            quiz = showing.draft(self.quiz, self.version)
            view: Any = {"items": [item.id]}
            live = page.live_html(quiz, locale=locale, view=view, attempt=None, outcomes={})
            return {"text/plain": preview.preview_text(quiz, locale, view), "text/html": live}
        alone = showing.draft(self.quiz, self.version)
        note = message("preview_unready").text(locale)
        still = preview.preview_html(alone, locale, {"items": [item.id]}, note=note) if item.id else note
        return {"text/plain": note, "text/html": still}


def look(session: Session) -> Look:
    """Read the files as they are now, saved or not."""
    unsaved = session.overlays()
    reading = quizzes.parse(session.quiz, session.path, unsaved)
    translated = reading.translated
    if translated is None and reading.quiz is not None and session.path.name == quizzes.QUIZ_FILE:
        translated = overlays.add(reading.quiz, session.path, (), unsaved)
    quiz = translated.quiz if translated else reading.quiz
    found = {one.locale: one for one in translated.translations} if translated else {}
    texts = {_locale(path): _texts(data) for path, data in unsaved.items()}
    version = hashlib.sha256(b"\0".join(data or b"" for data in session.files.values())).hexdigest()[:16]
    wanted = sources(quiz) if quiz is not None else {}
    file = str(session.path)
    return Look(_texts(session.quiz), quiz, reading.problems, found, wanted, texts, version, file)


def places(look: Look, index: int) -> Iterator[tuple[str, int | None, str, Place]]:
    """The texts of an item in the order of the form: in which list, at which place of it, called what, and where."""
    item = look.items[index]
    at = f"items.{value_at(item, ('id',))}"
    base: splices.Path = ("items", index)
    yield "", None, "stem", Place((*base, "stem"), f"{at}.stem")
    if value_at(item, ("kind",)) == "number" and value_at(item, ("draw",)) is None:
        yield "", None, "value", Place((*base, "value"))
    for name, fields in {**ENTRIES, "slips": ("value", "rationale")}.items():
        entries = value_at(item, (name,))
        for number, entry in enumerate(entries if isinstance(entries, list) else ()):
            for field in fields:
                below = f"{at}.{name}.{value_at(entry, ('id',))}.{field}" if field != "value" else ""
                yield name, number, field, Place((*base, name, number, field), below)
    hints = value_at(item, ("hints",))
    for number in range(len(hints) + 1 if isinstance(hints, list) else 1):
        yield "hints", number, "hint", Place((*base, "hints", number), f"{at}.hints.{number}")
    yield "", None, "explanation", Place((*base, "explanation"), f"{at}.explanation")


def _texts(data: bytes) -> Any:
    try:
        return splices.read(data)
    except SpliceError:
        return None


def _locale(path: Path) -> str:
    return path.name.split(".")[1]
