"""One overlay: ``quiz.LOCALE.yaml`` beside its ``quiz.yaml``, which gives texts in one more language, by id only."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path

from quiz_widgets.authoring import accepted, tree
from quiz_widgets.authoring import fields as source_fields
from quiz_widgets.authoring.fields import Fields, Sink, listed, place_in
from quiz_widgets.authoring.overlays import fidelity
from quiz_widgets.authoring.tree import Node, Scalar, Sequence
from quiz_widgets.locales.forms import CATEGORIES
from quiz_widgets.model import Item, Quiz, Rendered
from quiz_widgets.problems import Problem

NAME = re.compile(r"quiz\.(?P<locale>[A-Za-z-]+)\.ya?ml")
FIELDS = ("locale", "title", "description", "items", "unchanged", "translates")
ITEM_FIELDS = (
    *("stem", "unit", "options", "targets", "accept", "hints"),
    *("explanation", "slips", "evidence_text", "source"),
)
# What only the source says. The list is for the message: everything unknown is refused.
STRUCTURE = frozenset(
    {
        *("id", "level", "guides", "section", "set", "kind", "credit", "correct", "claim", "pin"),
        *("value", "tolerance", "draw", "digits", "points", "tries", "evidence", "match", "match_case"),
    }
)
MANY = 200
_MAY_EQUAL = ("unit", "source")  # symbols and citations are the same in many languages


@dataclass(slots=True)
class Overlay:
    """What one overlay says: texts and the hashes of what they translate, by path, with all problems."""

    file: str
    locale: str
    texts: dict[str, Rendered] = field(default_factory=dict)
    places: dict[str, Node] = field(default_factory=dict)
    hashes: dict[str, Scalar] = field(default_factory=dict)
    unchanged: frozenset[str] = frozenset()
    untranslated: set[str] = field(default_factory=set)
    """Paths that are there, but still in the source's words."""
    problems: tuple[Problem, ...] = ()
    document: tree.Document | None = None


def beside(path: Path) -> list[Path]:
    """The overlays of a quiz file, sorted by locale."""
    return sorted(file for file in path.parent.glob("quiz.*") if NAME.fullmatch(file.name) and file.is_file())


def read(path: Path, quiz: Quiz, sources: Mapping[str, str], data: bytes | None = None) -> Overlay:
    """The overlay in that file, compared with its quiz; faults are problems, none is raised.

    `sources` are the quiz's texts by path; `data` is what the file would hold once it is saved.
    """
    named = NAME.fullmatch(path.name)
    overlay = Overlay(str(path), named["locale"] if named else "")
    overlay.document = document = tree.read(path.read_bytes() if data is None else data, str(path))
    sink = Sink(document, list(document.problems))
    if isinstance(document.root, tree.Mapping):
        _Reader(overlay, quiz, sources, sink).read(Fields(document.root, "", sink))
    elif document.root is not None:
        sink.add(document.root, "", "shape", "a translation is expected", "begin with `locale: …`")
    overlay.problems = tuple(sorted(set(sink.problems)))
    return overlay


