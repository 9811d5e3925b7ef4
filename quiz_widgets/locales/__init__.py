"""Interface words, plural rules, number forms and direction of each locale (`en.json`, …)."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import Any, Literal

Direction = Literal["ltr", "rtl"]

SOURCE_LOCALE = "en"
_RTL = frozenset({"ar"})


@cache
def available() -> tuple[str, ...]:
    """Locales whose interface words exist, sorted."""
    folder = resources.files(__name__)
    return tuple(sorted(entry.name[:-5] for entry in folder.iterdir() if entry.name.endswith(".json")))


def of_system(environment: Mapping[str, str]) -> str:
    """The locale that the system's language (``ar_EG.UTF-8``) names, from `LC_ALL`, `LC_MESSAGES` or `LANG`.

    The first of them that is set decides; English where there are no words for it.
    """
    tag = next((environment[name] for name in ("LC_ALL", "LC_MESSAGES", "LANG") if environment.get(name)), "")
    language = re.split(r"[_.@-]", tag)[0].lower()
    return language if language in available() else SOURCE_LOCALE


def of_reader(environment: Mapping[str, str]) -> str:
    """The locale of what is printed: the one that `QUIZ_WIDGETS_LOCALE` names where there are words for it.

    Else it is the system's: a report in the wrong language says more than none.
    """
    named = environment.get("QUIZ_WIDGETS_LOCALE", "")
    return named if named in available() else of_system(environment)


@cache
def direction(locale: str) -> Direction:
    """The direction in which text of this locale runs."""
    return "rtl" if locale.split("-", maxsplit=1)[0] in _RTL else "ltr"


def text_direction(plain: str, locale: str) -> Direction:
    """The direction of one text: its locale's, but ``ltr`` when no letter of it is right-to-left.

    A bare ``C++``, ``14 GB`` or ``softmax()`` would otherwise be reordered in an Arabic page.
    """
    if direction(locale) == "ltr" or not any(unicodedata.bidirectional(char) in ("R", "AL") for char in plain):
        return "ltr"
    return "rtl"


@cache
def words(locale: str) -> Mapping[str, Any]:
    """Interface words of a locale by key; a value is a text with ``{names}``, or a dict of CLDR plural forms."""
    text = resources.files(__name__).joinpath(f"{locale}.json").read_text(encoding="utf-8")
    loaded: dict[str, Any] = json.loads(text)
    return loaded
