"""Text to Markdown and back: escaping what Markdown would take for a sign, code spans, fences, TeX between dollars."""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterator
from functools import lru_cache

from quiz_widgets import markup

_INLINE = re.compile(r"([\\`*$\[\]]|<(?=[A-Za-z/!?])|&(?=#?\w+;)|(?<![^\W_])_|_(?![^\W_])|!(?=\[))")
_LINE_START = re.compile(r"^([ \t]*)(#{1,6}(?=\s|$)|>|[-+](?=\s|$)|=+(?=\s*$)|-{2,}(?=\s*$)|~~~)")
_NUMBERED = re.compile(r"^([ \t]*\d{1,9})([.)])(?=\s|$)")
_FORMULA = re.compile(
    r"\\\((?P<inline>.+?)\\\)|\\\[(?P<display>.+?)\\\]|\$\$(?P<dollars>.+?)\$\$"
    r"|(?<![\\$\w])\$(?P<single>[^\s$](?:[^$\n]*?[^\s$\\])?)\$(?![\w$])",
    re.DOTALL,
)
_TEXISH = re.compile(r"\\[A-Za-z]+|[\^_{}]|^[A-Za-z]$|^[A-Za-z0-9 ]+[=<>+*/-][A-Za-z0-9 +*/=<>.-]*$")
_MATH = re.compile(r"<math\b([^>]*)>.*?</math>", re.DOTALL)
_FENCE = re.compile(r"[ \t]*(?:(?:[-*+]|\d+[.)])[ \t]+)*(`{3,}|~{3,})[ \t]*([\w+#.-]*)[^`]*$")
_SPAN = re.compile(r"</?span[^>]*>|</?bdi[^>]*>")


@lru_cache(maxsize=2048)
def forms(source: str) -> markup.Forms:
    """The forms of a Markdown text, made once: ids, checks and exports ask for the same texts."""
    return markup.render(source)


def escape(text: str) -> str:
    """Plain text as Markdown that shows exactly it. Line ends stay line ends (not breaks)."""
    return "\n".join(_escape_line(line) for line in re.sub(r" +(?=\n)", "", text).split("\n"))


def _escape_line(line: str) -> str:
    line = _LINE_START.sub(r"\1\\\2", _INLINE.sub(r"\\\1", line))
    return _NUMBERED.sub(r"\1\\\2", line)


def from_plain(text: str) -> str:
    r"""Plain text with line breaks, and TeX in ``\(…\)``, ``$$…$$`` or recognisable ``$…$``, as Markdown.

    Empty lines part paragraphs; a single line end is a line break, as in the systems that keep plain text.
    """
    paragraphs = [part.strip("\n") for part in re.split(r"\n[ \t]*\n", text)]
    return "\n\n".join(made for part in paragraphs if (made := paragraph(with_formulas(part, breaks=True).strip())))


def paragraph(text: str) -> str:
    """A paragraph that begins with a display formula as two: before other text on its line it would be none."""
    return re.sub(r"^(\$\$[^$]+\$\$)[ \\\n]*(?=[^\s\\])", r"\1\n\n", text)


def with_formulas(text: str, *, breaks: bool = False) -> str:
    """Text without markup as Markdown, formulas kept; with `breaks` a line end is a line break."""
    pieces: list[str] = []
    at = 0
    for found in _FORMULA.finditer(text):
        formula = found["inline"] or found["display"] or found["dollars"] or found["single"]
        if not formula.strip() or (found["single"] is not None and not _TEXISH.search(formula)):
            continue
        pieces += [
            _broken(escape(text[at : found.start()]), breaks=breaks),
            tex(formula, block=found["inline"] is None and found["single"] is None),
        ]
        at = found.end()
    pieces.append(_broken(escape(text[at:]), breaks=breaks))
    return "".join(pieces)


