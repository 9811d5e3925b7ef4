"""Interface words by locale: the same keys and placeholders as the English ones, and every plural form."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from quiz_widgets.authoring.fields import listed
from quiz_widgets.authoring.overlays import fidelity
from quiz_widgets.locales.forms import CATEGORIES
from quiz_widgets.problems import Problem

SOURCE = "en.json"
_PACKAGE = Path(__file__).resolve().parents[1]
FOLDERS = (_PACKAGE / "locales", _PACKAGE / "demos" / "words")
_PLACEHOLDER = re.compile(r"\{(\w+)(?::[^{}]*)?\}")
_SIGNS = ("script", "punctuation")
# The forms of numbers, not texts: each language has its own.
_OWN = frozenset({"decimal", "percent", "list_comma", "static_letters", "cli_list_comma", "cli_list_semicolon"})


def check(folders: Iterable[Path] = FOLDERS) -> list[Problem]:
    """Every fault of the words in these folders; those of the package unless told otherwise."""
    found: list[Problem] = []
    for folder in folders:
        source = json.loads((folder / SOURCE).read_text(encoding="utf-8"))
        for file in sorted(folder.glob("*.json")):
            if file.name != SOURCE:
                found += _file(file, source)
    return sorted(found)


def _file(file: Path, source: Mapping[str, object]) -> Iterator[Problem]:
    text = file.read_text(encoding="utf-8")
    try:
        words = json.loads(text)
    except json.JSONDecodeError as error:
        yield Problem(str(file), error.lineno, error.colno, message=f"no JSON: {error.msg}", rule="words")
        return
    if not isinstance(words, dict):
        yield Problem(str(file), 1, 1, message="words by key are expected", hint="begin with `{`", rule="words")
        return
    locale = file.stem
    for key in source.keys() - words.keys():
        yield Problem(
            str(file), 0, 0, key, "this message is missing", "translate it from en.json", rule="words-missing"
        )
    for key, message in words.items():
        line, column = _place(text, key)
        for rule, fault, hint in _message(source.get(key), message, locale, own=key in _OWN):
            yield Problem(str(file), line, column, key, fault, hint, rule=rule)


def _place(text: str, key: str) -> tuple[int, int]:
    """Where a key stands in the file."""
    found = re.search(rf"(?m)(?:^|[{{,])\s*({re.escape(json.dumps(key))})\s*:", text)
    if found is None:
        return 1, 1
    before = text[: found.start(1)]
    return before.count("\n") + 1, found.start(1) - before.rfind("\n")


def _message(source: object, message: object, locale: str, *, own: bool) -> Iterator[tuple[str, str, str]]:
    if source is None:
        yield "words-unknown", "English has no such message", "remove it"
    elif isinstance(message, dict) != isinstance(source, dict):
        yield "words-plural", "one has plural forms and the other has not", "give it the shape that it has in en.json"
    elif isinstance(message, dict) and isinstance(source, dict):
        yield from _plural(source, message, locale)
    elif isinstance(message, str) and isinstance(source, str):
        yield from _form(source, message, locale, own=own, counted=False)
    else:
        yield "words", "a text is expected", "put it in quotes"


def _plural(source: Mapping[str, str], message: Mapping[str, str], locale: str) -> Iterator[tuple[str, str, str]]:
    needed = CATEGORIES.get(locale.split("-", maxsplit=1)[0], ("other",))
    missing = [category for category in needed if not str(message.get(category, "")).strip()]
    if missing:
        yield "words-plural", f"the plural form {listed(missing)} is missing", f"needed are {listed(needed)}"
    if unknown := sorted(set(message) - set(needed)):
        yield "words-plural", f"no plural form is called {listed(unknown)}", f"needed are {listed(needed)}"
    for category, form in message.items():
        yield from _form(source["other"], str(form), locale, own=False, counted=category != "other")


def _form(source: str, form: str, locale: str, *, own: bool, counted: bool) -> Iterator[tuple[str, str, str]]:
    wanted, found = set(_PLACEHOLDER.findall(source)), set(_PLACEHOLDER.findall(form))
    lost = wanted - found - ({"count"} if counted else set())  # "two tries" needs no number
    if lost:
        yield "placeholder", f"dropped: {', '.join(f'`{{{name}}}`' for name in sorted(lost))}", "keep it as in en.json"
    if unknown := sorted(found - wanted):
        yield "placeholder", f"unknown placeholder {', '.join(f'`{{{name}}}`' for name in unknown)}", "see en.json"
    sentence = re.search(r"\b[a-z]{2,} [a-z]{2,}\b", _PLACEHOLDER.sub("", source))  # names, or a list of them, are none
    if not own and form == source and sentence:
        yield "unchanged", "the message is still the English one", "translate it"
    if own:
        return
    for fault in fidelity.check(form, form, locale, may_equal=True):
        if fault.rule in _SIGNS:
            yield fault.rule, fault.message, fault.hint
