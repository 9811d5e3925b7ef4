"""A whole quiz file: heading, guides and items, with the rules that hold between them."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping as MappingType
from dataclasses import dataclass, field
from pathlib import Path
from typing import cast

from quiz_widgets import compiled, markup
from quiz_widgets.authoring import (
    consequences,
    guides,
    items,
    overlays,
    places,
    pools,
    recorded,
    registered,
    rules,
    severities,
    tree,
)
from quiz_widgets.authoring.fields import NO_TEXT, Fields, Sink, listed
from quiz_widgets.authoring.tree import Mapping, Scalar
from quiz_widgets.demos import cells
from quiz_widgets.model import LEVELS, Guide, Item, Level, Quiz, Rendered, Text
from quiz_widgets.problems import ContentError, Problem

QUIZ_FILE = "quiz.yaml"
FIELDS = ("id", "title", "level", "description", "strict", "guides", "confidence", "pools", "exceptions", "items")


@dataclass(frozen=True, slots=True)
class Reading:
    """What came of one file: the quiz, as far as it could be read, and everything wrong with it and its guides."""

    file: str
    quiz: Quiz | None
    problems: tuple[Problem, ...]
    id_place: tuple[int, int] = (0, 0)
    translated: overlays.Translated | None = None
    weighing: severities.Weighing = field(default_factory=severities.Weighing)
    entries: tuple[rules.ItemContext, ...] = ()
    """The items with the fields that they were read from."""


def read(path: Path, *, banks: bool = True) -> Reading:
    """Read a quiz file, the guides it names and, with `banks`, those. Nothing is raised: faults are problems."""
    file = str(path)
    try:
        data = path.read_bytes()
    except OSError as error:
        message = f"cannot be read: {(error.strerror or str(error)).lower()}"
        hint = "give a quiz.yaml or the folder that holds one"
        return Reading(file, None, (Problem(file, message=message, hint=hint, rule="file"),))
    return of_document(tree.read(data, file), path, banks=banks)


def parse(data: bytes, path: Path, unsaved: MappingType[Path, bytes] | None = None) -> Reading:
    """The quiz in `data`, as if read from `path`, beside which its guides are looked for.

    `unsaved` are its translations as they would be once they are saved.
    """
    return of_document(tree.read(data, str(path)), path, unsaved)


def of_document(
    document: tree.Document,
    path: Path | None,
    unsaved: MappingType[Path, bytes] | None = None,
    *,
    banks: bool = True,
) -> Reading:
    """The quiz in a tree. Without a `path` it stands alone: neither guides nor records nor translations are sought."""
    sink = Sink(document, list(document.problems))
    if not isinstance(document.root, Mapping):
        if document.root is not None:
            found = "a text" if isinstance(document.root, Scalar) else "a list"
            sink.add(document.root, "", "shape", f"a quiz is expected, found {found}", "begin with `id: …`")
        return Reading(document.file, None, tuple(sorted(sink.problems)))
    fields = Fields(document.root, "", sink)
    quiz, documents, declared = _quiz(fields, path)
    demos = cells.names(None if path is None else registered.demos_folder(path.parent))
    for guide in documents.values():
        sink.problems += guide.problems
        # Places are compared with the ids of a whole quiz: half a quiz would make every place look wrong.
        if guide.id == quiz.id and not any(problem.severity == "error" for problem in document.problems):
            sink.problems += places.check(guide, quiz, demos)
    translated: overlays.Translated | None = None
    # Half a quiz would make every translation of it look wrong.
    if path is not None and path.name == QUIZ_FILE and not sink.errors:
        translated = overlays.add(quiz, path, documents.values(), unsaved)
        quiz = translated.quiz
        sink.problems += translated.problems
    weighing = severities.read(fields)
    context = rules.QuizContext(quiz, fields, documents, translated, alone=path is None)
    sink.problems += rules.check_quiz(context)
    quiz, of_banks = pools.add(quiz, declared if banks else (), path, _bank)
    place = fields.place("id")
    ids = [entry.item.id for entry in context.items]
    kept = [*of_banks, *weighing.weigh(consequences.left_out(set(sink.problems), ids))]
    kept += weighing.weigh(weighing.stale())
    return Reading(
        document.file, quiz, tuple(sorted(kept)), (place.line, place.column), translated, weighing, context.items
    )


def _bank(path: Path) -> tuple[Quiz | None, list[Problem]]:
    """The items that stand in another quiz's file, and its errors."""
    reading = read(path, banks=False)
    errors = [problem for problem in reading.problems if problem.severity == "error"]
    return None if reading.quiz is None else dataclasses.replace(reading.quiz, items=reading.quiz.own), errors


