"""Writes an overlay: what is there stays as it is written, and what is missing is added in the source's words.

A text that still has the source's words is a problem with its place, so a translator goes from one to the next.
Each text's hash tells which source it translates; it is written for new texts, and for others only on demand.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from quiz_widgets.authoring import tree
from quiz_widgets.authoring.overlays.texts import fingerprint
from quiz_widgets.authoring.tree import Node, Scalar, Sequence

WIDTH = 120
_LEAVES = frozenset({"title", "description", "stem", "unit", "explanation", "evidence_text", "source"})
_PLAIN = re.compile(r"[^\W\d_][^:#`{}\[\]&*!|>'\"%@\n]*", re.ASCII)


@dataclass(slots=True)
class Written:
    """What an overlay holds, as it is written: lines by path, without indentation, and comments above."""

    lines: dict[str, list[str]] = field(default_factory=dict)
    comments: dict[str, list[str]] = field(default_factory=dict)
    hints: dict[str, int] = field(default_factory=dict)
    unchanged: list[str] = field(default_factory=list)
    hashes: dict[str, str] = field(default_factory=dict)


def write(
    locale: str,
    sources: Mapping[str, str],
    written: Written,
    *,
    accept: bool = False,
    given: Mapping[str, str] | None = None,
    elsewhere: frozenset[str] = frozenset(),
) -> str:
    """The overlay's whole text.

    `given` are new translations, which replace what is there; `elsewhere` are texts that are translated in other files
    (the guide's sections) and have only their hashes here; `accept` renews the hash of everything that is there.
    """
    return "\n".join(_Writer(locale, sources, written, given or {}).lines(accept=accept, elsewhere=elsewhere)) + "\n"


def read(text: str) -> Written:
    """An overlay as it is written; what it holds beside texts is lost, so it has to be free of problems."""
    document = tree.read(text.encode(), "")
    reader = _Written(list(document.lines))
    if isinstance(document.root, tree.Mapping):
        reader.mapping(document.root, "", len(document.lines))
    return reader.found


def read_file(path: Path) -> Written:
    """The same from a file; nothing when there is none."""
    return read(path.read_text(encoding="utf-8-sig")) if path.is_file() else Written()


class _Written:
    """Collects the lines of each text, and the comments above each name."""

    def __init__(self, lines: list[str]) -> None:
        self.source = lines
        self.found = Written()

    def mapping(self, node: tree.Mapping, path: str, end: int) -> None:
        keys = list(node.keys.items())
        for index, (name, key) in enumerate(keys):
            after = keys[index + 1][1].line - 1 if index + 1 < len(keys) else end
            at = f"{path}.{name}" if path else name
            self._comments(key, at)
            self._entry(node.entries[name], key, at, max(after, key.line))

    def _entry(self, node: Node, key: Scalar, at: str, end: int) -> None:
        if at == "unchanged" and isinstance(node, Sequence):
            self.found.unchanged = [entry.text for entry in node.items if isinstance(entry, Scalar)]
        elif at == "translates" and isinstance(node, tree.Mapping):
            self.found.hashes = {name: value.text for name, value in node.entries.items() if isinstance(value, Scalar)}
        elif isinstance(node, tree.Mapping):
            self.mapping(node, at, end)
        elif at != "locale":
            if isinstance(node, Sequence):
                self.found.hints[at] = len(node.items)
            self.found.lines[at] = self._raw(node, key, end)

    def _raw(self, node: Node, key: Scalar, end: int) -> list[str]:
        """The lines of one text, from its name on, without indentation."""
        first = self.source[key.line - 1]
        if first[: key.column - 1].strip():  # within braces
            return _field(key.text, node.text) if isinstance(node, Scalar) else []
        last = end
        literal = isinstance(node, Scalar) and node.style in ("literal", "folded")
        while last > key.line and self._outside(self.source[last - 1], key.column, literal=literal):
            last -= 1
        return [line[key.column - 1 :].rstrip() for line in self.source[key.line - 1 : last]]

    def _outside(self, line: str, column: int, *, literal: bool) -> bool:
        """Whether a line at the end is no part of the text: blank, or a comment."""
        bare = line.lstrip(" ")
        indent = len(line) - len(bare)
        return not bare or (bare.startswith("#") and not (literal and indent >= column))

    def _comments(self, key: Scalar, at: str) -> None:
        found: list[str] = []
        line = key.line - 1
        while line > 0 and self.source[line - 1].lstrip().startswith("#") and self._is_comment(line, key):
            found.insert(0, self.source[line - 1].strip())
            line -= 1
        if found:
            self.found.comments[at] = found

    def _is_comment(self, line: int, key: Scalar) -> bool:
        indent = len(self.source[line - 1]) - len(self.source[line - 1].lstrip())
        return indent <= key.column - 1


class _Writer:
    def __init__(self, locale: str, sources: Mapping[str, str], written: Written, given: Mapping[str, str]) -> None:
        self.locale = locale
        self.sources = sources
        self.written = written
        self.given = given

    def lines(self, *, accept: bool, elsewhere: frozenset[str]) -> Iterator[str]:
        """The overlay in the source's order."""
        yield from self.written.comments.get("locale", ())
        yield f"locale: {self.locale}"
        above: list[str] = []
        for path in self.sources:
            if path in elsewhere:
                continue
            *parents, name = path.split(".")
            if parents and parents[-1] == "hints":
                if name == "0":
                    yield from self._parents(parents[:-1], above)
                    yield from self._hints(".".join(parents), 2 * (len(parents) - 1))
                continue
            yield from self._parents(parents, above)
            yield from self._text(path, name, 2 * len(parents))
        yield from self._unchanged()
        yield from self._hashes(accept=accept, elsewhere=elsewhere)

    def _parents(self, parents: list[str], above: list[str]) -> Iterator[str]:
        """The names that open the mappings around a text, as far as they are not open yet."""
        shared = 0
        while shared < min(len(parents), len(above)) and parents[shared] == above[shared]:
            shared += 1
        for depth in range(shared, len(parents)):
            if depth <= 1 and not (depth == 1 and shared == 0):
                yield ""
            indent = " " * (2 * depth)
            yield from (indent + line for line in self.written.comments.get(".".join(parents[: depth + 1]), ()))
            yield f"{indent}{parents[depth]}:"
        above[:] = parents

    def _text(self, path: str, name: str, indent: int) -> Iterator[str]:
        lines = self.written.lines.get(path)
        if path in self.given or not lines:
            lines = _field(name, self.given.get(path, self.sources[path]), WIDTH - indent)
        comments = self.written.comments.get(path, [])
        yield from ((" " * indent + line).rstrip() for line in (*comments, *lines))

    def _hints(self, path: str, indent: int) -> Iterator[str]:
        """All hints of an item: those that are there as they stand, unless one of them is given anew."""
        count = sum(1 for known in self.sources if known.startswith(f"{path}."))
        there = self.written.hints.get(path, 0)
        lines = list(self.written.lines.get(path, ())) or ["hints:"]
        if any(f"{path}.{index}" in self.given for index in range(there)):
            entries = self._entries(lines)
            lines = ["hints:"]
            for index in range(there):
                given = self.given.get(f"{path}.{index}")
                lines += entries[index] if given is None else _entry(given, WIDTH - indent)
        for index in range(there, count):
            at = f"{path}.{index}"
            lines += _entry(self.given.get(at, self.sources[at]), WIDTH - indent)
        yield from ((" " * indent + line).rstrip() for line in (*self.written.comments.get(path, ()), *lines))

    @staticmethod
    def _entries(lines: list[str]) -> list[list[str]]:
        """The lines of each entry of a list."""
        entries: list[list[str]] = []
        dash = next((len(line) - len(line.lstrip()) for line in lines[1:] if line.lstrip().startswith("- ")), 0)
        for line in lines[1:]:
            if line.startswith(" " * dash + "- "):
                entries.append([])
            if entries:
                entries[-1].append(line)
        return entries

    def _unchanged(self) -> Iterator[str]:
        kept = [path for path in self.written.unchanged if path in self.sources]
        if kept:
            yield ""
            yield from self.written.comments.get("unchanged", ("# These read the same in both languages.",))
            yield "unchanged:"
            yield from (f"  - {path}" for path in kept)

    def _hashes(self, *, accept: bool, elsewhere: frozenset[str]) -> Iterator[str]:
        yield ""
        default = ("# Hashes of the source texts; written by `quiz-widgets translate`.",)
        yield from self.written.comments.get("translates", default)
        yield "translates:"
        for path, source in self.sources.items():
            there = path in elsewhere or self._there(path)
            kept = self.written.hashes.get(path)
            if accept or path in self.given or not there:
                yield f"  {path}: {fingerprint(source)}"
            elif kept is not None:
                yield f"  {path}: {kept}"

    def _there(self, path: str) -> bool:
        parent, _, name = path.rpartition(".")
        if parent.endswith(".hints"):
            return int(name) < self.written.hints.get(parent, 0)
        return path in self.written.lines


def _field(name: str, text: str, width: int = WIDTH) -> list[str]:
    if _PLAIN.fullmatch(text) and len(name) + len(text) + 2 <= width:
        return [f"{name}: {text}"]
    style, lines = _block(text, width - 2)
    return [f"{name}: {style}", *(f"  {line}".rstrip() for line in lines)]


def _entry(text: str, width: int) -> list[str]:
    style, lines = _block(text, width - 4)
    return [f"  - {style}", *(f"    {line}".rstrip() for line in lines)]


def _block(text: str, width: int) -> tuple[str, list[str]]:
    """A text as a folded block when folding gives it back, else line by line."""
    if text == " ".join(text.split()):
        return ">-", textwrap.wrap(text, width, break_long_words=False, break_on_hyphens=False)
    return ("|2-" if text.startswith(" ") else "|-"), text.split("\n")