def _broken(text: str, *, breaks: bool) -> str:
    if not breaks:
        return text
    lines = [line.strip() for line in text.split("\n")]
    return "\\\n".join(lines) if len(lines) > 1 else text


def tex(formula: str, *, block: bool = False) -> str:
    """A formula between dollars."""
    mark = "$$" if block else "$"
    return f"{mark}{' '.join(html.unescape(formula).split())}{mark}"


def inline_code(code: str) -> str:
    """A code span. Line ends become spaces, as Markdown has it."""
    code = " ".join(code.split("\n"))
    if not code.strip():
        return escape(code)
    longest = max((len(run) for run in re.findall("`+", code)), default=0)
    ticks = "`" * (longest + 1)
    pad = " " if code[0] == "`" or code[-1] == "`" or (code[0] == code[-1] == " ") else ""
    return f"{ticks}{pad}{code}{pad}{ticks}"


def fence(code: str, language: str = "") -> str:
    """A fenced block of code."""
    longest = max((len(run) for run in re.findall("`+", code)), default=0)
    ticks = "`" * max(3, longest + 1)
    return f"{ticks}{language}\n{code.strip(chr(10))}\n{ticks}"


def to_plain(source: str) -> str:
    r"""Markdown as plain text for systems without markup; formulas as ``$…$``."""
    shown = re.sub(r"\\\((.*?)\\\)|\\\[(.*?)\\\]", r"\1\2", forms(source).plain)
    return re.sub(r"\n{3,}", "\n\n", shown).strip()


def is_plain(source: str) -> bool:
    """Whether the text has no markup: it shows as it would in a system without any."""
    made = forms(source)
    return "<" not in made.html and "\n" not in made.plain


def to_html(source: str, *, left: str = r"\(", right: str = r"\)") -> str:
    r"""Markdown as safe HTML with TeX in ``\(…\)`` for other systems; display formulas stand in ``\[…\]``."""
    # The preview tells formulas that stand apart from those in a line.
    apart = (tag == "div" for tag in re.findall(r'<(div|span) class="mathjax_process"', forms(source).preview))

    def formula(found: re.Match[str]) -> str:
        alone = next(apart, False)
        alt = re.search(r'alttext="([^"]*)"', found[1])
        written = alt[1] if alt else ""
        if 'display="block"' not in found[1]:
            return f"{left}{written}{right}"
        return f"<div>\\[{written}\\]</div>" if alone else f"\\[{written}\\]"

    return _bare(source, formula)


def to_mathml(source: str) -> str:
    """The same with formulas as MathML, which keeps their TeX as its alternative text."""
    return _bare(source, lambda found: found[0])


def _bare(source: str, formula: Callable[[re.Match[str]], str]) -> str:
    """The HTML of a text without what is for our own page only."""
    made = re.sub(r' class="qz-code"| translate="no"', "", forms(source).html)
    names = _languages(source)
    made = re.sub(r"(<pre[^>]*><code)(?=>)", lambda found: found[1] + next(names, ""), made)
    pieces: list[str] = []
    at = 0
    for found in _MATH.finditer(made):
        pieces += [_inert(_SPAN.sub("", made[at : found.start()])), formula(found)]
        at = found.end()
    pieces.append(_inert(_SPAN.sub("", made[at:])))
    return "".join(pieces)


def _languages(source: str) -> Iterator[str]:
    """The class of each fenced block of code, in order."""
    mark = ""
    for line in source.split("\n"):
        found = _FENCE.match(line)
        if found and not mark:
            mark = found[1]
            yield f' class="language-{found[2]}"' if found[2] else ""
        elif found and found[1].startswith(mark) and not found[2]:
            mark = ""


def _inert(made: str) -> str:
    """Signs that another system's script would take for the start of a formula, with an empty tag behind them."""
    made = re.sub(r"\\(?=[(\[])", r"\\<span></span>", made)
    return made.replace("$", "$<span></span>") if made.count("$") > 1 else made
