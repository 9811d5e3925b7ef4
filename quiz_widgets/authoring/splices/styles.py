"""A text as YAML: in the style that it had as long as that can hold it, else in the simplest that can."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from quiz_widgets.authoring.splices.spans import Value

WIDTH = 118  # columns that a line of a new or longer text takes up at most, where it can be broken
_ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t", "\r": "\\r"}


@dataclass(frozen=True, slots=True)
class Setting:
    """Where a text goes: within brackets or not, the column where it begins, and that of its further lines."""

    flow: bool
    column: int
    indent: int
    broken: bool = False
    """Whether it is spread over several lines."""
    note: str = ""
    """A comment on the line of a block's sign, with the blanks before it."""


def ways(text: str, style: str, setting: Setting) -> Iterator[str]:
    """Ways to write a text, best first; some may read as something else, so whoever takes one has to reread it."""
    folds = [">", "|"] if style == ">" else ["|", ">"]
    if style in (">", "|") and not setting.flow:
        yield from (block(text, sign, setting) for sign in folds)
    inline = [style] if style in ("", "'", '"') else []
    inline += [one for one in ("", "'") if one not in inline]
    if "\n" not in text:
        yield from (quoted for one in inline if (quoted := _inline(text, one, setting)) is not None)
    elif not setting.flow and style not in (">", "|"):
        yield from (block(text, sign, setting) for sign in folds)
    yield f"{_double(text)}{setting.note}"


def scalar(text: str, setting: Setting) -> str:
    """A new text: on its line where it fits, else as a block."""
    if not setting.flow and ("\n" in text or setting.column + len(text) > WIDTH):
        for sign in (">", "|") if "\n" not in text else ("|",):
            found = block(text, sign, setting)
            if _reads(found, text, setting.indent):
                return found
    return next(one for one in ways(text, "", setting) if _reads(one, text, setting.indent, flow=setting.flow))


def block(text: str, sign: str, setting: Setting) -> str:
    """A text behind ``|`` or ``>``, its lines indented."""
    bare = text.rstrip("\n")
    ends = len(text) - len(bare)
    chomp = "-" if not ends else "" if ends == 1 else "+"
    first = next((line for line in bare.split("\n") if line), "")
    digit = str(setting.indent - setting_parent(setting)) if first.startswith(" ") or bare.startswith("\n") else ""
    lines = bare.split("\n") if sign == "|" else _folded(bare, WIDTH - setting.indent)
    pad = " " * setting.indent
    shown = [f"{sign}{digit}{chomp}{setting.note}", *(f"{pad}{line}" if line else "" for line in lines)]
    return "\n".join([*shown, *[""] * (ends - 1)])


def setting_parent(setting: Setting) -> int:
    """The column from which a block's own digit counts; new blocks stand two further in."""
    return max(setting.indent - 2, 0)


def fields(name: str, value: Value, column: int) -> str:
    """A field whose name begins at a column."""
    shown = _name(name)
    if isinstance(value, str):
        return f"{shown}: {scalar(value, Setting(False, column + len(shown) + 2, column + 2))}"
    if not value:
        return f"{shown}: {flow(value)}"
    pad = f"\n{' ' * (column + 2)}"
    if isinstance(value, list):
        return f"{shown}:" + "".join(f"{pad}- {entry(one, column + 2)}" for one in value)
    return f"{shown}:" + "".join(f"{pad}{fields(inner, one, column + 2)}" for inner, one in value.items())


def entry(value: Value, column: int) -> str:
    """What follows the dash of an entry; the dash stands at a column."""
    if isinstance(value, str):
        return scalar(value, Setting(False, column + 2, column + 2))
    if isinstance(value, list) or not value:
        return flow(value)
    return f"\n{' ' * (column + 2)}".join(fields(name, one, column + 2) for name, one in value.items())


def flow(value: Value) -> str:
    """A value on one line, within brackets or braces."""
    if isinstance(value, str):
        return scalar(value, Setting(True, 0, 0))
    if isinstance(value, list):
        return f"[{', '.join(flow(one) for one in value)}]"
    return "{" + ", ".join(f"{_name(name)}: {flow(one)}" for name, one in value.items()) + "}"


def _name(name: str) -> str:
    return name if re.fullmatch(r"[A-Za-z0-9][\w.-]*", name, re.ASCII) else flow(name)


def _inline(text: str, style: str, setting: Setting) -> str | None:
    if style == "":
        if not text or text != text.strip():
            return None
        return _wrapped(text, setting) + setting.note
    if style == "'":
        if not all(char.isprintable() for char in text):
            return None
        return _wrapped("'" + text.replace("'", "''") + "'", setting) + setting.note
    return _wrapped(_double(text), setting) + setting.note


def _wrapped(text: str, setting: Setting) -> str:
    """The text, over several lines where it was so before or gets too long; never within braces of one line."""
    if not setting.broken and (setting.flow or setting.column + len(text) <= WIDTH):
        return text
    first, *_ = _lines(text, WIDTH - setting.column) or [text]
    rest = _lines(text[len(first) :].removeprefix(" "), WIDTH - setting.indent)
    return f"\n{' ' * setting.indent}".join([first, *rest])


def _lines(text: str, width: int) -> list[str]:
    """The text broken at spaces only; nothing else of it changes."""
    return textwrap.wrap(
        text,
        max(width, 20),
        break_long_words=False,
        break_on_hyphens=False,
        replace_whitespace=False,
        expand_tabs=False,
    )


def _folded(text: str, width: int) -> list[str]:
    """The lines of a folded block: one more line end between them than the text has."""
    lines: list[str] = []
    for index, part in enumerate(text.split("\n")):
        lines += [""] if index else []
        lines += _lines(part, width)
    return lines


def _double(text: str) -> str:
    return '"' + "".join(_ESCAPES.get(char) or (char if char.isprintable() else _escape(char)) for char in text) + '"'


def _escape(char: str) -> str:
    code = ord(char)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def _reads(written: str, text: str, indent: int, *, flow: bool = False) -> bool:
    """Whether YAML reads what is written as that text."""
    import yaml

    pad = " " * max(indent - 2, 0)
    document = f"[{written}]" if flow else f"{pad}a: {written}\n"
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        events = list(yaml.parse(document, Loader=loader))
    except yaml.YAMLError:
        return False
    found: list[Any] = [event for event in events if type(event).__name__ in ("ScalarEvent", "AliasEvent")]
    texts = [getattr(event, "value", None) for event in found]
    return texts == ([text] if flow else ["a", text]) and not any(event.anchor for event in found)
