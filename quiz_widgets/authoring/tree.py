"""YAML as a tree of texts with their places, and everything in it that would silently change what was written.

The tree is built from the parser's events, the stream from which `yaml.compose` builds its nodes: nothing is
typed by YAML (`no`, `0.10`, `12:30` stay text), and anchors, tags and duplicate keys, which composing hides,
are seen. Deep nesting cannot exhaust the stack.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Literal

from quiz_widgets.authoring import scan
from quiz_widgets.problems import Problem

Style = Literal["plain", "single", "double", "literal", "folded"]
_STYLES: dict[str | None, Style] = {"'": "single", '"': "double", "|": "literal", ">": "folded"}
_COMMENT = re.compile(r"[ \t]+#")
MAX_DEPTH = 20


@dataclass(frozen=True, slots=True)
class Scalar:
    """A text as written. `comment` says whether a comment follows on its line; `end_line` is where it ends."""

    line: int
    column: int
    text: str = ""
    style: Style = "plain"
    comment: bool = False
    end_line: int = 0


@dataclass(frozen=True, slots=True)
class Sequence:
    """A list."""

    line: int
    column: int
    items: tuple[Node, ...] = ()


@dataclass(frozen=True, slots=True)
class Mapping:
    """Fields by name, in order; `keys` holds the place of each name."""

    line: int
    column: int
    entries: dict[str, Node] = field(default_factory=dict)
    keys: dict[str, Scalar] = field(default_factory=dict)


Node = Scalar | Sequence | Mapping


@dataclass(frozen=True, slots=True)
class Document:
    """A file's tree (`None` when there is none) with its lines and what is wrong with its YAML."""

    file: str
    root: Node | None
    lines: tuple[str, ...]
    problems: tuple[Problem, ...]


def read(data: bytes, file: str) -> Document:
    """The tree of a YAML file; every fault is in `problems`, none is raised."""
    text, problems = scan.decode(data, file)
    lines = tuple(text.split("\n"))
    problems += scan.check(lines, file)
    builder = _Builder(file, lines, problems)
    root = builder.build(text) if text.strip() else None
    if root is None and not problems:
        builder.problem(1, 1, "empty", "the file holds no quiz", "begin it with `id: …`")
    return Document(file, root, lines, tuple(sorted(set(problems))))


class _Builder:
    """Builds the tree from events, with a stack of its own."""

    def __init__(self, file: str, lines: tuple[str, ...], problems: list[Problem]) -> None:
        self.file = file
        self.lines = lines
        self.problems = problems

    def problem(self, line: int, column: int, rule: str, message: str, hint: str) -> None:
        self.problems.append(Problem(self.file, line, column, message=message, hint=hint, rule=rule))

    def build(self, text: str) -> Node | None:
        """The root node, as far as the text could be parsed."""
        import yaml

        loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
        roots: list[Node] = []
        try:
            self._collect(yaml.parse(text, Loader=loader), roots)
        except yaml.YAMLError as error:
            self._syntax(error)
            return None
        too_deep = any(problem.rule == "depth" for problem in self.problems)
        return roots[0] if roots and not too_deep else None

    def _collect(self, events: Iterator[Any], roots: list[Node]) -> None:
        """Add the first document's root to `roots`; containers stay on a stack until they end."""
        stack: list[tuple[Any, list[Node]]] = []
        documents = 0
        for event in events:
            kind = type(event).__name__
            if kind == "ScalarEvent":  # first: most events are texts
                (stack[-1][1] if stack else roots).append(self._leaf(event))
            elif kind in {"MappingStartEvent", "SequenceStartEvent"}:
                self._decorations(event)
                stack.append((event, []))
                if len(stack) == MAX_DEPTH + 1:
                    message = f"more than {MAX_DEPTH} levels inside one another"
                    self.problem(*_place(event), "depth", message, "a quiz needs no more than eight")
            elif kind in {"MappingEndEvent", "SequenceEndEvent"}:
                start, children = stack.pop()
                node = self._container(start, children, mapping=kind == "MappingEndEvent")
                (stack[-1][1] if stack else roots).append(node)
            elif kind == "AliasEvent":
                line, column = _place(event)
                self._anchor(line, column, f"*{event.anchor}")
                (stack[-1][1] if stack else roots).append(Scalar(line, column, f"*{event.anchor}", end_line=line))
            elif kind == "DocumentStartEvent":
                documents += 1
                if documents == 2:
                    message, hint = "a second document begins here (`---`)", "a file holds one quiz"
                    self.problem(*_place(event), "documents", message, hint)

    def _leaf(self, event: Any) -> Scalar:
        self._decorations(event)
        line, column = _place(event)
        end = event.end_mark
        end_line, end_column = end.line, end.column
        style = _STYLES.get(event.style, "plain")
        comment = False
        if style == "plain" and end_line < len(self.lines) and len(self.lines[end_line]) > end_column:
            comment = bool(event.value) and _COMMENT.match(self.lines[end_line], end_column) is not None
        scalar = Scalar(line, column, event.value, style, comment, end_line + 1)
        if style == "double":
            self.problems += scan.check_scalar(scalar, self.lines, (end_line, end_column), self.file)
        return scalar

    def _container(self, start: Any, children: list[Node], *, mapping: bool) -> Node:
        line, column = _place(start)
        if not mapping:
            return Sequence(line, column, tuple(children))
        made = Mapping(line, column)
        for key, value in zip(children[::2], children[1::2], strict=True):
            if not isinstance(key, Scalar):
                self.problem(key.line, key.column, "field-name", "a field's name is a word", "put texts in quotes")
            elif key.text == "<<" and key.style == "plain":
                self._anchor(key.line, key.column, "<<")
            elif key.text in made.entries:
                first = made.keys[key.text]
                message = f"`{key.text}` is here twice (first on line {first.line})"
                self.problem(key.line, key.column, "duplicate-field", message, "remove or rename one of them")
            else:
                made.entries[key.text] = value
                made.keys[key.text] = key
        return made

    def _decorations(self, event: Any) -> None:
        if event.anchor is not None:
            self._anchor(*_place(event), f"&{event.anchor}")
        if event.tag is not None:
            message = f"a YAML tag (`{event.tag}`): types come from the fields here"
            self.problem(*_place(event), "tag", message, "remove it; put a text that begins with `!` in quotes")

    def _anchor(self, line: int, column: int, found: str) -> None:
        message = f"`{found}`: YAML anchors, aliases and merge keys are not allowed"
        self.problem(line, column, "anchor", message, "write the text out; put a text that begins so in quotes")

    def _syntax(self, error: Any) -> None:
        mark = getattr(error, "problem_mark", None) or getattr(error, "context_mark", None)
        problem = getattr(error, "problem", None) or getattr(error, "reason", None) or "not YAML"
        if scan.never_closed(problem):  # found out at the end of the file, but it is the beginning that wants mending
            mark = getattr(error, "context_mark", None) or mark
        line, column = (mark.line + 1, mark.column + 1) if mark else (1, 1)
        if (
            "control characters" in problem
            or "special characters" in problem
            or any(known.rule == "indentation" and known.line <= line for known in self.problems)
        ):
            return  # the parser stumbled over what is reported already
        shown = self.lines[line - 1].strip() if line <= len(self.lines) else ""
        rule, hint = scan.syntax_hint(problem, shown)
        self.problem(line, column, rule, f"this is not YAML: {problem}", hint)


def _place(event: Any) -> tuple[int, int]:
    """Where an event begins: line and column, from 1."""
    mark = event.start_mark
    return mark.line + 1, mark.column + 1
