"""Markdown of other systems (headings, tables, pictures, HTML in it) as ours, by way of its HTML."""

from __future__ import annotations

import html
from functools import cache
from typing import TYPE_CHECKING, Any

from quiz_widgets import markup
from quiz_widgets.formats.html_text import Report, to_markdown
from quiz_widgets.formats.pictures import Pictures

if TYPE_CHECKING:
    from markdown_it import MarkdownIt


def to_ours(source: str, report: Report, pictures: Pictures | None = None) -> str:
    """The text as it is where our Markdown has everything that is in it, else what can be kept of it."""
    if not markup.render(source).faults:
        return source.strip("\n")
    rendered: str = _parser().render(source)
    return to_markdown(rendered, report, pictures)


@cache
def _parser() -> MarkdownIt:
    from markdown_it import MarkdownIt
    from mdit_py_plugins.dollarmath import dollarmath_plugin

    def formula(content: str, options: dict[str, Any]) -> str:
        display = ' display="block"' if options.get("display_mode") else ""
        return f'<math{display} alttext="{html.escape(content)}"></math>'

    parser = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
    parser.use(
        dollarmath_plugin,
        allow_labels=False,
        allow_space=False,
        allow_digits=False,
        double_inline=True,
        renderer=formula,
    )
    return parser
