"""What a notebook holds of a graded quiz: its name, and what the desk lets its learner see."""

from __future__ import annotations

import sys
from typing import Any

from quiz_widgets import model, page, preview
from quiz_widgets.classroom.client.recorder import DeskRecorder
from quiz_widgets.classroom.names import Name
from quiz_widgets.locales import words


class GradedQuiz:
    """A quiz of a class. As the last line of a cell it shows itself; its questions come from the desk, once opened.

    Nothing of it stands in a saved notebook: neither a question nor an answer, whoever opened it.
    """

    def __init__(self, name: Name, locale: str) -> None:
        self._name = name
        self._locale = locale
        self._recorder = DeskRecorder(name, self._hear)
        self._linked = False

    @property
    def id(self) -> str:
        """Its name, ``course/quiz``."""
        return str(self._name)

    @property
    def title(self) -> str:
        """Its title, as far as the desk was asked; else its name."""
        return self._recorder.title

    @property
    def quiz(self) -> model.Quiz | None:
        """What the open attempt shows, without keys until they are revealed; `None` before it is opened."""
        return self._recorder.quiz()[0]

    def show(self) -> None:
        """Show the quiz: where and when to take it, a button that opens it, then its questions.

        Outside a notebook, what the desk says of it is printed.
        """
        self._recorder.refresh()
        shell = _shell()
        if shell is None or getattr(shell, "kernel", None) is None:
            print(self.text())  # noqa: T201 - there is no page
            return
        shown = page.graded_html(self.id, self.title, self._locale)
        shell.display_pub.publish(data={"text/plain": self._heading(), "text/html": shown}, metadata={})
        self._link()

    def text(self) -> str:
        """The open attempt's questions as plain text, and what the desk says."""
        quiz = self.quiz
        lines = [self._heading(), self._recorder.reason]
        if quiz is not None:
            lines.append(preview.preview_text(quiz, self._locale, {}))
        return "\n".join(line for line in lines if line)

    def __repr__(self) -> str:
        return f"<GradedQuiz {self.id!r}: {self.title}>"

    def _ipython_display_(self) -> None:
        self.show()

    def _heading(self) -> str:
        return f"{self.title}\n{words(self._locale)['static_graded']}"

    def _link(self) -> None:
        try:
            from quiz_widgets.widget import open_graded_link
        except ImportError:
            return  # the page says by itself that nothing reaches the desk
        open_graded_link(self.id, self._recorder, self._locale)
        self._linked = True

    def _hear(self) -> None:
        """The desk has said something: let the page know. From the sender's thread, too."""
        if self._linked:
            from quiz_widgets.widget import hear

            hear(self.id)


def _shell() -> Any:
    module = sys.modules.get("IPython")
    return None if module is None else module.get_ipython()
