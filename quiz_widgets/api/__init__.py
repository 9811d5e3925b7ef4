"""How a notebook gets its quizzes: by name, by path, or by course and name from a desk.

The import loads nothing else of the package but `locales`: a notebook's first cell holds it alone, and each later step
imports what it needs.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, cast

from quiz_widgets import locales

if TYPE_CHECKING:
    from quiz_widgets import model
    from quiz_widgets.api.quiz import Quiz

_LISTED = 50  # names that are told where one is unknown: a bank may have 10,000

__all__ = ["QuizError", "list_quizzes", "load_quiz", "path_of", "unknown", "unreadable"]


class QuizError(ValueError):
    """A name that means nothing here. Notebooks show its sentence, without the frames that found it."""

    def _render_traceback_(self) -> list[str]:
        return [str(self)]


def list_quizzes() -> list[str]:
    """Names of the course's quizzes, for `load_quiz`."""
    from quiz_widgets import compiled

    return list(compiled.names())


def load_quiz(name_or_path: str | Path, locale: str | None = None, *, evidence: bool = False) -> Quiz:
    """A quiz of the course by name, or one of your own by the path of its quiz.yaml or its folder.

    ``course/quiz`` is a graded quiz of a class wherever the notebook is opened; the environment says where its desk is.

    `locale` is the language shown first; without it `QUIZ_WIDGETS_LOCALE` decides, else the system's language where
    there are words for it, else it is English. A text that is not translated is shown in the
    language in which it was written.

    Reading a file runs nobody's code. `evidence` also imports the modules of evidence that the `pyproject.toml` above
    it names, which draw numbers of its questions: for courses that you trust.

    Raises `QuizError` for an unknown name or locale and `ContentError`, with
    every problem found, for content that cannot be used.
    """
    named = locale or os.environ.get("QUIZ_WIDGETS_LOCALE")
    shown = named or locales.of_system(os.environ)
    if shown not in locales.available():
        what = "locale" if locale else "locale (from QUIZ_WIDGETS_LOCALE)"
        raise QuizError(unknown(what, shown, locales.available(), "there are words for"))
    from quiz_widgets import compiled
    from quiz_widgets.api.quiz import Quiz

    name = str(name_or_path)
    if isinstance(name_or_path, Path) or _looks_like_path(name):
        return Quiz(_from_file(path_of(name), evidence=evidence), shown)
    if "/" in name:
        return _graded(name, shown)
    if name not in compiled.names():
        raise QuizError(unknown("quiz", name, compiled.names(), "the course has") + " A path ends in quiz.yaml.")
    return Quiz(compiled.read(name), shown)


def _graded(name: str, locale: str) -> Quiz:
    from quiz_widgets.classroom import names

    found = names.parse(name)
    if found is None:
        raise QuizError(
            f"{name!r} is no name of a quiz: one of a class is `course/quiz`, each of {names.ALLOWED}; a path ends in "
            "quiz.yaml."
        )
    from quiz_widgets.api.items import item_of
    from quiz_widgets.classroom.client.quiz import GradedQuiz

    # It has what a notebook uses of a quiz, as far as a desk allows; as a union it would burden everybody's practice.
    return cast("Quiz", GradedQuiz(found, locale, shape=item_of, error=QuizError))


def _looks_like_path(name: str) -> bool:
    return name.endswith((".yaml", ".yml")) or name.startswith((".", "/", "~")) or "\\" in name


def _from_file(path: Path, *, evidence: bool) -> model.Quiz:
    # Authors' files need YAML, Markdown and maths: loaded only here, so that the course's quizzes show without.
    from quiz_widgets import authoring
    from quiz_widgets.problems import ContentError

    if evidence:
        from quiz_widgets.evidence import modules

        problems = modules.include([path if path.is_dir() else path.parent])
        if problems:
            raise ContentError(problems)
    try:
        return authoring.load(path)
    except ContentError:
        raise
    except ModuleNotFoundError as error:
        raise unreadable(error) from None
    except (OSError, ValueError) as error:  # no system has files of such a name
        reason = getattr(error, "strerror", None) or error
        raise QuizError(f"{str(path)!r} cannot be read: {reason}; give the path of a quiz.yaml or its folder") from None


def unreadable(error: ModuleNotFoundError) -> Exception:
    """What to raise where a package is missing with which authors' YAML is read; a fault of our own stays as it is."""
    if error.name is None or error.name.startswith("quiz_widgets"):
        return error
    return QuizError(
        f"quizzes in YAML are read with the package {error.name!r}, which this Python does not have. A "
        "browser's Python cannot have it: there only the course's quizzes show. On a computer: pip install quiz_widgets"
    )


def path_of(given: object) -> Path:
    """What somebody gave as a path; `QuizError` for what is none."""
    try:
        return Path(given).expanduser()  # type: ignore[arg-type]  # a notebook may give anything
    except (TypeError, RuntimeError) as error:
        raise QuizError(f"{given!r} is no path: {error}") from None


def unknown(what: str, found: object, known: Iterable[str], allowed: str) -> str:
    """The sentence for a name that means nothing: what is like it, and, after `allowed`, which there are."""
    import difflib  # only for a mistake

    names = list(known)
    near = difflib.get_close_matches(str(found), names, n=3, cutoff=0.5)
    guess = f" Did you mean {' or '.join(repr(name) for name in near)}?" if near else ""
    rest = f" and {len(names) - _LISTED} more" if len(names) > _LISTED else ""
    shown = ", ".join(names[:_LISTED]) or "none"
    return f"there is no {what} {found!r}.{guess} {allowed[0].upper()}{allowed[1:]}: {shown}{rest}."
