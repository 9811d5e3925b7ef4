"""A text's HTML in a box that names its language and direction, for systems that know neither of a file's texts."""

from __future__ import annotations

from html import escape

from quiz_widgets import locales
from quiz_widgets.formats import markdown


def html(source: str, language: str) -> str:
    """A Markdown text's HTML; in a box unless the language is English, which those systems take for granted."""
    made = markdown.to_html(source)
    if not language or language == locales.SOURCE_LOCALE or not made:
        return made
    direction = locales.text_direction(markdown.to_plain(source), language)
    return f'<div lang="{escape(language)}" dir="{direction}">{made}</div>'
