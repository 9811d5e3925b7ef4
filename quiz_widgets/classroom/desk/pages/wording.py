"""Questions and answers as plain words of a page: each text with its own language and direction, and no markup.

A bundle is somebody's upload: what it holds is shown as text alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from quiz_widgets import locales
from quiz_widgets.classroom.desk.exports.cells import plain
from quiz_widgets.model import Item, Text
from quiz_widgets.payload import fill_numbers


@dataclass(frozen=True, slots=True)
class Words:
    """A text with its language (empty for what somebody typed) and its direction."""

    text: str
    lang: str = ""
    dir: str = "auto"


def words(text: Text, locale: str, numbers: Mapping[str, str] | None = None) -> Words:
    """A quiz's text as a reader of `locale` sees it, with the numbers that were drawn."""
    shown = text.resolve(locale)
    filled = fill_numbers(text.forms[shown].plain, numbers or {}, shown, escape=False)
    return Words(filled, shown, locales.text_direction(filled, shown))


def stem(item: Item, locale: str, variant: int | None = None) -> Words:
    """The question of an item; `variant` is the index of the drawn one."""
    return words(item.stem, locale, None if variant is None else item.variants[variant].numbers)


def response(item: Item | None, chosen: Sequence[str], locale: str) -> list[Words]:
    """A response, part by part. What names nothing that the item has stands as it was sent."""
    if item is None or item.kind == "text":
        return [Words(part) for part in chosen]
    if item.kind == "number":
        unit = None if item.unit is None else words(item.unit, locale).text
        return [Words(f"{part} {unit}" if unit else part, dir="ltr") for part in chosen]
    options = {option.id: words(option.text, locale) for option in item.options}
    if item.kind != "match":
        return [options.get(part, Words(part)) for part in chosen]
    targets = {target.id: words(target.text, locale) for target in item.targets}
    return [_pair(options.get(p, Words(p)), targets.get(t, Words(t))) for p, _, t in (c.partition(":") for c in chosen)]


def key(item: Item, locale: str) -> list[Words]:
    """What the author's key is; nothing for a number that is drawn, which has another one in each variant."""
    if item.kind == "number":
        within = "" if item.tolerance is None or not item.tolerance.amount else f" ± {plain(item.tolerance.amount)}"
        within += " × " + plain(item.value) if within and item.value is not None and _relative(item) else ""
        return [] if item.value is None else [Words(f"{plain(item.value)}{within}", dir="ltr")]
    if item.kind == "text":
        return [words(one.text, locale) for one in item.accept if one.credit]
    return response(item, item.key, locale)


def _relative(item: Item) -> bool:
    return item.tolerance is not None and item.tolerance.kind == "relative"


def _pair(prompt: Words, target: Words) -> Words:
    return Words(f"{prompt.text}: {target.text}", prompt.lang if prompt.lang == target.lang else "", prompt.dir)
