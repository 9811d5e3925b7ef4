"""Reading what a learner sends: JSON of a stated shape and size, and nothing else."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from quiz_widgets.classroom.desk.refusals import Refused

DEEPEST = 8
_UNFIT = re.compile("[\x00\ud800-\udfff]")  # PostgreSQL holds no NUL, and nothing holds half a character
_WHOLE = 2**53


def is_fit(text: str) -> bool:
    """Whether every database can keep that text."""
    return not _UNFIT.search(text)


def are_fit(value: Any) -> bool:
    """Whether that is so of all texts in a value of JSON."""
    if isinstance(value, str):
        return is_fit(value)
    if isinstance(value, dict):
        return all(is_fit(name) and are_fit(inner) for name, inner in value.items())
    return not isinstance(value, list) or all(are_fit(inner) for inner in value)


def loads(data: bytes) -> Any:
    """The value in `data`; `Refused` for what is no JSON, or has doubled names, NaN, half characters or great depth."""
    try:
        value = _DECODER.decode(data.decode("utf-8"))
    except (ValueError, RecursionError):
        raise _refused("the body is no JSON that the desk reads") from None
    _fit(value, DEEPEST)
    return value


def fields(value: Any, **allowed: type | tuple[type, ...]) -> dict[str, Any]:
    """The fields of a mapping that has these and no others; a name that ends in ``_`` may be missing (without it)."""
    if not isinstance(value, Mapping):
        raise _refused("an object is expected")
    names = {name.rstrip("_"): (kind, name.endswith("_")) for name, kind in allowed.items()}
    if extra := value.keys() - names.keys():
        raise _refused(f"unknown fields: {', '.join(sorted(map(str, extra))[:5])}")
    found: dict[str, Any] = {}
    for name, (kind, optional) in names.items():
        given = value.get(name)
        if given is None and optional:
            continue
        if not isinstance(given, kind) or (isinstance(given, bool) and kind is not bool):
            raise _refused(f"`{name}` is missing or of another kind")
        found[name] = given
    return found


def _refused(message: str) -> Refused:
    return Refused("bad_request", message, status=422)


def _no_constant(name: str) -> Any:
    raise ValueError(name)


def _whole(text: str) -> int:
    number = int(text) if len(text) < 20 else _WHOLE
    if abs(number) >= _WHOLE:
        raise ValueError(text)
    return number


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) != len(pairs):
        raise ValueError("a name stands twice")
    return made


def _fit(value: Any, depth: int) -> None:
    if depth == 0:
        raise _refused("the body is nested too deep")
    if isinstance(value, str) and not is_fit(value):
        raise _refused("a text holds a character that cannot be kept")
    if isinstance(value, float) and abs(value) > _WHOLE:
        raise _refused("a number is out of range")
    if isinstance(value, dict):
        for name, inner in value.items():
            _fit(name, depth - 1)
            _fit(inner, depth - 1)
    elif isinstance(value, list):
        for inner in value:
            _fit(inner, depth - 1)


_DECODER = json.JSONDecoder(parse_constant=_no_constant, parse_int=_whole, object_pairs_hook=_once)
