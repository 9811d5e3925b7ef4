"""Pools: items of a quiz of which each attempt draws some, its own or those of another quiz's file, a bank.

A bank's items are added when the quiz has been checked: with their translations, and with the problems of their own
file, where they are mended.
"""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Callable, Iterable
from collections.abc import Mapping as MappingType
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path

from quiz_widgets import compiled
from quiz_widgets.authoring.fields import ID, Fields, listed
from quiz_widgets.authoring.tree import Mapping
from quiz_widgets.model import Item, Pool, Quiz
from quiz_widgets.problems import Problem

FIELDS = ("draw", "from")
Entry = tuple[Item, str | None, Fields]
"""An item, the pool that it names, and its fields."""


@dataclass(frozen=True, slots=True)
class Bank:
    """A pool whose items another file holds, as it is declared."""

    name: str
    draw: int
    fields: Fields


def has_bank(fields: Fields) -> bool:
    """Whether a quiz may be without items of its own."""
    node = fields.node.entries.get("pools")
    entries = node.entries.values() if isinstance(node, Mapping) else ()
    return any(isinstance(entry, Mapping) and "from" in entry.entries for entry in entries)


def read(fields: Fields, entries: Iterable[Entry]) -> tuple[tuple[Pool, ...], tuple[Bank, ...]]:
    """The pools of a quiz's own items, and the banks that are still to be read; faults are reported."""
    inner = fields.mapping("pools")
    declared = _declared(inner) if inner is not None else {}
    members: dict[str, list[Entry]] = {name: [] for name in declared}
    for entry in entries:
        _, name, item_fields = entry
        if name is None:
            continue
        if name not in declared:
            near = get_close_matches(name, list(declared), n=3)
            hint = f"did you mean {listed(near, 'or')}?" if near else f"declare it: `pools: {{{name}: {{draw: 1}}}}`"
            item_fields.error("pool", "pool", f"unknown pool `{name}`", hint)
        elif declared[name].fields.has("from"):
            hint = "leave `pool` out, or give the bank a pool of its own"
            item_fields.error("pool", "pool", f"the items of `{name}` are those of its bank", hint)
        else:
            members[name].append(entry)
    own = [one for one in declared.values() if not one.fields.has("from")]
    for one in own:
        _belongs(one, members[one.name])
    made = tuple(Pool(one.name, one.draw, tuple(entry[0].id for entry in members[one.name])) for one in own)
    return made, tuple(one for one in declared.values() if one.fields.has("from"))


def add(
    quiz: Quiz, banks: Iterable[Bank], path: Path | None, read_bank: Callable[[Path], tuple[Quiz | None, list[Problem]]]
) -> tuple[Quiz, list[Problem]]:
    """The quiz with the items of its banks behind its own, and the errors of their files; other faults are reported.

    `read_bank` reads a quiz's own items.
    """
    problems: list[Problem] = []
    for bank in banks:
        file = _file(bank, path)
        if file is None:
            continue
        found, errors = read_bank(file)
        problems += errors
        if found is None or errors:
            # Of whom it is remains known: the preview waits for the bank to be mended.
            empty = Pool(bank.name, bank.draw, (), found.id if found else "")
            quiz = dataclasses.replace(quiz, pools=(*quiz.pools, empty))
            continue
        taken = quiz.sets.keys() & found.sets.keys()
        if taken:
            hint = "rename one of each pair: learners' records name items by their ids"
            message = f"ids of this quiz stand in the bank too: {listed(sorted(taken))}"
            bank.fields.error("from", "bank", message, hint)
            continue
        _enough(bank, len(found.items))
        pool = Pool(bank.name, bank.draw, tuple(found.sets), found.id)
        items = tuple(dataclasses.replace(item, set=None) for item in found.items)
        quiz = dataclasses.replace(quiz, items=(*quiz.items, *items), pools=(*quiz.pools, pool))
    return dataclasses.replace(quiz, hash=compiled.quiz_hash(quiz)), problems


def _declared(inner: Fields) -> MappingType[str, Bank]:
    found: dict[str, Bank] = {}
    for name, key in inner.node.keys.items():
        if not (ID.fullmatch(name) and len(name) <= 64):
            hint = "ids are a-z, 0-9 and single hyphens, at most 64, and stay for ever"
            inner.sink.add(key, inner.path, "id", f"`{name}` is no id", hint)
        fields = inner.mapping(name)
        if fields is None:
            continue
        fields.only(FIELDS)
        fields.require("draw")
        draw = fields.decimal("draw", "write how many items an attempt shows") if fields.has("draw") else None
        if draw is not None and (draw < 1 or draw != int(draw)):
            fields.error("draw", "pool", f"{draw} items cannot be drawn", "a whole number from 1")
            draw = None
        found[name] = Bank(name, int(draw or 1), fields)
    return found


def _belongs(pool: Bank, entries: list[Entry]) -> None:
    """Report a pool of the quiz's own items that cannot be drawn from."""
    if not entries:
        hint = f"write `pool: {pool.name}` at the items that belong to it, or name a bank with `from`"
        pool.fields.sink.add(pool.fields.node, pool.fields.path, "pool", f"no item is in the pool `{pool.name}`", hint)
        return
    _enough(pool, len(entries))
    first = entries[0][0].set
    for item, _, fields in entries:
        if item.set != first:
            where = f"the set `{first}`" if first else "the main set"
            message = f"the pool `{pool.name}` begins in {where}, and this item is in another one"
            fields.error("pool", "pool", message, "keep the items of a pool in one set")


def _enough(pool: Bank, count: int) -> None:
    if pool.draw > count:
        message = f"{pool.draw} items are drawn of {count}"
        pool.fields.error("draw", "pool", message, "draw fewer, or add items to the pool")


def _file(bank: Bank, path: Path | None) -> Path | None:
    """The bank's file, shown as the quiz's own path is given; `None` (reported) where there is none to be read."""
    word = bank.fields.word("from")
    if word is None:
        return None

    if path is None:
        hint = "keep the quiz in a file of a course"
        bank.fields.error("from", "bank", "a quiz that stands alone has no bank beside it", hint)
        return None
    file = Path(os.path.normpath(path.parent / word))
    unfit = _unfit(word, file, path.resolve())
    if unfit is not None:
        bank.fields.error("from", "bank", *unfit)
        return None
    return file


def _unfit(word: str, file: Path, quiz: Path) -> tuple[str, str] | None:
    """Why a path is none of a bank, and what to write instead."""
    if "\\" in word or Path(word).is_absolute() or not word.endswith((".yaml", ".yml")):
        return f"`{word}` is no path of a quiz from here", "write it as `../bank/quiz.yaml`"
    if not file.resolve().is_relative_to(quiz.parent.parent):
        return f"`{word}` leads out of the course", "keep the bank in a folder beside this quiz's"
    if not file.is_file():
        return f"there is no `{word}`", "give the path from this quiz's folder to the bank's quiz.yaml"
    if file.resolve() == quiz:
        return "a quiz is no bank of its own", "give its items a `pool`, and leave `from` out"
    return None
