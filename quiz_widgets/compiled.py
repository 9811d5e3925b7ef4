"""Compiled quizzes: the model as JSON and back. Needs the standard library only, so that showing a quiz is quick.

The JSON mirrors the model field by field; fields that hold their default are left out, and the texts' forms
that equal the source too. The same quiz always gives the same bytes.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
from collections.abc import Mapping
from decimal import Decimal
from difflib import get_close_matches
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable
from types import NoneType, UnionType
from typing import Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from quiz_widgets.model import Item, Quiz, Rendered, Text
from quiz_widgets.problems import ContentError, Problem

FORMAT = 1

T = TypeVar("T")


def dump(quiz: Quiz) -> str:
    """The quiz as JSON text, one item a line, so that a diff shows which item changed."""
    fields = _plain(quiz)
    items = fields.pop("items")
    head = json.dumps({"format": FORMAT, **fields}, ensure_ascii=False, separators=(",", ":"))
    lines = ",\n".join(json.dumps(item, ensure_ascii=False, separators=(",", ":")) for item in items)
    return f'{head[:-1]},"items":[\n{lines}\n]}}\n'


def loads(text: str, name: str = "compiled quiz") -> Quiz:
    """The quiz in a compiled text; `ContentError`, which calls it `name`, when the text is damaged."""
    hint = "compile it again with `quiz-widgets build`, or install the package again"
    try:
        raw = json.loads(text)
        if not isinstance(raw, dict):
            raise TypeError("the whole is no object")
        found = raw.pop("format", None)
        if found != FORMAT:
            raise ValueError(f"its format is {found!r}, and this version reads {FORMAT}")
        return _made(Quiz, raw, "quiz")
    except (ValueError, TypeError, ArithmeticError, RecursionError) as error:
        message = f"damaged: {error}" if str(error) else "damaged"
        raise ContentError([Problem(name, message=message, hint=hint, rule="compiled")]) from None


def names() -> list[str]:
    """Ids of the course's quizzes, sorted."""
    folder = _course()
    if not folder.is_dir():
        return []
    return sorted(entry.name[:-5] for entry in folder.iterdir() if entry.name.endswith(".json"))


def read(name: str) -> Quiz:
    """The course's quiz of that id; `ContentError` with near matches when there is none."""
    known = names()
    if name not in known:
        near = get_close_matches(name, known, n=3)
        hint = f"did you mean {' or '.join(near)}?" if near else f"the course has: {', '.join(known) or 'none'}"
        raise ContentError([Problem(name, message="there is no such quiz in the course", hint=hint, rule="name")])
    try:
        text = _course().joinpath(f"{name}.json").read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        hint = "install the package again"
        raise ContentError([Problem(f"{name}.json", message=f"cannot be read: {error}", hint=hint)]) from None
    return loads(text, f"{name}.json")


def item_hash(item: Item) -> str:
    """The content hash: another one means that old responses no longer speak about the same item.

    It covers kind, source stem, option ids and texts, key (with its credit), points, tolerance and draw; not
    the order of options, rationales, explanations, hints or translations.
    """
    content = [
        item.kind,
        _source(item.stem),
        sorted([option.id, _source(option.text)] for option in item.options),
        sorted(item.key),
        item.credit,
        _number(item.value),
        _number(item.points),
        [item.tolerance.kind, _number(item.tolerance.amount)] if item.tolerance else None,
        sorted([name, list(values)] for name, values in item.draw.items()) if item.draw else None,
    ]
    return _digest(content)


def quiz_hash(quiz: Quiz) -> str:
    """The content hash over all items, in order."""
    return _digest([[item.id, item.hash] for item in quiz.items])


def _digest(content: Any) -> str:
    text = json.dumps(content, ensure_ascii=True, separators=(",", ":"))
    return hashlib.sha256(text.encode("ascii")).hexdigest()[:16]


def _source(text: Text) -> str:
    return text.forms[text.source_locale].source


