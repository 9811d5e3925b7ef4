"""The golden cases of grading as items: for Python, and through the payload for the page."""

from __future__ import annotations

import json
from decimal import Decimal
from pathlib import Path
from typing import Any

from quiz_widgets.model import Accept, Item, Option, Rendered, Target, Text, Tolerance, Variant

CASES = json.loads((Path(__file__).parent / "cases" / "grading.json").read_text(encoding="utf-8"))["cases"]


def text(words: str) -> Text:
    """English words without markup."""
    return Text({"en": Rendered(words, words, words, words)})


def patterns(written: dict[str, str]) -> Text:
    """What is accepted in each locale."""
    return Text({locale: Rendered(words, words, words, words) for locale, words in written.items()})


def item_of(case: dict[str, Any]) -> Item:
    """The item that a case speaks about."""
    tolerance, key, matches = case.get("tolerance"), case.get("key", ()), case.get("matches", {})
    return Item(
        id="item",
        kind=case["kind"],
        stem=text("?"),
        options=tuple(
            Option(id=name, text=text(name), correct=name in key, match=matches.get(name))
            for name in case.get("options", ())
        ),
        credit=case.get("credit", "exact"),
        points=Decimal(str(case["points"])),
        value=Decimal(case["value"]) if "value" in case else None,
        tolerance=Tolerance(tolerance["kind"], Decimal(tolerance["amount"])) if tolerance else None,
        variants=tuple(Variant(Decimal(v["value"]), v["slips"]) for v in case.get("variants", ())),
        accept=tuple(
            Accept(str(place), patterns(one["text"]), Decimal(one.get("credit", "1")))
            for place, one in enumerate(case.get("accept", ()))
        ),
        match_case=case.get("match_case", False),
        targets=tuple(Target(name, text(name)) for name in case.get("targets", ())),
    )
