"""What a notebook holds: a quiz, shown on the page first and tied to the kernel second."""

from __future__ import annotations

import html
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from quiz_widgets import locales, model
from quiz_widgets.api import QuizError, path_of, unknown
from quiz_widgets.api.items import Item, item_of

if TYPE_CHECKING:  # each step of a notebook imports what it needs
    from quiz_widgets import contract
    from quiz_widgets.attempt import Attempt
    from quiz_widgets.progress.tally import Progress


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
        return tuple(item_of(item, self._locale) for item in self._quiz.items)

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
        from quiz_widgets.links.practice import QuizWidget

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
        known = self._quiz.sets
        for item_id in ids:
            if not isinstance(item_id, str) or item_id not in known:
                raise QuizError(unknown("item", item_id, list(known), f"quiz {self.id!r} has"))
        sets = sorted({named for named in self._quiz.sets.values() if named})
        if name is not None and name not in sets:
            raise QuizError(unknown("set", name, sets, f"quiz {self.id!r} has"))
        if ids and name is not None:
            raise QuizError("show takes ids of items or the name of a set, not both; leave one of them out")
        if ids:
            return {"items": list(dict.fromkeys(ids))}
        return {} if name is None else {"set": name}


def _written(path: str | Path, text: str) -> Path:
    target = path_of(path)
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
        from quiz_widgets.links.practice import open_link
    except ImportError:
        return  # the page says by itself that nothing is recorded
    open_link(quiz_id, recorder)
