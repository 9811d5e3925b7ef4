"""Recorded evidence beside a quiz: the facts that fill an item's `evidence_text`, with their day and machine."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from quiz_widgets.authoring import placeholders
from quiz_widgets.authoring.fields import Fields, listed
from quiz_widgets.locales.forms import readable
from quiz_widgets.model import Item, Recorded
from quiz_widgets.problems import Problem

FILE = "evidence.json"
Records = Mapping[str, Recorded]


def read(folder: Path) -> tuple[Records, list[Problem]]:
    """The records of the quiz in `folder` by name of evidence, and what keeps them from being read."""
    path = folder / FILE
    if not path.is_file():
        return {}, []
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
        return {name: _record(entry) for name, entry in found.items()}, []
    except (OSError, ValueError, LookupError, TypeError, AttributeError, ArithmeticError, RecursionError) as error:
        message = f"no record of evidence ({error})"
        hint = "write it again: `quiz-widgets check --evidence --record`"
        return {}, [Problem(str(path), message=message, hint=hint, rule="record")]


def add(item: Item, records: Records, fields: Fields) -> Item:
    """The item with the recorded facts that its `evidence_text` names; names that are no facts are reported."""
    record = records.get(item.evidence or "")
    if record is None or item.evidence_text is None:
        return item
    used = placeholders.names(item.evidence_text.forms[item.evidence_text.source_locale].source)
    for name in used:
        if name not in record.facts:
            near = get_close_matches(name, list(record.facts), n=3)
            hint = f"did you mean {listed(near, 'or')}?" if near else f"recorded are {listed(sorted(record.facts))}"
            message = f"`{{{name}}}` is no fact of `{item.evidence}`"
            fields.error("evidence_text", placeholders.RULE, message, hint)
    facts = {name: record.facts[name] for name in dict.fromkeys(used) if name in record.facts}
    return dataclasses.replace(item, recorded=dataclasses.replace(record, facts=facts))


def _record(entry: Mapping[str, Any]) -> Recorded:
    facts = {name: readable(fact["value"]) for name, fact in entry["facts"].items()}
    return Recorded(facts, str(entry["date"]), str(entry["machine"]))
