"""`quiz-widgets translate`: writes the overlay of one quiz and one locale, and takes PO files in and out."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from quiz_widgets.authoring import quizzes
from quiz_widgets.authoring.overlays import po, reader, writer
from quiz_widgets.authoring.overlays.coverage import Translation, translation
from quiz_widgets.authoring.overlays.texts import sources
from quiz_widgets.locales.forms import CATEGORIES
from quiz_widgets.problems import ContentError, Problem

# A text with such a fault is kept as it is; with any other, rewriting the file would lose something.
_OF_TEXTS = frozenset(
    {
        *("code", "maths", "placeholder", "number", "unchanged", "script", "punctuation", "stale"),
        *("markup", "dollar", "fence", "backtick", "bare-tex", "rationale-verdict", "place-reference"),
    }
)


@dataclass(frozen=True, slots=True)
class Result:
    """The overlay's path and whole text; how many texts were added in the source's words; what is still stale."""

    path: Path
    text: str
    added: int
    stale: int
    problems: tuple[Problem, ...] = ()


def overlay(path: Path, locale: str, *, accept: bool = False, po_file: Path | None = None) -> Result:
    """The overlay of a quiz with what is missing, without writing it; `ContentError` when it cannot be made.

    `accept` says that everything there was compared with the source; `po_file` holds translations to take over.
    """
    quiz_file, state, found = _state(path, locale)
    target = quiz_file.with_name(f"quiz.{locale}.yaml")
    if unfit := [problem for problem in found if problem.rule not in _OF_TEXTS and problem.severity == "error"]:
        raise ContentError(unfit)
    given: dict[str, str] = {}
    problems: list[Problem] = []
    if po_file is not None:
        given, problems = po.read(po_file.read_bytes(), str(po_file), state.sources)
    elsewhere = frozenset(name for name in state.sources if name.split(".", maxsplit=1)[0] == "guide")
    there = frozenset(name for name in elsewhere if name in state.places)
    wanted = {name: source for name, source in state.sources.items() if name not in elsewhere or name in there}
    written = writer.read_file(target)
    text = writer.write(locale, wanted, written, accept=accept, given=given, elsewhere=there)
    known = {*state.places, *(state.overlay.untranslated if state.overlay else ())}
    added = sum(name not in known and name not in given for name in wanted)
    stale = 0 if accept else sum(name not in given for name in state.outdated)
    return Result(target, text, added, stale, tuple(problems))


def po_text(path: Path, locale: str) -> bytes:
    """The PO file of a quiz in one locale: all texts with what is translated; stale ones are fuzzy."""
    _, state, _ = _state(path, locale)
    translated = {name: form.source for name, form in state.overlay.texts.items()} if state.overlay else {}
    texts = {name: source for name, source in state.sources.items() if name.split(".", maxsplit=1)[0] != "guide"}
    return po.export(locale, texts, translated, frozenset(state.outdated), path.resolve().parent.name)


def _state(path: Path, locale: str) -> tuple[Path, Translation, tuple[Problem, ...]]:
    """The quiz's file, what there is of it in the locale, and the overlay's problems."""
    if locale.split("-", maxsplit=1)[0] not in CATEGORIES or locale == "en":
        known = ", ".join(sorted(set(CATEGORIES) - {"en"}))
        message, hint = f"no texts can be shown in `{locale}`: there are no interface words", f"known are {known}"
        raise ContentError([Problem(str(path), message=message, hint=hint, rule="locale")])
    quiz_file = path / quizzes.QUIZ_FILE if path.is_dir() else path
    reading = quizzes.read(quiz_file)
    # What a course's own code draws is in no text: it need not run for a translation.
    found_here = [problem for problem in reading.problems if problem.rule != "undrawn"]
    own = tuple(problem for problem in found_here if not reader.NAME.fullmatch(Path(problem.file).name))
    if reading.quiz is None or any(problem.severity == "error" and problem.file == reading.file for problem in own):
        raise ContentError([problem for problem in own if problem.severity == "error"])
    translations = reading.translated.translations if reading.translated else ()
    found = next((one for one in translations if one.locale == locale), None)
    if found is None:
        alone = replace(reading.quiz, items=reading.quiz.own)  # a bank is translated beside its own file
        found = translation(locale, sources(alone), None, None)
    name = f"quiz.{locale}.yaml"
    return quiz_file, found, tuple(p for p in reading.problems if Path(p.file).name == name)


__all__ = ["Result", "overlay", "po_text"]
