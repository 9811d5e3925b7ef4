"""``%%quiz``: YAML in a notebook cell becomes a live quiz below it. Nothing of what is written there is executed."""

from __future__ import annotations

import argparse
import shlex
from functools import partial
from typing import Any, NoReturn

from quiz_widgets import locales, model, page, preview
from quiz_widgets.api import QuizError, unreadable
from quiz_widgets.api.quiz import Quiz
from quiz_widgets.authoring import cells
from quiz_widgets.locales.reports import reader, say
from quiz_widgets.studio import excerpts, showing


class CellQuiz(Quiz):
    """The quiz of a cell. It shows and exports as any other; what is answered in it is recorded nowhere.

    The page keeps answers while its tab is open, under the quiz's content: a changed question begins anew.
    """

    def __init__(self, quiz: model.Quiz, locale: str, *, headed: bool) -> None:
        super().__init__(quiz, locale)
        self._headed = headed

    def show(self, *ids: str, set: str | None = None) -> None:
        """Show the items of these ids, or without ids the whole cell, or the set of that name."""
        view = self._view(ids, set)
        if not view and not self._headed:
            view = {"items": [item.id for item in self._quiz.items]}
        shown = showing.draft(self._quiz, self._quiz.hash)
        live = page.live_html(shown, locale=self._locale, view=view, attempt=None, outcomes={})
        _publish(preview.preview_text(shown, self._locale, view), live)

    @property
    def attempt(self) -> NoReturn:
        """There is none: `QuizError`."""
        raise QuizError(say("cell_unrecorded"))

    def progress(self) -> NoReturn:
        """There is none: `QuizError`."""
        raise QuizError(say("cell_unrecorded"))

    def widget(self, *ids: str, set: str | None = None) -> NoReturn:  # noqa: ARG002
        """A widget records: `QuizError`."""
        raise QuizError(say("cell_unrecorded"))


def register(shell: Any) -> None:
    """Give an IPython shell the cell magic."""
    shell.register_magic_function(partial(run, shell), magic_kind="cell", magic_name="quiz")


def run(shell: Any, line: str, cell: str) -> None:
    """Show the quiz in `cell`, or everything that is wrong with it; `line` holds the options."""
    options = _options(line)
    try:
        reading = cells.read(cell, "cell", options.locale)
    except ModuleNotFoundError as error:
        raise unreadable(error) from None
    answerable = reading.quiz is not None and showing.answerable(reading.problems)
    if answerable and reading.quiz is not None:
        quiz = CellQuiz(reading.quiz, options.locale, headed=reading.headed)
        quiz.show()
        if options.name is not None:
            shell.user_ns[options.name] = quiz
    if reading.problems:
        lines, first = cell.split("\n"), _first(shell, cell)
        text = excerpts.as_text(reading.problems, lines, reader(), first=first)
        _publish(text, excerpts.as_html(reading.problems, lines, reader(), first=first))


def _first(shell: Any, cell: str) -> int:
    """The line of the notebook's cell on which its YAML begins: IPython drops empty lines above `%%quiz`."""
    raw = str(shell.history_manager.input_hist_raw[-1])
    above = raw.partition("%%quiz")[0] if raw.rstrip().endswith(cell.rstrip()) else ""
    return above.count("\n") + 2


def _options(line: str) -> argparse.Namespace:
    from IPython.core.error import UsageError

    class Parser(argparse.ArgumentParser):
        def error(self, message: str) -> NoReturn:
            raise UsageError(f"{message}\n{self.format_usage()}")

    parser = Parser("%%quiz", add_help=False, allow_abbrev=False)
    parser.add_argument("--locale", default=locales.SOURCE_LOCALE)
    parser.add_argument("--name")
    try:
        options = parser.parse_args(shlex.split(line))
    except ValueError as error:
        parser.error(str(error))
    if options.locale not in locales.available():
        parser.error(say("cell_locale", locale=options.locale, known=locales.available()))
    if options.name is not None and not options.name.isidentifier():
        parser.error(say("cell_name", name=options.name))
    return options


def _publish(text: str, html: str) -> None:
    from IPython import get_ipython

    shell: Any = get_ipython()
    shell.display_pub.publish(data={"text/plain": text, "text/html": html}, metadata={})
