"""Every shown text of a quiz under a path that ids alone make, such as ``items.adam.options.twelve.text``."""

from __future__ import annotations

import dataclasses
import hashlib
from collections.abc import Callable

from quiz_widgets.model import Item, Option, Quiz, Slip, Text

Change = Callable[[str, Text], Text]


def walk(quiz: Quiz) -> dict[str, Text]:
    """All texts of a quiz by path, in the order of the file. Those of guides are not among them."""
    found: dict[str, Text] = {}

    def note(path: str, text: Text) -> Text:
        found[path] = text
        return text

    rebuild(quiz, note)
    return found


def rebuild(quiz: Quiz, change: Change) -> Quiz:
    """The quiz with every text as `change` returns it for its path."""
    return dataclasses.replace(
        quiz,
        title=change("title", quiz.title),
        description=change("description", quiz.description),
        items=tuple(_item(item, change) for item in quiz.items),
    )


def fingerprint(source: str) -> str:
    """Eight hex digits that change with the text, but not with how its lines are broken."""
    return hashlib.sha256(" ".join(source.split()).encode()).hexdigest()[:8]


def source_of(text: Text) -> str:
    """The text as its author wrote it."""
    return text.forms[text.source_locale].source


def _item(item: Item, change: Change) -> Item:
    at = f"items.{item.id}"

    def kept(name: str, text: Text | None) -> Text | None:
        return None if text is None else change(f"{at}.{name}", text)

    def option(one: Option) -> Option:
        text = change(f"{at}.options.{one.id}.text", one.text)
        return dataclasses.replace(one, text=text, rationale=kept(f"options.{one.id}.rationale", one.rationale))

    def slip(one: Slip) -> Slip:
        return dataclasses.replace(one, rationale=change(f"{at}.slips.{one.id}.rationale", one.rationale))

    return dataclasses.replace(
        item,
        stem=change(f"{at}.stem", item.stem),
        unit=kept("unit", item.unit),
        options=tuple(option(one) for one in item.options),
        hints=tuple(change(f"{at}.hints.{index}", hint) for index, hint in enumerate(item.hints)),
        explanation=kept("explanation", item.explanation),
        slips=tuple(slip(one) for one in item.slips),
        evidence_text=kept("evidence_text", item.evidence_text),
        source=kept("source", item.source),
    )
