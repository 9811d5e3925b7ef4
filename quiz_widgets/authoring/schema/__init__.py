"""JSON Schemas of quiz.yaml and of its translations, for editors: made from the tables by which the reader reads.

A schema knows shapes: which fields there are, which belong to which kind, what each may hold. What depends on more
than one place (one key, unique ids, evidence) only the checker knows. Texts are whatever YAML makes of a plain
scalar: an editor reads `0.10` as a number and `true` as a truth value, the reader takes both as written.

`quiz-widgets build` writes the files beside this one. What editors say of a field stands in the tables of
docs/authoring.md, and nowhere else.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Literal

from quiz_widgets.authoring import accepted, items, options, pools, quizzes
from quiz_widgets.authoring.overlays import reader as overlays
from quiz_widgets.authoring.schema import shapes
from quiz_widgets.authoring.schema.shapes import Schema
from quiz_widgets.model import Kind

Name = Literal["quiz", "overlay"]
NAMES: tuple[Name, ...] = ("quiz", "overlay")

_DIALECT = "http://json-schema.org/draft-07/schema#"  # the one that editors' YAML servers know best
_ROW = re.compile(r"^\| `(?P<name>\w+)` \| (?P<text>.*?) \|$", re.MULTILINE)
_LINK = re.compile(r"\[([^\]]+)\]\([^)]+\)")


def file(name: Name) -> Path:
    """Where the schema lies in the installed package, for editors that are told a path."""
    return Path(__file__).parent / f"{name}.schema.json"


def generate(name: Name, docs: str) -> str:
    """The text of one schema; `docs` is docs/authoring.md."""
    words = _Words(docs)
    made = _quiz(words) if name == "quiz" else _translation(words)
    return json.dumps({"$schema": _DIALECT, **made}, ensure_ascii=False, indent=1) + "\n"


class _Words:
    """What the documentation says of each field."""

    def __init__(self, docs: str) -> None:
        self._tables: dict[str, dict[str, str]] = {}
        for table in re.finditer(r"^\| field of (?:the|an?) (\w+) \|.*\n((?:\|.*\n)+)", docs, re.MULTILINE):
            rows = {row["name"]: _LINK.sub(r"\1", row["text"]) for row in _ROW.finditer(table[2])}
            self._tables[table[1]] = rows

    def about(self, thing: str, shape: Mapping[str, Any], name: str) -> Schema:
        """The shape of a field with its description, where there is one."""
        text = self._tables.get(thing, {}).get(name)
        return {"description": text, **shape} if text else dict(shape)


def _fields(words: _Words, thing: str, names: Iterable[str], table: Mapping[str, Schema]) -> Schema:
    """Fields of which no other is allowed. One that has no shape here may hold anything."""
    return {
        "type": "object",
        "additionalProperties": False,
        "properties": {name: words.about(thing, table.get(name, {}), name) for name in names},
    }


def _quiz(words: _Words) -> Schema:
    option_fields = _union(options.FIELDS)
    nested = {
        "options": _list(2, _needing(_fields(words, "option", option_fields, shapes.OPTION), "id", "text")),
        "targets": _list(2, _needing(_fields(words, "target", options.TARGET_FIELDS, shapes.TARGET), "id", "text")),
        "accept": _list(1, _needing(_fields(words, "accept", accepted.FIELDS, shapes.ACCEPT), "id", "text")),
        "slips": _list(1, _needing(_fields(words, "slip", shapes.SLIP, shapes.SLIP), "id", "rationale")),
        "tolerance": {**_fields(words, "tolerance", shapes.TOLERANCE, shapes.TOLERANCE), **shapes.ONE_OF_THEM},
    }
    known = _union(items.FIELDS)
    item = _needing(_fields(words, "item", known, shapes.ITEM | nested), "id", "stem")
    item["allOf"] = [_of_kind(kind, known, option_fields) for kind in items.FIELDS]
    pool = _needing(_fields(words, "pool", pools.FIELDS, shapes.POOL), "draw")
    named: Schema = {"type": "object", "minProperties": 1, "propertyNames": shapes.WORD, "additionalProperties": pool}
    table = shapes.QUIZ | {"pools": named, "items": _list(1, item)}
    quiz = _needing(_fields(words, "quiz", quizzes.FIELDS, table), "id", "title", "level", "description")
    # A bank's items stand in another file.
    quiz["anyOf"] = [{"required": ["items"]}, {"required": ["pools"]}]
    return {"title": "A quiz of quiz_widgets", **quiz}


def _of_kind(kind: Kind, known: Iterable[str], option_fields: Iterable[str]) -> Schema:
    """What holds for items of one kind: fields of other kinds are refused, and its own key is needed."""
    named: Schema = {"properties": {"kind": {"const": kind}}}
    if kind != "single":  # what an item is that names no kind
        named["required"] = ["kind"]
    properties: Schema = {name: False for name in known if name not in items.FIELDS[kind]}
    if kind in options.FIELDS:
        foreign = {name: False for name in option_fields if name not in options.FIELDS[kind]}
        one = (
            {"properties": foreign, "required": ["match"]}
            if "match" in options.FIELDS[kind]
            else {"properties": foreign}
        )
        properties["options"] = {"items": one}
    return {"if": named, "then": {"properties": properties, **shapes.NEEDED.get(kind, {})}}


def _translation(words: _Words) -> Schema:
    nested = {
        "options": _by_id(_fields(words, "option", ("text", "rationale"), shapes.OPTION)),
        "targets": _by_id(_fields(words, "target", ("text",), shapes.TARGET)),
        "accept": _by_id(_fields(words, "accept", ("text", "rationale"), shapes.ACCEPT)),
        "slips": _by_id(_fields(words, "slip", ("rationale",), shapes.SLIP)),
    }
    item = _fields(words, "item", overlays.ITEM_FIELDS, shapes.ITEM | nested)
    table = shapes.TRANSLATION | {"items": _by_id(item)}
    translation = _needing(_fields(words, "translation", overlays.FIELDS, table), "locale")
    return {"title": "A translation of a quiz of quiz_widgets", **translation}


def _union(by_kind: Mapping[Kind, tuple[str, ...]]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for names in by_kind.values() for name in names))


def _needing(schema: Schema, *names: str) -> Schema:
    return {**schema, "required": list(names)}


def _list(least: int, entry: Schema) -> Schema:
    return {"type": "array", "minItems": least, "items": entry}


def _by_id(entry: Schema) -> Schema:
    return {"type": "object", "additionalProperties": {**entry, "minProperties": 1}}
