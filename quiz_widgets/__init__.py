"""Quizzes in notebooks, beside the guide they test."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from quiz_widgets.api import Item, Option, Quiz, list_quizzes, load_quiz
    from quiz_widgets.studio.editor import edit_quiz

__all__ = ["Item", "Option", "Quiz", "edit_quiz", "list_quizzes", "load_quiz"]


def __getattr__(name: str) -> Any:
    # Loaded on first use: `quiz_widgets.demos` and the command line need none of it.
    if name == "edit_quiz":
        from quiz_widgets.studio import editor

        return editor.edit_quiz
    if name in __all__:
        from quiz_widgets import api

        return getattr(api, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return list(__all__)


def load_ipython_extension(shell: Any) -> None:
    """Give notebooks the cell magic ``%%quiz``; IPython calls this for ``%load_ext quiz_widgets``."""
    from quiz_widgets.studio import magic

    magic.register(shell)
