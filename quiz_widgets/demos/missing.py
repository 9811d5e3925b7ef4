"""What a reader is told where a package is missing that a demo computes or draws with, as in a browser's Python."""

from __future__ import annotations

import os
import re
import sys
from typing import Any

from quiz_widgets.demos.words import Words
from quiz_widgets.demos.words import words as words_of

COURSE = "quiz-widgets lab"


class MissingPackageError(ImportError):
    """A demo cannot run here. Notebooks show its sentence, in the system's language, without the frames."""

    def __init__(self, package: str) -> None:
        tag = os.environ.get("QUIZ_WIDGETS_LOCALE") or os.environ.get("LANG", "")
        self.package = package
        super().__init__(sentence("demo", package, words_of(re.split(r"[_.@-]", tag)[0].lower())), name=package)
        if in_browser() and "IPython" in sys.modules:
            # A cell that fails ends "Run All", and with it the questions below a demo that no browser can run.
            sys.modules["IPython"].get_ipython().set_custom_exc((MissingPackageError,), _print_and_go_on)

    def _render_traceback_(self) -> list[str]:
        return [str(self)]


def _print_and_go_on(_shell: Any, _kind: type, error: MissingPackageError, _trace: Any, **_more: Any) -> None:
    sys.stdout.write(f"{error}\n")


def sentence(what: str, package: str, say: Words) -> str:
    """That a ``demo`` or a ``picture`` needs a package, and what to do about it here."""
    if in_browser():
        return say.say(f"missing.{what}_browser", package=package, command=COURSE)
    return say.say(f"missing.{what}", package=package, command=f"pip install {package}")


def in_browser() -> bool:
    """Whether this Python runs in a web page, where packages with machine code cannot be installed."""
    return sys.platform == "emscripten"


def no_picture(words: Words | None = None) -> None:
    """Say that a picture is not drawn: what a cell gets in place of a view, so that it goes on."""
    sys.stdout.write(sentence("picture", "matplotlib", words or words_of("en")) + "\n")
