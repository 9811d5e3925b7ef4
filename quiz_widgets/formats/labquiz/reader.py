"""One question of LabQuiz as drafts: propositions as options, or a question for each number that is asked for."""

from __future__ import annotations

import re
from decimal import Decimal

from quiz_widgets.authoring import tree
from quiz_widgets.authoring.fields import ID
from quiz_widgets.formats import foreign, ids, markdown
from quiz_widgets.formats.base import Notices, decimal
from quiz_widgets.formats.draft import DraftItem, DraftOption
from quiz_widgets.formats.labquiz import numbers

_TRUE = frozenset({"true", "yes", "on"})
_FALSE = frozenset({"false", "no", "off"})
_OLD = {"reponse": "answer", "bonus": "correctAnswerPoints", "malus": "incorrectAnswerPoints"}
_TYPES = {"qcm": "mcq", "qcm-template": "mcq-template"}
_QUESTION = {"question", "type", "label", "propositions", "constraints", "variables", "category", "tags"}
_PROPOSITION = {
    *("proposition", "label", "type", "expected", "tolerance", "tolerance_abs", "tip", "answer"),
    *("correctAnswerPoints", "incorrectAnswerPoints", "weights"),
}
Entry = dict[str, tree.Node]


class Reader:
    """Reads the question of that name."""

    def __init__(self, name: str, node: tree.Node, notices: Notices) -> None:
        self.name = name
        self.node = node
        self.notices = notices
        self.fields: Entry = dict(node.entries) if isinstance(node, tree.Mapping) else {}

    def say(self, line: int, rule: str, message: str, hint: str = "", *, error: bool = False) -> None:
        """Note something at a line of the question."""
        self.notices.add(line, self.name, rule, message, hint, severity="error" if error else "warning")

    def items(self) -> list[DraftItem]:
        """The drafts of the question; none, said, when it is no question or computed by Python."""
        line = self.node.line
        if not isinstance(self.node, tree.Mapping):
            self.say(line, "labquiz-question", "this is no question: it is left out", error=True)
            return []
        kind = self.word(self.fields, "type") or "mcq"
        kind = _TYPES.get(kind, kind)
        if kind not in {"mcq", "numeric"}:
            message = f"the type `{kind[:30]}` is left out"
            hint = (
                "its key is computed by Python there: write draws" if kind.endswith("-template") else "mcq or numeric"
            )
            self.say(line, "labquiz-type", message, hint, error=True)
            return []
        if unknown := [name[:30] for name in self.fields if name not in _QUESTION]:
            message = f"LabQuiz has no field {', '.join(unknown[:8])}: left out"
            self.notices.add(line, self.name, "labquiz-field", message, severity="note")
        self.constraints()
        propositions = [self.proposition(node) for node in self.list(self.fields, "propositions")]
        found = [entry for entry in propositions if entry]
        if kind == "numeric":
            return [self.number(entry, alone=len(found) == 1) for entry in found]
        return [self.choice(found)]

    def proposition(self, node: tree.Node) -> Entry:
        """The fields of a proposition by their present names."""
        if not isinstance(node, tree.Mapping):
            self.say(node.line, "labquiz-proposition", "this is no proposition: it is left out", error=True)
            return {}
        entry = {_OLD.get(name, name): value for name, value in node.entries.items()}
        if unknown := [name[:30] for name in entry if name not in _PROPOSITION]:
            message = f"LabQuiz has no field {', '.join(unknown[:8])}: left out"
            self.notices.add(node.line, self.name, "labquiz-field", message, severity="note")
        return entry

    def choice(self, found: list[Entry]) -> DraftItem:
        """True and false propositions: each of them may be ticked."""
        truths = [self.truth(entry) for entry in found]
        rights = sum(truths)
        if found and not rights:
            message = "every proposition is false: who ticks nothing is right there, and here something must be chosen"
            self.say(self.node.line, "labquiz-none", message, "add one that is right")
        elif found and rights == len(found) and len(found) > 1:
            message = "every proposition is true: who ticks all is right there"
            self.say(self.node.line, "labquiz-all", message, "add one that is wrong")
        share = Decimal(100) / max(rights, 1)
        options = tuple(
            DraftOption(
                text=self.text(entry, "proposition"),
                id=self.id(entry),
                correct=right,
                weight=share if right else -share,
                rationale=self.text(entry, "answer"),
            )
            for entry, right in zip(found, truths, strict=True)
        )
        for entry in found:
            numbers.points(self, entry, "mcq")
        return DraftItem(
            kind="multiple",
            stem=self.text(self.fields, "question"),
            id=ids.slug(self.name),
            name=self.name,
            options=options,
            credit="partial",
            hints=self.hints(found),
            category=self.word(self.fields, "category"),
            tags=self.tags(),
            place=self.notices.place(self.node.line),
        )

    def number(self, entry: Entry, *, alone: bool) -> DraftItem:
        """A number that is asked for: a question of its own."""
        where = entry.get("proposition", entry.get("expected", self.node))
        label = self.word(entry, "label")
        expected = self.word(entry, "expected")
        value = decimal(expected)
        if value is None:
            message = f"`{expected[:30]}` is no number: the question has no key"
            self.say(where.line, "labquiz-number", message, "write 3.14", error=True)
        points = numbers.points(self, entry, "numeric")
        stem = [self.text(self.fields, "question"), self.text(entry, "proposition")]
        return DraftItem(
            kind="number",
            stem="\n\n".join(part for part in stem if part),
            id=ids.slug(self.name if alone else f"{self.name} {label}"),
            name=self.name if alone else f"{self.name}/{label}",
            value=value,
            tolerance=numbers.tolerance(self, entry, value) if value is not None else None,
            points=points,
            hints=self.hints([entry]),
            explanation=self.text(entry, "answer"),
            category=self.word(self.fields, "category"),
            tags=self.tags(),
            place=self.notices.place(where.line),
        )

    def truth(self, entry: Entry) -> bool:
        """Whether a proposition is true."""
        node = entry.get("expected")
        if not isinstance(node, tree.Scalar):
            line = entry.get("proposition", self.node).line
            message = "`expected` is missing: LabQuiz gives no points; it is read as false"
            self.say(line, "labquiz-expected", message, "write true or false", error=True)
            return False
        word = node.text.strip().lower()
        if word not in _TRUE | _FALSE:
            message = f"`expected: {node.text[:20]}` is neither true nor false: it is read as false"
            self.say(node.line, "labquiz-expected", message, "write true or false", error=True)
        elif node.style != "plain":
            message = f"`expected` in quotes is a text there, which no answer equals; it is read as {word}"
            self.say(node.line, "labquiz-expected", message, "write it without quotes")
        return word in _TRUE

    def constraints(self) -> None:
        """Rules between propositions: none of them is kept."""
        for node in self.list(self.fields, "constraints"):
            entry = dict(node.entries) if isinstance(node, tree.Mapping) else {}
            between = " and ".join(
                part.text[:30] for part in self.list(entry, "indexes") if isinstance(part, tree.Scalar)
            )
            message = f"a constraint is not kept: {self.word(entry, 'type')[:12] or 'XOR'} between {between or '…'}"
            self.say(node.line, "labquiz-constraint", message, "who contradicts himself loses points there, not here")

    def hints(self, found: list[Entry]) -> tuple[str, ...]:
        """The tips of all propositions, each once: there one is chosen by chance, and costs points."""
        tips = dict.fromkeys(tip for entry in found if (tip := self.text(entry, "tip")))
        if len(tips) > 1:
            message = "tips of single propositions became the question's hints, shown in their order"
            self.notices.add(self.node.line, self.name, "labquiz-tip", message, severity="note")
        return tuple(tips)

    def tags(self) -> tuple[str, ...]:
        """The question's tags, from a list or a text with commas."""
        node = self.fields.get("tags")
        if isinstance(node, tree.Scalar):
            return tuple(part.strip() for part in node.text.split(",") if part.strip())
        return tuple(part.text for part in self.list(self.fields, "tags") if isinstance(part, tree.Scalar))

    def id(self, entry: Entry) -> str:
        """The label, where it may be an id."""
        label = self.word(entry, "label")
        return label if ID.fullmatch(label) else ""

    def list(self, fields: Entry, name: str) -> tuple[tree.Node, ...]:
        """The entries of a list; what is none is noted."""
        node = fields.get(name)
        if node is None or isinstance(node, tree.Sequence):
            return node.items if isinstance(node, tree.Sequence) else ()
        if not (isinstance(node, tree.Scalar) and not node.text.strip()):
            self.say(node.line, "labquiz-list", f"`{name}` is no list: it is left out", error=True)
        return ()

    def word(self, fields: Entry, name: str) -> str:
        """A field's text as it is written; empty where there is none."""
        node = fields.get(name)
        return node.text.strip() if isinstance(node, tree.Scalar) else ""

    def text(self, fields: Entry, name: str) -> str:
        """A field's Markdown as ours."""
        node = fields.get(name)
        if node is None:
            return ""
        if not isinstance(node, tree.Scalar):
            self.say(node.line, "labquiz-text", f"`{name}` is no text: it is left out", error=True)
            return ""

        def report(rule: str, message: str, hint: str) -> None:
            self.say(node.line, rule, message, hint)

        if re.fullmatch(r"\s*[+-]?[\d.,eE]+\s*", node.text):
            return markdown.escape(node.text.strip())  # `1.` alone would be a list
        return foreign.to_ours(node.text, report)
