"""``edit_quiz``: a form in the notebook beside the live question, for authors who would rather not write YAML.

What is edited is the YAML itself, span by span (`authoring.splices`). `session` keeps the files and the draft,
`changes` says what each control does to them, `looking` what is to be seen; `form` and its parts know widgets.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from quiz_widgets.studio.editor.form import Form


def edit_quiz(path: str | os.PathLike[str], locale: str | None = None) -> Any:
    """A form for the quiz in that `quiz.yaml`, or in the folder that holds one, as an ipywidget.

    `locale` is the language of the form's own words; without it that of the reader. Nothing is written into the quiz
    before Save is pressed; every change is kept in a draft beside it. `QuizError` where there is no quiz.
    """
    from quiz_widgets import locales
    from quiz_widgets.api import QuizError, unreadable
    from quiz_widgets.locales.reports import reader, say
    from quiz_widgets.studio.editor.session import Session

    if locale is not None and locale not in locales.available():
        raise QuizError(say("cell_locale", locale=locale, known=locales.available()))
    file = Path(path)
    file = file / "quiz.yaml" if file.is_dir() else file
    try:
        session = Session(file)
    except OSError:
        raise QuizError(say("preview_none", path=path)) from None
    try:
        form: Form = _form()(session, locale or reader())
    except ModuleNotFoundError as error:
        raise unreadable(error) from None
    return form.box


def _form() -> Any:
    from quiz_widgets.studio.editor import form

    return form.Form
