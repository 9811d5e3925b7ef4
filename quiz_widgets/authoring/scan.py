"""What can be wrong with a content file before its fields are looked at: bytes, invisible signs, lost text."""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING

from quiz_widgets.markup import tex
from quiz_widgets.problems import Problem

if TYPE_CHECKING:
    from quiz_widgets.authoring.tree import Scalar

# Direction marks, zero-width signs, soft hyphens and odd line ends. Zero-width (non-)joiners are handled below.
_INVISIBLE = re.compile("[\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\u00ad\u0085\u2028\u2029]")
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f]")
_JOINER = re.compile("(?:^|[\x00-\x7f])[\u200c\u200d]|[\u200c\u200d](?:$|[\x00-\x7f])")
_ODD_INDENT = re.compile("[ \t]*[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]")
_YAML_ESCAPE = re.compile(r"\\([abtnvfreNLPxuU_0])([A-Za-z]*)")


def decode(data: bytes, file: str) -> tuple[str, list[Problem]]:
    """The file's text with line feeds as line ends and without a byte order mark."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        hint = "save the file as UTF-8"
        return "", [Problem(file, 1, 1, message="the file is UTF-16", hint=hint, rule="encoding")]
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        before = data[: error.start].decode("utf-8-sig", errors="ignore")
        line = before.count("\n") + 1
        column = len(before) - (before.rfind("\n") + 1) + 1
        message = f"byte 0x{data[error.start]:02x} is not UTF-8"
        return "", [Problem(file, line, column, message=message, hint="save the file as UTF-8", rule="encoding")]
    return text.replace("\r\n", "\n").replace("\r", "\n"), []


def check(lines: tuple[str, ...], file: str) -> list[Problem]:
    """Invisible signs and indentation by anything but spaces."""
    found: list[Problem] = []
    for number, line in enumerate(lines, start=1):
        if line.isascii() and line.isprintable():
            continue
        for matched in _INVISIBLE.finditer(line):
            message = f"an invisible {_named(matched[0])}"
            mark = unicodedata.category(matched[0]) == "Cf" and "WIDTH" not in _named(matched[0])
            hint = "remove it: a text's direction comes from its language" if mark else "remove it"
            found.append(Problem(file, number, matched.start() + 1, message=message, hint=hint, rule="invisible"))
        for matched in _JOINER.finditer(line):
            place = matched.start() + (matched[0][0] not in "\u200c\u200d")
            message = f"an invisible {_named(line[place])} beside no letter that it could join"
            found.append(Problem(file, number, place + 1, message=message, hint="remove it", rule="invisible"))
        for matched in _CONTROL.finditer(line):
            message = f"a control character U+{ord(matched[0]):04X}"
            found.append(
                Problem(file, number, matched.start() + 1, message=message, hint="remove it", rule="invisible")
            )
        if matched_indent := _ODD_INDENT.match(line):
            message = f"{_named(line[matched_indent.end() - 1])} in the indentation"
            column = matched_indent.end()
            found.append(Problem(file, number, column, message=message, hint="use plain spaces", rule="indentation"))
    return found


def check_scalar(scalar: Scalar, lines: tuple[str, ...], end: tuple[int, int], file: str) -> list[Problem]:
    """TeX that double quotes turned into something else, and invisible signs written as escapes."""
    if scalar.style != "double" or end[0] >= len(lines):
        return []
    found: list[Problem] = []
    for number in range(scalar.line - 1, end[0] + 1):
        first = scalar.column - 1 if number == scalar.line - 1 else 0
        line = lines[number][: end[1]] if number == end[0] else lines[number]
        # A pair of backslashes is one backslash, however many come before it.
        for matched in re.finditer(r"\\\\|" + _YAML_ESCAPE.pattern, line[first:]):
            letters = (matched[1] or "") + (matched[2] or "")
            if letters in tex.COMMANDS:
                message = f"`\\{letters}` in double quotes: YAML reads `\\{letters[0]}` as an escape"
                column = first + matched.start() + 1
                hint = "use single quotes, or `|` and a line of its own"
                found.append(Problem(file, number + 1, column, message=message, hint=hint, rule="tex-escape"))
    raw = "\n".join(lines[scalar.line - 1 : end[0] + 1])
    for char in scalar.text:
        if (_INVISIBLE.match(char) or _CONTROL.match(char)) and char not in raw and not found:
            message = f"an escape for an invisible {_named(char)}"
            found.append(Problem(file, scalar.line, scalar.column, message=message, hint="remove it", rule="invisible"))
    return found


def never_closed(problem: str) -> bool:
    """Whether a parser's message means a quotation mark or a bracket without its partner."""
    return "end of stream" in problem or "expected ',' or" in problem


def syntax_hint(problem: str, line: str) -> tuple[str, str]:
    """The rule, and what to do about a parser's message at a line."""
    if never_closed(problem):
        return "yaml", "it is never closed: add the partner; a text that only begins with it goes in single quotes"
    if "escape" in problem:
        return "tex-escape", "in double quotes a backslash is YAML's: use single quotes or `|`"
    if "mapping values are not allowed" in problem:
        return "yaml", 'is there a ": " inside a text? put the text in single quotes, or use `|`'
    if "tab" in problem or "'\\t'" in problem:
        return "yaml", "indent with spaces, not with tabs"
    if re.search(r"""[:-] +[@`%*&!{}\[\]>|"']""", line):
        return "yaml", "a text that begins with such a sign goes in single quotes"
    return "yaml", "compare the indentation with the lines above; quote texts with special signs"


def _named(char: str) -> str:
    name = unicodedata.name(char, "")
    return f"{name} (U+{ord(char):04X})" if name else f"sign U+{ord(char):04X}"
