"""The formats there are. A new one is a file beside this, and its name here."""

from __future__ import annotations

from quiz_widgets.formats import (
    aiken,
    anki,
    csv_table,
    gift,
    h5p,
    html_page,
    jupyterquiz,
    kahoot,
    labquiz,
    latex,
    mdbook_quiz,
    moodle_xml,
    nbgrader_jupyterquiz,
    qti,
    qti_12,
)
from quiz_widgets.formats.base import Format, Source

FORMATS: tuple[Format, ...] = (
    aiken.FORMAT,
    gift.FORMAT,
    moodle_xml.FORMAT,
    h5p.FORMAT,
    qti_12.FORMAT,
    qti.QTI_21,
    qti.QTI_30,
    anki.FORMAT,
    csv_table.FORMAT,
    jupyterquiz.FORMAT,
    kahoot.FORMAT,
    labquiz.FORMAT,
    mdbook_quiz.FORMAT,
    nbgrader_jupyterquiz.FORMAT,
    html_page.FORMAT,
    latex.FORMAT,
)

SURE = 0.3
"""Less than this is a guess, and the user is asked for the format."""


def get(name: str) -> Format | None:
    """The format of that id."""
    return next((known for known in FORMATS if known.id == name), None)


def recognise(source: Source) -> list[Format]:
    """The formats that the file may be in, the likeliest first; none when nothing looks like it."""
    ranked = [(known.recognise(source), known) for known in FORMATS if known.read is not None]
    likely = sorted((pair for pair in ranked if pair[0] >= SURE), key=lambda pair: -pair[0])
    return [known for _, known in likely]
