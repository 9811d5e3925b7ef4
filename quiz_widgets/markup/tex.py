"""TeX to MathML, for a stated list of commands; anything else is a fault at its place, never broken output.

The converter underneath (latex2mathml) accepts everything, prints what it does not know, spells words letter by
letter and does not escape texts. So the TeX is checked first, and words go round it behind placeholders.
"""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Callable
from difflib import get_close_matches
from functools import cache

Report = Callable[[int, str, str], None]
"""Called with (offset in the TeX, message, hint) for each fault."""

WORD_COMMANDS = frozenset({"mathrm", "operatorname", "text"})
ENVIRONMENTS = frozenset({"bmatrix", "cases", "matrix", "pmatrix", "vmatrix"})
_LISTED = """
    alpha beta gamma delta epsilon varepsilon zeta eta theta vartheta iota kappa lambda mu nu xi pi rho sigma tau
    upsilon phi varphi chi psi omega Gamma Delta Theta Lambda Xi Pi Sigma Upsilon Phi Psi Omega

    le leq ge geq ne neq approx equiv sim simeq propto ll gg times cdot div pm mp ast star circ odot oplus otimes
    in notin ni subset subseteq supset supseteq cup cap setminus land lor neg wedge vee mid parallel perp

    to gets rightarrow leftarrow leftrightarrow Rightarrow Leftarrow Leftrightarrow mapsto implies iff
    uparrow downarrow infty partial nabla forall exists emptyset ell Re Im hbar prime top bot
    dots ldots cdots vdots ddots

    sum prod int lim max min sup inf argmax argmin exp log ln sin cos tan tanh sinh cosh arctan det dim ker gcd Pr

    frac tfrac dfrac binom sqrt hat bar tilde vec dot ddot overline underline widehat widetilde overset underset
    underbrace overbrace mathbf mathbb mathcal mathit

    left right lfloor rfloor lceil rceil langle rangle lvert rvert quad qquad begin end
"""
COMMANDS = WORD_COMMANDS | frozenset(_LISTED.split())
ESCAPES = frozenset("{}%$&#_,;:! \\|")

_TOKEN = re.compile(r"\\([A-Za-z]+)|\\(.)|([{}])|(.)", re.DOTALL)
_GROUP = re.compile(r"\s*\{((?:[^{}\\]|\\.)*)\}", re.DOTALL)
_NAME = re.compile(r"\s*\{([A-Za-z]*\*?)\}")
_BRACKET = re.compile(r"\s*(?:[()\[\]|./<>]|\\[{}|]|\\[lr](?:floor|ceil|angle|vert)\b)")
_PLAIN = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 \n+-*/=<>()[]|,.;:!?'^_&")
_FIRST_PLACEHOLDER = 0xE000  # a private-use letter stands for each word while the converter runs
_LAST_PLACEHOLDER = 0xF8FF

_SINGLE_SIGN = re.compile(r"<(m[io])>(&#x[0-9A-F]+;|[^\w\s<&])</\1>")
_LIMIT_NAME = re.compile(r"<mo>(lim|max|min|sup|inf)</mo>")
_IDENTIFIERS = frozenset("∞∅⊤⊥")  # the converter calls them operators, which puts space around them
_BRACKETS = frozenset("|⌊⌋⌈⌉⟨⟩")

# What the converter prints letter by letter, or not at all, under the name that it knows.
_ALIASES = {"implies": r"\Rightarrow ", "iff": r"\Leftrightarrow ", "dfrac": r"\frac ", "tfrac": r"\frac "}
# Their scripts stand below and above in display maths; `movablelimits` puts them beside within a line.
_WITH_LIMITS = frozenset("sum prod lim max min sup inf argmax argmin det gcd Pr".split())  # noqa: SIM905
_SCRIPT = re.compile(r"\s*[_^]")
_ENVIRONMENT_LIST = ", ".join(f"`{name}`" for name in sorted(ENVIRONMENTS))
_NOT_LISTED = "use a command from the list in quiz_widgets/markup/tex.py, or `\\mathrm{…}` for a word"


