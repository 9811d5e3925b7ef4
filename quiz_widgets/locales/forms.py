"""How counts and numbers are written in a locale: plural forms, decimal sign, percent.

Western digits everywhere, which is also how Arabic texts on computing write numbers, and no signs between
thousands: what is shown can be typed as it stands. `tests/cases/forms.json` holds the cases, for the page too.
"""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Literal

from quiz_widgets.locales.numbers import canonical

Plural = Literal["zero", "one", "two", "few", "many", "other"]

CATEGORIES: Mapping[str, tuple[Plural, ...]] = {
    "en": ("one", "other"),
    "tr": ("one", "other"),
    "ar": ("zero", "one", "two", "few", "many", "other"),
}
"""The plural categories that a counting message needs in each locale."""

_COMMA = frozenset({"tr"})
_PERCENT = {"tr": "%{number}", "ar": "{number}\u200e%"}  # with the mark that keeps the sign behind its number


def plural(number: int | Decimal, locale: str) -> Plural:
    """The CLDR cardinal category of a count; `KeyError` for a locale whose rules are not here.

    `number` is taken as it is shown: in English one is `1` and not `1.0`.
    """
    language = _language(locale)
    whole = number == int(number) and (isinstance(number, int) or number.as_tuple().exponent == 0)
    if language == "ar":
        return _arabic(number)
    if language == "tr":
        return "one" if number == 1 else "other"
    if language == "en":
        return "one" if number == 1 and whole else "other"
    raise KeyError(locale)


def local_number(decimal: str, locale: str) -> str:
    """A canonical decimal (``"-0.5"``) with the decimal sign of a locale; texts with more points (versions) stay."""
    return decimal.replace(".", ",") if _language(locale) in _COMMA and decimal.count(".") == 1 else decimal


def readable(value: float | str) -> str:
    """A fact as text for `local_number`: three significant digits, whole numbers whole, tiny ones by powers."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return str(value).lower()
    if value == int(value) and abs(value) < 1e15:
        return str(int(value))
    mantissa, power = f"{value:.2e}".split("e")
    exponent = int(power)
    if -4 <= exponent < 7:
        return canonical(Decimal(f"{value:.{max(0, 2 - exponent)}f}"))
    raised = str(exponent).translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))
    return f"{canonical(Decimal(mantissa))}\u00a0×\u00a010{raised}"


def local_percent(decimal: str, locale: str) -> str:
    """A canonical decimal that counts hundredths, with the percent sign where the locale has it."""
    return _PERCENT.get(_language(locale), "{number}%").format(number=local_number(decimal, locale))


def _arabic(number: int | Decimal) -> Plural:
    if number != int(number):
        return "other"
    last = int(number) % 100
    few_words: dict[int, Plural] = {0: "zero", 1: "one", 2: "two"}
    if number in few_words:
        return few_words[int(number)]
    if 3 <= last <= 10:
        return "few"
    return "many" if 11 <= last <= 99 else "other"


def _language(locale: str) -> str:
    return locale.split("-", maxsplit=1)[0]
