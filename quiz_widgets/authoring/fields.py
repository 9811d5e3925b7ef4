"""Typed access to the fields of a mapping: each wrong one becomes a problem at its place, and reading goes on."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from decimal import Decimal
from difflib import get_close_matches

from quiz_widgets import markup
from quiz_widgets.authoring.tree import Document, Mapping, Node, Scalar, Sequence
from quiz_widgets.model import Rendered, Text
from quiz_widgets.problems import Problem

ID = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
DECIMAL = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]{1,2})?")
_KIND = {Scalar: "a text", Sequence: "a list", Mapping: "fields"}

NO_TEXT = Text({"en": Rendered("", "", "", "")})
"""Stands where a text is missing, so that reading goes on; a quiz with problems is never handed out."""


@dataclass(slots=True)
class Sink:
    """Collects the problems of one file."""

    document: Document
    problems: list[Problem] = field(default_factory=list)

    @property
    def errors(self) -> int:
        """How many problems make the file unfit."""
        return sum(problem.severity == "error" for problem in self.problems)

    def add(self, node: Node, path: str, rule: str, message: str, hint: str = "") -> None:
        """A problem at a node's place; how much it weighs is its rule's."""
        self.add_at(node.line, node.column, path, rule, message, hint)

    def add_at(self, line: int, column: int, path: str, rule: str, message: str, hint: str) -> None:
        """A problem at any place of the file."""
        from quiz_widgets.authoring.rules import RULES  # which look at fields

        severity = RULES[rule].severity if rule in RULES else "error"
        self.problems.append(Problem(self.document.file, line, column, path, message, hint, severity, rule))


@dataclass(frozen=True, slots=True)
class Fields:
    """One mapping with its path in the document."""

    node: Mapping
    path: str
    sink: Sink

    def at(self, name: str) -> str:
        """The path of a field."""
        return f"{self.path}.{name}" if self.path else name

    def has(self, name: str) -> bool:
        """Whether the field is there at all."""
        return name in self.node.entries

    def lacks(self, name: str) -> bool:
        """Whether the field is missing, and not merely misspelt, which `only` reports."""
        return not self.has(name) and not get_close_matches(name, list(self.node.entries), n=1, cutoff=0.8)

    def key(self, name: str) -> Node:
        """Where the field's name stands; the mapping itself when it is missing."""
        return self.node.keys.get(name, self.node)

    def place(self, name: str) -> Node:
        """Where the field's value stands; the mapping itself when it is missing."""
        return self.node.entries.get(name, self.node)

    def error(self, name: str, rule: str, message: str, hint: str = "") -> None:
        """A problem with a field's value."""
        self.sink.add(self.place(name), self.at(name), rule, message, hint)

    def only(self, allowed: Collection[str]) -> None:
        """Report fields that are not in `allowed`."""
        for name, key in self.node.keys.items():
            if name not in allowed:
                near = get_close_matches(name, list(allowed), n=3)
                hint = f"did you mean {listed(near, 'or')}?" if near else f"allowed are {listed(allowed)}"
                self.sink.add(key, self.path, "unknown-field", f"unknown field `{name}`", hint)

    def require(self, *names: str) -> None:
        """Report fields that are missing."""
        for name in names:
            if self.lacks(name):
                self.sink.add(self.node, self.path, "missing-field", f"`{name}` is missing", f"add `{name}: …`")

    def scalar(self, name: str) -> Scalar | None:
        """The field's text as written, or `None` (reported, unless the field is missing)."""
        node = self.node.entries.get(name)
        if node is None or isinstance(node, Scalar):
            return node
        self.not_a("a text", name, node)
        return None

    def not_a(self, expected: str, name: str, node: Node) -> None:
        """Report that a field's value has another shape."""
        hint = ""
        verb = "are" if expected == "fields" else "is"
        if isinstance(node, Mapping) and expected == "a text":
            hint = 'a ": " made fields of it: put the text in single quotes, or use `|`'
        elif isinstance(node, Sequence) and expected == "a text":
            hint = "brackets or dashes made a list of it: put the text in single quotes, or use `|`"
        elif expected == "a list":
            hint = "write each entry on a line of its own, after `- `"
        self.sink.add(node, self.at(name), "shape", f"{expected} {verb} expected, found {_KIND[type(node)]}", hint)

    def word(self, name: str) -> str | None:
        """The field as a short text that is not shown: an id, a name. Empty is reported."""
        node = self.scalar(name)
        if node is None:
            return None
        if not node.text.strip():
            self.error(name, "empty", f"`{name}` is empty", "write a value, or remove the field")
            return None
        return node.text.strip()

    def id(self, name: str) -> str | None:
        """The field as an id."""
        word = self.word(name)
        if word is not None and not (ID.fullmatch(word) and len(word) <= 64):
            hint = "ids are a-z, 0-9 and single hyphens, at most 64, and stay for ever"
            self.error(name, "id", f"`{word}` is no id", hint)
        return word

    def one_of(self, name: str, allowed: Collection[str], default: str) -> str:
        """The field as one of a few words."""
        word = self.word(name)
        if word is not None and word not in allowed:
            self.error(name, name, f"`{word}` is not allowed", f"allowed are {listed(allowed)}")
        return word if word in allowed else default  # type: ignore[return-value]

    def truth(self, name: str) -> bool:
        """The field as ``true`` or ``false``; false when it is missing."""
        word = self.word(name)
        if word is not None and word not in {"true", "false"}:
            self.error(name, "truth", f"`{word}` is neither `true` nor `false`", "write one of them")
        return word == "true"

    def decimal(self, name: str, hint: str = "write digits with a decimal point, such as 0.5") -> Decimal | None:
        """The field as a decimal number."""
        word = self.word(name)
        if word is None:
            return None
        if not DECIMAL.fullmatch(word) or len(word) > 64:
            self.error(name, "number", f"`{word}` is no number", hint)
            return None
        return Decimal(word)

    def items(self, name: str) -> tuple[Node, ...]:
        """The entries of a list; none when it is missing."""
        node = self.node.entries.get(name)
        if node is None:
            return ()
        if not isinstance(node, Sequence):
            self.not_a("a list", name, node)
            return ()
        if not node.items:
            self.error(name, "empty", f"`{name}` is empty", "add an entry, or remove the field")
        return node.items

    def mapping(self, name: str) -> Fields | None:
        """The field as fields of its own."""
        node = self.node.entries.get(name)
        if node is None:
            return None
        if isinstance(node, Mapping):
            return Fields(node, self.at(name), self.sink)
        self.not_a("fields", name, node)
        return None

    def mappings(self, name: str) -> Iterator[Fields]:
        """The entries of a list of fields."""
        for index, node in enumerate(self.items(name)):
            path = f"{self.at(name)}[{index}]"
            if isinstance(node, Mapping):
                yield Fields(node, path, self.sink)
            else:
                self.sink.add(
                    node, path, "shape", f"fields are expected, found {_KIND[type(node)]}", "begin with `- id: …`"
                )

    def text(self, name: str, *, block: bool = True) -> Text | None:
        """The field as a shown text."""
        node = self.scalar(name)
        return None if node is None else shown_text(node, self.at(name), name, self.sink, block=block)

    def texts(self, name: str) -> tuple[Text, ...]:
        """The entries of a list of shown texts."""
        found: list[Text] = []
        for index, node in enumerate(self.items(name)):
            path = f"{self.at(name)}[{index}]"
            if isinstance(node, Scalar):
                found.append(shown_text(node, path, "entry", self.sink))
            else:
                hint = 'a ": " or brackets changed it: put the text in single quotes'
                self.sink.add(node, path, "shape", f"a text is expected, found {_KIND[type(node)]}", hint)
        return tuple(found)


