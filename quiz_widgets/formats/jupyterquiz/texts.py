r"""Texts of jupyterquiz: HTML into which its script puts formulas and links before the page reads it.

The script turns every ``$$`` and every other ``$`` that has no backslash before it into the marks of a formula, in
turn, whatever stands between them; ``[text](address)`` and ``<http…>`` become links.
"""

from __future__ import annotations

import html
import re

from quiz_widgets.formats import html_parse, html_text, markdown
from quiz_widgets.formats.html_text import Report

_DOLLARS = re.compile(r"(?<!\\)\$\$?")
_BRACKETS = re.compile(r"\[(.{0,500}?)\]\((.{0,1000}?)\)")
_AUTOLINK = re.compile(r"<(http.{0,1000}?)>")
_ENVIRONMENT = re.compile(r"\\begin\{(equation\*?|displaymath)\}(.{1,2000}?)\\end\{\1\}", re.DOTALL)
_TAG = re.compile(r"<[A-Za-z/!]")
_LAYOUT = re.compile(r"</(?:b|i|em|strong|span|font|code|pre|p|div)>|<br\s{0,5}/?>", re.IGNORECASE)
_MONEY = re.compile(r"\d[\d.,]*\s")


def to_markdown(text: str, report: Report) -> str:
    """The Markdown of a text that the script would put into the page."""
    text = _ENVIRONMENT.sub(lambda found: f"$${found[2]}$$", text)  # MathJax sees these without dollars
    pieces: list[str] = []
    at, opened = 0, -1  # the piece with the mark that began the formula
    sign = ""
    for found in _DOLLARS.finditer(text):
        inner = text[at : found.start()]
        pieces.append(inner)
        if opened >= 0 and _MONEY.match(inner) and not re.search(r"[\\^_={}]", inner):
            message = (
                f"`${inner[:30]}$` is a formula there, as whatever stands between two dollars; here they stay signs"
            )
            report("jupyterquiz-dollar", message, r"write `\$` for money")
            pieces[opened] = _plain_dollar(sign)
            pieces.append(_plain_dollar(found[0]))
            opened = -1
        else:
            pieces.append(_mark(sign if opened >= 0 else "", found[0]))
            opened = len(pieces) - 1 if opened < 0 else -1
            sign = found[0]
        at = found.end()
    if opened >= 0:
        report("jupyterquiz-dollar", "a dollar without its second one begins a formula that never ends", r"write `\$`")
        pieces[opened] = _plain_dollar(sign)
    pieces.append(text[at:])
    joined = "".join(pieces).replace("\\$", _plain_dollar("$"))
    return html_text.to_markdown(_links(joined), report)


def _mark(opened: str, sign: str) -> str:
    if opened:
        return r"\]" if opened == "$$" else r"\)"
    return r"\[" if sign == "$$" else r"\("


def _plain_dollar(sign: str) -> str:
    return "$<span></span>" * len(sign)


def _links(text: str) -> str:
    text = _AUTOLINK.sub(lambda link: f'<a href="{html.escape(link[1])}">{link[1]}</a>', text)
    return _BRACKETS.sub(lambda link: f'<a href="{html.escape(link[2])}">{link[1]}</a>', text)


def code(text: str, report: Report, language: str = "") -> str:
    """A `code` field as a block: the page reads it as HTML, so that ``a<b`` loses what follows."""
    if html_text.looks_like_html(text) and re.search(
        r"</?(?:b|i|em|strong|span|br|font|code|pre|p|div)\b[^<>]*>", text
    ):
        report("jupyterquiz-code", "tags in code are left out", "code has no layout here")
        shown = html_parse.parse(text).all_text()
    else:
        if _TAG.search(text):
            message = "a `<` in code begins a tag there, and the code after it is not shown; here it is kept"
            report("jupyterquiz-code", message, "write `&lt;` in the file")
        shown = html.unescape(text)
    return markdown.fence(shown, language) if shown.strip() else ""
