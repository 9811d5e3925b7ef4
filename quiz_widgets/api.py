"""What a notebook holds: quizzes by name or path, shown on the page first and tied to the kernel second."""

from __future__ import annotations

import html
import os
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from quiz_widgets import locales

if TYPE_CHECKING:  # each step of a notebook imports what it needs: the first cell holds the import alone
    from quiz_widgets import contract, model
    from quiz_widgets.attempt import Attempt
    from quiz_widgets.progress.tally import Progress

_LISTED = 50  # names that are told where one is unknown: a bank may have 10,000

__all__ = ["Item", "Option", "Quiz", "QuizError", "list_quizzes", "load_quiz"]


class QuizError(ValueError):
    """A name that means nothing here. Notebooks show its sentence, without the frames that found it."""

    def _render_traceback_(self) -> list[str]:
        return [str(self)]


@dataclass(frozen=True, slots=True)
class Option:
    """One alternative: its text as the author wrote it, whether it is right and why, and what it asserts.

    `claim` maps a fact of the item's evidence to what the option says of it: a value, or ``{"at_least": value}``
    and the like.
    """

    id: str
    text: str
    correct: bool
    rationale: str | None
    claim: Mapping[str, Any] | None


@dataclass(frozen=True, slots=True)
class Item:
    """One question: texts as the author wrote them (Markdown), in the quiz's locale.

    `evidence` names the demo whose result proves the key; `source` cites where nothing can be computed.
    """

    id: str
    kind: model.Kind
    stem: str
    options: tuple[Option, ...]
    explanation: str | None
    evidence: str | None
    source: str | None


class Quiz:
    """A quiz in one locale. As the last line of a cell it shows itself; `show` puts single items inline."""

    def __init__(self, quiz: model.Quiz, locale: str) -> None:
        from quiz_widgets.progress import LocalRecorder

        self._quiz = quiz
        self._locale = locale
        self._recorder = LocalRecorder(quiz)
        self._attempt: Attempt | None = None

    @property
    def id(self) -> str:
        """The id under which attempts are kept."""
        return self._quiz.id

    @property
    def title(self) -> str:
        """The title in the quiz's locale."""
        return self._quiz.title.rendered(self._locale).source

    @property
    def level(self) -> model.Level:
        """``easy``, ``medium`` or ``hard``."""
        return self._quiz.level

    @property
    def items(self) -> tuple[Item, ...]:
        """All items, the main set's and the others', in the author's order."""
        return tuple(_item(item, self._locale) for item in self._quiz.items)

    @property
    def attempt(self) -> Attempt:
        """The open attempt, made when there is none: its id and numbers, which can be observed."""
        if self._attempt is None:
            from quiz_widgets.attempt import Attempt

            self._attempt = Attempt(self._quiz, self._recorder)
        else:
            self._attempt.refresh()
        return self._attempt

    def progress(self) -> Progress:
        """What is on record for the open attempt at the main set."""
        from quiz_widgets.progress.tally import tally

        opened = self._recorder.attempt()["id"]
        return tally(self._quiz, self._recorder.outcomes().values(), attempt=opened, kept=self._recorder.kept)

    def show(self, *ids: str, set: str | None = None) -> None:
        """Show the items of these ids, or without ids the main set, or the set of that name.

        The quiz works at once, without the kernel; answers are recorded when the page finds the link that is
        opened after it. Outside a notebook the questions are printed.
        """
        from quiz_widgets import page, preview

        view = self._view(ids, set)
        text = preview.preview_text(self._quiz, self._locale, view)
        shell = _shell()
        if shell is None:
            marimo = _marimo()
            if marimo is not None:
                marimo.output.append(self.widget(*ids, set=set))
                return
            print(_printable(text))  # noqa: T201 - there is no page
            return
        attempt, outcomes = self._recorder.attempt(), self._recorder.outcomes()
        kept = self._recorder.kept
        # An attempt that is not kept here would be a new one after each kernel restart: the page keeps its own.
        shown = page.live_html(
            self._quiz, locale=self._locale, view=view, attempt=attempt if kept else None, outcomes=outcomes
        )
        if not kept:
            fault, direction = html.escape(self._recorder.fault_in(self._locale)), locales.direction(self._locale)
            shown += f'<div role="note" lang="{self._locale}" dir="{direction}">{fault}</div>'
        shell.display_pub.publish(data={"text/plain": text, "text/html": shown}, metadata={})
        if kept and getattr(shell, "kernel", None) is not None:
            _link(self._quiz.id, self._recorder)

    def widget(self, *ids: str, set: str | None = None) -> Any:
        """The same player as an ipywidget, for `VBox`, `Tab`, Voila, and hosts whose pages find no link."""
        from quiz_widgets.widget import QuizWidget

        return QuizWidget(self._quiz, self._recorder, locale=self._locale, view=self._view(ids, set))

    def html(self, *ids: str, set: str | None = None) -> str:
        """The same as a piece of HTML for a page of your own: it works there without a kernel and a network."""
        from quiz_widgets import page

        return page.embedded_html(self._quiz, locale=self._locale, view=self._view(ids, set))

    def text(self, *ids: str, set: str | None = None) -> str:
        """The questions as plain text, without key."""
        from quiz_widgets import preview

        return preview.preview_text(self._quiz, self._locale, self._view(ids, set))

    def to_html(self, path: str | Path) -> Path:
        """Write the quiz as one page that works from a file, without a kernel and a network; returns its path.

        `QuizError` where nothing can be written.
        """
        from quiz_widgets import page

        return _written(path, page.page_html(self._quiz, self._locale))

    def to_module(self, path: str | Path) -> Path:
        """Write the quiz as an ES module for the directive `{anywidget}` of MyST and Jupyter Book 2; returns its path.

        `QuizError` where nothing can be written.
        """
        from quiz_widgets import page

        return _written(path, page.module_text(self._quiz, self._locale))

    def __repr__(self) -> str:
        return f"<Quiz {self.id!r}: {self.title}, {len(self._quiz.items)} items, {self._locale}>"

    def _ipython_display_(self) -> None:
        self.show()

    def _display_(self) -> Any:
        """What marimo shows for a quiz at the end of a cell."""
        return self.widget()

    def _view(self, ids: tuple[str, ...], name: str | None) -> contract.ViewPayload:
        known = list(self._quiz.sets)
        for item_id in ids:
            if item_id not in known:
                raise QuizError(_unknown("item", item_id, known, f"quiz {self.id!r} has"))
        sets = sorted({named for named in self._quiz.sets.values() if named})
        if name is not None and name not in sets:
            raise QuizError(_unknown("set", name, sets, f"quiz {self.id!r} has"))
        if ids and name is not None:
            raise QuizError("show takes ids of items or the name of a set, not both; leave one of them out")
        if ids:
            return {"items": list(dict.fromkeys(ids))}
        return {} if name is None else {"set": name}