def mathml(tex: str, *, block: bool, report: Report) -> str:
    """The formula as `<math>` with its TeX as `alttext`; on a fault, which is reported, the TeX as text."""
    checker = _Checker(tex, report)
    reduced = checker.run()
    if checker.failed:
        return f"<span>{html.escape(tex)}</span>"
    try:
        converted: str = _converter()(reduced)
    except Exception:  # noqa: BLE001 - the converter raises some twenty kinds for TeX that ends too early
        checker.fault(0, f"`{tex}` is not complete", "a command, `^` or `_` lacks what it applies to")
        return f"<span>{html.escape(tex)}</span>"
    inner = re.sub(r"^<math[^>]*>(?:<mrow>)?|(?:</mrow>)?</math>$", "", converted)
    inner = inner.replace('<mo stretchy="false">&#x0007C;</mo>', "<mo>&#x0007C;</mo>")
    inner = _LIMIT_NAME.sub(r'<mo movablelimits="true">\1</mo>', inner)
    inner = _SINGLE_SIGN.sub(_sign, inner.replace(' form="prefix"', "").replace(' form="postfix"', ""))
    inner = re.sub(f"<mi>([{chr(_FIRST_PLACEHOLDER)}-{chr(_LAST_PLACEHOLDER)}])</mi>", checker.word, inner)
    alt = html.escape(" ".join(tex.split()))
    display = ' display="block"' if block else ""
    return f'<math dir="ltr"{display} alttext="{alt}"><mrow>{inner}</mrow></math>'


@cache
def _converter() -> Callable[[str], str]:
    from latex2mathml.converter import convert

    return convert


def _sign(matched: re.Match[str]) -> str:
    """Brackets, relations and punctuation are operators; the converter calls some of them identifiers."""
    char = html.unescape(matched[2]).replace("~", "∼")
    if char in _IDENTIFIERS:
        return f"<mi>{char}</mi>"
    if char in _BRACKETS:  # a browser would guess from the place whether it opens, and put space around it
        return f'<mo stretchy="false" lspace="0" rspace="0">{char}</mo>'
    operator = matched[1] == "mo" or unicodedata.category(char) in {"Ps", "Pe", "Po", "Sc", "Sm"}
    return f"<mo>{html.escape(char)}</mo>" if operator else matched[0]