def _number(number: Decimal | None) -> str | None:
    """One writing for equal numbers: 1, 1.0 and 1e0 are the same key."""
    return None if number is None else f"{number.normalize():f}"


def _course() -> Traversable:
    return resources.files("quiz_widgets").joinpath("course")


def _plain(value: Any) -> Any:
    """A model value as JSON data."""
    if isinstance(value, Rendered):
        forms = {name: form for name in ("html", "preview", "plain") if (form := getattr(value, name)) != value.source}
        return {"source": value.source, **forms} if forms else value.source
    if dataclasses.is_dataclass(value):
        return {
            field.name: _plain(getattr(value, field.name))
            for field in dataclasses.fields(value)
            if getattr(value, field.name) != _default(field)
        }
    if isinstance(value, Mapping):
        return {key: _plain(entry) for key, entry in value.items()}
    if isinstance(value, tuple):
        return [_plain(entry) for entry in value]
    return str(value) if isinstance(value, Decimal) else value


def _default(field: dataclasses.Field[Any]) -> Any:
    """The field's default; for a required one a value that equals nothing."""
    if field.default_factory is not dataclasses.MISSING:
        return field.default_factory()
    return field.default


def _made(kind: Any, value: Any, where: str) -> Any:
    """The model value of a type hint that JSON data stands for; `TypeError` or `ValueError` say where it does not."""
    if kind is Rendered:
        if isinstance(value, str):
            return Rendered(value, value, value, value)
        value = (
            {**dict.fromkeys(("html", "preview", "plain"), value.get("source")), **value}
            if isinstance(value, dict)
            else value
        )
    if dataclasses.is_dataclass(kind):
        return _dataclass(kind, value, where)
    origin, arguments = get_origin(kind), get_args(kind)
    if origin in (Union, UnionType):
        return _union(arguments, value, where)
    if origin is Literal:
        if value not in arguments:
            raise ValueError(f"{where} is {value!r}")
        return value
    if origin is tuple:
        if not isinstance(value, list):
            raise TypeError(f"{where} is no list")
        kinds = [arguments[0]] * len(value) if arguments[-1] is Ellipsis else list(arguments)
        if len(kinds) != len(value):
            raise TypeError(f"{where} has {len(value)} entries")
        return tuple(
            _made(one, entry, f"{where}[{index}]") for index, (one, entry) in enumerate(zip(kinds, value, strict=True))
        )
    if origin is not None:  # a Mapping
        if not isinstance(value, dict):
            raise TypeError(f"{where} is no object")
        return {key: _made(arguments[1], entry, f"{where}.{key}") for key, entry in value.items()}
    if kind is Decimal:
        if not isinstance(value, str):
            raise TypeError(f"{where} is no decimal text")
        return Decimal(value)
    if kind is float and isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
        raise TypeError(f"{where} is no {kind.__name__}")
    return value


def _union(kinds: tuple[Any, ...], value: Any, where: str) -> Any:
    if value is None and NoneType in kinds:
        return None
    for kind in kinds:
        if kind is NoneType:
            continue
        try:
            return _made(kind, value, where)
        except TypeError as error:
            last = error
    raise last


def _dataclass(kind: Any, value: Any, where: str) -> Any:
    if not isinstance(value, dict):
        raise TypeError(f"{where} is no object")
    hints = _hints(kind)
    if unknown := sorted(set(value) - set(hints)):
        raise ValueError(f"{where} has an unknown field {unknown[0]!r}")
    required = [field.name for field in dataclasses.fields(kind) if _default(field) is dataclasses.MISSING]
    if missing := sorted(set(required) - set(value)):
        raise ValueError(f"{where} lacks {missing[0]!r}")
    return kind(**{name: _made(hints[name], entry, f"{where}.{name}") for name, entry in value.items()})


@cache
def _hints(kind: type) -> dict[str, Any]:
    return get_type_hints(kind)