def _quiz(fields: Fields, path: Path | None) -> tuple[Quiz, dict[str, guides.GuideDocument], tuple[pools.Bank, ...]]:
    fields.only(FIELDS)
    fields.require("id", "title", "level", "description", *(() if pools.has_bank(fields) else ("items",)))
    quiz_id = fields.id("id") or ""
    documents: dict[str, guides.GuideDocument] = {}
    records: recorded.Records = {}
    if path is not None:
        folder = path.resolve().parent.name
        if quiz_id and path.name == QUIZ_FILE and quiz_id != folder:
            message = f"the quiz `{quiz_id}` stands in the folder `{folder}`"
            fields.error("id", "folder", message, "give both the same name: quizzes are found by it")
        documents = _guides(fields, path)
        records, faults = recorded.read(path.parent)
        fields.sink.problems += faults
    sections = [section for document in documents.values() for section in document.sections]
    # Where the guide itself is missing, which is reported, nothing can be said of its sections.
    known = path is not None and (documents or not any(problem.rule == "guide" for problem in fields.sink.problems))
    found: list[pools.Entry] = []
    lines: dict[str, int] = {}
    for item_fields in fields.mappings("items"):
        item = recorded.add(items.read(item_fields), records, item_fields)
        if item.id and item.id in lines:
            message = f"`{item.id}` is the id of the item on line {lines[item.id]} too"
            item_fields.error("id", "item-twice", message, "rename one")
        lines.setdefault(item.id, item_fields.place("id").line)
        if known:
            _section(item_fields, item, sections, documents)
        found.append((dataclasses.replace(item, hash=compiled.item_hash(item)), item_fields.word("pool"), item_fields))
    own, banks = pools.read(fields, found)
    quiz = Quiz(
        id=quiz_id,
        title=fields.text("title", block=False) or NO_TEXT,
        level=cast("Level", fields.one_of("level", LEVELS, "medium")),
        description=fields.text("description") or NO_TEXT,
        guides=tuple(_guide(document) for document in documents.values()),
        items=tuple(item for item, _, _ in found),
        pools=own,
        confidence=fields.truth("confidence"),
    )
    return dataclasses.replace(quiz, hash=compiled.quiz_hash(quiz)), documents, banks


def _section(
    fields: Fields, item: Item, sections: list[str], documents: MappingType[str, guides.GuideDocument]
) -> None:
    if item.section is None or item.section in sections:
        return
    if documents:
        hint = f"the sections are {listed(sections)}" if sections else "its guide opens no section"
    else:
        hint = "the quiz names no `guides`"
    fields.error("section", "section", f"unknown section `{item.section}`", hint)


def _guides(fields: Fields, path: Path) -> dict[str, guides.GuideDocument]:
    """The guides that the quiz names, by id; missing ones are reported."""
    documents: dict[str, guides.GuideDocument] = {}
    for index, node in enumerate(fields.items("guides")):
        where = f"{fields.at('guides')}[{index}]"
        if not isinstance(node, Scalar):
            fields.sink.add(node, where, "shape", "the id of a guide is expected", "write `guides: [id]`")
            continue
        guide_path = path.resolve().parent.parent / node.text / "guide.en.md"
        if node.text in documents:
            fields.sink.add(node, where, "guide", f"the guide `{node.text}` is here twice", "name it once")
        elif "/" in node.text or not guide_path.is_file():
            message = f"unknown guide `{node.text}`"
            hint = f"there is no {path.parent.parent / node.text / 'guide.en.md'}"
            fields.sink.add(node, where, "guide", message, hint)
        else:
            # Shown as the author gave the path: relative stays relative.
            shown = (
                path.parent / guide_path.name
                if node.text == guide_path.parent.name == path.resolve().parent.name
                else guide_path
            )
            try:
                documents[node.text] = guides.read(shown, "en")
            except ContentError as error:
                fields.sink.problems += error.problems
    return documents


def _guide(document: guides.GuideDocument) -> Guide:
    sections = {section: _text(title) for section, title in document.sections.items()}
    return Guide(document.id, _text(document.title), sections, _demos(document))


def _demos(document: guides.GuideDocument) -> dict[str, str]:
    """The first demo of each section that has one."""
    found: dict[str, str] = {}
    section = None
    for block in document.blocks:
        if isinstance(block, guides.Section):
            section = block.id
        elif isinstance(block, guides.DemoPlace) and section is not None:
            found.setdefault(section, block.name)
    return found


def _text(source: str) -> Text:
    forms = markup.render(source, block=False)
    return Text({"en": Rendered(source, forms.html, forms.preview, forms.plain)})
