"""Compiled quizzes: the model as JSON and back. Needs the standard library only, so that showing a quiz is quick.

The JSON mirrors the model field by field, and the same quiz always gives the same bytes. A quiz of the course is a file
of its own, one item a line; a line begins with the item's id and set, so items that are not shown are never parsed.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from decimal import Decimal
from importlib import resources
from importlib.resources.abc import Traversable
from typing import Any

from quiz_widgets.compiled import codec
from quiz_widgets.compiled.hashes import item_hash, quiz_hash
from quiz_widgets.lazy import Lazy
from quiz_widgets.model import Item, Quiz
from quiz_widgets.problems import ContentError, Problem

__all__ = ["FORMAT", "dump", "item_hash", "loads", "names", "points", "quiz_hash", "read"]

FORMAT = 1
_OPENS = b',"items":['
# A set that cannot be told here makes no match, and the file is read whole.
_BEGINS = re.compile(rb'\{"id":"([a-z0-9-]+)"(?:,"set":"([a-z0-9-]+)")?,(?!"set")')


def dump(quiz: Quiz) -> str:
    """The quiz as JSON text, one item a line, so that a diff shows which item changed."""
    fields = codec.to_data(quiz)
    items = fields.pop("items")
    head = _json({"format": FORMAT, **fields})
    lines = ",\n".join(_json(item) for item in items)
    return f"{head[:-1]}{_OPENS.decode()}\n{lines}\n]}}\n"


def loads(text: str, name: str = "compiled quiz") -> Quiz:
    """The quiz in a compiled text; `ContentError`, which calls it `name`, when the text is damaged."""
    with _whole(name):
        raw = json.loads(text)
        found = raw.pop("format", None) if isinstance(raw, dict) else None
        if found != FORMAT:
            raise ValueError(f"its format is {found!r}, and this version reads {FORMAT}")
        return codec.from_data(Quiz, raw, "quiz")


def points(text: str, name: str = "compiled quiz") -> dict[str, Decimal] | None:
    """The points of each item, by id, in a compiled text; `None` where attempts draw some of the items.

    For whoever needs no more of many quizzes: a fraction of the time of `loads`, and little of what that looks at.
    """
    with _whole(name):
        raw = json.loads(text)
        if raw.get("pools"):
            return None
        return {item["id"]: Decimal(item.get("points", 1)) for item in raw["items"]}


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
    file = f"{name}.json"
    try:
        data = _course().joinpath(file).read_bytes()
        return _by_line(data, file) or loads(data.decode("utf-8"), file)
    except (OSError, UnicodeDecodeError) as error:
        message = f"cannot be read: {error}"
        hint = "install the package again"
        raise ContentError([Problem(file, message=message, hint=hint, rule="compiled")]) from None


def _by_line(data: bytes, name: str) -> Quiz | None:
    """The quiz in what `dump` wrote, each item read when it is asked for; `None` when it has another layout."""
    head, *lines = data.removesuffix(b"\n]}\n").split(b"\n")
    begins = [begin for line in lines if (begin := _BEGINS.match(line)) is not None]
    sets = {begin[1].decode(): begin[2].decode() if begin[2] else None for begin in begins}
    if not head.endswith(_OPENS) or len(sets) != len(lines):
        return None

    def item(index: int) -> Item:
        with _whole(name):
            return codec.from_data(Item, json.loads(lines[index].removesuffix(b",")), f"quiz.items[{index}]")

    quiz = loads(head.decode("utf-8") + "]}", name)
    return replace(quiz, items=Lazy(sets, item))


@contextmanager
def _whole(name: str) -> Iterator[None]:
    """Say of damage in which file it is, and what to do."""
    try:
        yield
    except (ValueError, TypeError, ArithmeticError, RecursionError) as error:
        message = f"damaged: {error or type(error).__name__}"
        hint = "compile it again with `quiz-widgets build`, or install the package again"
        raise ContentError([Problem(name, message=message, hint=hint, rule="compiled")]) from None


def _course() -> Traversable:
    return resources.files("quiz_widgets").joinpath("course")


def _json(data: Any) -> str:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))
