"""Compiled quizzes: the model as JSON and back. Needs the standard library only, so that showing a quiz is quick.

The JSON mirrors the model field by field, and the same quiz always gives the same bytes.
"""

from __future__ import annotations

import json
from importlib import resources
from importlib.resources.abc import Traversable
from typing import Any

from quiz_widgets.compiled import codec
from quiz_widgets.compiled.hashes import item_hash, quiz_hash
from quiz_widgets.model import Quiz
from quiz_widgets.problems import ContentError, Problem

__all__ = ["FORMAT", "dump", "item_hash", "loads", "names", "quiz_hash", "read"]

FORMAT = 1


def dump(quiz: Quiz) -> str:
    """The quiz as JSON text, one item a line, so that a diff shows which item changed."""
    fields = codec.to_data(quiz)
    items = fields.pop("items")
    head = _json({"format": FORMAT, **fields})
    lines = ",\n".join(_json(item) for item in items)
    return f'{head[:-1]},"items":[\n{lines}\n]}}\n'


def loads(text: str, name: str = "compiled quiz") -> Quiz:
    """The quiz in a compiled text; `ContentError`, which calls it `name`, when the text is damaged."""
    try:
        raw = json.loads(text)
        found = raw.pop("format", None) if isinstance(raw, dict) else None
        if found == FORMAT:
            return codec.from_data(Quiz, raw, "quiz")
        message = f"its format is {found!r}, and this version reads {FORMAT}"
    except (ValueError, TypeError, ArithmeticError, RecursionError) as error:
        message = f"damaged: {error or type(error).__name__}"
    hint = "compile it again with `quiz-widgets build`, or install the package again"
    raise ContentError([Problem(name, message=message, hint=hint, rule="compiled")])


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
        from difflib import get_close_matches  # only for a mistake

        near = get_close_matches(name, known, n=3)
        hint = f"did you mean {' or '.join(near)}?" if near else f"the course has: {', '.join(known) or 'none'}"
        raise ContentError([Problem(name, message="there is no such quiz in the course", hint=hint, rule="name")])
    try:
        text = _course().joinpath(f"{name}.json").read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        message = f"cannot be read: {error}"
        hint = "install the package again"
        raise ContentError([Problem(f"{name}.json", message=message, hint=hint, rule="compiled")]) from None
    return loads(text, f"{name}.json")


def _course() -> Traversable:
    return resources.files("quiz_widgets").joinpath("course")


def _json(data: Any) -> str:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))
