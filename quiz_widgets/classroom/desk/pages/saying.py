"""The pages' words: one JSON file a topic in ``words/``, each word in every language.

``live.waiting`` is the word ``waiting`` of ``words/live.json``; a name without a dot stands in
``words/pages.json``. A word that depends on a number is an object of plural forms (CLDR) and gets it as ``count``.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from quiz_widgets.locales import forms

FOLDER = Path(__file__).parent / "words"
COMMON = "pages"
Say = Callable[..., str]


@cache
def words(topic: str) -> Mapping[str, Mapping[str, Any]]:
    """All words of a topic: name, then language, then text or plural forms."""
    found: Mapping[str, Mapping[str, Any]] = json.loads((FOLDER / f"{topic}.json").read_text(encoding="utf-8"))
    return found


def in_language(locale: str) -> Say:
    """What says a word in that language."""

    def say(key: str, /, **values: object) -> str:
        topic, dot, word = key.partition(".")
        found = words(topic)[word][locale] if dot else words(COMMON)[key][locale]
        if isinstance(found, Mapping):
            count = values["count"]
            chosen = forms.plural(count, locale) if isinstance(count, int) else "other"
            found = found.get(chosen, found["other"])
        return str(found).format(**values)

    return say
