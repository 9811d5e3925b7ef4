"""Lines of CSV that spreadsheets take for nothing but texts and numbers.

RFC 4180 with a byte order mark, so that Excel reads UTF-8. Every text is quoted, no number is. A text that a
spreadsheet would take for a formula gets an apostrophe in front (OWASP, CSV injection): one that begins with
``= + - @``, also after spaces and characters that do not show, and in their full-width forms, and one that begins with
a tab or a line break. The same holds behind each semicolon, tab and line break inside: programs that take these for
separators begin a new cell there.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from datetime import datetime
from decimal import Decimal, InvalidOperation
from functools import lru_cache
from zoneinfo import ZoneInfo

Value = str | int | Decimal | None

BOM = "\ufeff"
_SIGNS = frozenset("=+-@\N{MINUS SIGN}")
_BREAKS = frozenset("\t\r\n\v\f")
_SEPARATORS = re.compile(r"([;\t\r\n])")
_NUMBER = re.compile(r"-?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]{1,3})?")
_HARMLESS = re.compile(r"[0-9A-Za-z][^;\t\r\n]*")  # most texts: begins no formula, and nothing inside begins a cell
_MOST_DIGITS = 40


def lines(rows: Iterable[Iterable[Value]]) -> Iterator[str]:
    """Each row as a line, the first one with the byte order mark."""
    mark = BOM
    for row in rows:
        yield mark + ",".join(_cell(value) for value in row) + "\r\n"
        mark = ""


def safe(text: str) -> str:
    """The text with an apostrophe wherever a spreadsheet would begin a formula."""
    if _HARMLESS.fullmatch(text):
        return text
    whole = "".join(f"'{part}" if _is_formula(part) else part for part in _SEPARATORS.split(text))
    return f"'{whole}" if text[:1] in _BREAKS else whole


def plain(number: Decimal) -> str:
    """A number in digits: no exponent, no zeros at the end."""
    text = str(number)
    if "E" in text:
        text = format(number, "f")
    return (text.rstrip("0").rstrip(".") if "." in text else text) if number else "0"


def number(text: str) -> Decimal | str:
    """What is written as a plain number as one, anything else as the text it is."""
    if len(text) > _MOST_DIGITS or not _NUMBER.fullmatch(text):
        return text
    try:
        found = Decimal(text)
    except InvalidOperation:
        return text
    return found if abs(found.adjusted()) <= _MOST_DIGITS else text


def moment(ms: int | None, zone: ZoneInfo) -> str | None:
    """A time of the desk's by RFC 3339, to the millisecond, as the clock of this zone shows it."""
    return None if ms is None else _at(ms, zone).isoformat(timespec="milliseconds")


def _at(ms: int, zone: ZoneInfo) -> datetime:
    whole, rest = divmod(ms, 1000)  # dividing in floats would lose the last digit
    return datetime.fromtimestamp(whole, zone).replace(microsecond=rest * 1000)


def _cell(value: Value) -> str:
    if value is None:
        return ""
    return _quoted(value) if isinstance(value, str) else plain(Decimal(value))


@lru_cache(8192)  # names, sections and ids come again and again
def _quoted(text: str) -> str:
    escaped = safe(text).replace('"', '""')
    return f'"{escaped}"'


def _is_formula(part: str) -> bool:
    for letter in part:
        if letter.isspace() or unicodedata.category(letter) in ("Cc", "Cf"):
            continue
        return letter in _SIGNS or unicodedata.normalize("NFKC", letter)[0] in _SIGNS
    return False