def shown_text(node: Scalar, path: str, name: str, sink: Sink, *, block: bool = True) -> Text:
    """A shown text in its three forms; its faults become problems at their lines and columns in the file."""
    if not node.text.strip():
        sink.add(node, path, "empty", f"the {name} is empty", "write the text, or remove the field")
        return NO_TEXT
    if node.comment:
        message = "the text is cut at ` #`: what follows is a YAML comment"
        sink.add_at(node.end_line, _comment_column(node, sink), path, "cut", message, "put the text in single quotes")
    forms = markup.render(node.text.strip("\n"), block=block)
    for fault in forms.faults:
        line, column = place_in(node, fault.line, fault.column, sink)
        sink.add_at(line, column, path, "markup", fault.message, fault.hint)
    return Text({"en": Rendered(node.text.strip("\n"), forms.html, forms.preview, forms.plain)})


def listed(words: Collection[str], last: str = "and") -> str:
    """Words in backticks: ``a``, ``b`` and ``c``."""
    quoted = [f"`{word}`" for word in words]
    return f" {last} ".join([", ".join(quoted[:-1]), quoted[-1]] if len(quoted) > 1 else quoted)


def _comment_column(node: Scalar, sink: Sink) -> int:
    line = sink.document.lines[node.end_line - 1]
    found = re.compile(r"[ \t]#").search(line, node.column - 1 if node.end_line == node.line else 0)
    return found.end() if found else node.column


def place_in(node: Scalar, line: int, column: int, sink: Sink) -> tuple[int, int]:
    """Where a place within a text lies in the file; the text's own place where escapes or folds hide it."""
    lines = sink.document.lines
    wanted = node.text.strip("\n").split("\n")[line - 1][column - 1 :][:8]
    if node.style == "literal":
        first = node.line  # the line after the `|`
        while first < len(lines) and not lines[first].strip():
            first += 1
        indent = len(lines[first]) - len(lines[first].lstrip(" ")) if first < len(lines) else 0
        at, start = first + line - 1, indent + column - 1
        if at < len(lines) and lines[at][start:].startswith(wanted):
            return at + 1, start + 1
    for at in range(node.line - 1, min(node.end_line, len(lines))):
        found = lines[at].find(wanted, node.column - 1 if at == node.line - 1 else 0)
        if wanted and found >= 0:
            return at + 1, found + 1
    return node.line, node.column
