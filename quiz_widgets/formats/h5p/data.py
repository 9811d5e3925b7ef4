"""JSON of H5P content as it comes: fields of any type where another is meant are as if they were missing."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from quiz_widgets.formats.base import Notices, Source

MAX_DEPTH = 40
QUESTIONS = frozenset({"H5P.MultiChoice", "H5P.TrueFalse"})


def load(source: Source, notices: Notices) -> dict[str, Any] | None:
    """The object that a file holds; `None` (noted) where it holds none. Never raises."""
    try:
        found = json.loads(source.text(notices), parse_int=str, parse_float=str, parse_constant=str)
    except (ValueError, RecursionError) as error:
        line = getattr(error, "lineno", 1)
        reason = getattr(error, "msg", "too many objects inside one another")
        notices.add(line, "", "json", f"this is not JSON: {reason}", "export the file again", severity="error")
        return None
    if not isinstance(found, dict):
        notices.add(1, "", "json", "this is no object of H5P", "begin it with `{`", severity="error")
        return None
    return found


def text(value: Any, name: str) -> str:
    """A field that is a text."""
    found = value.get(name) if isinstance(value, dict) else None
    return found.strip() if isinstance(found, str) else ""


def group(value: Any, name: str) -> dict[str, Any]:
    """A field that is a group."""
    found = value.get(name) if isinstance(value, dict) else None
    return found if isinstance(found, dict) else {}


def entries(value: Any, name: str) -> list[dict[str, Any]]:
    """The groups in a field that is a list."""
    found = value.get(name) if isinstance(value, dict) else None
    return [entry for entry in found if isinstance(entry, dict)] if isinstance(found, list) else []


def truth(value: Any, name: str, *, default: bool = False) -> bool:
    """A field that says yes or no."""
    found = value.get(name) if isinstance(value, dict) else None
    return found if isinstance(found, bool) else default


@dataclass(frozen=True, slots=True)
class Content:
    """Content of one library (`H5P.MultiChoice`) with its parameters and the name that its author gave it."""

    library: str
    params: dict[str, Any]
    title: str


def contents(params: Any) -> Iterator[Content]:
    """All content within other content, in order; questions are not searched."""
    stack: list[tuple[Any, int]] = [(params, 0)]
    while stack:
        value, depth = stack.pop()
        if isinstance(value, dict):
            library = text(value, "library").partition(" ")[0]
            if library and isinstance(value.get("params"), dict):
                yield Content(library, value["params"], text(group(value, "metadata"), "title"))
                if library in QUESTIONS:
                    continue
            inner = list(value.values())
        elif isinstance(value, list):
            inner = value
        else:
            continue
        if depth < MAX_DEPTH:
            stack.extend((part, depth + 1) for part in reversed(inner))
