"""Quizzes in notebooks, beside the guide they test."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from quiz_widgets.api import list_quizzes, load_quiz
    from quiz_widgets.api.items import Item, Option
    from quiz_widgets.api.quiz import Quiz
    from quiz_widgets.studio.editor import edit_quiz

__all__ = ["Item", "Option", "Quiz", "edit_quiz", "list_quizzes", "load_quiz"]

_HOMES = {
    "Item": "api.items",
    "Option": "api.items",
    "Quiz": "api.quiz",
    "edit_quiz": "studio.editor",
    "list_quizzes": "api",
    "load_quiz": "api",
}


def __getattr__(name: str) -> Any:
    # Loaded on first use: `quiz_widgets.demos` and the command line need none of it.
    if name in _HOMES:
        from importlib import import_module

        return getattr(import_module(f"quiz_widgets.{_HOMES[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return list(__all__)


def load_ipython_extension(shell: Any) -> None:
    """Give notebooks the cell magic ``%%quiz``; IPython calls this for ``%load_ext quiz_widgets``."""
    from quiz_widgets.studio import magic

    magic.register(shell)
