"""Code as HTML with Pygments' short classes; colours are the page's own."""

from __future__ import annotations

import html
from difflib import get_close_matches

PLAIN = frozenset({"", "text", "none"})


def highlight(code: str, language: str) -> str | None:
    """The code's tokens as `<span class>`; `None` when there is no such language."""
    if language in PLAIN:
        return html.escape(code, quote=False)
    from pygments import highlight as render
    from pygments.formatters import HtmlFormatter
    from pygments.lexers import get_lexer_by_name
    from pygments.util import ClassNotFound

    try:
        lexer = get_lexer_by_name(language, stripnl=False, ensurenl=False)
    except ClassNotFound:
        return None
    rendered: str = render(code, lexer, HtmlFormatter(nowrap=True))
    return rendered


def near_languages(language: str) -> list[str]:
    """Languages whose names look like this one."""
    from pygments.lexers import get_all_lexers

    names = [alias for _, aliases, _, _ in get_all_lexers(plugins=False) for alias in aliases]
    return get_close_matches(language, names, n=3)
