"""What an author does to a quiz, as edits of its YAML: texts, keys, new and moved entries, and translations by id."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from quiz_widgets.authoring import items, splices
from quiz_widgets.authoring.overlays import reader
from quiz_widgets.authoring.overlays.texts import fingerprint
from quiz_widgets.authoring.splices import Path, SpliceError

_OPTION = ("id", "text", "value", "correct", "match", "credit", "rationale")
_GOES_WHEN_EMPTY = frozenset({"rationale", "explanation", "source", "hints"})


def value_at(value: Any, path: Path) -> Any:
    """What stands at a path of what `splices.read` gave; `None` where nothing does."""
    for step in path:
        try:
            value = value[step]
        except (KeyError, IndexError, TypeError):
            return None
    return value


def text(data: bytes, path: Path, new: str) -> bytes:
    """The quiz with another text at a path; a rationale, an explanation or a hint that is emptied goes."""
    old = value_at(splices.read(data), path)
    name = str(path[-1] if isinstance(path[-1], str) else path[-2])
    if old is None:
        if not new.strip("\n"):
            return data
        if isinstance(path[-1], int):
            return _appended(data, path[:-1], new)
        kind = value_at(splices.read(data), (*path[:2], "kind"))
        order = items.FIELDS.get(kind, items.FIELDS["single"]) if len(path) == 3 else _OPTION
        return splices.add_field(data, path[:-1], str(path[-1]), new, order)
    if not isinstance(old, str):
        raise SpliceError("a text is expected there")
    if not new.strip() and name in _GOES_WHEN_EMPTY:
        return _removed(data, path)
    # What ends a block is not to be seen in the form.
    return splices.set_text(data, path, new.rstrip("\n") + "\n" * (len(old) - len(old.rstrip("\n"))))


def key(data: bytes, item: int, right: Collection[int]) -> bytes:
    """The quiz with just these options of an item marked as right."""
    options = value_at(splices.read(data), ("items", item, "options")) or []
    for index, option in enumerate(options):
        path: Path = ("items", item, "options", index)
        now = value_at(option, ("correct",))
        if index in right and now is None:
            data = splices.add_field(data, path, "correct", "true", _OPTION)
        elif index in right and now != "true":
            data = splices.set_text(data, (*path, "correct"), "true")
        elif index not in right and now == "true":
            try:
                data = splices.remove(data, (*path, "correct"))
            except SpliceError:  # a comment stands there
                data = splices.set_text(data, (*path, "correct"), "false")
    return data


def add_option(data: bytes, item: int, words: Mapping[str, str]) -> bytes:
    """The quiz with one more option at the end of an item's."""
    path: Path = ("items", item, "options")
    options = value_at(splices.read(data), path) or []
    fresh = _fresh("option", [value_at(option, ("id",)) for option in options])
    made: splices.Value = {"id": fresh, "text": f"{words['option']} {len(options) + 1}"}
    if not options:
        return splices.add_field(data, path[:-1], "options", [made], items.FIELDS["single"])
    return splices.insert(data, path, len(options), made)


def add_item(data: bytes, index: int, words: Mapping[str, str]) -> bytes:
    """The quiz with a new question at an index: one right option, one wrong one, in the section of the one before."""
    known = value_at(splices.read(data), ("items",)) or []
    made: dict[str, splices.Value] = {"id": _fresh("question", [value_at(item, ("id",)) for item in known])}
    section = value_at(known, (index - 1, "section")) if index else None
    if section:
        made["section"] = str(section)
    made["stem"] = words["stem"]
    made["options"] = [
        {"id": "right", "text": f"{words['option']} 1", "correct": "true"},
        {"id": "wrong", "text": f"{words['option']} 2"},
    ]
    return splices.insert(data, ("items",), index, made)


def translation(
    data: bytes | None, locale: str, at: str, new: str, sources: Mapping[str, str], *, accept: bool = False
) -> bytes:
    """The translation's file with another text at the path `at`, as in ``items.adam.stem``.

    What was not there gets the hash of its source; of what was, `accept` renews it.
    """
    made = f"locale: {locale}\n".encode() if data is None else data
    path: Path = tuple(int(step) if step.isdigit() and ".hints." in at else step for step in at.split("."))
    old = value_at(splices.read(made), path)
    if isinstance(old, str) and new.rstrip("\n") != old.rstrip("\n"):
        made = splices.set_text(made, path, new.rstrip("\n") + "\n" * (len(old) - len(old.rstrip("\n"))))
    elif old is None and new.strip():
        made = _deep(made, path, new, [*sources])
    if old is not None and not accept:
        return made
    hashed: Path = ("translates", at)
    if at not in sources or (old is None and not new.strip()):
        return data if data is not None and old is None else made
    if value_at(splices.read(made), hashed) is None:
        return _deep(made, hashed, fingerprint(sources[at]), [f"translates.{path}" for path in sources])
    return splices.set_text(made, hashed, fingerprint(sources[at]))


def _deep(data: bytes, path: Path, new: str, known: list[str]) -> bytes:
    """The file with a text at a path of which only the beginning may be there."""
    value = splices.read(data)
    there = 0
    while there < len(path) - 1 and value_at(value, path[: there + 1]) not in (None, ""):
        there += 1
    if isinstance(path[-1], int) and there == len(path) - 1:
        return _appended(data, path[:-1], new)
    made: splices.Value = new
    for step in reversed(path[there + 1 :]):
        made = [made] if isinstance(step, int) else {step: made}
    if isinstance(path[-1], int) and path[-1]:
        raise SpliceError("the first of the hints has to be translated first")
    name = str(path[there])
    if value_at(value, path[: there + 1]) == "":  # its name is there, and nothing behind it
        inner = next(iter(made.items())) if isinstance(made, dict) else ("", new)
        return splices.add_field(data, path[: there + 1], *inner)
    return splices.add_field(data, path[:there], name, made, _order(path[:there], known))


def _order(path: Path, known: list[str]) -> list[str]:
    """In which order names stand below a path: that of the source."""
    if not path:
        return list(reader.FIELDS)
    if path == ("translates",):
        return [one.removeprefix("translates.") for one in known]
    before = ".".join(map(str, path)) + "."
    return list(dict.fromkeys(one.removeprefix(before).split(".")[0] for one in known if one.startswith(before)))


def _appended(data: bytes, path: Path, new: str) -> bytes:
    """A text more at the end of a list, which is made where it is missing."""
    entries = value_at(splices.read(data), path)
    if entries is None:
        kind = value_at(splices.read(data), (*path[:2], "kind"))
        return splices.add_field(data, path[:-1], str(path[-1]), [new], items.FIELDS.get(kind, items.FIELDS["single"]))
    return splices.insert(data, path, len(entries), new)


def _removed(data: bytes, path: Path) -> bytes:
    if isinstance(path[-1], int) and len(value_at(splices.read(data), path[:-1])) == 1:
        path = path[:-1]
    return splices.remove(data, path)


def _fresh(name: str, known: Collection[Any]) -> str:
    number = len(known) + 1
    while f"{name}-{number}" in known:
        number += 1
    return f"{name}-{number}"
