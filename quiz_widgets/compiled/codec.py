"""Frozen values to JSON data and back, guided by their type hints alone.

Fields that hold their default are left out; a text whose forms all equal its source is a plain string. What a hint asks
for is worked out once and kept as a function, because every item asks for the same.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from functools import cache
from types import NoneType, UnionType
from typing import Any, Literal, TypeVar, Union, cast, get_args, get_origin, get_type_hints

from quiz_widgets.lazy import Lazy
from quiz_widgets.model import Rendered

T = TypeVar("T")
Decode = Callable[[Any], Any]


class MismatchError(TypeError):
    """The data is not of the shape that the type hint asks for; the path to it is put together on the way out."""

    def __init__(self, says: str) -> None:
        super().__init__(says)
        self.where = ""

    def below(self, step: str) -> MismatchError:
        """The same error, as seen from the value that holds the entry `step`."""
        self.where = step + self.where
        return self

    def __str__(self) -> str:
        return f"{self.where} {self.args[0]}"


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
    if isinstance(value, tuple | Lazy):
        return [to_data(entry) for entry in value]
    return str(value) if isinstance(value, Decimal) else value


def from_data(kind: type[T], data: Any, where: str) -> T:
    """The value of a model class; `TypeError`, `ValueError` or `ArithmeticError` say where the data is damaged."""
    try:
        return cast("T", _decoder(cast("Any", kind))(data))
    except MismatchError as error:
        raise error.below(where) from None


@cache
def _decoder(hint: Any) -> Decode:
    """The function that makes a value of this type hint from JSON data."""
    if dataclasses.is_dataclass(hint):
        return _of_rendered() if hint is Rendered else _of_dataclass(hint)
    origin, arguments = get_origin(hint), get_args(hint)
    if origin in (Union, UnionType):
        return _of_union(arguments)
    if origin is Literal:
        return _of_literal(arguments)
    if origin is Sequence:
        return _of_tuple(_decoder(arguments[0]))
    if origin is tuple:
        return _of_pair(arguments) if arguments[-1] is not Ellipsis else _of_tuple(_decoder(arguments[0]))
    if origin is not None:
        return _of_mapping(_decoder(arguments[1]))
    if hint is Decimal:
        return lambda data: Decimal(_checked(str, data))
    return lambda data: _checked(hint, data)


def _checked(kind: Any, data: Any) -> Any:
    if type(data) is kind:  # exactly: a boolean is no whole number here
        return data
    if kind is float and type(data) is int:
        return float(data)
    raise MismatchError(f"is no {kind.__name__}")


def _of_literal(allowed: tuple[Any, ...]) -> Decode:
    def decode(data: Any) -> Any:
        if data not in allowed:
            raise MismatchError(f"is {data!r}")
        return data

    return decode


def _of_union(hints: tuple[Any, ...]) -> Decode:
    """The first of the alternatives that fits; what the last one lacks, if none does."""
    empty = NoneType in hints
    *others, last = (_decoder(hint) for hint in hints if hint is not NoneType)

    def decode(data: Any) -> Any:
        if data is None and empty:
            return None
        for other in others:
            try:
                return other(data)
            except MismatchError:
                continue
        return last(data)

    return decode


def _of_tuple(entry: Decode) -> Decode:
    return lambda data: _entries([entry] * len(_checked(list, data)), data)


def _of_pair(hints: tuple[Any, ...]) -> Decode:
    kinds = [_decoder(hint) for hint in hints]

    def decode(data: Any) -> Any:
        if len(_checked(list, data)) != len(kinds):
            raise MismatchError(f"has {len(data)} entries")
        return _entries(kinds, data)

    return decode


def _entries(kinds: list[Decode], data: list[Any]) -> tuple[Any, ...]:
    made: list[Any] = []
    try:
        for decode, entry in zip(kinds, data, strict=True):
            made.append(decode(entry))
    except MismatchError as error:
        raise error.below(f"[{len(made)}]") from None
    return tuple(made)


def _of_mapping(entry: Decode) -> Decode:
    def decode(data: Any) -> Any:
        made = {}
        for key, one in _checked(dict, data).items():
            try:
                made[key] = entry(one)
            except MismatchError as error:
                raise error.below(f".{key}") from None
        return made

    return decode


def _of_rendered() -> Decode:
    whole = _of_dataclass(Rendered)

    def decode(data: Any) -> Any:
        if type(data) is str:
            return Rendered(data, data, data, data)
        source = _checked(dict, data).get("source")
        return whole({"html": source, "preview": source, "plain": source, **data} if "source" in data else data)

    return decode


def _of_dataclass(kind: Any) -> Decode:
    hints = get_type_hints(kind)
    decoders: dict[str, Decode] = {}  # made when a field first occurs: most quizzes use a few of them
    required = {field.name for field in dataclasses.fields(kind) if _default(field) is dataclasses.MISSING}

    def decode(data: Any) -> Any:
        if not hints.keys() >= _checked(dict, data).keys():
            raise MismatchError(f"has an unknown field `{min(data.keys() - hints.keys())}`")
        if not required <= data.keys():
            # `source` stands for the other forms of a text, so that it is what is missing.
            raise MismatchError(f"lacks `{'source' if kind is Rendered else min(required - data.keys())}`")
        made = {}
        for name, entry in data.items():
            if name not in decoders:
                decoders[name] = _decoder(hints[name])
            try:
                made[name] = decoders[name](entry)
            except MismatchError as error:
                raise error.below(f".{name}") from None
        return kind(**made)

    return decode


def _default(field: dataclasses.Field[Any]) -> Any:
    """The field's default; for a required one a value that equals nothing."""
    if field.default_factory is not dataclasses.MISSING:
        return field.default_factory()
    return field.default
