"""Content hashes: another hash means that old responses no longer speak about the same item."""

from __future__ import annotations

import hashlib
import json
from decimal import Decimal
from typing import Any

from quiz_widgets.locales.numbers import canonical
from quiz_widgets.model import Item, Quiz, Text


def item_hash(item: Item) -> str:
    """Sixteen hex digits over kind, source stem, option ids and texts, key with its credit, points, tolerance and draw.

    Not over the order of options (unless it is the key), rationales, explanations, hints or translations.
    """
    content: list[Any] = [
        item.kind,
        _source(item.stem),
        sorted([option.id, _source(option.text)] for option in item.options),
        list(item.key) if item.kind == "order" else sorted(item.key),
        item.credit,
        _number(item.value),
        _number(item.points),
        [item.tolerance.kind, _number(item.tolerance.amount)] if item.tolerance else None,
        sorted([name, list(values)] for name, values in item.draw.items()) if item.draw else None,
    ]
    if item.kind == "text":  # in order: the first that fits decides
        content += [[[one.id, _source(one.text), _number(one.credit)] for one in item.accept], item.match_case]
    if item.kind == "match":
        content.append(sorted([target.id, _source(target.text)] for target in item.targets))
    return _digest(content)


def quiz_hash(quiz: Quiz) -> str:
    """Sixteen hex digits over the ids and hashes of all items, in order, and the pools that draw of them."""
    pools = [[pool.id, pool.draw, list(pool.items)] for pool in quiz.pools]
    return _digest([[item.id, item.hash] for item in quiz.items] + pools)


def _digest(content: Any) -> str:
    text = json.dumps(content, ensure_ascii=True, separators=(",", ":"))
    return hashlib.sha256(text.encode("ascii")).hexdigest()[:16]


def _source(text: Text) -> str:
    return text.forms[text.source_locale].source


def _number(number: Decimal | None) -> str | None:
    """One writing for equal numbers: 1, 1.0 and 1e0 are the same key."""
    return None if number is None else canonical(number)
