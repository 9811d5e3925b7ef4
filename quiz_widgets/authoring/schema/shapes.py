"""The shape of each field in the terms of JSON Schema. Which fields there are, the reader's own tables say."""

from __future__ import annotations

from typing import Any

from quiz_widgets.authoring import accepted, claims, draws, items
from quiz_widgets.authoring.fields import DECIMAL, ID
from quiz_widgets.authoring.rules import RULES
from quiz_widgets.locales.forms import CATEGORIES
from quiz_widgets.model import KINDS, LEVELS

Schema = dict[str, Any]

# YAML's empty value is no text: a field without one is a mistake, and so is a bare `null`.
TEXT: Schema = {"type": ["string", "number", "boolean"], "pattern": r"\S"}
TEXTS: Schema = {"type": "array", "minItems": 1, "items": TEXT}
WORD: Schema = {**TEXT, "pattern": f"^{ID.pattern}$", "maxLength": 64}
NUMBER: Schema = {"type": ["number", "string"], "pattern": f"^{DECIMAL.pattern}$"}
TRUTH: Schema = {"type": ["boolean", "string"], "pattern": "^(true|false)$"}
NAME: Schema = {"pattern": f"^{claims.NAME.pattern}$"}


def _whole(most: int) -> Schema:
    return {"type": ["integer", "string"], "minimum": 1, "maximum": most, "pattern": NUMBER["pattern"]}


_COMPARED: Schema = {
    "type": "object",
    "additionalProperties": False,
    "properties": {
        "equals": NUMBER,
        "within": NUMBER,
        "at_least": NUMBER,
        "at_most": NUMBER,
        "between": {"type": "array", "minItems": 2, "maxItems": 2, "items": NUMBER},
        "is": {"type": ["string", "number", "boolean"]},
    },
    "minProperties": 1,
    "maxProperties": 2,
    "dependencies": {"within": ["equals"]},
}
_CLAIM: Schema = {
    "type": "object",
    "minProperties": 1,
    "propertyNames": NAME,
    "additionalProperties": {
        "if": {"type": "object"},
        "then": _COMPARED,
        "else": {"type": ["number", "boolean", "string"], "pattern": f"^({DECIMAL.pattern}|true|false)$"},
    },
}

# One name of a rule, with the reason why it may be broken here.
EXCEPTIONS: Schema = {
    "type": "object",
    "additionalProperties": False,
    "properties": {rule.id: {"description": rule.finds, **TEXT} for rule in RULES.values() if rule.acceptable},
}

QUIZ: dict[str, Schema] = {
    "id": WORD,
    "title": TEXT,
    "level": {"enum": list(LEVELS)},
    "description": TEXT,
    "strict": TRUTH,
    "guides": TEXTS,
    "confidence": TRUTH,
    "exceptions": EXCEPTIONS,
}
ITEM: dict[str, Schema] = {
    "id": WORD,
    "section": WORD,
    "set": WORD,
    "pool": WORD,
    "kind": {"enum": list(KINDS)},
    "stem": TEXT,
    "credit": {"enum": ["exact", "partial"]},
    "points": {**NUMBER, "exclusiveMinimum": 0, "maximum": 1000},
    "tries": _whole(items.MAX_TRIES),
    "hints": TEXTS,
    "explanation": TEXT,
    "evidence": {**TEXT, **NAME},
    "evidence_text": TEXT,
    "source": TEXT,
    "value": NUMBER,
    "unit": TEXT,
    "draw": {
        "type": "object",
        "minProperties": 1,
        "propertyNames": NAME,
        "additionalProperties": {"type": "array", "minItems": 1, "items": NUMBER},
    },
    "digits": _whole(draws.DIGITS),
    "match_case": TRUTH,
    "exceptions": EXCEPTIONS,
}
POOL: dict[str, Schema] = {
    "draw": {"type": ["integer", "string"], "minimum": 1, "pattern": NUMBER["pattern"]},
    "from": {**TEXT, "pattern": r"^[^/\\\\][^\\\\]*\.ya?ml$"},
}
OPTION: dict[str, Schema] = {
    "id": WORD,
    "text": TEXT,
    "correct": TRUTH,
    "rationale": TEXT,
    "claim": _CLAIM,
    "pin": {"enum": ["first", "last"]},
    "match": WORD,
}
TARGET: dict[str, Schema] = {"id": WORD, "text": TEXT}
ACCEPT: dict[str, Schema] = {
    "id": WORD,
    "text": TEXT,
    "credit": {**NUMBER, "minimum": 0, "maximum": 1, "pattern": rf"^({DECIMAL.pattern}|{accepted.PERCENT.pattern})$"},
    "rationale": TEXT,
    "claim": _CLAIM,
}
SLIP: dict[str, Schema] = {"id": WORD, "value": NUMBER, "rationale": TEXT}
TOLERANCE: dict[str, Schema] = {
    "absolute": {**NUMBER, "minimum": 0},
    "relative": {**NUMBER, "minimum": 0, "exclusiveMaximum": 1},
}
ONE_OF_THEM: Schema = {"minProperties": 1, "maxProperties": 1}
NEEDED: dict[str, Schema] = {
    "single": {"required": ["options"]},
    "multiple": {"required": ["options"]},
    "order": {"required": ["options"]},
    "match": {"required": ["options", "targets"]},
    "text": {"required": ["accept"]},
    "number": {"anyOf": [{"required": ["value"]}, {"required": ["draw"]}]},
}
"""By kind, what an item needs beside its `id` and `stem`."""

TRANSLATION: dict[str, Schema] = {
    "locale": {**TEXT, "pattern": f"^({'|'.join(sorted(CATEGORIES))})(-[A-Za-z-]+)?$"},
    "title": TEXT,
    "description": TEXT,
    "unchanged": TEXTS,
    "translates": {"type": "object", "additionalProperties": TEXT},
}
