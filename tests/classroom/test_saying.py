"""The words of the desk's pages: all of them in every language, with the same values in them, and none without use."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from string import Formatter
from typing import Any

import pytest

from quiz_widgets import locales
from quiz_widgets.classroom.desk.pages import saying
from quiz_widgets.locales import forms

PAGES = saying.FOLDER.parent
TOPICS = sorted(path.stem for path in saying.FOLDER.glob("*.json"))
WORDS = [(topic, word) for topic in TOPICS for word in json.loads((saying.FOLDER / f"{topic}.json").read_text("utf-8"))]


@pytest.mark.parametrize(("topic", "word"), WORDS)
def test_a_word_is_there_in_every_language_with_the_same_values(topic: str, word: str) -> None:
    found = saying.words(topic)[word]
    assert tuple(sorted(found)) == locales.available()
    if any(isinstance(text, Mapping) for text in found.values()):
        for locale, text in found.items():
            assert set(text) == set(forms.CATEGORIES[locale]), locale
            assert all(_values(one) <= _values(found["en"]["other"]) for one in text.values())
            assert _values(text["other"]) == _values(found["en"]["other"])
    else:
        assert len({frozenset(_values(text)) for text in found.values()}) == 1


def test_words_that_count_follow_the_language() -> None:
    for topic, word in WORDS:
        found = saying.words(topic)[word]
        if isinstance(found["ar"], Mapping):
            name = word if topic == saying.COMMON else f"{topic}.{word}"
            values: dict[str, Any] = dict.fromkeys(_values(found["en"]["other"]), "x")
            for count in (0, 1, 2, 3, 11, 100):
                assert saying.in_language("ar")(name, **(values | {"count": count}))


def test_every_word_is_used_and_every_used_word_is_there() -> None:
    known = {word if topic == saying.COMMON else f"{topic}.{word}" for topic, word in WORDS}
    used = set(_used())
    starts = {name for name in used if name.endswith("_")}  # say("message_" ~ about)
    assert {name for name in used - starts if name not in known} == set()
    unused = {name for name in known - used if not any(name.startswith(start) for start in starts)}
    assert {name for name in unused if not _named_in_code(name)} == set()


def _used() -> Iterator[str]:
    for path in [*PAGES.rglob("*.html"), *PAGES.rglob("*.py")]:
        yield from re.findall(r"""\bsay\(\s*["']([a-z0-9_.]+)["']""", path.read_text(encoding="utf-8"))


def _named_in_code(name: str) -> bool:
    """Whether a module of the pages or a template names the word as a text (`say(done)`)."""
    word = re.escape(name)
    short = re.escape(name.rpartition(".")[2])
    files: list[Path] = [*PAGES.rglob("*.html"), *PAGES.rglob("*.py"), *PAGES.rglob("*.js")]
    return any(re.search(rf"""["'](?:{word}|{short})["']""", path.read_text(encoding="utf-8")) for path in files)


def _values(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name}