class _Reader:
    """Reads an overlay from top to bottom, beside its quiz."""

    def __init__(self, overlay: Overlay, quiz: Quiz, sources: Mapping[str, str], sink: Sink) -> None:
        self.overlay = overlay
        self.quiz = quiz
        self.sink = sink
        self.sources = sources

    def read(self, fields: Fields) -> None:
        self.only(fields, FIELDS)
        fields.require("locale")
        self._locale(fields)
        self.overlay.unchanged = frozenset(self._paths(fields))
        self.text(fields, "title", "title", block=False)
        self.text(fields, "description", "description")
        items = {item.id: item for item in self.quiz.items}
        for item_id, inner in self.by_id(fields, "items", items, "item"):
            self._item(inner, items[item_id])
        self._hashes(fields)

    def _locale(self, fields: Fields) -> None:
        locale, named = fields.word("locale"), self.overlay.locale
        if locale is not None and locale != named:
            fields.error("locale", "locale", f"`{locale}` in a file for `{named}`", "give both the same language")
        elif locale is not None and locale.split("-", maxsplit=1)[0] not in CATEGORIES:
            known = listed(CATEGORIES)
            fields.error("locale", "locale", f"there are no interface words in `{locale}`", f"known are {known}")

    def _item(self, fields: Fields, item: Item) -> None:
        self.only(fields, ITEM_FIELDS)
        at = f"items.{item.id}"
        for name in ("stem", "unit", "explanation", "evidence_text", "source"):
            self.text(fields, name, f"{at}.{name}", block=name != "unit")
        for option, inner in self.by_id(fields, "options", [option.id for option in item.options], "option"):
            self.only(inner, ("text", "rationale"))
            for name in ("text", "rationale"):
                self.text(inner, name, f"{at}.options.{option}.{name}")
        for slip, inner in self.by_id(fields, "slips", [slip.id for slip in item.slips], "slip"):
            self.only(inner, ("rationale",))
            self.text(inner, "rationale", f"{at}.slips.{slip}.rationale")
        for target, inner in self.by_id(fields, "targets", [target.id for target in item.targets], "target"):
            self.only(inner, ("text",))
            self.text(inner, "text", f"{at}.targets.{target}.text")
        for accept, inner in self.by_id(fields, "accept", [one.id for one in item.accept], "accepted text"):
            self.only(inner, ("text", "rationale"))
            self._pattern(inner, f"{at}.accept.{accept}.text")
            self.text(inner, "rationale", f"{at}.accept.{accept}.rationale")
        for index, node in enumerate(fields.items("hints")):
            if isinstance(node, Scalar):
                self.shown(node, f"{fields.at('hints')}[{index}]", f"{at}.hints.{index}", "hint")
            else:
                message = "a text is expected"
                self.sink.add(node, f"{fields.at('hints')}[{index}]", "shape", message, "put it in single quotes")

    def _pattern(self, fields: Fields, path: str) -> None:
        """What is accepted in this language; a term may be the same as in the source."""
        node = fields.scalar("text")
        if node is not None and (rendered := accepted.pattern(node, fields.at("text"), self.sink)).source:
            self.overlay.texts[path] = rendered
            self.overlay.places[path] = node

    def only(self, fields: Fields, allowed: Collection[str]) -> None:
        """Report fields that a translation cannot have."""
        strange = [name for name in fields.node.entries if name not in allowed and name in STRUCTURE]
        for name in strange:
            message = f"`{name}` does not belong in a translation"
            hint = f"it holds texts only: {listed(allowed)}"
            self.sink.add(fields.key(name), fields.path, "overlay-structure", message, hint)
        fields.only([*allowed, *strange])

    def by_id(self, fields: Fields, name: str, known: Collection[str], called: str) -> Iterator[tuple[str, Fields]]:
        """The entries of a mapping by id; unknown ids, and ids that hold nothing, are reported."""
        node = fields.node.entries.get(name)
        if isinstance(node, Sequence):
            hint = "name each by its id: `the-id: {…}`"
            self.sink.add(node, fields.at(name), "overlay-structure", f"{name} are no list in a translation", hint)
            return
        inner = fields.mapping(name)
        if inner is None:
            return
        for entry in inner.node.entries:
            value = inner.node.entries[entry]
            if entry not in known:
                # In a bank looking for near ids takes long, and nobody reads the list of all.
                many = len(known) > MANY
                near = [] if many else get_close_matches(entry, list(known), n=3)
                has = f"{len(known)}, but not this one" if many else listed(known) or "none"
                hint = f"did you mean {listed(near, 'or')}?" if near else f"the quiz has {has}"
                self.sink.add(inner.key(entry), inner.path, "overlay-id", f"unknown {called} `{entry}`", hint)
            elif _empty(value):
                message = f"the {called} `{entry}` holds no text"
                self.sink.add(inner.key(entry), inner.path, "overlay-empty", message, "write it, or remove the id")
            elif (below := inner.mapping(entry)) is not None:
                yield entry, below

    def text(self, fields: Fields, name: str, path: str, *, block: bool = True) -> None:
        """One text of the overlay, if it is there."""
        node = fields.scalar(name)
        if node is not None:
            self.shown(node, fields.at(name), path, name, block=block)

    def shown(self, node: Scalar, where: str, path: str, name: str, *, block: bool = True) -> None:
        source = self.sources.get(path)
        if source is None:
            message = "the source has no such text"
            self.sink.add(node, where, "overlay-text", message, "remove it, or add it to quiz.yaml first")
            return
        rendered = source_fields.shown_text(node, where, name, self.sink, block=block).forms["en"]
        if not rendered.source:
            return
        may_equal = path.rsplit(".", maxsplit=1)[-1] in _MAY_EQUAL or path in self.overlay.unchanged
        faults = list(fidelity.check(source, rendered.source, self.overlay.locale, may_equal=may_equal))
        if any(fault.rule == "unchanged" for fault in faults):
            self.overlay.untranslated.add(path)
        else:
            self.overlay.texts[path] = rendered
            self.overlay.places[path] = node
        for fault in faults:
            line, column = node.line, node.column
            if fault.at is not None:
                before = rendered.source[: fault.at]
                line, column = place_in(node, before.count("\n") + 1, fault.at - before.rfind("\n"), self.sink)
            self.sink.add_at(line, column, where, fault.rule, fault.message, fault.hint)

    def _paths(self, fields: Fields) -> Iterator[str]:
        """The texts that are meant to equal the source."""
        for index, node in enumerate(fields.items("unchanged")):
            if isinstance(node, Scalar) and node.text in self.sources:
                yield node.text
            else:
                shown = node.text if isinstance(node, Scalar) else ""
                hint = "write the path of a text, such as `items.the-item.stem`"
                self.sink.add(node, f"unchanged[{index}]", "overlay-path", f"`{shown}` is no text of the quiz", hint)

    def _hashes(self, fields: Fields) -> None:
        """What each text translates; `coverage` finds wrong and missing hashes."""
        inner = fields.mapping("translates")
        for path in inner.node.entries if inner is not None else ():
            node = inner.scalar(path) if inner is not None else None
            if node is not None:
                self.overlay.hashes[path] = node


def _empty(node: Node) -> bool:
    """Whether nothing stands here: no field, no entry, no sign."""
    if isinstance(node, Scalar):
        return not node.text.strip()
    return not (node.items if isinstance(node, Sequence) else node.entries)
