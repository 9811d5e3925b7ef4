"""Edits of YAML: the new value is at its path, everything else reads as before, and bytes outside the span stay."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quiz_widgets.authoring import splices, tree
from quiz_widgets.authoring.splices import SpliceError, spans

ROOT = Path(__file__).resolve().parents[1]
ODD = (ROOT / "tests" / "editing" / "odd.yaml").read_bytes()
VARIANTS = {
    "lf": ODD,
    "crlf and mark": b"\xef\xbb\xbf" + ODD.replace(b"\n", b"\r\n"),
    "cr": ODD.replace(b"\n", b"\r"),
    "no end": ODD.rstrip(b"\n"),
    "course": (ROOT / "content" / "mixed-precision" / "quiz.yaml").read_bytes(),
    "translation": (ROOT / "content" / "mixed-precision" / "quiz.ar.yaml").read_bytes(),
}

LETTERS = st.sampled_from([*"ab:#-'\"|>&*!%@`?,[]{}\\ \n\t~=0", "é", "س", "—", " #", ": ", "- ", "\r", "\x00", "😀"])
LETTERS |= st.sampled_from(["\u2028", "\x85", "\ufeff", "\xa0"])
TEXTS = st.lists(LETTERS, max_size=12).map("".join) | st.text(max_size=200).filter(
    lambda text: not any(0xD800 <= ord(char) < 0xE000 for char in text)
)
TEXTS |= st.lists(st.sampled_from(["some", "words", "of", "a", "long: text", "it's", "$x$"]), max_size=60).map(" ".join)


def walk(value: Any, path: splices.Path = ()) -> Iterator[tuple[splices.Path, Any]]:
    yield path, value
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from walk(inner, (*path, name))
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from walk(inner, (*path, index))


def there(value: Any, path: splices.Path) -> Any:
    for step in path:
        value = value[step]
    return value


def of(kind: type, *, filled: bool = False) -> st.SearchStrategy[tuple[bytes, splices.Path]]:
    """A file, and the path of a text, a list or a mapping in it."""
    found = [
        (data, path)
        for data in VARIANTS.values()
        for path, value in walk(splices.read(data))
        if isinstance(value, kind) and (value or not filled)
    ]
    return st.sampled_from(found)


def marked(data: bytes) -> tuple[int, str]:
    text = data.decode()
    return (1, text[1:]) if text.startswith("\ufeff") else (0, text)


def same_outside(before: bytes, after: bytes, start: int, end: int) -> None:
    """Signs before `start` and behind `end` are the same; both are offsets behind the byte order mark."""
    (mark, old), (other, new) = marked(before), marked(after)
    assert mark == other
    assert new[:start] == old[:start]
    assert new.endswith(old[end:])


@settings(max_examples=150, deadline=None)
@given(of(str), TEXTS)
def test_a_text_is_replaced_and_nothing_else(where: tuple[bytes, splices.Path], new: str) -> None:
    data, path = where
    before = splices.read(data)
    leaf = spans.at(spans.read(marked(data)[1]), path)

    after = splices.set_text(data, path, new)

    wanted = copy.deepcopy(before)
    there(wanted, path[:-1])[path[-1]] = new
    assert splices.read(after) == wanted
    same_outside(data, after, leaf.start, leaf.end)
    document = tree.read(after, "x")  # what quizzes are read with says the same
    assert document.root is not None
    node: Any = document.root
    for step in path:
        node = node.items[int(step)] if isinstance(node, tree.Sequence) else node.entries[str(step)]
    assert node.text == new


@settings(max_examples=50, deadline=None)
@given(of(str), TEXTS, TEXTS)
def test_a_text_can_be_put_back(where: tuple[bytes, splices.Path], new: str, other: str) -> None:
    data, path = where
    value = splices.read(data)

    after = splices.set_text(splices.set_text(data, path, new), path, other)
    after = splices.set_text(after, path, there(value, path))

    assert splices.read(after) == value


VALUES = st.recursive(
    TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["id", "text", "a b", "no"]), inner),
    max_leaves=6,
)


@settings(max_examples=80, deadline=None)
@given(of(list, filled=True), st.data(), VALUES)
def test_an_entry_is_added(where: tuple[bytes, splices.Path], draw: st.DataObject, value: splices.Value) -> None:
    data, path = where
    before = splices.read(data)
    index = draw.draw(st.integers(0, len(there(before, path))))

    after = splices.insert(data, path, index, value)

    wanted = copy.deepcopy(before)
    there(wanted, path).insert(index, value)
    assert splices.read(after) == wanted
    only_added(data, after)


@settings(max_examples=80, deadline=None)
@given(of(dict), st.data(), VALUES)
def test_a_field_is_added(where: tuple[bytes, splices.Path], draw: st.DataObject, value: splices.Value) -> None:
    data, path = where
    before = splices.read(data)
    known_names = st.sampled_from([*there(before, path), "missing"])
    behind, ahead = (draw.draw(st.lists(known_names, max_size=2, unique=True)) for _ in range(2))

    after = splices.add_field(data, path, "fresh", value, [*behind, "fresh", *ahead])

    found: Any = there(splices.read(after), path)
    names = list(found)
    known = [name for name in behind if name in names]
    assert all(names.index(name) < names.index("fresh") for name in known)
    if not known and (first := [names.index(name) for name in ahead if name in names]):
        assert names.index("fresh") < min(first)
    assert found.pop("fresh") == value
    wanted = copy.deepcopy(before)
    stripped: Any = splices.read(after)
    del there(stripped, path)["fresh"]
    assert stripped == wanted
    only_added(data, after)


def only_added(before: bytes, after: bytes) -> None:
    """The old file is the new one with one run of signs cut out."""
    old, new = before.decode(), after.decode()
    start = next((at for at, (one, other) in enumerate(zip(old, new, strict=False)) if one != other), len(old))
    assert len(new) > len(old)
    assert any(new[:at] + new[at + len(new) - len(old) :] == old for at in range(start, -1, -1))


@settings(max_examples=50, deadline=None)
@given(of(list, filled=True), st.data())
def test_a_moved_entry_moves_its_own_signs_and_moves_back(
    where: tuple[bytes, splices.Path], draw: st.DataObject
) -> None:
    data, path = where
    before = splices.read(data)
    places = st.integers(0, len(there(before, path)) - 1)
    old, new = draw.draw(places), draw.draw(places)
    try:
        after = splices.move(data, path, old, new)
    except SpliceError:  # blank lines at the end of a `+` block count, and cannot stand everywhere
        assert b"+" in data
        return

    wanted = copy.deepcopy(before)
    entries = there(wanted, path)
    entries.insert(new, entries.pop(old))
    assert splices.read(after) == wanted
    assert sorted(after) == sorted(data)
    assert splices.move(after, path, new, old) == data


@settings(max_examples=50, deadline=None)
@given(st.one_of(of(list, filled=True), of(dict, filled=True)), st.data())
def test_what_is_removed_goes_alone_or_not_at_all(where: tuple[bytes, splices.Path], draw: st.DataObject) -> None:
    data, path = where
    before = splices.read(data)
    held = there(before, path)
    step = draw.draw(st.sampled_from(list(held) if isinstance(held, dict) else list(range(len(held)))))
    if len(held) == 1:
        with pytest.raises(SpliceError, match="nothing would be left"):
            splices.remove(data, (*path, step))
        return
    try:
        after = splices.remove(data, (*path, step))
    except SpliceError:  # where a comment would go with it
        assert b"#" in data
        return

    wanted = copy.deepcopy(before)
    del there(wanted, path)[step]
    assert splices.read(after) == wanted
    only_added(after, data)


@pytest.mark.parametrize(
    ("path", "new", "written"),
    [
        (("id",), "even", "id: even   # the name"),
        (("id",), "a: b", "id: 'a: b'   # the name"),
        (("id",), "", "id: ''   # the name"),
        (("title",), "It's", "title: 'It''s'"),
        (("items", 0, "options", 0, "text"), "a\\b", 'text: "a\\\\b", correct'),
        (("items", 0, "options", 0, "rationale"), "x", "'rationale': 'x'}   # in braces"),
        (("items", 0, "stem"), "short", "stem: >-\n      short\n    options:"),
        (("items", 0, "options", 2, "text"), "x\n  y\n", "text: |\n          x\n            y\n    # the end"),
        (("items", 1, "stem"), "x", "stem: x   # and a comment"),
        (("items", 1, "stem"), "x\ny", 'stem: "x\\ny"   # and a comment'),
        (("items", 1, "explanation"), "a\nb", "explanation: |-  # a block's own comment\n      a\n      b\n\n# The"),
        (("items", 1, "empty"), "x", "    empty: x\n"),
    ],
)
def test_the_style_stays_where_it_can_hold_the_text(path: splices.Path, new: str, written: str) -> None:
    assert written in splices.set_text(ODD, path, new).decode()


def test_line_ends_are_those_of_the_file() -> None:
    data = VARIANTS["crlf and mark"]

    after = splices.set_text(data, ("items", 0, "stem"), "one\ntwo")
    after = splices.add_field(after, ("items", 0), "explanation", "three\nfour")

    assert after.count(b"\n") == after.count(b"\r\n")
    assert b"\r\r" not in after


@pytest.mark.parametrize(
    "text",
    ["a: &x b\nc: *x\n", "a: !!str b\n", "a: b\na: c\n", "a: b\n---\nc: d\n", "a: [", "", "? [a]\n: b\n", "\x00"],
)
def test_what_an_edit_could_spoil_is_not_edited(text: str) -> None:
    with pytest.raises(SpliceError):
        splices.read(text.encode())


def test_a_block_that_ends_with_the_file_gets_no_line_end_from_what_follows_it() -> None:
    data = b"a:\n- b: x\n- b: |\n    y"

    assert splices.move(data, ("a",), 1, 0) == b"a:\n- b: |-\n    y\n- b: x"
    assert splices.insert(data, ("a",), 2, "z") == b"a:\n- b: x\n- b: |-\n    y\n- z"
    assert splices.add_field(data, (), "n", "m") == b"a:\n- b: x\n- b: |-\n    y\nn: m"


def test_bytes_that_are_no_text_are_not_edited() -> None:
    with pytest.raises(SpliceError, match="not UTF-8"):
        splices.set_text(b"a: \xff\n", ("a",), "b")


def test_half_a_character_cannot_be_written() -> None:
    with pytest.raises(SpliceError):
        splices.set_text(b"a: b\n", ("a",), "\ud800x")


@pytest.mark.parametrize("name", sorted(VARIANTS))
def test_the_same_text_changes_no_byte(name: str) -> None:
    data = VARIANTS[name]
    for path, value in walk(splices.read(data)):
        if isinstance(value, str):
            assert splices.set_text(data, path, value) == data