class _Checker:
    """Walks once over the TeX: checks every token, and takes words out."""

    def __init__(self, tex: str, report: Report) -> None:
        self.tex = tex
        self.failed = False
        self.words: list[str] = []
        self._report = report
        self._open: list[tuple[int, str]] = []  # offset and `{`, `left` or an environment's name

    def run(self) -> str:
        """The TeX with a placeholder for each word."""
        reduced: list[str] = []
        position = 0
        while matched := _TOKEN.match(self.tex, position):
            command, escape, brace, char = matched.groups()
            end = matched.end()
            if command in WORD_COMMANDS:
                end = self._take_word(matched.start(), end, command)
                reduced.append(f" {chr(_FIRST_PLACEHOLDER + len(self.words) - 1)} " if self.words else "")
            else:
                self._check(matched.start(), end, command, escape, brace or char)
                limits = command in _WITH_LIMITS and _SCRIPT.match(self.tex, end) is not None
                reduced.append(_ALIASES.get(command or "", matched[0]) + (r"\limits" if limits else ""))
            position = end
        for offset, opened in self._open:
            self.fault(offset, f"`{_shown(opened)}` is never closed", f"add `{_closing(opened)}`")
        return "".join(reduced)

    def fault(self, offset: int, message: str, hint: str) -> None:
        self.failed = True
        self._report(offset, message, hint)

    def word(self, matched: re.Match[str]) -> str:
        """The MathML of the word for which a placeholder stands."""
        return self.words[ord(matched[1]) - _FIRST_PLACEHOLDER]

    def _take_word(self, start: int, end: int, command: str) -> int:
        group = _GROUP.match(self.tex, end)
        if group is None:
            self.fault(start, f"`\\{command}` needs words in braces", f"write `\\{command}{{words}}`")
            return end
        for escape in re.finditer(r"\\(.)", group[1]):
            if escape[1] not in ESCAPES:
                message = f"`\\{escape[1]}` inside `\\{command}{{…}}`"
                self.fault(group.start(1) + escape.start(), message, "only words belong there: close it before")
        words = re.sub(r"\\([{}%$&#_\\|])|\\[,;:! ]", lambda found: found[1] or " ", " ".join(group[1].split(" ")))
        shown = html.escape(words)
        if command in {"mathrm", "operatorname"}:
            upright = ' mathvariant="normal"' if len(words) == 1 else ""
            self.words.append(f"<mi{upright}>{shown}</mi>")
        else:
            self.words.append(f"<mtext>{shown.replace(' ', '&#xa0;')}</mtext>")
        if len(self.words) > 1000:
            self.fault(start, "more than 1000 words in one formula", "split it")
        return group.end()

    def _check(self, start: int, end: int, command: str | None, escape: str | None, char: str | None) -> None:
        if command == "begin":
            self._begin(start, end)
        elif command == "end":
            self._end(start, end)
        elif command in {"left", "right"}:
            self._bracket(start, end, command)
        elif command is not None and command not in COMMANDS:
            near = get_close_matches(command, COMMANDS, n=3)
            allowed = f"did you mean {' or '.join(map(_quoted, near))}?" if near else _NOT_LISTED
            self.fault(start, f"the TeX command `\\{command}` is not supported", allowed)
        elif escape is not None and escape not in ESCAPES:
            self.fault(start, f"the TeX command `\\{escape}` is not supported", _NOT_LISTED)
        elif char == "{":
            self._open.append((start, "{"))
        elif char == "}":
            self._close(start, "{", "}")
        elif char is not None:
            self._check_char(start, char)
        elif escape == "\\" and not any(opened in ENVIRONMENTS for _, opened in self._open):
            self.fault(start, "`\\\\` outside an environment", f"rows belong in {_ENVIRONMENT_LIST}")

    def _check_char(self, start: int, char: str) -> None:
        if char == "&" and not any(opened in ENVIRONMENTS for _, opened in self._open):
            self.fault(start, "`&` outside an environment", f"columns belong in {_ENVIRONMENT_LIST}; the sign is `\\&`")
        elif char not in _PLAIN:
            hint = "write `\\%`" if char == "%" else "use a TeX command, or `\\text{…}` for words"
            self.fault(start, f"`{char}` (U+{ord(char):04X}) in maths", hint)

    def _bracket(self, start: int, end: int, command: str) -> None:
        if not _BRACKET.match(self.tex, end):
            self.fault(
                start, f"`\\{command}` needs a bracket", r"one of ( ) [ ] | . \{ \} \| \lfloor \rfloor \langle …"
            )
        if command == "left":
            self._open.append((start, "left"))
        else:
            self._close(start, "left", "\\right")

    def _begin(self, start: int, end: int) -> None:
        name = _NAME.match(self.tex, end)
        if name is None or name[1] not in ENVIRONMENTS:
            found = f"`\\begin{{{name[1]}}}`" if name else "`\\begin` without a name"
            self.fault(start, f"{found} is not supported", f"allowed are {_ENVIRONMENT_LIST}")
        self._open.append((start, name[1] if name else "?"))

    def _end(self, start: int, end: int) -> None:
        name = _NAME.match(self.tex, end)
        self._close(start, name[1] if name else "?", f"\\end{{{name[1] if name else ''}}}")

    def _close(self, start: int, opener: str, shown: str) -> None:
        if self._open and self._open[-1][1] == opener:
            self._open.pop()
        elif self._open:
            self.fault(start, f"`{shown}` comes before `{_closing(self._open.pop()[1])}`", "close what was opened last")
        else:
            self.fault(start, f"`{shown}` closes nothing", "remove it, or open it before")


def _quoted(command: str) -> str:
    return f"`\\{command}`"


def _shown(opened: str) -> str:
    return opened if opened == "{" else "\\left" if opened == "left" else f"\\begin{{{opened}}}"


def _closing(opened: str) -> str:
    return "}" if opened == "{" else "\\right" if opened == "left" else f"\\end{{{opened}}}"
