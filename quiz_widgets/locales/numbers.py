"""Typed numbers: from what a learner writes, in the digits and signs of their locale, to one canonical decimal.

`tests/cases/numbers.json` holds the golden cases that this module and the page's script both pass.
"""

from __future__ import annotations

import re
from decimal import Decimal

MAX_LENGTH = 64  # longer texts, and exponents of three digits, are no numbers anybody means

_DECIMAL_COMMA = frozenset({"tr"})
_ARABIC = frozenset({"ar"})  # a point with Western digits, a comma in some countries

_DIGITS = {ord(digit): str(value % 10) for value, digit in enumerate("٠١٢٣٤٥٦٧٨٩۰۱۲۳۴۵۶۷۸۹")}
_SPACES = dict.fromkeys(map(ord, "\t\u00a0\u2009\u202f"), " ")
# Marks that a right-to-left keyboard puts around signs: they show nothing.
_MARKS = dict.fromkeys(map(ord, "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"), "")
_SIGNS = {ord("\u2212"): "-", ord("\u060c"): ",", ord("\u066b"): "D", ord("\u066c"): "G"}
_CLEAN = {**_DIGITS, **_SPACES, **_MARKS, **_SIGNS}

_SHAPE = re.compile(r"([+-]?)([0-9.,DG ]+)(?:[eE]([+-]?[0-9]{1,2}))?")
_BY_POINT = re.compile(r"[1-9][0-9]{0,2}([.G ])[0-9]{3}(?:\1[0-9]{3})*(?:[,D][0-9]*)?")
_BY_COMMA = re.compile(r"[1-9][0-9]{0,2}([,G ])[0-9]{3}(?:\1[0-9]{3})*(?:[.D][0-9]*)?")
_PLAIN = {
    False: re.compile(r"(?=.?[0-9])[0-9]*(?:[.D][0-9]*)?"),
    True: re.compile(r"(?=.?[0-9])[0-9]*(?:[.,D][0-9]*)?"),
}
_TWO_WAYS = {
    "tr": re.compile(r"([+-]?[1-9][0-9]{0,2})\.([0-9]{3})"),
    "ar": re.compile(r"([+-]?[1-9][0-9]{0,2}),([0-9]{3})"),
}


def decimal_comma(locale: str) -> bool:
    """Whether numbers of this locale are written ``3,5``."""
    return _language(locale) in _DECIMAL_COMMA


def canonical_number(text: str, locale: str) -> str | None:
    """The typed text as a plain decimal (``"3.5"``, ``"-0.001"``); `None` when it is no number, or might be two."""
    found = readings(text, locale)
    return found[0] if len(found) == 1 else None


def readings(text: str, locale: str) -> tuple[str, ...]:
    """What the typed text may mean, as plain decimals: nothing, one number, or a whole number and one with decimals.

    Western, Arabic-Indic and Persian digits, ``٫`` and ``٬``, spaces between thousands and exponents are read
    everywhere. A comma is the decimal sign where the locale has it so; there any point that cannot group thousands
    (``0.5``) is the decimal sign too, as in code. Arabic has the point, or the comma where it cannot group. Two
    readings has what people of a locale write for both: ``1.608`` in Turkish, ``1,608`` in Arabic.
    """
    cleaned = text.translate(_CLEAN).strip(" ")
    matched = _SHAPE.fullmatch(cleaned)
    if matched is None or len(cleaned) > MAX_LENGTH:
        return ()
    sign, body, exponent = matched.groups()
    language = _language(locale)
    either = _TWO_WAYS[language].fullmatch(cleaned) if language in _TWO_WAYS else None
    if either:
        return tuple(canonical(Decimal(sign.join(either.groups()))) for sign in ("", "."))
    if not _PLAIN[language in _DECIMAL_COMMA | _ARABIC].fullmatch(body):
        grouped = _grouped(body, language) if exponent is None else None
        if grouped is None:
            return ()
        body = body.replace(grouped, "")
    return (canonical(Decimal(f"{sign}{body.replace(',', '.').replace('D', '.')}e{exponent or 0}")),)


def _grouped(body: str, language: str) -> str | None:
    """The sign between thousands, `None` when they are not rightly grouped."""
    ways = [_BY_POINT] if language in _DECIMAL_COMMA else [_BY_COMMA]
    ways += [_BY_POINT] if language in _ARABIC else []
    found = next(filter(None, (way.fullmatch(body) for way in ways)), None)
    return found[1] if found else None


def _language(locale: str) -> str:
    return locale.split("-", maxsplit=1)[0]


def canonical(number: Decimal) -> str:
    """A decimal without exponent, needless zeros or a negative zero: the one way a number is written in records."""
    written = f"{number:f}"
    if "." in written:
        written = written.rstrip("0").rstrip(".")
    whole = written.lstrip("-").lstrip("0")
    if not whole or whole[0] == ".":
        whole = "0" + whole
    return whole if number >= 0 else "-" + whole
