"""The words of demos in each locale; a key that a locale does not have yet falls back to English."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import resources

_RTL = frozenset({"ar"})


class Words(Mapping[str, str]):
    """Texts by key for one locale. `say` fills a text's ``{names}``; `number` writes a number."""

    def __init__(self, locale: str, texts: Mapping[str, str]) -> None:
        self.locale = locale
        self.direction = "rtl" if locale.split("-", maxsplit=1)[0] in _RTL else "ltr"
        self._texts = dict(texts)

    def __getitem__(self, key: str) -> str:
        return self._texts[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._texts)

    def __len__(self) -> int:
        return len(self._texts)

    def say(self, key: str, **values: object) -> str:
        """The text of `key` with its ``{names}`` filled; numbers are given as texts made by `number`."""
        return self._texts[key].format(**values)

    def number(self, value: float, digits: int = 3) -> str:
        """A number with at most `digits` significant digits, in plain or scientific notation, as the locale writes it.

        The sign of a power of ten is a real minus, so that it is read as one.
        """
        if value == 0:
            return "0"
        if not math.isfinite(value):
            return "∞" if value > 0 else "−∞" if value < 0 else "NaN"
        if 1e-3 <= abs(value) < 1e6:
            whole = f"{value:.{digits}g}"
            # %g turns 1234 into 1.23e+03 at three digits: whole numbers are kept whole.
            text = f"{value:.0f}" if "e" in whole else whole
        else:
            mantissa, exponent = f"{value:.{max(digits - 1, 0)}e}".split("e")
            mantissa = mantissa.rstrip("0").rstrip(".") if "." in mantissa else mantissa
            text = f"{mantissa} × 10{_superscript(int(exponent))}"
        return text.replace("-", "−").replace(".", self._texts["decimal"])

    def percent(self, share: float) -> str:
        """A share of 1 in per cent, with a digit after the point under 1 % and never a false 0 or 100."""
        value = 100 * share
        if 0 < value < 0.05 or 99.95 < value < 100:
            text = "<0.1" if value < 50 else ">99.9"
        else:
            text = f"{value:.1f}" if value < 1 or 99 < value < 100 else f"{value:.0f}"
            text = text.removesuffix(".0")
        return self._texts["percent"].format(number=text.replace(".", self._texts["decimal"]))


def _superscript(number: int) -> str:
    return str(number).translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))


def power_of_two(exponent: int) -> str:
    """``2¹⁶`` and the like."""
    return f"2{_superscript(exponent)}"


@cache
def _texts(locale: str) -> dict[str, str]:
    file = resources.files(__name__).joinpath(f"{locale}.json")
    if not file.is_file():
        return {}
    loaded: dict[str, str] = json.loads(file.read_text(encoding="utf-8"))
    return loaded


def words(locale: str = "en") -> Words:
    """The words of a locale; English stands in for every key that it lacks, and for a locale that has none."""
    return Words(locale, {**_texts("en"), **_texts(locale)})
