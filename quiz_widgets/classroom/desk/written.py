"""Quizzes as attempts show them, as JSON: what all attempts share is written once, and the ids of each are put into it.

What may be in it, `public` and `revealing` alone decide: they make each item once, for a drawing that stands for all,
and where its ids are, those of an attempt go. The text is that of `compiled.dump`, without line breaks.
"""

from __future__ import annotations

import json
import re
import secrets
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from threading import Lock
from typing import Any

from quiz_widgets import compiled
from quiz_widgets.classroom.desk import public, revealing
from quiz_widgets.classroom.desk.drawing import Drawing
from quiz_widgets.classroom.desk.runs import Run
from quiz_widgets.model import Item, Option, Quiz, Target

_KEPT = 32_000_000  # bytes; a revealed item in three languages has 16,000
_MARK = secrets.token_hex(16)  # in no text of anybody's
_HASH, _OPTIONS, _TARGETS = (f"{_MARK}-{what}.".encode() for what in ("hash", "options", "targets"))
_PLACE = re.compile(rf"({_MARK}-[a-z0-9]+\.)".encode())
_Pieces = Sequence[bytes]  # a text in pieces: every second one is the name of a place where an attempt's own goes
_encode = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode


def written(value: Any) -> bytes:
    """A value as the JSON of a reply."""
    return _encode(value).encode("utf-8")


class _StandIn(Drawing):
    """The drawing of no attempt: its ids are names of places."""

    def __init__(self, variant: int | None) -> None:
        super().__init__("", "")
        self._variant = variant

    def options(self, item: Item) -> dict[str, str]:
        return _places("o", item.options)

    def targets(self, item: Item) -> dict[str, str]:
        return _places("t", item.targets)

    def variant(self, _item: Item) -> int | None:
        return self._variant


def _places(what: str, parts: Sequence[Option | Target]) -> dict[str, str]:
    return {part.id: f"{_MARK}-{what}{index}." for index, part in enumerate(parts)}


@dataclass(frozen=True, slots=True)
class _Template:
    """A text with places, and the texts of its options and targets, which go into it: by their ids, if `by_id`."""

    text: _Pieces
    options: Sequence[_Pieces] = ()
    targets: Sequence[_Pieces] = ()
    by_id: bool = False

    def of(self, item: Item, drawing: Drawing, item_hash: str) -> bytes:
        """The text of the item for one attempt."""
        ids = _ids(_places("o", item.options), drawing.options(item))
        ids |= _ids(_places("t", item.targets), drawing.targets(item))
        lists = ([_filled(one, ids) for one in parts] for parts in (self.options, self.targets))
        options, targets = (b",".join(sorted(texts) if self.by_id else texts) for texts in lists)
        return _filled(self.text, {_HASH: item_hash.encode(), _OPTIONS: options, _TARGETS: targets})

    def size(self) -> int:
        """How many bytes it has."""
        return sum(len(piece) for pieces in (self.text, *self.options, *self.targets) for piece in pieces)


class Written:
    """The templates that this process has made; those that were used longest ago are forgotten."""

    def __init__(self, most: int = _KEPT) -> None:
        self._most = most
        self._known: OrderedDict[tuple[object, ...], _Template] = OrderedDict()
        self._lock = Lock()
        self.size = 0

    def quiz(self, run: Run, items: Iterable[Item], revealed: frozenset[str] = frozenset()) -> list[bytes]:
        """The quiz of one attempt with these of its items in this order; only those that are revealed have their keys.

        In pieces, so that the reply into which they go is put together once: copying is most of what is left to do.
        """
        name = f"{run.course}/{run.slug}"
        made: list[Item] = []  # for their hashes: a revealed item keeps its own, that of another is over the drawn ids
        pieces: list[bytes] = []
        for item in items:
            shown, variant = item.id in revealed, run.drawing.variant(item)
            made.append(item if shown else public.item(item, run.drawing))
            make = _revealed if shown else _public
            template = self._template((run.version, item.id, shown, variant), make, run.whole, item, variant)
            pieces += (b",", template.of(item, run.drawing, made[-1].hash))
        head = self._template((run.version, name), _head, run.whole, name)
        around = _filled(head.text, {_HASH: public.around(run.whole, name, tuple(made)).hash.encode()})
        return [around[:-1], b',"items":[', *pieces[1:], b"]}"]

    def _template(self, key: tuple[object, ...], make: Callable[..., _Template], *what: object) -> _Template:
        with self._lock:
            if (known := self._known.get(key)) is not None:
                self._known.move_to_end(key)
                return known
        made = make(*what)
        with self._lock:
            if key not in self._known:
                self._known[key] = made
                self.size += made.size()
            while self.size > self._most:
                self.size -= self._known.popitem(last=False)[1].size()
        return made


def _head(whole: Quiz, name: str) -> _Template:
    data = json.loads(compiled.dump(replace(public.around(whole, name, ()), hash=_HASH.decode())))
    del data["items"]
    return _Template(_cut(data))


def _public(whole: Quiz, item: Item, variant: int | None) -> _Template:
    # Its options stand in the order of the drawn ids, with which the text of each begins.
    return _of_item(whole, replace(public.item(item, _StandIn(variant)), hash=_HASH.decode()), by_id=True)


def _revealed(whole: Quiz, item: Item, variant: int | None) -> _Template:
    return _of_item(whole, revealing.item(item, _StandIn(variant)), by_id=False)


def _of_item(whole: Quiz, item: Item, *, by_id: bool) -> _Template:
    [data] = json.loads(compiled.dump(public.around(whole, "", (item,))))["items"]
    lists = {}
    for field, place in (("options", _OPTIONS), ("targets", _TARGETS)):
        if field in data:
            lists[field], data[field] = [_cut(part) for part in data[field]], [place.decode()]
    return _Template(_cut(data), **lists, by_id=by_id)


def _cut(data: Any) -> _Pieces:
    text = written(data)
    for place in (_OPTIONS, _TARGETS):
        text = text.replace(b'"%b"' % place, place)  # entries go there, and no text
    return _PLACE.split(text)


def _filled(pieces: _Pieces, own: Mapping[bytes, bytes]) -> bytes:
    return b"".join([own.get(piece, piece) for piece in pieces])


def _ids(places: Mapping[str, str], drawn: Mapping[str, str]) -> dict[bytes, bytes]:
    return {place.encode(): drawn[name].encode() for name, place in places.items()}