def _item(item: model.Item, locale: str) -> Item:
    """What a notebook sees of an item."""

    def optional(text: model.Text | None) -> str | None:
        return None if text is None else text.rendered(locale).source

    return Item(
        id=item.id,
        kind=item.kind,
        stem=item.stem.rendered(locale).source,
        options=tuple(
            Option(
                id=option.id,
                text=option.text.rendered(locale).source,
                correct=option.correct,
                rationale=optional(option.rationale),
                claim=_claim(option.claims),
            )
            for option in item.options
        ),
        explanation=optional(item.explanation),
        evidence=item.evidence,
        source=optional(item.source),
    )


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
        raise QuizError(_unknown(what, shown, locales.available(), "there are words for"))
    from quiz_widgets import compiled

    name = str(name_or_path)
    if isinstance(name_or_path, Path) or _looks_like_path(name):
        return Quiz(_from_file(_path(name), evidence=evidence), shown)
    if "/" in name:
        return _graded(name, shown)
    if name not in compiled.names():
        raise QuizError(_unknown("quiz", name, compiled.names(), "the course has") + " A path ends in quiz.yaml.")
    return Quiz(compiled.read(name), shown)


def _graded(name: str, locale: str) -> Quiz:
    from quiz_widgets.classroom import names

    found = names.parse(name)
    if found is None:
        raise QuizError(
            f"{name!r} is no name of a quiz: one of a class is `course/quiz`, each of {names.ALLOWED}; a path ends in "
            "quiz.yaml."
        )
    from quiz_widgets.classroom.client.quiz import GradedQuiz

    # It has what a notebook uses of a quiz, as far as a desk allows; as a union it would burden everybody's practice.
    return cast("Quiz", GradedQuiz(found, locale, shape=_item, error=QuizError))


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


def _path(given: object) -> Path:
    try:
        return Path(given).expanduser()  # type: ignore[arg-type]  # a notebook may give anything
    except (TypeError, RuntimeError) as error:
        raise QuizError(f"{given!r} is no path: {error}") from None


def _written(path: str | Path, text: str) -> Path:
    target = _path(path)
    try:
        target.write_text(text, encoding="utf-8")
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise QuizError(f"{str(path)!r} cannot be written: {reason}; name a file in a folder that exists") from None
    return target


def _printable(text: str) -> str:
    """The text with escapes for the letters that the terminal has not."""
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    return text.encode(encoding, "backslashreplace").decode(encoding)


def _claim(claims: Iterable[model.Claim]) -> dict[str, Any] | None:
    written: dict[str, Any] = {}
    for claim in claims:
        plain = claim.operator in ("equals", "is") and claim.within == 1e-9
        written[claim.fact] = claim.operand if plain else {claim.operator: claim.operand}
        if claim.within != 1e-9:
            written[claim.fact]["within"] = claim.within
    return written or None


def _unknown(what: str, found: object, known: Iterable[str], allowed: str) -> str:
    import difflib  # only for a mistake

    names = list(known)
    near = difflib.get_close_matches(str(found), names, n=3, cutoff=0.5)
    guess = f" Did you mean {' or '.join(repr(name) for name in near)}?" if near else ""
    rest = f" and {len(names) - _LISTED} more" if len(names) > _LISTED else ""
    shown = ", ".join(names[:_LISTED]) or "none"
    return f"there is no {what} {found!r}.{guess} {allowed[0].upper()}{allowed[1:]}: {shown}{rest}."


def _shell() -> Any:
    """IPython's shell where this runs in one. IPython is never imported for it: a plain script has no page."""
    module = sys.modules.get("IPython")
    return None if module is None else module.get_ipython()


def _marimo() -> Any:
    """The module marimo in one of its cells. It runs no script of an output, so only a widget answers there."""
    module = sys.modules.get("marimo")
    return module if module is not None and module.running_in_notebook() else None


def _link(quiz_id: str, recorder: contract.Recorder) -> None:
    """Open the link, after the output: anywidget costs 50 ms that nobody has to wait for."""
    try:
        from quiz_widgets.widget import open_link
    except ImportError:
        return  # the page says by itself that nothing is recorded
    open_link(quiz_id, recorder)
