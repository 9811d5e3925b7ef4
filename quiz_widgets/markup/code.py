"""Code as HTML with Pygments' short classes; colours are the page's own."""

from __future__ import annotations

import html
from difflib import get_close_matches
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pygments.formatters import HtmlFormatter
    from pygments.lexer import Lexer

PLAIN = frozenset({"", "text", "none"})


def highlight(code: str, language: str) -> str | None:
    """The code's tokens as `<span class>`; `None` when there is no such language."""
    if language in PLAIN:
        return html.escape(code, quote=False)
    from pygments import highlight as render

    lexer = _lexer(language)
    if lexer is None:
        return None
    rendered: str = render(code, lexer, _formatter())
    return rendered


@cache
def _lexer(language: str) -> Lexer | None:
    """The lexer of a language; kept, because making one takes longer than a short text."""
    from pygments.lexers import get_lexer_by_name
    from pygments.util import ClassNotFound

    try:
        return get_lexer_by_name(language, stripnl=False, ensurenl=False)
    except ClassNotFound:
        return None


@cache
def _formatter() -> HtmlFormatter[str]:
    from pygments.formatters import HtmlFormatter

    return HtmlFormatter(nowrap=True)


def near_languages(language: str) -> list[str]:
    """Languages whose names look like this one."""
    from pygments.lexers import get_all_lexers

    names = [alias for _, aliases, _, _ in get_all_lexers(plugins=False) for alias in aliases]
    return get_close_matches(language, names, n=3)
