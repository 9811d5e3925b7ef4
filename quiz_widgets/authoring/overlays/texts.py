"""Every shown text of a quiz under a path that ids alone make, such as ``items.adam.options.twelve.text``."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection
from dataclasses import replace
from typing import Any, TypeVar

from quiz_widgets.model import Accept, Item, Option, Quiz, Slip, Target, Text

Change = Callable[[str, Text], Text]
T = TypeVar("T", Item, Option, Slip, Target, Accept)


def sources(quiz: Quiz) -> dict[str, str]:
    """All texts of a quiz as written, by path, in the order of the file. Those of guides are not among them."""
    found: dict[str, str] = {}

    def note(path: str, text: Text) -> Text:
        found[path] = text.forms[text.source_locale].source
        return text

    rebuild(quiz, note)
    return found


def rebuild(quiz: Quiz, change: Change, touched: Collection[str] | None = None) -> Quiz:
    """The quiz with every text as `change` returns it for its path; with `touched`, items of other ids stay."""
    return replace(
        quiz,
        title=change("title", quiz.title),
        description=change("description", quiz.description),
        items=tuple(_item(item, change) if touched is None or item.id in touched else item for item in quiz.items),
    )


def fingerprint(source: str) -> str:
    """Eight hex digits that change with the text, but not with how its lines are broken."""
    return hashlib.sha256(" ".join(source.split()).encode()).hexdigest()[:8]


def _item(item: Item, change: Change) -> Item:
    at = f"items.{item.id}"

    def kept(name: str, text: Text | None) -> Text | None:
        return None if text is None else change(f"{at}.{name}", text)

    def option(one: Option) -> Option:
        text = change(f"{at}.options.{one.id}.text", one.text)
        return _with(one, text=text, rationale=kept(f"options.{one.id}.rationale", one.rationale))

    def slip(one: Slip) -> Slip:
        return _with(one, rationale=change(f"{at}.slips.{one.id}.rationale", one.rationale))

    def target(one: Target) -> Target:
        return _with(one, text=change(f"{at}.targets.{one.id}.text", one.text))

    def accept(one: Accept) -> Accept:
        text = change(f"{at}.accept.{one.id}.text", one.text)
        return _with(one, text=text, rationale=kept(f"accept.{one.id}.rationale", one.rationale))

    return _with(
        item,
        stem=change(f"{at}.stem", item.stem),
        unit=kept("unit", item.unit),
        options=tuple(option(one) for one in item.options),
        targets=tuple(target(one) for one in item.targets),
        accept=tuple(accept(one) for one in item.accept),
        hints=tuple(change(f"{at}.hints.{index}", hint) for index, hint in enumerate(item.hints)),
        explanation=kept("explanation", item.explanation),
        slips=tuple(slip(one) for one in item.slips),
        evidence_text=kept("evidence_text", item.evidence_text),
        source=kept("source", item.source),
    )


def _with(value: T, **fields: Any) -> T:
    """The value with these fields; itself when it has them already, as most of a large quiz has."""
    return value if all(getattr(value, name) == field for name, field in fields.items()) else replace(value, **fields)
