"""Typed numbers: from what a learner writes, in the digits and signs of their locale, to one canonical decimal.

`tests/cases/numbers.json` holds the golden cases that this module and the page's script both pass.
"""

from __future__ import annotations

import re
from decimal import Decimal

MAX_LENGTH = 64  # longer texts, and exponents of three digits, are no numbers anybody means

_DECIMAL_COMMA = frozenset({"ar", "tr"})
_DECIMAL_POINT_TOO = frozenset({"ar"})  # texts in Western digits have a point, in Arabic ones a comma

_DIGITS = {ord(digit): str(value % 10) for value, digit in enumerate("٠١٢٣٤٥٦٧٨٩۰۱۲۳۴۵۶۷۸۹")}
_SPACES = dict.fromkeys(map(ord, "\t\u00a0\u2009\u202f"), " ")
# Marks that a right-to-left keyboard puts around signs: they show nothing.
_MARKS = dict.fromkeys(map(ord, "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"), "")
_SIGNS = {ord("\u2212"): "-", ord("\u060c"): ",", ord("\u066b"): "D", ord("\u066c"): "G"}
_CLEAN = {**_DIGITS, **_SPACES, **_MARKS, **_SIGNS}

_SHAPE = re.compile(r"([+-]?)([0-9.,DG ]+)(?:[eE]([+-]?[0-9]{1,2}))?")
_GROUPED = {
    False: re.compile(r"[1-9][0-9]{0,2}([,G ])[0-9]{3}(?:\1[0-9]{3})*(?:[.D][0-9]*)?"),
    True: re.compile(r"[1-9][0-9]{0,2}([.G ])[0-9]{3}(?:\1[0-9]{3})*(?:[,D][0-9]*)?"),
}
_ONE_POINT = re.compile(r"[0-9]+\.[0-9]+")
_PLAIN = {
    False: re.compile(r"(?=.?[0-9])[0-9]*(?:[.D][0-9]*)?"),
    True: re.compile(r"(?=.?[0-9])[0-9]*(?:[.,D][0-9]*)?"),
}


def decimal_comma(locale: str) -> bool:
    """Whether numbers of this locale are written ``3,5``."""
    return locale.split("-", maxsplit=1)[0] in _DECIMAL_COMMA


def _one_point(body: str, locale: str) -> bool:
    return locale.split("-", maxsplit=1)[0] in _DECIMAL_POINT_TOO and _ONE_POINT.fullmatch(body) is not None


def canonical_number(text: str, locale: str) -> str | None:
    """The typed text as a plain decimal (``"3.5"``, ``"-0.001"``), or `None` when it is no number.

    Western, Arabic-Indic and Persian digits, ``٫`` and ``٬``, spaces between thousands and exponents are
    read everywhere. A comma is the decimal sign only where the locale writes it so; there a point that
    groups thousands rightly (``1.234``) groups, and any other point (``0.5``) is the decimal sign, as in code.
    Arabic texts on computing write a point with Western digits: there a single one is the decimal sign.
    """
    cleaned = text.translate(_CLEAN).strip(" ")
    matched = _SHAPE.fullmatch(cleaned)
    if matched is None or len(cleaned) > MAX_LENGTH:
        return None
    sign, body, exponent = matched.groups()
    comma = decimal_comma(locale)
    grouped = _GROUPED[comma].fullmatch(body) if exponent is None and not _one_point(body, locale) else None
    if grouped:
        body = body.replace(grouped[1], "")
    elif not _PLAIN[comma].fullmatch(body):
        return None
    return canonical(Decimal(f"{sign}{body.replace(',', '.').replace('D', '.')}e{exponent or 0}"))


def canonical(number: Decimal) -> str:
    """A decimal without exponent, needless zeros or a negative zero: the one way a number is written in records."""
    written = f"{number:f}"
    if "." in written:
        written = written.rstrip("0").rstrip(".")
    whole = written.lstrip("-").lstrip("0")
    if not whole or whole[0] == ".":
        whole = "0" + whole
    return whole if number >= 0 else "-" + whole
