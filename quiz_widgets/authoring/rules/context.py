"""What rules look at: a quiz with the fields it was read from, its guides, and its texts in all languages."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from quiz_widgets.authoring.fields import Fields, Sink, place_in
from quiz_widgets.authoring.guides import GuideDocument
from quiz_widgets.authoring.overlays import Translated
from quiz_widgets.authoring.registered import Registered, registered
from quiz_widgets.authoring.rules.base import Rule
from quiz_widgets.authoring.tree import Document, Node, Scalar, Sequence
from quiz_widgets.authoring.tree import Mapping as Entries
from quiz_widgets.model import Item, Option, Quiz
from quiz_widgets.problems import Problem

_TEXTS = frozenset({"stem", "text", "rationale", "explanation", "evidence_text", "source", "unit", "hints"})


@dataclass(frozen=True, slots=True)
class ItemContext:
    """An item and the fields that it was read from."""

    item: Item
    fields: Fields

    def options(self) -> Iterator[tuple[Option, Fields]]:
        """Each option with its fields."""
        yield from zip(self.item.options, _entries(self.fields, "options"), strict=False)


@dataclass(frozen=True, slots=True)
class Shown:
    """One shown text where it is written: its language, the name of its field, and its place."""

    document: Document
    locale: str
    name: str
    path: str
    node: Scalar

    @property
    def text(self) -> str:
        """As it was written, without the line feeds around it."""
        return self.node.text.strip("\n")

    @property
    def owner(self) -> str:
        """The path of its item, as the file has it: ``items[0]`` in a quiz, ``items.the-id`` in a translation."""
        return ".".join(self.path.split(".", 2)[: 2 if self.path.startswith("items.") else 1])

    def problem(self, rule: Rule, at: int, message: str, hint: str) -> Problem:
        """A problem of this text; `at` counts its characters."""
        before = self.text[:at]
        sink = Sink(self.document)
        line, column = place_in(self.node, before.count("\n") + 1, at - before.rfind("\n"), sink)
        return Problem(self.document.file, line, column, self.path, message, hint, rule.severity, rule.id)


@dataclass
class QuizContext:
    """Everything of one quiz; what rules report is collected in `problems`."""

    quiz: Quiz
    fields: Fields
    documents: Mapping[str, GuideDocument]
    translated: Translated | None = None
    alone: bool = False
    """Whether the quiz stands in no folder of a course."""
    problems: list[Problem] = field(default_factory=list)

    def report(self, rule: Rule, node: Node, path: str, message: str, hint: str = "") -> None:
        """A problem at a node of the quiz's own file."""
        file = self.fields.sink.document.file
        self.problems.append(Problem(file, node.line, node.column, path, message, hint, rule.severity, rule.id))

    @cached_property
    def registered(self) -> Registered:
        """The evidence that the course registers."""
        return registered(None if self.alone else Path(self.fields.sink.document.file).parent)

    @cached_property
    def items(self) -> tuple[ItemContext, ...]:
        """Each item with its fields."""
        places = _entries(self.fields, "items")
        return tuple(ItemContext(item, fields) for item, fields in zip(self.quiz.items, places, strict=False))

    @cached_property
    def source_texts(self) -> tuple[Shown, ...]:
        """Every shown text of the quiz's own file."""
        document = self.fields.sink.document
        found = [
            Shown(document, "en", name, name, node)
            for name in ("title", "description")
            if isinstance(node := self.fields.node.entries.get(name), Scalar)
        ]
        for entry in self.items:
            found += _texts(document, entry.fields.path, entry.fields.node)
        return tuple(found)

    @cached_property
    def translated_texts(self) -> tuple[Shown, ...]:
        """Every shown text of the translations that stand beside the quiz."""
        found = []
        for translation in self.translated.translations if self.translated else ():
            overlay = translation.overlay
            if overlay is not None and overlay.document is not None:
                found += [
                    Shown(overlay.document, overlay.locale, path.rsplit(".", maxsplit=1)[-1], path, node)
                    for path, node in overlay.places.items()
                    if isinstance(node, Scalar)
                ]
        return tuple(found)

    @property
    def texts(self) -> tuple[Shown, ...]:
        """Every shown text in every language."""
        return self.source_texts + self.translated_texts


def _entries(fields: Fields, name: str) -> Iterator[Fields]:
    """The entries of a list of fields; nothing is reported."""
    inner = fields.node.entries.get(name)
    for index, node in enumerate(inner.items if isinstance(inner, Sequence) else ()):
        if isinstance(node, Entries):
            yield Fields(node, f"{fields.at(name)}[{index}]", fields.sink)


def _texts(document: Document, path: str, node: Entries) -> Iterator[Shown]:
    """The shown texts below a node, in the file's order."""
    for name, value in node.entries.items():
        at = f"{path}.{name}"
        if isinstance(value, Scalar):
            if name in _TEXTS:
                yield Shown(document, "en", name, at, value)
        elif isinstance(value, Sequence):
            for index, entry in enumerate(value.items):
                if isinstance(entry, Entries):
                    yield from _texts(document, f"{at}[{index}]", entry)
                elif isinstance(entry, Scalar) and name in _TEXTS:
                    yield Shown(document, "en", name, f"{at}[{index}]", entry)
