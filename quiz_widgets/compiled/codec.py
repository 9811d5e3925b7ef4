"""Frozen values to JSON data and back, guided by their type hints alone.

Fields that hold their default are left out; a text whose forms all equal its source is a plain string.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from decimal import Decimal
from functools import cache
from types import NoneType, UnionType
from typing import Any, Literal, TypeVar, Union, cast, get_args, get_origin, get_type_hints

from quiz_widgets.model import Rendered

T = TypeVar("T")


class MismatchError(TypeError):
    """The data is not of the shape that the type hint asks for."""


def to_data(value: Any) -> Any:
    """A model value as JSON data."""
    if isinstance(value, Rendered):
        forms = {name: form for name in ("html", "preview", "plain") if (form := getattr(value, name)) != value.source}
        return {"source": value.source, **forms} if forms else value.source
    if dataclasses.is_dataclass(value):
        pairs = ((field, getattr(value, field.name)) for field in dataclasses.fields(value))
        return {field.name: to_data(entry) for field, entry in pairs if entry != _default(field)}
    if isinstance(value, Mapping):
        return {key: to_data(entry) for key, entry in value.items()}
    if isinstance(value, tuple):
        return [to_data(entry) for entry in value]
    return str(value) if isinstance(value, Decimal) else value


def from_data(kind: type[T], data: Any, where: str) -> T:
    """The value of a model class; `TypeError`, `ValueError` or `ArithmeticError` say where the data is damaged."""
    return cast("T", _value(kind, data, where))


def _value(hint: Any, data: Any, where: str) -> Any:
    if dataclasses.is_dataclass(hint):
        return _dataclass(hint, data, where)
    origin, arguments = get_origin(hint), get_args(hint)
    if origin in (Union, UnionType):
        return _union(arguments, data, where)
    if origin is Literal:
        if data not in arguments:
            raise MismatchError(f"{where} is {data!r}")
        return data
    if origin is tuple:
        return _tuple(arguments, data, where)
    if origin is not None:
        return {
            key: _value(arguments[1], entry, f"{where}.{key}") for key, entry in _checked(dict, data, where).items()
        }
    if hint is Decimal:
        return Decimal(_checked(str, data, where))
    return _checked(hint, data, where)


def _checked(kind: Any, data: Any, where: str) -> Any:
    if kind is float and type(data) is int:
        return float(data)
    if type(data) is not kind:  # exactly: a boolean is no whole number here
        raise MismatchError(f"{where} is no {kind.__name__}")
    return data


def _union(hints: tuple[Any, ...], data: Any, where: str) -> Any:
    """The first of the alternatives that fits; what the last one lacks, if none does."""
    if data is None and NoneType in hints:
        return None
    *others, last = (hint for hint in hints if hint is not NoneType)
    for hint in others:
        try:
            return _value(hint, data, where)
        except MismatchError:
            continue
    return _value(last, data, where)


def _tuple(hints: tuple[Any, ...], data: Any, where: str) -> tuple[Any, ...]:
    entries = _checked(list, data, where)
    kinds = [hints[0]] * len(entries) if hints[-1] is Ellipsis else list(hints)
    if len(kinds) != len(entries):
        raise MismatchError(f"{where} has {len(entries)} entries")
    return tuple(
        _value(kind, entry, f"{where}[{at}]") for at, (kind, entry) in enumerate(zip(kinds, entries, strict=True))
    )


def _dataclass(kind: Any, data: Any, where: str) -> Any:
    if kind is Rendered:
        if isinstance(data, str):
            return Rendered(data, data, data, data)
        source = _checked(dict, data, where).get("source")
        data = {"html": source, "preview": source, "plain": source, **data}
    hints = _hints(kind)
    if unknown := sorted(set(_checked(dict, data, where)) - set(hints)):
        raise MismatchError(f"{where} has an unknown field `{unknown[0]}`")
    required = {field.name for field in dataclasses.fields(kind) if _default(field) is dataclasses.MISSING}
    if missing := sorted(required - set(data)):
        raise MismatchError(f"{where} lacks `{missing[0]}`")
    return kind(**{name: _value(hints[name], entry, f"{where}.{name}") for name, entry in data.items()})


def _default(field: dataclasses.Field[Any]) -> Any:
    """The field's default; for a required one a value that equals nothing."""
    if field.default_factory is not dataclasses.MISSING:
        return field.default_factory()
    return field.default


@cache
def _hints(kind: type) -> dict[str, Any]:
    return get_type_hints(kind)
