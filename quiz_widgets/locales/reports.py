"""Messages of the command and of evidence: a key with values now, a sentence in the reader's language when printed.

Terminals show plain text: in a language from right to left every value (path, name, number) stands in U+2066…U+2069,
so that its signs stay where they are and the line begins on the right. English is written as it always was.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal

from quiz_widgets import locales
from quiz_widgets.locales import bidi
from quiz_widgets.locales.forms import local_number, plural


class Number(str):
    """A number that is a text already, with its unit or not: it takes the decimal sign of the language."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Message:
    """An interface word by key, with what stands for its ``{names}``: texts, numbers, or messages themselves."""

    key: str
    values: Mapping[str, object]

    def text(self, locale: str) -> str:
        """The sentence in this locale; `count` chooses among the forms of a word that counts."""
        form = locales.words(locale)[self.key]
        if isinstance(form, dict):
            form = form[plural(int(str(self.values["count"])), locale)]
        return str(form).format_map({name: shown(value, locale) for name, value in self.values.items()})

    def __str__(self) -> str:
        return self.text(locales.SOURCE_LOCALE)


@dataclass(frozen=True, slots=True)
class AnyOf:
    """Several values of which one is meant."""

    values: tuple[object, ...]


def message(key: str, **values: object) -> Message:
    """The message ``cli_KEY`` (or ``static_…``, which pages use too) with its values."""
    return Message(key if key.startswith("static_") else f"cli_{key}", values)


def counted(key: str, count: int) -> Message:
    """The message ``cli_KEY`` for so many."""
    return message(key, count=count)


def shown(value: object, locale: str) -> str:
    """One value in a sentence of this locale."""
    if isinstance(value, Message):
        return value.text(locale)
    if isinstance(value, tuple):
        return joined("list_comma", value, locale)
    if isinstance(value, AnyOf):
        return joined("list_or", value.values, locale)
    text = str(value)
    if isinstance(value, int | float | Decimal | Number):
        text = local_number(text, locale)
    return f"{bidi.LRI}{text}{bidi.PDI}" if locales.direction(locale) == "rtl" else text


def joined(key: str, values: tuple[object, ...], locale: str) -> str:
    """Values one after another, with the sign or word ``cli_KEY`` between them."""
    return message(key).text(locale).join(shown(value, locale) for value in values)


def reader() -> str:
    """The locale of reports: `QUIZ_WIDGETS_LOCALE`, else the system's, else English."""
    return locales.of_reader(os.environ)


def say(key: str, **values: object) -> str:
    """A message for the reader of this process."""
    return message(key, **values).text(reader())
