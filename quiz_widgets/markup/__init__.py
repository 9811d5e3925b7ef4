"""Markdown with maths and code to safe HTML: the only maker of HTML from what authors write.

Supported: paragraphs, lists, `**strong**`, `*em*`, `` `code` ``, fenced code, ``$maths$``, ``$$maths$$`` and links to
the web. Headings, images, tables, quotations and raw HTML are faults: in a quiz's short texts they break the
layout, load something, or vanish in some notebook. Forms are compact: one paragraph stands without `<p>`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from quiz_widgets.markup.safe import clean
from quiz_widgets.markup.writer import Fault, Writer

if TYPE_CHECKING:
    from markdown_it import MarkdownIt

__all__ = ["Fault", "Forms", "render"]


@dataclass(frozen=True, slots=True)
class Forms:
    r"""One text in the three forms in which it is shown, and what is wrong with it.

    `html` is safe HTML with MathML; `preview` is safe HTML without MathML for notebook sanitisers, TeX in
    ``\(…\)``, no other dollar or backslash that a page could typeset; `plain` has no markup, maths as TeX.
    """

    html: str
    preview: str
    plain: str
    faults: tuple[Fault, ...] = ()


def render(source: str, *, block: bool = True) -> Forms:
    """The forms of a Markdown text. Without `block` it is one line: titles, units."""
    parser = _parser()
    tokens = parser.parse(source) if block else parser.parseInline(source)
    writer = Writer(source)
    writer.write(tokens)
    return Forms(
        html=clean("".join(writer.html), "html").strip(),
        preview=clean("".join(writer.preview), "preview").strip(),
        plain="".join(writer.plain).strip(),
        faults=tuple(sorted(writer.faults)),
    )


@cache
def _parser() -> MarkdownIt:
    from markdown_it import MarkdownIt
    from mdit_py_plugins.dollarmath import dollarmath_plugin

    # Raw HTML is recognised only to be refused: the writer escapes it and reports it.
    parser = MarkdownIt("commonmark", {"html": True})
    # The strict forms of `$`: "$5 and $6" is money, `$x$` is maths.
    parser.use(dollarmath_plugin, allow_labels=False, allow_space=False, allow_digits=False, double_inline=True)
    # Text indented by four spaces or underlined is nearly always a slip; a link's target belongs beside the link.
    return parser.disable(["code", "reference", "hr", "lheading"])
