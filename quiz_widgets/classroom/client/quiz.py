"""What a notebook holds of a graded quiz: its name, and what the desk lets its learner see."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

from quiz_widgets import model, page, preview
from quiz_widgets.classroom.client import watching
from quiz_widgets.classroom.names import Name
from quiz_widgets.locales import words


@dataclass(frozen=True, slots=True)
class GradedAttempt:
    """The attempt that is shown. Times are milliseconds since 1970 UTC; `None` for one that does not exist."""

    id: str
    number: int
    opened: int
    closes: int | None
    finished: int | None


@dataclass(frozen=True, slots=True)
class GradedProgress:
    """How far the attempt is: questions whose answer the desk has, of how many, and what still waits to be sent.

    `score` and `max_score` are `None` until the desk reveals them.
    """

    answered: int
    total: int
    waiting: int
    score: float | None
    max_score: float | None

    def __str__(self) -> str:
        text = f"{self.answered} of {self.total} answered"
        if self.waiting:
            text += f", {self.waiting} waiting for the desk"
        return text if self.score is None else f"{text}, {self.score:g} of {self.max_score:g} points"


class GradedQuiz:
    """A quiz of a class. As the last line of a cell it shows itself; its questions come from the desk, once opened.

    Nothing of it stands in a saved notebook: neither a question nor an answer, whoever opened it. `shape` makes of an
    item what a notebook sees of it, and `error` is raised for what a graded quiz cannot do.
    """

    def __init__(
        self, name: Name, locale: str, *, shape: Callable[[model.Item, str], Any], error: type[Exception]
    ) -> None:
        self._name = name
        self._locale = locale
        self._shape = shape
        self._error = error
        self._recorder = watching.recorder_of(name)

    @property
    def id(self) -> str:
        """Its name, ``course/quiz``."""
        return str(self._name)

    @property
    def title(self) -> str:
        """Its title, as far as the desk was asked; else its name."""
        return self._recorder.title

    @property
    def items(self) -> tuple[Any, ...]:
        """The questions of the attempt that is shown: none before it is opened, and no key before it is revealed."""
        quiz, _ = self._recorder.quiz()
        return () if quiz is None else tuple(self._shape(item, self._locale) for item in quiz.items)

    @property
    def attempt(self) -> GradedAttempt | None:
        """The attempt that is shown, the open one or the last; `None` before one is opened."""
        opened, desk = self._recorder.attempt(), self._recorder.desk()
        if not opened["id"]:
            return None
        return GradedAttempt(opened["id"], desk["number"], opened["started"], desk["closes"], desk["finished"])

    def progress(self) -> GradedProgress:
        """How far the attempt is; no score before the desk reveals it."""
        (quiz, _), desk = self._recorder.quiz(), self._recorder.desk()
        events = [made["event"] for made in self._recorder.outcomes().values() if "verdict" not in made]
        answered = {event["item"] for event in events if event["kind"] == "submit"}
        scores = desk["scores"].values() if desk["revealed"] else None
        return GradedProgress(
            answered=len(answered),
            total=0 if quiz is None else len(quiz.items),
            waiting=desk["waiting"],
            score=None if scores is None else round(sum(score for score, _ in scores), 4),
            max_score=None if scores is None else round(sum(most for _, most in scores), 4),
        )

    def show(self, *ids: str, set: str | None = None) -> None:
        """Show the quiz: where and when to take it, a button that opens it, then its questions.

        Outside a notebook, what the desk says of it is printed. A graded quiz is shown as a whole.
        """
        if ids or set is not None:
            self._refuse("it is shown as a whole: call show() without names of questions")
        self._recorder.refresh()
        shell = _shell()
        if shell is None or getattr(shell, "kernel", None) is None:
            print(self.text())  # noqa: T201 - there is no page
            return
        shown = page.graded_html(self.id, self.title, self._locale)
        shell.display_pub.publish(data={"text/plain": self._heading(), "text/html": shown}, metadata={})
        try:
            from quiz_widgets.links.graded import open_graded_link
        except ImportError:
            return  # the page says by itself that nothing reaches the desk
        open_graded_link(self.id, self._recorder, self._locale)
        watching.watch(self._recorder)

    def widget(self) -> Any:
        """The same as an ipywidget, for `VBox`, `Tab`, Voila, and hosts whose pages find no link."""
        from quiz_widgets.links.graded import GradedQuizWidget

        self._recorder.refresh()
        watching.watch(self._recorder)
        return GradedQuizWidget(self.id, self._recorder, self._locale)

    def text(self) -> str:
        """The attempt's questions as plain text, and what the desk says."""
        quiz, _ = self._recorder.quiz()
        lines = [self._heading(), self._recorder.reason]
        if quiz is not None:
            lines.append(preview.preview_text(quiz, self._locale, {}))
        return "\n".join(line for line in lines if line)

    def html(self) -> NoReturn:
        """No page of its own: `QuizError`."""
        self._refuse("its questions stand in no page that could be saved; show() shows them")

    def to_html(self, path: str | Path) -> NoReturn:
        """No file: `QuizError`."""
        self._refuse(f"its questions are written to no file, so not to {str(path)!r}; show() shows them")

    def to_module(self, path: str | Path) -> NoReturn:
        """No module: `QuizError`."""
        self._refuse(f"its questions are written to no file, so not to {str(path)!r}; show() shows them")

    def __repr__(self) -> str:
        return f"<GradedQuiz {self.id!r}: {self.title}>"

    def _ipython_display_(self) -> None:
        self.show()

    def _display_(self) -> Any:
        """What marimo shows for a quiz at the end of a cell."""
        return self.widget()

    def _refuse(self, why: str) -> NoReturn:
        raise self._error(f"{self.id!r} is a graded quiz: {why}.")

    def _heading(self) -> str:
        return f"{self.title} ({self.id})\n{words(self._locale)['static_graded']}"


def _shell() -> Any:
    module = sys.modules.get("IPython")
    return None if module is None else module.get_ipython()
