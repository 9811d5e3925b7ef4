"""Splits JavaScript into tokens: enough to drop comments and white space without ever touching a string.

Knows strings, template literals (nested), regular expressions and comments; all else is words and marks.
"""

from __future__ import annotations

import re
from dataclasses import dataclass


class JoinError(ValueError):
    """A module that cannot be joined: the message begins with file and line."""

    def __init__(self, file: str, line: int, message: str) -> None:
        super().__init__(f"{file}:{line}: {message}")


@dataclass(frozen=True, slots=True)
class Token:
    """A piece of code: its kind, its text, the line on which it starts, and the gap before it.

    `gap` is ``""``, a space or a line break: what is left of white space and comments.
    """

    kind: str  # string, template, regex, word, number, mark
    text: str
    line: int
    gap: str


_STRING = r""""(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'"""
_TOKEN = re.compile(
    rf"""(?P<space>\s+|//[^\n]*|/\*.*?\*/)
      | (?P<string>{_STRING})
      | (?P<word>[A-Za-z_$#][\w$]*)
      | (?P<number>\.?\d[\w.]*)
      | (?P<mark>=>|\.\.\.|\+\+|--|[^\s\w"'`])""",
    re.VERBOSE | re.DOTALL,
)
_QUOTED = re.compile(_STRING, re.DOTALL)
_REGEX = re.compile(r"/(?![*/])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\[\n])+/[a-z]*")
# After a value a slash divides; after one of these it begins a regular expression. `)` and `}` count as values:
# a regular expression as a statement of its own is of no use.
_BEFORE_REGEX = frozenset("(,=:[!&|?{;+-*%<>~^") | {"=>", "...", "return", "typeof", "case", "in", "of", "delete"}
_BEFORE_REGEX |= {"void", "throw", "new", "else", "do"}


def tokens(source: str, file: str) -> list[Token]:
    """The tokens of a file; `JoinError` where something does not end or cannot be read."""
    found: list[Token] = []
    position, line, gap = 0, 1, ""
    while position < len(source):
        kind, end = _next(source, position, found[-1].text if found else "(", file, line)
        text = source[position:end]
        if kind == "space":
            gap = "\n" if "\n" in text or gap == "\n" else " "
        else:
            found.append(Token(kind, text, line, gap))
            gap = ""
        line += text.count("\n")
        position = end
    return found


def _next(source: str, position: int, before: str, file: str, line: int) -> tuple[str, int]:
    """The kind of the token at `position`, and where it ends."""
    if source[position] == "`":
        end = _template_end(source, position)
        if end < 0:
            raise JoinError(file, line, "a template literal that does not end")
        return "template", end
    if before in _BEFORE_REGEX:
        regex = _REGEX.match(source, position)
        if regex:
            return "regex", regex.end()
    match = _TOKEN.match(source, position)
    if not match or (match["mark"] == "/" and source.startswith("/*", position)):
        start = source[position : position + 24].partition("\n")[0]
        raise JoinError(file, line, f"a string or comment that does not end: {start}")
    return str(match.lastgroup), match.end()


def _template_end(source: str, start: int) -> int:
    """Where a template literal ends, or -1."""
    position = start + 1
    while position < len(source):
        if source[position] == "\\":
            position += 2
        elif source[position] == "`":
            return position + 1
        elif source.startswith("${", position):
            position = _substitution_end(source, position + 2)
            if position < 0:
                return -1
        else:
            position += 1
    return -1


def _substitution_end(source: str, position: int) -> int:
    """Where the ``}`` of a ``${`` stands, plus one; braces, strings and further templates nest. -1: nowhere."""
    depth = 1
    while depth and 0 <= position < len(source):
        string = _QUOTED.match(source, position)
        if source[position] == "`":
            position = _template_end(source, position)
        elif string:
            position = string.end()
        else:
            depth += {"{": 1, "}": -1}.get(source[position], 0)
            position += 1
    return position if not depth else -1
